// The pane with the results of a query counted by groups, like the table of `skewer stats`.

import type { Backend, SearchAsk, StatsRow } from "../backend/backend.ts";
import { countOptions } from "../backend/backend.ts";
import { messageOf } from "../backend/refusal.ts";
import { button, el } from "../dom.ts";
import { WORDS } from "../words.ts";

const KEYS = ["year:10", "result", "eco:1", "elo:200", "player", "next", "ply:20", "white", "black", "event"];
const SHARES = ["share", "score"];

type Cell = StatsRow[string];

export class StatsPane {
  readonly element = el("div", { class: "stats" });
  readonly #backend: Backend;
  readonly #asked: () => SearchAsk;
  readonly #by = el("input", { type: "text", value: "year:10", list: "stats-keys", "aria-label": WORDS.stats.by, spellcheck: "false", autocomplete: "off" });
  readonly #answer = el("div", { class: "table-room", tabindex: 0, role: "region", "aria-label": WORDS.stats.title });
  readonly #status = el("p", { role: "status", class: "faint" });
  #running: AbortController | undefined;

  constructor(backend: Backend, asked: () => SearchAsk) {
    this.#backend = backend;
    this.#asked = asked;
    const keys = el("datalist", { id: "stats-keys" }, ...KEYS.map((key) => el("option", { value: key }, WORDS.stats.keys[key] ?? key)));
    this.#by.addEventListener("change", () => void this.count());
    this.element.append(el("div", { class: "row" }, el("label", {}, WORDS.stats.by, " ", this.#by), button(WORDS.stats.count, () => void this.count(), { class: "primary" })), keys, this.#status, this.#answer);
  }

  clear(): void {
    this.#running?.abort();
    this.#status.textContent = "";
    this.#answer.replaceChildren();
  }

  async count(): Promise<void> {
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    this.#status.textContent = WORDS.searching;
    try {
      const { query, options } = this.#asked();
      if (!query.trim()) {
        this.clear();
        return;
      }
      const by = this.#by.value.split(",").map((key) => key.trim()).filter(Boolean);
      const { rows } = await this.#backend.count("stats", { queries: [{ query }], by, options: countOptions(options) }, running.signal);
      if (running.signal.aborted) return;
      this.#status.textContent = WORDS.stats.groups(rows.length);
      this.#answer.replaceChildren(...(rows.length ? [tableOf(rows)] : []));
    } catch (error) {
      if (running.signal.aborted) return;
      this.#answer.replaceChildren();
      this.#status.textContent = messageOf(error);
    }
  }
}

/** Creates the table. Shares have a bar behind them. */
function tableOf(rows: StatsRow[]): HTMLElement {
  const names = Object.keys(rows[0] ?? {}).filter((name) => !/_(low|high)$/.test(name) && rows.some((row) => row[name] !== null));
  const head = el("tr", {}, ...names.map((name) => el("th", { scope: "col" }, WORDS.stats.columns[name] ?? name)));
  const lines = rows.map((row) => el("tr", {}, ...names.map((name) => cellOf(name, row[name] ?? null))));
  return el("table", {}, el("thead", {}, head), el("tbody", {}, ...lines));
}

function cellOf(name: string, value: Cell): HTMLElement {
  const isNumber = typeof value === "number";
  const isShare = isNumber && SHARES.includes(name);
  const text = isShare ? `${(100 * value).toFixed(1)} %` : isNumber ? written(name, value) : String(value ?? "");
  const cell = el("td", { class: isNumber ? "number" : "" }, text);
  if (isShare) {
    const bar = el("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(value));
    cell.append(bar);
  }
  return cell;
}

/** Writes a number. The digits of years and ratings are not grouped, because they are not quantities. */
const written = (name: string, value: number) => (/year|rating|elo/.test(name) ? String(value) : value.toLocaleString("en"));
