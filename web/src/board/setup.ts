// A board that the user sets up, in the form of skewer::setup. The engine turns it into a query.

export const PIECES = "KQRBNPAkqrbnpa";
export const WIDTHS = ["exact", "pieces", "pawns", "files", "material"] as const;
export type Width = (typeof WIDTHS)[number] | "structure";
export const TRANSFORMS = ["flipcolor", "fliphorizontal", "flipvertical", "flip", "rotate90", "shift", "shifthorizontal", "shiftvertical"] as const;
export type Transform = (typeof TRANSFORMS)[number];

export interface Place {
  pieces: string;
  zone?: string;
}

export interface Limits {
  least?: number;
  most?: number;
}

export interface Count extends Place, Limits {}

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
  moves?: Limits;
  transforms?: Transform[];
}

/** The meaning of a letter on a square: the piece is there, it is not there, or it is there or on another square marked `or`. */
export type Mode = "must" | "not" | "or";

/** Returns the pieces of a square after a letter was put there. With `isSet`, the letter is added to the set on the square, or removed from it. */
export function withPiece(pieces: string | undefined, letter: string, isSet: boolean, isNot = false): string {
  const sign = isNot ? "~" : "";
  if (!isSet || !pieces || pieces.startsWith("~") !== isNot) return sign + letter;
  const letters = pieces.replace("~", "");
  const changed = letters.includes(letter) ? letters.replace(letter, "") : letters + letter;
  return changed && sign + changed;
}

/** Returns the setup without empty parts. */
export function tidy(setup: Setup): Setup {
  const entries = Object.entries(setup).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : typeof value === "object" ? Object.keys(value).length > 0 : value !== undefined,
  );
  return Object.fromEntries(entries) as Setup;
}

export const isEmpty = (setup: Setup) => Object.keys(tidy(setup)).length === 0;

/** How widely a square is meant: only the square, its file, its rank or the whole board. */
export type Reach = "square" | "file" | "rank" | "board";

export function zoneOf(square: string, reach: Reach): string | undefined {
  const [file, rank] = square;
  if (reach === "file") return `${file}1-8`;
  if (reach === "rank") return `a-h${rank}`;
  return reach === "square" ? square : undefined;
}

/** Returns the squares of a zone that is a whole file or rank. Other zones have none. */
export function lineOf({ zone = "" }: Partial<Place>): string[] {
  const [, file, rank] = /^(?:([a-h])1-8|a-h([1-8]))$/.exec(zone) ?? [];
  if (file) return [..."12345678"].map((rank) => file + rank);
  return rank ? [..."abcdefgh"].map((file) => file + rank) : [];
}

export interface Brush {
  letter: string;
  reach: Reach;
  mode: Mode;
  /** Whether the letter joins the pieces that may already be on the square. */
  isSet: boolean;
}

/** Returns the setup after a letter was put on a square, or anywhere on its file, on its rank or on the board. */
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

/** Returns the setup without anything about a square, its whole file or its whole rank. */
export function cleared(setup: Setup, square: string): Setup {
  const { [square]: _, ...squares } = setup.squares ?? {};
  const either = (setup.either ?? []).map((group) => group.filter(({ zone }) => zone !== square)).filter((group) => group.length);
  const arrows = (setup.arrows ?? []).filter(({ from, to }) => from.zone !== square && to.zone !== square);
  const anywhere = (setup.anywhere ?? []).filter((count) => !lineOf(count).includes(square));
  return tidy({ ...setup, squares, either, arrows, anywhere });
}

/** Returns the setup after the pieces of one square were moved to another. */
export function moved(setup: Setup, from: string, to: string): Setup {
  const { [from]: pieces, ...squares } = setup.squares ?? {};
  return pieces === undefined || from === to ? setup : tidy({ ...setup, squares: { ...squares, [to]: pieces } });
}

/** Returns an end of an arrow: a square with its pieces in the setup, or with any piece. */
export function placeOf(setup: Setup, square: string): Place {
  return { pieces: setup.squares?.[square] ?? "Aa", zone: square };
}

/** Adds an arrow between two squares, or removes it if it is there. Returns the new setup. */
export function pointed(setup: Setup, kind: Arrow["kind"], from: string, to: string): Setup {
  const arrows = setup.arrows ?? [];
  const others = arrows.filter((arrow) => arrow.kind !== kind || arrow.from.zone !== from || arrow.to.zone !== to);
  const added: Arrow = { kind, from: placeOf(setup, from), to: placeOf(setup, to) };
  return tidy({ ...setup, arrows: others.length < arrows.length ? others : [...arrows, added] });
}

/** Returns the square of a zone that is a single square. */
export const squareOf = ({ zone }: Place): string | undefined => (zone && /^[a-h][1-8]$/.test(zone) ? zone : undefined);
