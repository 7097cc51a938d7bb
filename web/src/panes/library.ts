// The pane with the library: queries by folder or by words, each with a summary, a picture and its text.

import type { Backend, LibraryEntry } from "../backend/backend.ts";
import { button, debounced, drawing, el } from "../dom.ts";
import { WORDS } from "../words.ts";

export class LibraryPane {
  readonly element = el("div", { class: "library" });
  readonly #backend: Backend;
  readonly #take: (query: string) => void;
  readonly #field = el("input", { type: "search", placeholder: WORDS.library.find, "aria-label": WORDS.library.find, autocomplete: "off", spellcheck: "false" });
  readonly #count = el("p", { class: "faint", role: "status" });
  readonly #list = el("ul", { class: "entries" });
  readonly #shown = el("article", { class: "entry-shown", hidden: true, tabindex: -1 });
  #isLoaded = false;
  #all: Promise<LibraryEntry[]> | undefined;

  constructor(backend: Backend, take: (query: string) => void) {
    this.#backend = backend;
    this.#take = take;
    const find = debounced(() => void this.#find(), 150);
    this.#field.addEventListener("input", find);
    this.element.append(this.#field, this.#count, this.#shown, this.#list);
  }

  shown(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    void this.#find();
  }

  focus(): void {
    this.#field.focus();
  }

  async #find(): Promise<void> {
    const words = this.#field.value.trim();
    const entries = await (words ? this.#entries({ find: words }) : (this.#all ??= this.#entries({})));
    if (words !== this.#field.value.trim()) return;
    this.#count.textContent = WORDS.library.count(entries.length);
    this.#list.replaceChildren(...(words ? entries.map((entry) => this.#item(entry)) : this.#folders(entries)));
  }

  async #entries(ask: { find?: string }): Promise<LibraryEntry[]> {
    const answer = await this.#backend.call("library", ask).catch(() => ({ entries: [] }));
    return "entries" in answer ? answer.entries : [];
  }

  #folders(entries: LibraryEntry[]): HTMLElement[] {
    const folders = new Map<string, LibraryEntry[]>();
    for (const entry of entries) folders.set(entry.folder, [...(folders.get(entry.folder) ?? []), entry]);
    return [...folders].map(([folder, inside]) => {
      const list = el("ul", { class: "entries" }, ...inside.map((entry) => this.#item(entry)));
      const mark = inside.every(({ refused }) => refused) && refusedMark();
      return el("li", {}, el("details", {}, el("summary", {}, folder, el("span", { class: "faint" }, ` ${inside.length} `), mark), list));
    });
  }

  #item({ name, folder, summary, refused }: LibraryEntry): HTMLElement {
    const title = name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : name;
    const choose = el("button", { type: "button", class: "entry", onclick: () => void this.#show(name) }, el("b", {}, title), ` ${summary} `, refused !== undefined && refusedMark());
    return el("li", {}, choose);
  }

  async #show(name: string): Promise<void> {
    const entry = await this.#backend.call("library", { name });
    if ("entries" in entry) return;
    const { summary, query, picture, refused } = entry;
    this.#shown.replaceChildren(
      el("h2", {}, name),
      el("p", {}, summary),
      picture ? drawing(picture, WORDS.library.drawing, { width: 240 }) : "",
      refused === undefined ? "" : el("p", { class: "notice" }, WORDS.library.refused(refused)),
      el("pre", { tabindex: 0 }, el("code", {}, query)),
      el(
        "div",
        { class: "row" },
        refused === undefined && button(WORDS.library.take, () => this.#take(query), { class: "primary" }),
        button(WORDS.library.close, () => {
          this.#shown.hidden = true;
          this.#field.focus();
        }),
      ),
    );
    this.#shown.hidden = false;
    this.#shown.focus();
    this.#shown.scrollIntoView({ block: "nearest" });
  }
}

const refusedMark = () => el("span", { class: "mark" }, WORDS.library.refusedHere);
