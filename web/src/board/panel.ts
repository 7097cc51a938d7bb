// The pane for setting up a board: the board, the pieces to put on it, and conditions that are not about single squares.

import { button, el } from "../dom.ts";
import { WORDS } from "../words.ts";
import { SetupBoard, pieceOf } from "./board.ts";
import type { Arrow, Count, Limits, Mode, Reach, Setup, Transform, Width } from "./setup.ts";
import { TRANSFORMS, WIDTHS, cleared, isEmpty, moved, placed, pointed, tidy } from "./setup.ts";

/** What a click on a square does: it puts a letter there, clears the square or begins an arrow. With the hand, it does nothing. */
type Tool = { kind: "hand" } | { kind: "clear" } | { kind: "piece"; letter: string } | { kind: "arrow"; arrow: Arrow["kind"] };

const ARROWS = ["attacks", "ray", "xray"] as const;
/** The letters of the palette, in two rows. */
const LETTERS = [..."KQRBNPA.", ..."kqrbnpa_"];

/** Returns the pieces in CQL for the letter of a key or button. */
const piecesOf = (letter: string) => (letter === "." ? "Aa" : letter);

export interface PanelEvents {
  /** The user has changed the board. */
  change(setup: Setup): void;
  /** The user has entered a position. `width` says how exactly it is to match. */
  position(fen: string, width: Width): void;
}

export class BoardPanel {
  readonly element = el("div", { class: "board-panel" });
  readonly #board: SetupBoard;
  readonly #events: PanelEvents;
  #setup: Setup = {};
  #tool: Tool = { kind: "hand" };
  #isSet = false;
  /** The last setup with alternatives, and the board that its query shows. The board of `Nd5` or `N[d5,f5]` no longer has alternatives. */
  #alternatives: { setup: Setup; shown?: string } | undefined;
  #fen = "";
  readonly #tools = new Map<string, HTMLButtonElement>();
  readonly #set: HTMLButtonElement;
  readonly #mode = el("select", { "aria-label": WORDS.board.mode });
  readonly #reach = el("select", { "aria-label": WORDS.board.reach });
  readonly #notice = el("p", { class: "notice", role: "status" });
  readonly #side = el("div", { class: "segments", role: "radiogroup", "aria-label": WORDS.board.side });
  readonly #moves = rangeFields([WORDS.board.firstMove, WORDS.board.lastMove], 999, () => this.#changeMoves());
  readonly #counts = el("div", { class: "counts" });
  readonly #transforms = el("div", { class: "switches" });
  readonly #fenField: HTMLInputElement;
  readonly #width: HTMLInputElement;
  readonly #widthName = el("output", { class: "width-name", for: "width" });

  constructor(events: PanelEvents) {
    this.#events = events;
    this.#board = new SetupBoard({
      choose: (square) => this.#choose(square),
      type: (square, letter) => this.#put(square, letter),
      move: (from, to) => this.#change(moved(this.#setup, from, to)),
      drop: (letter, square) => this.#change(placed(this.#setup, square, { letter: piecesOf(letter), reach: "square", mode: "must", isSet: false })),
      draw: (from, to) => this.#change(pointed(this.#setup, this.#arrowKind(), from, to)),
      clear: (square) => this.#change(cleared(this.#setup, square)),
    });
    this.#set = button(WORDS.board.anyOf, () => this.#toggleSet(), { class: "toggle", "aria-pressed": "false", title: WORDS.board.anyOfTitle });
    for (const mode of ["must", "not", "or"] as const) this.#mode.append(el("option", { value: mode }, WORDS.board.modes[mode]));
    for (const reach of ["square", "file", "rank", "board"] as const) this.#reach.append(el("option", { value: reach }, WORDS.board.reaches[reach]));
    this.#fenField = el("input", { id: "fen-field", type: "text", spellcheck: "false", autocomplete: "off", placeholder: "FEN", "aria-label": WORDS.board.fen });
    this.#fenField.addEventListener("change", () => this.#takeFen());
    this.#width = el("input", { id: "width", type: "range", min: 0, max: WIDTHS.length - 1, step: 1, value: 0, "aria-label": WORDS.board.width });
    this.#width.addEventListener("input", () => this.#widen());
    const choices = el("div", { class: "choices" }, this.#mode, this.#reach, this.#set);
    this.element.append(
      el("div", { class: "board-desk" }, ...this.#palette(), choices, el("div", { class: "board-room" }, this.#board.element)),
      this.#notice,
      el(
        "div",
        { class: "board-tools" },
        this.#side,
        button(WORDS.board.clear, () => {
          this.beginAnew();
          this.#change({});
        }),
        button(WORDS.board.turn, () => this.#board.flip()),
        el("div", { class: "row" }, WORDS.board.moves, this.#moves[0], "–", this.#moves[1]),
      ),
      el("div", { class: "position-row" }, this.#fenField, el("label", { class: "width", for: "width" }, this.#width, this.#widthName)),
      el("fieldset", {}, el("legend", {}, WORDS.board.counts), this.#counts, this.#addCount()),
      el("fieldset", {}, el("legend", {}, WORDS.board.transforms), this.#transforms),
    );
    this.#writeSide();
    for (const transform of TRANSFORMS) {
      const box = el("input", { type: "checkbox", value: transform, onchange: () => this.#switch() });
      this.#transforms.append(el("label", { title: WORDS.board.transformTitles[transform] }, box, ` ${WORDS.board.transformNames[transform]}`));
    }
    this.#take({ kind: "hand" });
    this.show({}, true);
    this.#showWidth();
  }

  /** Shows the setup of a query. `whole` says whether it covers the whole query. */
  show(setup: Setup, whole: boolean): void {
    if (this.#alternatives) {
      const shown = JSON.stringify(setup);
      this.#alternatives.shown ??= shown;
      if (this.#alternatives.shown !== shown) this.#alternatives = undefined;
    }
    this.#setup = setup;
    this.#board.show(setup);
    this.#notice.textContent = whole ? "" : isEmpty(setup) ? WORDS.board.showsNothing : WORDS.board.showsPart;
    for (const box of this.#transforms.querySelectorAll("input")) box.checked = setup.transforms?.includes(box.value as Transform) ?? false;
    for (const radio of this.#side.querySelectorAll("input")) radio.checked = radio.value === (setup.side ?? "");
    const ends = [setup.moves?.least, setup.moves?.most];
    this.#moves.forEach((field, index) => {
      // What is being written must not be replaced.
      if (field !== document.activeElement) field.value = String(ends[index] ?? "");
    });
    this.#writeCounts();
  }

  /** Shows the position that the board was set up from. */
  showPosition(fen: string, width: Width): void {
    this.#fen = fen;
    this.#fenField.value = fen;
    this.#width.value = String(Math.max(0, (WIDTHS as readonly string[]).indexOf(width)));
    this.#showWidth();
  }

  focus(): void {
    this.#board.focus();
  }

  /** Lets the next piece stand on a single square, whatever was chosen before. */
  beginAnew(): void {
    this.#mode.value = "must";
    this.#reach.value = "square";
    if (this.#isSet) this.#toggleSet();
  }

  // ---- tools

  #palette(): HTMLElement[] {
    const pieces = el("div", { class: "pieces", role: "toolbar", "aria-label": WORDS.board.palette });
    const ways = el("div", { class: "ways", role: "toolbar", "aria-label": WORDS.board.ways });
    const add = (name: string, title: string, tool: Tool, kind: string, text = "") => {
      const control = button(text, () => this.#take(tool), { class: `tool ${kind}`, "aria-pressed": "false", title, ...(text ? {} : { "aria-label": title }) });
      this.#tools.set(name, control);
      (text ? ways : pieces).append(control);
      return control;
    };
    for (const letter of LETTERS) {
      const { role, color } = pieceOf(letter);
      const control = add(letter, WORDS.board.letters[letter] ?? letter, { kind: "piece", letter }, `piece ${role} ${color}`);
      control.addEventListener("mousedown", (event) => this.#board.drag(letter, event));
      // A touch that drags does not cause a click.
      control.addEventListener(
        "touchstart",
        (event) => {
          this.#take({ kind: "piece", letter });
          this.#board.drag(letter, event);
        },
        { passive: false },
      );
    }
    add("hand", WORDS.board.handTitle, { kind: "hand" }, "hand text", WORDS.board.hand);
    add("clear", WORDS.board.eraseTitle, { kind: "clear" }, "erase text", WORDS.board.erase);
    for (const arrow of ARROWS) add(arrow, WORDS.board.arrowTitles[arrow], { kind: "arrow", arrow }, `arrow ${arrow} text`, WORDS.board.arrowNames[arrow]);
    return [pieces, ways];
  }

  #take(tool: Tool): void {
    this.#tool = tool;
    this.#board.markStart(undefined);
    this.#board.setDraggable(tool.kind === "hand");
    const name = tool.kind === "piece" ? tool.letter : tool.kind === "arrow" ? tool.arrow : tool.kind;
    for (const [key, control] of this.#tools) control.setAttribute("aria-pressed", String(key === name));
  }

  #toggleSet(): void {
    this.#isSet = !this.#isSet;
    this.#set.setAttribute("aria-pressed", String(this.#isSet));
  }

  #arrowKind(): Arrow["kind"] {
    return this.#tool.kind === "arrow" ? this.#tool.arrow : "attacks";
  }

  #choose(square: string): void {
    const tool = this.#tool;
    if (tool.kind === "piece") this.#put(square, tool.letter);
    else if (tool.kind === "clear") this.#change(cleared(this.#setup, square));
    else if (tool.kind === "arrow") {
      const { start } = this.#board;
      this.#board.markStart(start === undefined ? square : undefined);
      if (start !== undefined && start !== square) this.#change(pointed(this.#setup, tool.arrow, start, square));
    }
  }

  #put(square: string, letter: string): void {
    const mode = this.#mode.value as Mode;
    const before = (mode === "or" && this.#alternatives?.setup) || this.#setup;
    const setup = placed(before, square, { letter: piecesOf(letter), reach: this.#reach.value as Reach, mode, isSet: this.#isSet });
    this.#change(setup);
    if (mode === "or") this.#alternatives = { setup };
  }

  #change(setup: Setup): void {
    this.#alternatives = undefined;
    this.show(tidy(setup), true);
    this.#events.change(this.#setup);
  }

  // ---- a position, and how widely it is meant

  #takeFen(): void {
    const fen = this.#fenField.value.trim();
    if (!fen) return;
    this.#fen = fen;
    this.#events.position(fen, this.#widthChosen());
    this.#showWidth();
  }

  #widen(): void {
    this.#showWidth();
    if (this.#fen) this.#events.position(this.#fen, this.#widthChosen());
  }

  #widthChosen(): Width {
    return WIDTHS[Number(this.#width.value)] ?? "exact";
  }

  #showWidth(): void {
    this.#width.disabled = this.#fen === "";
    const name = WORDS.board.widths[this.#widthChosen()];
    this.#widthName.textContent = this.#fen ? name : WORDS.board.widthNeedsPosition;
    this.#width.setAttribute("aria-valuetext", name);
  }

  // ---- side, counts, transforms

  #writeSide(): void {
    for (const side of ["", "w", "b"] as const) {
      const radio = el("input", { type: "radio", name: "side", value: side, onchange: () => this.#change({ ...without(this.#setup, "side"), ...(side ? { side } : {}) }) });
      this.#side.append(el("label", {}, radio, el("span", {}, WORDS.board.sides[side])));
    }
  }

  #switch(): void {
    const boxes = [...this.#transforms.querySelectorAll("input")];
    const transforms = boxes.filter((box) => box.checked).map((box) => box.value as Transform);
    this.#change({ ...this.#setup, transforms });
  }

  #changeMoves(): void {
    const [first, last] = this.#moves;
    this.#change({ ...this.#setup, moves: limits(first.value, last.value) });
  }

  /** Shows the counts on the whole board and on parts of it. */
  #writeCounts(): void {
    const rows = (["material", "anywhere"] as const).flatMap((list) => (this.#setup[list] ?? []).map((count, index) => this.#countRow(list, count, index)));
    // A field that has the focus must not be replaced.
    if (this.#counts.contains(document.activeElement) && this.#counts.childElementCount === rows.length) return;
    this.#counts.replaceChildren(...rows);
  }

  #countRow(list: "material" | "anywhere", count: Count, index: number): HTMLElement {
    const update = () => {
      const zone = where.value.trim();
      const changed: Count = { pieces: what.value.trim() || "A", ...(zone ? { zone } : {}), ...limits(least.value, most.value) };
      const rest = (this.#setup[list] ?? []).filter((_, place) => place !== index);
      const target = zone ? "anywhere" : "material";
      const counts = target === list ? (this.#setup[list] ?? []).map((old, place) => (place === index ? changed : old)) : [...(this.#setup[target] ?? []), changed];
      this.#change({ ...this.#setup, [list]: rest, [target]: counts });
    };
    const field = (value: string, name: string, size: number, more = {}) => el("input", { type: "text", value, size, "aria-label": name, spellcheck: "false", onchange: update, ...more });
    const what = field(count.pieces, WORDS.board.countPieces, 4);
    const where = field(count.zone ?? "", WORDS.board.countZone, 6, { placeholder: WORDS.board.wholeBoard, list: "zones" });
    const [least, most] = rangeFields([WORDS.board.least, WORDS.board.most], 64, update);
    least.value = String(count.least ?? (count.most === undefined ? 1 : 0));
    most.value = String(count.most ?? "");
    const remove = button("×", () => this.#change({ ...this.#setup, [list]: (this.#setup[list] ?? []).filter((_, place) => place !== index) }), {
      class: "quiet",
      "aria-label": WORDS.board.removeCount(count.pieces),
    });
    return el("div", { class: "count" }, least, " – ", most, " × ", what, ` ${WORDS.board.on} `, where, remove);
  }

  #addCount(): HTMLElement {
    const zones = el("datalist", { id: "zones" });
    for (const zone of ["a-h7", "a-h2", "a-h1,8", "c-f3-6", "a-c1-8", "f-h1-8", "light", "dark", "near K", "near k"]) zones.append(el("option", { value: zone }));
    const add = button(WORDS.board.addCount, () => this.#change({ ...this.#setup, material: [...(this.#setup.material ?? []), { pieces: "Q", most: 0 }] }));
    return el("div", { class: "count-add" }, add, zones);
  }
}

/** Creates the fields for the ends of a range. If the ends exclude each other, the one that was just entered counts. */
function rangeFields([first, last]: [string, string], max: number, change: () => void): [HTMLInputElement, HTMLInputElement] {
  const field = (name: string, placeholder: string) => el("input", { type: "number", min: 0, max, inputmode: "numeric", "aria-label": name, placeholder });
  const [least, most] = [field(first, "0"), field(last, "∞")];
  const changed = (other: HTMLInputElement) => () => {
    if (most.value && Number(least.value) > Number(most.value)) other.value = "";
    change();
  };
  least.addEventListener("change", changed(most));
  most.addEventListener("change", changed(least));
  return [least, most];
}

function limits(least: string, most: string): Limits {
  const [low, high] = [least.trim(), most.trim()].map((text) => (/^\d+$/.test(text) ? Number(text) : undefined));
  return { ...(low !== undefined ? { least: low } : {}), ...(high !== undefined ? { most: high } : {}) };
}

function without<K extends keyof Setup>(setup: Setup, key: K): Omit<Setup, K> {
  const { [key]: _, ...rest } = setup;
  return rest;
}

