// The pane with the inputs and the options of searches.

import { rangeOf } from "../address.ts";
import type { Backend, Input, SearchOptions } from "../backend/backend.ts";
import { messageOf } from "../backend/refusal.ts";
import { button, el } from "../dom.ts";
import { WORDS } from "../words.ts";

/** From this number of bytes on, searches start only on request, not with each change of the query. */
const LIVE_BYTES = 30_000_000;

const text = (placeholder: string) => el("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder });

export interface OptionsEvents {
  change(): void;
  /** The user has given other games. */
  inputs(): void;
}

export class OptionsPane {
  readonly element = el("div", { class: "options" });
  /** The inputs in one line, for the head of the page. */
  readonly summary = el("div", { class: "summary" });
  readonly #backend: Backend;
  readonly #events: OptionsEvents;
  readonly #list = el("ul", { class: "inputs" });
  readonly #says = el("p", { class: "faint", role: "status" });
  readonly #name = el("span", { class: "faint" });
  readonly #file = el("input", { type: "file", multiple: true, accept: ".pgn,.gz,.zst,.txt", class: "unseen", tabindex: -1, "aria-label": WORDS.inputs.open });
  readonly #limit = el("input", { type: "number", min: 1, max: 999999999, inputmode: "numeric", placeholder: WORDS.options.all });
  readonly #player = text("Tal");
  readonly #event = text("");
  readonly #eco = text("B9");
  readonly #years = text("1957-1961");
  readonly #elo = text("2500-");
  readonly #result = el("select", {}, ...["", "1-0", "0-1", "1/2-1/2"].map((result) => el("option", { value: result }, result || WORDS.options.all)));
  readonly #first = el("input", { type: "checkbox" });
  readonly #columns = text("next, pawns=#P");
  readonly #variations = el("input", { type: "checkbox" });
  readonly #live = el("input", { type: "checkbox", checked: true });
  #bytes = 0;

  constructor(backend: Backend, options: SearchOptions, events: OptionsEvents) {
    this.#backend = backend;
    this.#events = events;
    this.show(options);
    const fields = [this.#player, this.#event, this.#eco, this.#years, this.#elo, this.#result, this.#limit, this.#columns, this.#variations, this.#first];
    for (const field of fields) field.addEventListener("change", () => events.change());
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
      el(
        "fieldset",
        { class: "narrowing" },
        el("legend", {}, WORDS.options.only),
        labelled(WORDS.options.player, this.#player),
        labelled(WORDS.options.event, this.#event),
        labelled(WORDS.options.years, this.#years),
        labelled(WORDS.options.elo, this.#elo),
        labelled(WORDS.options.eco, this.#eco),
        labelled(WORDS.options.result, this.#result),
      ),
      labelled(WORDS.options.limit, this.#limit),
      labelled(WORDS.options.columns, this.#columns, WORDS.options.columnsHint),
      el("label", { class: "check" }, this.#variations, ` ${WORDS.options.variations}`),
      el("label", { class: "check" }, this.#first, ` ${WORDS.options.first}`),
      el("label", { class: "check" }, this.#live, ` ${WORDS.options.live}`),
    );
    this.summary.append(this.#name, ...(backend.takesFiles ? [this.#open(), this.#file] : []));
    if (backend.takesFiles) this.#takeDrops();
  }

  get options(): SearchOptions {
    const options: SearchOptions = {};
    const limit = Number(this.#limit.value);
    if (Number.isInteger(limit) && limit > 0) options.limit = limit;
    for (const [name, field] of this.#texts()) if (field.value.trim()) options[name] = field.value.trim();
    for (const [name, field] of this.#ranges()) {
      const range = rangeOf(field.value);
      if (range) options[name] = range;
    }
    const columns = this.#columns.value.split(",").map((column) => column.trim()).filter(Boolean);
    if (columns.length) options.columns = columns;
    if (this.#variations.checked) options.variations = true;
    if (this.#first.checked) options.first = true;
    return options;
  }

  /** Whether each change of the query starts a search. */
  get isLive(): boolean {
    return this.#live.checked && this.#bytes < LIVE_BYTES;
  }

  /** The name of the input, or the number of inputs. */
  get names(): string {
    return this.#name.textContent;
  }

  show(options: SearchOptions): void {
    this.#limit.value = options.limit === undefined ? "" : String(options.limit);
    for (const [name, field] of this.#texts()) field.value = options[name] ?? "";
    for (const [name, field] of this.#ranges()) field.value = (options[name] ?? []).map((end) => end ?? "").join("-");
    this.#columns.value = (options.columns ?? []).join(", ");
    this.#variations.checked = options.variations ?? false;
    this.#first.checked = options.first ?? false;
  }

  #texts() {
    return [["player", this.#player], ["event", this.#event], ["eco", this.#eco], ["result", this.#result]] as const;
  }

  #ranges() {
    return [["years", this.#years], ["elo", this.#elo]] as const;
  }

  async load(): Promise<void> {
    const inputs = await this.#backend.inputs().catch((): Input[] => []);
    this.#bytes = inputs.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    this.#list.replaceChildren(...inputs.map(({ name, bytes }) => el("li", {}, name, bytes === undefined ? null : el("span", { class: "faint" }, ` ${WORDS.bytes(bytes)}`))));
    const [first] = inputs;
    this.#name.textContent = (inputs.length === 1 && first?.name.split(/[\\/]/).at(-1)) || WORDS.inputs.count(inputs.length);
    this.#name.title = inputs.map(({ name }) => name).join("\n");
  }

  #open(): HTMLButtonElement {
    return button(WORDS.inputs.open, () => this.#file.click());
  }

  /** Replaces the inputs with files. */
  async give(files: { name: string; content: Blob }[]): Promise<void> {
    if (!files.length || !this.#backend.takesFiles) return;
    this.#says.textContent = WORDS.inputs.reading;
    try {
      await this.#backend.give(files);
      this.#says.textContent = "";
      await this.load();
      this.#events.inputs();
    } catch (error) {
      this.#says.textContent = messageOf(error);
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

  /** Takes files dropped anywhere on the page, and games pasted anywhere except into a text field. */
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
