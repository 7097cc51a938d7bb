// The queries that were asked before, newest first, as far as the browser keeps them.

const KEY = "skewer-history";
const MOST = 50;

export interface Past {
  query: string;
  /** When it was asked, in milliseconds. */
  at: number;
  /** How much it found. */
  found: string;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class History {
  readonly #store: Store | undefined;
  #queries: Past[];

  constructor(store: Store | undefined) {
    this.#store = store;
    this.#queries = this.#load();
  }

  get queries(): readonly Past[] {
    return this.#queries;
  }

  /** Puts a query in front; it is there once. */
  add(past: Past): void {
    const others = this.#queries.filter(({ query }) => query.trim() !== past.query.trim());
    this.#keep([past, ...others].slice(0, MOST));
  }

  clear(): void {
    this.#keep([]);
  }

  #keep(queries: Past[]): void {
    this.#queries = queries;
    try {
      this.#store?.setItem(KEY, JSON.stringify(queries));
    } catch {
      // Where there is no room, they are forgotten with the page.
    }
  }

  #load(): Past[] {
    try {
      const kept: unknown = JSON.parse(this.#store?.getItem(KEY) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isPast).slice(0, MOST) : [];
    } catch {
      return [];
    }
  }
}

function isPast(value: unknown): value is Past {
  const past = value as Partial<Past> | null;
  return typeof past?.query === "string" && typeof past.at === "number" && typeof past.found === "string";
}

/** The storage of the browser, where pages may keep anything. */
export function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
