// Why a query matches at a position, or not: the filters with their values, what decided, and the smallest change under which it matches.

import type { Backend, Why, WhyPart } from "../backend/backend.ts";
import { Refusal } from "../backend/backend.ts";
import { button, el } from "../dom.ts";
import { WORDS } from "../words.ts";
import { codeIn } from "./words-with-code.ts";

export type WhyAsk = { fen: string } | { game: string; position: number };

export interface WhyEvents {
  query(): string;
  /** Takes a changed query. */
  take(query: string): void;
  mark(ranges: { from: number; to: number }[]): void;
}

export class WhyPane {
  readonly element = el("div", { class: "why" });
  readonly #backend: Backend;
  readonly #events: WhyEvents;
  readonly #answer = el("div", { "aria-live": "polite" });
  readonly #field = el("input", { type: "text", placeholder: WORDS.why.fen, "aria-label": WORDS.why.fen, spellcheck: "false", autocomplete: "off" });

  constructor(backend: Backend, events: WhyEvents) {
    this.#backend = backend;
    this.#events = events;
    const ask = () => this.#field.value.trim() && void this.ask({ fen: this.#field.value.trim() });
    this.#field.addEventListener("keydown", (event) => event.key === "Enter" && ask());
    this.element.append(el("div", { class: "row" }, this.#field, button(WORDS.why.ask, ask)), this.#answer);
    this.#answer.append(el("p", { class: "faint" }, WORDS.why.how));
  }

  async ask(ask: WhyAsk): Promise<void> {
    const query = this.#events.query();
    if ("fen" in ask) this.#field.value = ask.fen;
    try {
      await this.#show(await this.#backend.call("why", { query, ...ask }), query);
    } catch (error) {
      this.#answer.replaceChildren(el("p", { class: "error" }, error instanceof Refusal ? error.message : WORDS.failed));
    }
  }

  async #show(why: Why, asked: string): Promise<void> {
    const { nearest, position } = why;
    const verdict = el("p", { class: `verdict ${why.matches ? "yes" : "no"}` }, why.matches ? WORDS.why.matches : WORDS.why.fails);
    const where = position.last_move ? el("p", { class: "faint" }, WORDS.why.after(position.last_move)) : null;
    const sentences = why.sentences.slice(1).map((sentence) => el("p", {}, ...codeIn(sentence)));
    const nearer = nearest && el("p", { class: "nearest" }, ...codeIn(nearest.sentence), " ", button(WORDS.why.take, () => this.#events.take(nearest.query)));
    const { svg } = await this.#backend.call("board", { fen: position.fen, squares: squaresOf(why) }).catch(() => ({ svg: "" }));
    const board = svg ? el("img", { class: "why-board", src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: position.fen }) : null;
    this.#answer.replaceChildren(verdict, ...(where ? [where] : []), ...(board ? [board] : []), ...sentences, ...(nearer ? [nearer] : []), this.#tree(why.parts));
    if (!why.whole) this.#answer.append(el("p", { class: "faint" }, WORDS.why.part));
    const blamed = blamedIn(why.parts).flatMap(({ from, to }) => (from === undefined || to === undefined ? [] : [{ from, to }]));
    if (asked === this.#events.query()) this.#events.mark(blamed);
  }

  #tree(parts: WhyPart[]): HTMLElement {
    return el("ul", { class: "tree" }, ...parts.map((part) => this.#part(part)));
  }

  #part(part: WhyPart): HTMLElement {
    const state = !part.asked ? "unasked" : part.matches === false ? "no" : "yes";
    const sign = el("span", { class: `sign ${state}`, role: "img", "aria-label": WORDS.why.states[state] }, { unasked: "·", no: "✗", yes: "✓" }[state]);
    const text = el("code", { class: part.blamed ? "blamed" : "" }, part.text);
    const value = part.sentence ? codeIn(part.sentence) : [WORDS.why.value(part.value)];
    const line = el("span", {}, sign, " ", text, " ", el("span", { class: "faint" }, ...(part.asked ? value : [])));
    if (!part.parts.length) return el("li", {}, line);
    return el("li", {}, el("details", { open: part.blamed === true }, el("summary", {}, line), this.#tree(part.parts)));
  }
}

/** The innermost filters that are to blame. */
function blamedIn(parts: WhyPart[]): WhyPart[] {
  return parts.filter(({ blamed }) => blamed).flatMap((part) => {
    const inner = blamedIn(part.parts);
    return inner.length ? inner : [part];
  });
}

/** The squares of sets that decided. */
function squaresOf({ parts, matches }: Why): string[] {
  const deciding = matches ? parts : blamedIn(parts);
  const sets = deciding.flatMap(({ value }) => (Array.isArray(value) ? value : []));
  return [...new Set(sets)];
}
