// The board on which a query is set up. Chessground draws it and handles mouse and touch. A grid of squares over it handles the keyboard and
// tells screen readers which pieces are where.

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { DrawShape } from "@lichess-org/chessground/draw";
import type { Key, MouchEvent, Piece, PiecesDiff } from "@lichess-org/chessground/types";
import { el } from "../dom.ts";
import { WORDS } from "../words.ts";
import type { Setup } from "./setup.ts";
import { PIECES, lineOf, squareOf } from "./setup.ts";

const FILES = "abcdefgh";
const BRUSHES = { attacks: "green", ray: "blue", xray: "red" } as const;
/** Roles by letter. Only the style sheet draws the roles that are not chess pieces. */
const ROLES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn", a: "any" };

export interface BoardEvents {
  /** The user has chosen a square with the mouse or the keyboard. */
  choose(square: string): void;
  /** The user has typed a letter on a square. */
  type(square: string, letter: string): void;
  move(from: string, to: string): void;
  drop(letter: string, square: string): void;
  draw(from: string, to: string): void;
  clear(square: string): void;
}

/** Returns chessground's piece for a letter. */
export function pieceOf(letter: string): Piece {
  const role = letter === "_" ? "empty" : letter === "." ? "whatever" : ROLES[letter.toLowerCase()];
  return { role: role as Piece["role"], color: letter === letter.toUpperCase() ? "white" : "black" };
}

function letterOf({ role, color }: Piece): string {
  const name: string = role;
  if (name === "empty") return "_";
  const letter = Object.keys(ROLES).find((key) => ROLES[key] === name) ?? "p";
  return color === "white" ? letter.toUpperCase() : letter;
}

/** Returns the letter of pieces that can be drawn as a single piece. */
const single = (pieces: string) => (pieces.length === 1 ? pieces : pieces === "Aa" || pieces === "aA" ? "." : undefined);

export class SetupBoard {
  readonly element = el("div", { class: "board" });
  readonly #ground: Api;
  readonly #squares = new Map<string, HTMLElement>();
  readonly #events: BoardEvents;
  #setup: Setup = {};
  #focus = "d4";
  #from: string | undefined;

  constructor(events: BoardEvents) {
    this.#events = events;
    const wrap = el("div", { class: "ground", "aria-hidden": "true" });
    const grid = el("div", { class: "squares", role: "grid", "aria-label": WORDS.board.grid });
    for (let rank = 8; rank >= 1; rank -= 1) {
      const row = el("div", { role: "row" });
      for (const file of FILES) {
        const square = `${file}${rank}`;
        const cell = el("div", { role: "gridcell", tabindex: -1, "data-square": square });
        this.#squares.set(square, cell);
        row.append(cell);
      }
      grid.append(row);
    }
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("focusin", (event) => {
      const square = (event.target as HTMLElement).dataset.square;
      if (square) this.#rove(square);
    });
    this.element.append(wrap, grid);
    this.#ground = Chessground(wrap, {
      coordinates: true,
      animation: { enabled: false },
      highlight: { lastMove: false, check: false },
      movable: {
        free: true,
        color: "both",
        showDests: false,
        events: { afterNewPiece: (role, key) => this.#dropped(role, key) },
      },
      premovable: { enabled: false },
      draggable: { showGhost: true, deleteOnDropOff: true },
      selectable: { enabled: false },
      events: {
        move: (from, to) => events.move(from, to),
        select: (key) => events.choose(key),
        change: () => this.#compare(),
      },
      drawable: {
        enabled: true,
        eraseOnMovablePieceClick: false,
        onChange: (shapes) => this.#drawn(shapes),
      },
    });
    // Chessground remembers the place of the board, but the board moves when the query above it gets more lines.
    document.addEventListener("pointerdown", () => this.#ground.state.dom.bounds.clear(), { capture: true });
    this.#rove(this.#focus, false);
    new ResizeObserver(() => {
      if (!this.#isVisible) return;
      this.#ground.redrawAll();
      this.#draw();
    }).observe(wrap);
  }

  /** Shows a setup. */
  show(setup: Setup): void {
    this.#setup = setup;
    for (const [square, cell] of this.#squares) cell.setAttribute("aria-label", this.#described(square));
    if (this.#isVisible) this.#draw();
  }

  /** Whether the board has a size. Without one, nothing can be drawn. */
  get #isVisible(): boolean {
    return this.element.clientWidth > 0;
  }

  #draw(): void {
    const setup = this.#setup;
    const pieces: PiecesDiff = new Map();
    for (const key of this.#ground.state.pieces.keys()) pieces.set(key, undefined);
    const shapes: DrawShape[] = [];
    for (const [square, letters] of Object.entries(setup.squares ?? {})) {
      const letter = single(letters);
      if (letter) pieces.set(square as Key, pieceOf(letter));
      else shapes.push({ orig: square as Key, customSvg: { html: setDrawing(letters) } });
    }
    for (const { pieces: letters, zone } of (setup.either ?? []).flat()) {
      const square = squareOf({ pieces: letters, zone: zone ?? "" });
      if (square) shapes.push({ orig: square as Key, customSvg: { html: setDrawing(letters, "or") } });
    }
    for (const count of setup.anywhere ?? []) {
      const free = lineOf(count).filter((square) => !setup.squares?.[square]);
      const drawing = setDrawing(count.most === 0 ? `~${count.pieces}` : count.pieces, "line");
      for (const square of free) shapes.push({ orig: square as Key, customSvg: { html: drawing } });
    }
    for (const { kind, from, to } of setup.arrows ?? []) {
      const [orig, dest] = [squareOf(from), squareOf(to)];
      if (orig && dest) shapes.push({ orig: orig as Key, dest: dest as Key, brush: BRUSHES[kind] });
    }
    this.#ground.setPieces(pieces);
    this.#ground.set({ drawable: { shapes: [] } });
    this.#ground.setAutoShapes(shapes);
  }

  /** Marks the square where an arrow begins. */
  markStart(square: string | undefined): void {
    this.#from = square;
    for (const [name, cell] of this.#squares) cell.classList.toggle("start", name === square);
  }

  get start(): string | undefined {
    return this.#from;
  }

  /** Starts dragging a piece from the palette. */
  drag(letter: string, event: MouchEvent): void {
    this.#ground.dragNewPiece(pieceOf(letter), event, true);
  }

  /** Sets whether pieces on the board can be dragged. If not, a click on a piece uses the current tool on its square. */
  setDraggable(isDraggable: boolean): void {
    this.#ground.set({ draggable: { enabled: isDraggable } });
    this.element.classList.toggle("draggable", isDraggable);
  }

  flip(): void {
    this.#ground.toggleOrientation();
    this.element.classList.toggle("turned");
  }

  focus(): void {
    this.#squares.get(this.#focus)?.focus();
  }

  #described(square: string): string {
    const pieces = this.#setup.squares?.[square];
    const arrows = (this.#setup.arrows ?? []).filter(({ from }) => from.zone === square);
    const ways = arrows.map(({ kind, to }) => WORDS.board.arrow(kind, to.zone ?? to.pieces));
    const either = (this.#setup.either ?? []).flat().filter(({ zone }) => zone === square);
    ways.push(...either.map(({ pieces }) => WORDS.board.orHere(pieces)));
    const lines = (this.#setup.anywhere ?? []).filter((count) => lineOf(count).includes(square));
    ways.push(...lines.map(({ pieces, zone = "", most }) => WORDS.board.onLine(pieces, zone, most === 0)));
    return [square, pieces === undefined ? WORDS.board.nothing : WORDS.board.pieces(pieces), ...ways].join(", ");
  }

  #dropped(role: string, key: Key): void {
    const piece = this.#ground.state.pieces.get(key);
    if (piece) this.#events.drop(letterOf({ ...piece, role: role as Piece["role"] }), key);
  }

  /** Clears the square of a piece that was dragged off the board. */
  #compare(): void {
    const pieces = this.#ground.state.pieces;
    const squares = Object.entries(this.#setup.squares ?? {});
    const gone = squares.find(([square, letters]) => single(letters) && !pieces.has(square as Key));
    if (gone) this.#events.clear(gone[0]);
  }

  #drawn(shapes: DrawShape[]): void {
    const shape = shapes.at(-1);
    if (!shape) return;
    this.#ground.set({ drawable: { shapes: [] } });
    if (shape.dest && shape.dest !== shape.orig) this.#events.draw(shape.orig, shape.dest);
  }

  #rove(square: string, isFocused = true): void {
    this.#squares.get(this.#focus)?.setAttribute("tabindex", "-1");
    this.#focus = square;
    const cell = this.#squares.get(square);
    cell?.setAttribute("tabindex", "0");
    if (isFocused && document.activeElement !== cell) cell?.focus();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const sign = this.element.classList.contains("turned") ? -1 : 1;
    const steps: Record<string, [number, number]> = {
      ArrowRight: [sign, 0],
      ArrowLeft: [-sign, 0],
      ArrowUp: [0, sign],
      ArrowDown: [0, -sign],
    };
    const step = steps[key];
    if (step) {
      const file = Math.max(0, Math.min(7, FILES.indexOf(this.#focus.charAt(0)) + step[0]));
      const rank = Math.max(1, Math.min(8, Number(this.#focus.charAt(1)) + step[1]));
      this.#rove(`${FILES[file]}${rank}`);
    } else if (key === "Delete" || key === "Backspace") this.#events.clear(this.#focus);
    else if (key === "Enter" || key === " ") this.#events.choose(this.#focus);
    else if (key.length === 1 && (PIECES + "_.").includes(key)) this.#events.type(this.#focus, key);
    else return;
    event.preventDefault();
  }
}

/** Draws a set of pieces on a square, or on each square of a line: up to four small pieces, struck through if they must not be there. */
function setDrawing(letters: string, kind = ""): string {
  const isNot = letters.startsWith("~");
  const shown = [...letters.replace("~", "")].slice(0, 4);
  const side = shown.length > 1 ? 44 : 62;
  const pieces = shown.map((letter, index) => {
    const [x, y] = shown.length > 1 ? [4 + (index % 2) * 48, 4 + (index >> 1) * 48] : [19, 19];
    if (letter === "_") return `<circle class="set-empty" cx="${x + side / 2}" cy="${y + side / 2}" r="14"/>`;
    const role = letter.toLowerCase();
    const paint = letter === role ? "b" : "w";
    if (role === "a") return `<circle class="set-any ${paint}" cx="${x + side / 2}" cy="${y + side / 2}" r="${side / 3}"/>`;
    return `<use href="#skewer-${role}" class="${paint}" x="${x}" y="${y}" width="${side}" height="${side}"/>`;
  });
  const struck = isNot ? '<path class="set-not" d="M8 92 92 8"/>' : "";
  return `<g class="${kind}"><rect class="set ${kind}" x="2" y="2" width="96" height="96" rx="8"/>${pieces.join("")}${struck}</g>`;
}
