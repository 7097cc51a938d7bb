// The queries that were asked before, newest first, as far as the browser keeps them.

const KEY = "skewer-history";
const MOST = 50;

export interface Asked {
  query: string;
  /** When it was asked, in milliseconds. */
  at: number;
  /** How much it found. */
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

  /** Puts a query in front; it is there once. */
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
      // Where there is no room, they are forgotten with the page.
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
