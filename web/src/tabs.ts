// Panes with tabs, one of which is shown at a time.

import { el } from "./dom.ts";

export interface Pane {
  id: string;
  name: string;
  element: HTMLElement;
  /** Is called when the pane is shown. */
  shown?(): void;
}

export class Tabs {
  readonly element = el("div", { class: "tabs" });
  readonly #panes: Pane[];
  readonly #buttons = new Map<string, HTMLButtonElement>();
  #chosen = "";

  constructor(label: string, panes: Pane[]) {
    this.#panes = panes;
    const list = el("div", { role: "tablist", "aria-label": label });
    for (const { id, name, element } of panes) {
      const tab = el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `pane-${id}`, onclick: () => this.choose(id) }, name);
      this.#buttons.set(id, tab);
      list.append(tab);
      element.id = `pane-${id}`;
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", tab.id);
      element.classList.add("pane");
    }
    list.addEventListener("keydown", (event) => this.#key(event));
    this.element.append(list, ...panes.map(({ element }) => element));
    const [first] = panes;
    if (first) this.choose(first.id);
  }

  get chosen(): string {
    return this.#chosen;
  }

  choose(id: string): void {
    this.#chosen = id;
    for (const pane of this.#panes) {
      const isChosen = pane.id === id;
      pane.element.hidden = !isChosen;
      const tab = this.#buttons.get(pane.id);
      tab?.setAttribute("aria-selected", String(isChosen));
      tab?.setAttribute("tabindex", isChosen ? "0" : "-1");
      if (isChosen) pane.shown?.();
    }
  }

  focus(): void {
    this.#buttons.get(this.#chosen)?.focus();
  }

  #key(event: KeyboardEvent): void {
    const place = this.#panes.findIndex(({ id }) => id === this.#chosen);
    const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: this.#panes.length - 1 }[event.key];
    const pane = to === undefined ? undefined : this.#panes.at(to % this.#panes.length);
    if (!pane) return;
    event.preventDefault();
    this.choose(pane.id);
    this.focus();
  }
}
