// A board that is set up, as skewer::setup knows it; what it means as a query the engine says.

export const PIECES = "KQRBNPAkqrbnpa";
export const WIDTHS = ["exact", "pieces", "pawns", "files", "material"] as const;
export type Width = (typeof WIDTHS)[number] | "structure";
export const TRANSFORMS = ["flipcolor", "fliphorizontal", "flipvertical", "flip", "rotate90", "shift", "shifthorizontal", "shiftvertical"] as const;
export type Transform = (typeof TRANSFORMS)[number];

export interface Place {
  pieces: string;
  zone?: string;
}

export interface Count extends Place {
  least?: number;
  most?: number;
}

export interface Arrow {
  kind: "attacks" | "ray" | "xray";
  from: Place;
  through?: Place[];
  to: Place;
}

export interface Setup {
  squares?: Record<string, string>;
  anywhere?: Count[];
  either?: Place[][];
  arrows?: Arrow[];
  material?: Count[];
  side?: "w" | "b";
  transforms?: Transform[];
}

/** What is said by putting a letter on a square: that it stands there, that it does not, or that it stands there or at another such place. */
export type Mode = "must" | "not" | "or";

/** What a square holds after a letter has been put there: the letter alone, or one more or less of a set. */
export function withPiece(pieces: string | undefined, letter: string, isSet: boolean, isNot = false): string {
  const sign = isNot ? "~" : "";
  if (!isSet || !pieces || pieces.startsWith("~") !== isNot) return sign + letter;
  const letters = pieces.replace("~", "");
  const changed = letters.includes(letter) ? letters.replace(letter, "") : letters + letter;
  return changed && sign + changed;
}

/** The setup without what says nothing. */
export function tidy(setup: Setup): Setup {
  const entries = Object.entries(setup).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : typeof value === "object" ? Object.keys(value).length > 0 : value !== undefined,
  );
  return Object.fromEntries(entries) as Setup;
}

export const isEmpty = (setup: Setup) => Object.keys(tidy(setup)).length === 0;

/** The zone of a square that is meant more widely: its file, its rank, the whole board. */
export type Reach = "square" | "file" | "rank" | "board";

export function zoneOf(square: string, reach: Reach): string | undefined {
  const [file, rank] = square;
  if (reach === "file") return `${file}1-8`;
  if (reach === "rank") return `a-h${rank}`;
  return reach === "square" ? square : undefined;
}

/** The squares of a file or rank, if a zone is one. */
export function lineOf({ zone = "" }: Partial<Place>): string[] {
  const [, file, rank] = /^(?:([a-h])1-8|a-h([1-8]))$/.exec(zone) ?? [];
  if (file) return [..."12345678"].map((rank) => file + rank);
  return rank ? [..."abcdefgh"].map((file) => file + rank) : [];
}

export interface Brush {
  letter: string;
  reach: Reach;
  mode: Mode;
  /** One more of those that may stand there. */
  isSet: boolean;
}

/** The setup with a letter put on a square, or anywhere on its file or rank. */
export function placed(setup: Setup, square: string, { letter, reach, mode, isSet }: Brush): Setup {
  const zone = zoneOf(square, reach);
  const place: Place = zone ? { pieces: letter, zone } : { pieces: letter };
  const isOf = (other: Place) => other.pieces === letter && other.zone === zone;
  if (mode === "or") {
    const [group = [], ...others] = setup.either ?? [];
    const rest = group.filter((other) => !isOf(other));
    const changed = rest.length < group.length ? rest : [...group, place];
    return tidy({ ...setup, either: changed.length ? [changed, ...others] : others });
  }
  if (reach === "square") {
    const pieces = withPiece(setup.squares?.[square], letter, isSet, mode === "not");
    const squares = { ...setup.squares };
    if (pieces === "") delete squares[square];
    else squares[square] = pieces;
    return tidy({ ...setup, squares });
  }
  const list = zone ? "anywhere" : "material";
  const count: Count = mode === "not" ? { ...place, most: 0 } : place;
  const counts = setup[list] ?? [];
  const isSaid = counts.some((other) => isOf(other) && other.most === count.most && other.least === count.least);
  return tidy({ ...setup, [list]: [...counts.filter((other) => !isOf(other)), ...(isSaid ? [] : [count])] });
}

/** The setup with nothing said of a square, nor of its file or rank as a whole. */
export function cleared(setup: Setup, square: string): Setup {
  const { [square]: _, ...squares } = setup.squares ?? {};
  const either = (setup.either ?? []).map((group) => group.filter(({ zone }) => zone !== square)).filter((group) => group.length);
  const arrows = (setup.arrows ?? []).filter(({ from, to }) => from.zone !== square && to.zone !== square);
  const anywhere = (setup.anywhere ?? []).filter((count) => !lineOf(count).includes(square));
  return tidy({ ...setup, squares, either, arrows, anywhere });
}

/** The setup with what one square holds moved to another. */
export function moved(setup: Setup, from: string, to: string): Setup {
  const { [from]: pieces, ...squares } = setup.squares ?? {};
  return pieces === undefined || from === to ? setup : tidy({ ...setup, squares: { ...squares, [to]: pieces } });
}

/** What may stand on a square, for an arrow from or to it: what the board says, else anything that the kind of arrow needs. */
export function placeOf(setup: Setup, square: string): Place {
  return { pieces: setup.squares?.[square] ?? "Aa", zone: square };
}

/** The setup with an arrow between two squares, or without it if it is there. */
export function pointed(setup: Setup, kind: Arrow["kind"], from: string, to: string): Setup {
  const arrows = setup.arrows ?? [];
  const others = arrows.filter((arrow) => arrow.kind !== kind || arrow.from.zone !== from || arrow.to.zone !== to);
  const added: Arrow = { kind, from: placeOf(setup, from), to: placeOf(setup, to) };
  return tidy({ ...setup, arrows: others.length < arrows.length ? others : [...arrows, added] });
}

/** The first square of a zone, where an arrow to it is drawn, if the zone is one square. */
export const squareOf = ({ zone }: Place): string | undefined => (zone && /^[a-h][1-8]$/.test(zone) ? zone : undefined);
