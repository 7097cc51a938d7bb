// The pane with the history of queries.

import type { History } from "../history.ts";
import { button, el } from "../dom.ts";
import { WORDS } from "../words.ts";

export class HistoryPane {
  readonly element = el("div", { class: "history" });
  readonly #history: History;
  readonly #take: (query: string) => void;

  constructor(history: History, take: (query: string) => void) {
    this.#history = history;
    this.#take = take;
  }

  shown(): void {
    const { queries } = this.#history;
    if (!queries.length) {
      this.element.replaceChildren(el("p", { class: "faint" }, WORDS.history.none));
      return;
    }
    const items = queries.map(({ query, at, found }) => {
      const when = new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
      const take = el("button", { type: "button", class: "entry", onclick: () => this.#take(query) }, el("code", {}, shortened(query)), el("span", { class: "faint" }, `${found} · ${when}`));
      return el("li", {}, take);
    });
    const clear = button(WORDS.history.clear, () => {
      this.#history.clear();
      this.shown();
    });
    this.element.replaceChildren(el("ul", { class: "entries" }, ...items), clear);
  }
}

/** Returns the first lines of the query that are not comments. */
function shortened(query: string): string {
  const lines = query.split("\n").filter((line) => line.trim() && !line.trim().startsWith("//"));
  return (lines.slice(0, 3).join("\n") || query).slice(0, 200);
}
