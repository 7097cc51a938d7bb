// The pane that explains in words how a query is evaluated.

import type { Backend } from "../backend/backend.ts";
import { messageOf } from "../backend/refusal.ts";
import { el } from "../dom.ts";
import { WORDS } from "../words.ts";

export class ExplainPane {
  readonly element = el("div", { class: "explain" });
  readonly #backend: Backend;
  readonly #query: () => string;
  readonly #text = el("pre", { tabindex: 0, "aria-label": WORDS.explain.title });

  constructor(backend: Backend, query: () => string) {
    this.#backend = backend;
    this.#query = query;
    this.element.append(el("p", { class: "faint" }, WORDS.explain.how), this.#text);
  }

  async shown(): Promise<void> {
    const query = this.#query();
    this.#text.hidden = !query.trim();
    if (this.#text.hidden) return;
    try {
      const { text } = await this.#backend.call("explain", { query });
      if (query === this.#query()) this.#text.textContent = text;
    } catch (error) {
      this.#text.textContent = messageOf(error);
    }
  }
}
