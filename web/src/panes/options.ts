// Which games are searched, and how.

import type { Backend, Input, SearchOptions } from "../backend/backend.ts";
import { Refusal } from "../backend/backend.ts";
import { button, el } from "../dom.ts";
import { WORDS } from "../words.ts";

/** More than this is searched when somebody asks for it, not with each letter. */
const LIVE_BYTES = 30_000_000;

export class OptionsPane {
  readonly element = el("div", { class: "options" });
  /** What is searched, in a line, for the head of the page. */
  readonly summary = el("div", { class: "summary" });
  readonly #backend: Backend;
  readonly #changed: () => void;
  readonly #list = el("ul", { class: "inputs" });
  readonly #says = el("p", { class: "faint", role: "status" });
  readonly #name = el("span", { class: "faint" });
  readonly #file = el("input", { type: "file", multiple: true, accept: ".pgn,.gz,.zst,.txt", class: "unseen", tabindex: -1, "aria-label": WORDS.inputs.open });
  readonly #limit = el("input", { type: "number", min: 1, max: 999999999, inputmode: "numeric", placeholder: WORDS.options.all });
  readonly #narrowing = el("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: "elo>2400 year>=2000" });
  readonly #columns = el("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: "movenumber" });
  readonly #variations = el("input", { type: "checkbox" });
  readonly #live = el("input", { type: "checkbox", checked: true });
  #bytes = 0;

  constructor(backend: Backend, options: SearchOptions, changed: () => void) {
    this.#backend = backend;
    this.#changed = changed;
    this.show(options);
    for (const field of [this.#limit, this.#narrowing, this.#columns, this.#variations]) field.addEventListener("change", () => changed());
    this.#file.addEventListener("change", () => {
      const files = [...(this.#file.files ?? [])].map((file) => ({ name: file.name, content: file }));
      this.#file.value = "";
      void this.give(files);
    });
    const labelled = (text: string, field: HTMLElement, hint = "") => el("label", { class: "field" }, el("span", {}, text), field, hint ? el("small", { class: "faint" }, hint) : null);
    this.element.append(
      ...(backend.takesFiles ? [el("p", {}, WORDS.inputs.how), el("div", { class: "row" }, this.#open(), button(WORDS.inputs.paste, () => this.#paste()))] : []),
      this.#list,
      this.#says,
      labelled(WORDS.options.narrowing, this.#narrowing, WORDS.options.narrowingHint),
      labelled(WORDS.options.limit, this.#limit),
      labelled(WORDS.options.columns, this.#columns, WORDS.options.columnsHint),
      el("label", { class: "check" }, this.#variations, ` ${WORDS.options.variations}`),
      el("label", { class: "check" }, this.#live, ` ${WORDS.options.live}`),
    );
    this.summary.append(this.#name, ...(backend.takesFiles ? [this.#open(), this.#file] : []));
    if (backend.takesFiles) this.#takeDrops();
  }

  get options(): SearchOptions {
    const limit = Number(this.#limit.value);
    const narrowing = this.#narrowing.value.trim();
    const columns = this.#columns.value.split(",").map((column) => column.trim()).filter(Boolean);
    return {
      ...(Number.isInteger(limit) && limit > 0 ? { limit } : {}),
      ...(narrowing ? { narrowing } : {}),
      ...(columns.length ? { columns } : {}),
      ...(this.#variations.checked ? { variations: true } : {}),
    };
  }

  /** Whether each change of the query is searched for at once. */
  get isLive(): boolean {
    return this.#live.checked && this.#bytes < LIVE_BYTES;
  }

  show(options: SearchOptions): void {
    this.#limit.value = options.limit === undefined ? "" : String(options.limit);
    this.#narrowing.value = options.narrowing ?? "";
    this.#columns.value = (options.columns ?? []).join(", ");
    this.#variations.checked = options.variations ?? false;
  }

  async load(): Promise<void> {
    const inputs = await this.#backend.inputs().catch((): Input[] => []);
    this.#bytes = inputs.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    this.#list.replaceChildren(...inputs.map(({ name, bytes }) => el("li", {}, name, bytes === undefined ? null : el("span", { class: "faint" }, ` ${WORDS.bytes(bytes)}`))));
    const [first] = inputs;
    this.#name.textContent = inputs.length === 1 && first ? first.name : WORDS.inputs.count(inputs.length);
    this.#name.title = inputs.map(({ name }) => name).join("\n");
  }

  #open(): HTMLButtonElement {
    return button(WORDS.inputs.open, () => this.#file.click());
  }

  /** Takes files in place of those so far. */
  async give(files: { name: string; content: Blob }[]): Promise<void> {
    if (!files.length || !this.#backend.takesFiles) return;
    this.#says.textContent = WORDS.inputs.reading;
    try {
      await this.#backend.give(files);
      this.#says.textContent = "";
      await this.load();
      this.#changed();
    } catch (error) {
      this.#says.textContent = error instanceof Refusal ? error.message : WORDS.failed;
      this.#name.textContent = this.#says.textContent;
    }
  }

  #paste(): void {
    const field = el("textarea", { rows: 10, "aria-label": WORDS.inputs.paste, spellcheck: "false" });
    const dialog = el("dialog", { class: "paste", "aria-label": WORDS.inputs.paste });
    const take = () => {
      dialog.close();
      if (field.value.trim()) void this.give([{ name: WORDS.inputs.pasted, content: new Blob([field.value]) }]);
    };
    dialog.append(field, el("div", { class: "row" }, button(WORDS.inputs.search, take, { class: "primary" }), button(WORDS.help.close, () => dialog.close())));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  /** Files may be dropped anywhere on the page, and games pasted anywhere but into text. */
  #takeDrops(): void {
    let depth = 0;
    const over = (isOver: boolean) => document.body.classList.toggle("dropping", isOver);
    const has = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener("dragenter", (event) => has(event) && over((depth += 1) > 0));
    addEventListener("dragleave", (event) => has(event) && over((depth -= 1) > 0));
    addEventListener("dragover", (event) => has(event) && event.preventDefault());
    addEventListener("drop", (event) => {
      if (!has(event)) return;
      event.preventDefault();
      over((depth = 0) > 0);
      void this.give([...(event.dataTransfer?.files ?? [])].map((file) => ({ name: file.name, content: file })));
    });
    addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const target = event.composedPath()[0];
      const isText = target instanceof Element && target.closest("input, textarea, [contenteditable=true]");
      if (isText || !/^\s*\[\w+\s+"/.test(text)) return;
      event.preventDefault();
      void this.give([{ name: WORDS.inputs.pasted, content: new Blob([text]) }]);
    });
  }
}
