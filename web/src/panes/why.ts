// The pane that explains why a query matches at a position or not: the values of its filters, which of them decided, and the smallest change
// after which it matches. For all games it shows how many each filter leaves.

import type { Backend, Funnel, FunnelCounts, SearchAsk, Why, WhyPart } from "../backend/backend.ts";
import { countOptions } from "../backend/backend.ts";
import { messageOf } from "../backend/refusal.ts";
import { button, drawing, el } from "../dom.ts";
import type { TextRange } from "../editor/editor.ts";
import { WORDS } from "../words.ts";
import { codeIn } from "./words-with-code.ts";

/** The subject of a question: a position, or all games. */
export type Subject = { fen: string } | { game: string; position: number } | "games";

export interface WhyEvents {
  asked(): SearchAsk;
  /** Returns the position on the board of the results, or all games if nothing was found. */
  subject(): Promise<Subject | undefined>;
  /** Takes a changed query. */
  take(query: string): void;
  mark(ranges: TextRange[]): void;
}

export class WhyPane {
  readonly element = el("div", { class: "why" });
  readonly #backend: Backend;
  readonly #events: WhyEvents;
  readonly #answer = el("div", { "aria-live": "polite" });
  readonly #field = el("input", { type: "text", placeholder: WORDS.why.fen, "aria-label": WORDS.why.fen, spellcheck: "false", autocomplete: "off" });
  #subject: Subject | undefined;
  /** What the results showed when the pane was last opened. */
  #seen = "";
  /** The last question. */
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
      el("div", { class: "row" }, button(WORDS.why.here, () => void askHere()), button(WORDS.why.games, () => void this.ask("games"), { title: WORDS.why.gamesTitle })),
      this.#answer,
    );
    this.clear();
  }

  /** Forgets the position that was asked about. */
  forget(): void {
    this.#subject = undefined;
  }

  clear(): void {
    this.#asking.abort();
    this.#question = "";
    this.#answer.removeAttribute("aria-busy");
    this.#answer.replaceChildren(el("p", { class: "faint" }, WORDS.why.how));
  }

  /** Asks about what the results show now. If that has not changed, asks about the same subject as before. */
  async shown(): Promise<void> {
    const here = await this.#events.subject();
    const seen = JSON.stringify(here);
    if (seen !== this.#seen) this.#subject = here;
    this.#seen = seen;
    if (this.#subject) await this.ask(this.#subject);
  }

  /** Asks about the same subject again, because the query has changed. */
  async again(): Promise<void> {
    if (this.#subject) await this.ask(this.#subject);
    else await this.shown();
  }

  async ask(subject: Subject): Promise<void> {
    this.#subject = subject;
    const asked = this.#events.asked();
    const question = JSON.stringify([asked, subject]);
    if (question === this.#question) return;
    this.#question = question;
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    this.#answer.setAttribute("aria-busy", "true");
    try {
      const { shown, blamed } = subject === "games" ? await this.#askGames(asked, signal) : await this.#askPosition(asked.query, subject);
      if (signal.aborted) return;
      this.#answer.replaceChildren(...shown);
      if (asked.query === this.#events.asked().query) this.#events.mark(blamed);
    } catch (error) {
      if (signal.aborted) return;
      this.#question = "";
      this.#answer.replaceChildren(el("p", { class: "error" }, messageOf(error)));
    } finally {
      if (!signal.aborted) this.#answer.removeAttribute("aria-busy");
    }
  }

  async #askGames({ query, options }: SearchAsk, signal: AbortSignal): Promise<{ shown: Node[]; blamed: TextRange[] }> {
    this.#answer.replaceChildren(el("p", { class: "faint" }, WORDS.searching));
    const funnel = await this.#backend.count("funnel", { query, options: countOptions(options) }, signal);
    const last = funnel.steps.find((step) => step.with?.games === 0);
    const sentences = funnel.sentences.map((sentence) => el("p", {}, ...codeIn(sentence)));
    const part = funnel.whole ? [] : [el("p", { class: "faint" }, WORDS.why.tooMany)];
    return { shown: [...sentences, tableOf(funnel, last), ...part], blamed: last ? [last] : [] };
  }

  async #askPosition(query: string, subject: Exclude<Subject, "games">): Promise<{ shown: Node[]; blamed: TextRange[] }> {
    const why = await this.#backend.call("why", { query, ...subject });
    const { nearest, position } = why;
    const { svg } = await this.#backend.call("board", { fen: position.fen, squares: squaresOf(why) }).catch(() => ({ svg: "" }));
    this.#field.value = position.fen;
    const shown = [
      el("p", { class: `verdict ${why.matches ? "yes" : "no"}` }, why.matches ? WORDS.why.matches : WORDS.why.fails),
      position.last_move && el("p", { class: "faint" }, WORDS.why.after(position.last_move)),
      svg && drawing(svg, position.fen, { class: "why-board" }),
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

/** Returns the innermost filters that are to blame. */
function blamedIn(parts: WhyPart[]): WhyPart[] {
  return parts.filter(({ blamed }) => blamed).flatMap((part) => {
    const inner = blamedIn(part.parts);
    return inner.length ? inner : [part];
  });
}

/** Returns the squares of the sets that decided. */
function squaresOf({ parts, matches }: Why): string[] {
  const deciding = matches ? parts : blamedIn(parts);
  const sets = deciding.flatMap(({ value }) => (Array.isArray(value) ? value : []));
  return [...new Set(sets)];
}

/** Creates the table of what each filter leaves. `last` is the filter that leaves nothing, if there is one. */
function tableOf({ start, steps }: Funnel, last: Funnel["steps"][number] | undefined): HTMLElement {
  const words = WORDS.why.funnel;
  const number = (count: number | undefined) => el("td", { class: "number" }, count === undefined ? "–" : count.toLocaleString("en"));
  const row = (name: Node | string, left: FunnelCounts | null, without?: HTMLElement) => el("tr", {}, el("th", { scope: "row" }, name), number(left?.games), number(left?.positions), without ?? el("td"));
  const names = steps.map((step) => {
    const name = el("code", { class: step === last ? "blamed" : "" }, step.text);
    name.style.marginInlineStart = `${step.depth}em`;
    return name;
  });
  const rows = steps.map((step, index) => row(names[index] ?? "", step.with, number(step.without?.games)));
  const head = [words.filter, words.games, words.positions, words.without].map((name) => el("th", { scope: "col" }, name));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, row(words.start, start), ...rows));
  return el("div", { class: "table-room", tabindex: 0, role: "region", "aria-label": WORDS.why.gamesTitle }, table);
}
