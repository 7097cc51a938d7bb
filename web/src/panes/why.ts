// Why a query matches at a position, or not: the filters with their values, what decided, and the smallest change under which it matches.

import type { Backend, Why, WhyPart } from "../backend/backend.ts";
import { messageOf } from "../backend/refusal.ts";
import { button, el } from "../dom.ts";
import { WORDS } from "../words.ts";
import { codeIn } from "./words-with-code.ts";

/** What is asked about: a position. */
export type Subject = { fen: string } | { game: string; position: number };

interface Range {
  from: number;
  to: number;
}

export interface WhyEvents {
  query(): string;
  /** The position on the board of the results. */
  subject(): Promise<Subject | undefined>;
  /** Takes a changed query. */
  take(query: string): void;
  mark(ranges: Range[]): void;
}

export class WhyPane {
  readonly element = el("div", { class: "why" });
  readonly #backend: Backend;
  readonly #events: WhyEvents;
  readonly #answer = el("div", { "aria-live": "polite" });
  readonly #field = el("input", { type: "text", placeholder: WORDS.why.fen, "aria-label": WORDS.why.fen, spellcheck: "false", autocomplete: "off" });
  #subject: Subject | undefined;
  /** What the results showed when the pane was shown last. */
  #seen = "";
  /** The question that was asked last. */
  #question = "";
  #asking = new AbortController();

  constructor(backend: Backend, events: WhyEvents) {
    this.#backend = backend;
    this.#events = events;
    const ask = () => this.#field.value.trim() && void this.ask({ fen: this.#field.value.trim() });
    this.#field.addEventListener("keydown", (event) => event.key === "Enter" && ask());
    const askHere = async () => {
      const here = await this.#events.subject();
      if (here) await this.ask(here);
    };
    this.element.append(
      el("div", { class: "row" }, this.#field, button(WORDS.why.ask, ask)),
      el("div", { class: "row" }, button(WORDS.why.here, () => void askHere())),
      this.#answer,
    );
    this.#answer.append(el("p", { class: "faint" }, WORDS.why.how));
  }

  /** Asks about what the results show; about the same as before if they show nothing else. */
  async shown(): Promise<void> {
    const here = await this.#events.subject();
    const seen = JSON.stringify(here);
    if (seen !== this.#seen) this.#subject = here;
    this.#seen = seen;
    if (this.#subject) await this.ask(this.#subject);
  }

  /** Asks about the same once more: there is another query. */
  async again(): Promise<void> {
    if (this.#subject) await this.ask(this.#subject);
    else await this.shown();
  }

  async ask(subject: Subject): Promise<void> {
    this.#subject = subject;
    const query = this.#events.query();
    const question = JSON.stringify([query, subject]);
    if (question === this.#question) return;
    this.#question = question;
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    this.#answer.setAttribute("aria-busy", "true");
    try {
      const { shown, blamed } = await this.#askPosition(query, subject);
      if (signal.aborted) return;
      this.#answer.replaceChildren(...shown);
      if (query === this.#events.query()) this.#events.mark(blamed);
    } catch (error) {
      if (signal.aborted) return;
      this.#question = "";
      this.#answer.replaceChildren(el("p", { class: "error" }, messageOf(error)));
    } finally {
      if (!signal.aborted) this.#answer.removeAttribute("aria-busy");
    }
  }

  async #askPosition(query: string, subject: Subject): Promise<{ shown: Node[]; blamed: Range[] }> {
    const why = await this.#backend.call("why", { query, ...subject });
    const { nearest, position } = why;
    const { svg } = await this.#backend.call("board", { fen: position.fen, squares: squaresOf(why) }).catch(() => ({ svg: "" }));
    this.#field.value = position.fen;
    const shown = [
      el("p", { class: `verdict ${why.matches ? "yes" : "no"}` }, why.matches ? WORDS.why.matches : WORDS.why.fails),
      position.last_move && el("p", { class: "faint" }, WORDS.why.after(position.last_move)),
      svg && el("img", { class: "why-board", src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: position.fen }),
      ...why.sentences.slice(1).map((sentence) => el("p", {}, ...codeIn(sentence))),
      nearest && el("p", { class: "nearest" }, ...codeIn(nearest.sentence), " ", button(WORDS.why.take, () => this.#events.take(nearest.query))),
      this.#tree(why.parts),
      !why.whole && el("p", { class: "faint" }, WORDS.why.part),
    ];
    const blamed = blamedIn(why.parts).flatMap(({ from, to }) => (from === undefined || to === undefined ? [] : [{ from, to }]));
    return { shown: shown.filter((node) => node instanceof Node), blamed };
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
