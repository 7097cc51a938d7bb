// The history of queries, newest first, which the browser keeps if it can.

const KEY = "skewer-history";
const MOST = 50;

export interface Asked {
  query: string;
  /** The time of the search, in milliseconds. */
  at: number;
  /** What it found, in words. */
  found: string;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class History {
  readonly #store: Store | undefined;
  #queries: Asked[];

  constructor(store: Store | undefined) {
    this.#store = store;
    this.#queries = this.#load();
  }

  get queries(): readonly Asked[] {
    return this.#queries;
  }

  /** Adds a query to the front. An older entry with the same query is removed. */
  add(asked: Asked): void {
    const others = this.#queries.filter(({ query }) => query.trim() !== asked.query.trim());
    this.#keep([asked, ...others].slice(0, MOST));
  }

  clear(): void {
    this.#keep([]);
  }

  #keep(queries: Asked[]): void {
    this.#queries = queries;
    try {
      this.#store?.setItem(KEY, JSON.stringify(queries));
    } catch {
      // If there is no room, the history is lost when the page is closed.
    }
  }

  #load(): Asked[] {
    try {
      const kept: unknown = JSON.parse(this.#store?.getItem(KEY) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isAsked).slice(0, MOST) : [];
    } catch {
      return [];
    }
  }
}

function isAsked(value: unknown): value is Asked {
  const asked = value as Partial<Asked> | null;
  return typeof asked?.query === "string" && typeof asked.at === "number" && typeof asked.found === "string";
}
