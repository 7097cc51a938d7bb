// The query and its options in a link. They come after the `#`, where no server sees them. Links never contain games.

import type { Range, SearchOptions } from "./backend/backend.ts";

export interface Asked {
  query: string;
  options: SearchOptions;
  /** The match to show: game and position, `12.34`. */
  match?: string;
}

const TEXTS = ["player", "event", "eco", "result"] as const;
const RANGES = ["years", "elo"] as const;
const FLAGS = ["variations", "first"] as const;

/** Returns the part of an address after the `#`. */
export function written({ query, options, match }: Asked): string {
  const fields = new URLSearchParams();
  if (query) fields.set("q", query);
  if (options.limit !== undefined) fields.set("limit", String(options.limit));
  for (const name of FLAGS) if (options[name]) fields.set(name, "1");
  for (const name of TEXTS) if (options[name]) fields.set(name, options[name]);
  for (const name of RANGES) if (options[name]) fields.set(name, options[name].map((end) => end ?? "").join("-"));
  for (const column of options.columns ?? []) fields.append("column", column);
  if (match) fields.set("match", match);
  // Services that shorten or share links take a blank written as `+` for a plus sign.
  return fields.toString().replaceAll("+", "%20");
}

/** Reads the part of an address after the `#`. Unknown fields are ignored. */
export function read(hash: string): Asked {
  const fields = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  const options: SearchOptions = {};
  const limit = fields.get("limit") ?? "";
  if (/^[1-9]\d{0,8}$/.test(limit)) options.limit = Number(limit);
  for (const name of FLAGS) if (fields.get(name) === "1") options[name] = true;
  for (const name of TEXTS) {
    const text = fields.get(name);
    if (text) options[name] = text;
  }
  for (const name of RANGES) {
    const range = rangeOf(fields.get(name) ?? "");
    if (range) options[name] = range;
  }
  const columns = fields.getAll("column").filter(Boolean);
  if (columns.length) options.columns = columns;
  const match = fields.get("match") ?? "";
  return { query: fields.get("q") ?? "", options, ...(/^\d+\.\d+$/.test(match) ? { match } : {}) };
}

/** Reads a range: `1957-1961`, `2500-`, `1957`. Returns `undefined` if the text is not one. */
export function rangeOf(text: string): Range | undefined {
  const [, first = "", last = ""] = /^\s*(\d{0,5})\s*[-–]\s*(\d{0,5})\s*$/.exec(text) ?? /^\s*((\d{1,5}))\s*$/.exec(text) ?? [];
  const ends: Range = [first ? Number(first) : null, last ? Number(last) : null];
  return ends.some((end) => end !== null) ? ends : undefined;
}
