// What a link says: the query and its options, behind `#`, where no server sees them. Games are never in it.

import type { SearchOptions } from "./backend/backend.ts";

export interface Asked {
  query: string;
  options: SearchOptions;
  /** The match that is shown: game and position. */
  match?: string;
}

/** The part of an address behind `#` that says it. */
export function written({ query, options, match }: Asked): string {
  const fields = new URLSearchParams();
  if (query) fields.set("q", query);
  if (options.limit !== undefined) fields.set("limit", String(options.limit));
  if (options.variations) fields.set("variations", "1");
  if (options.narrowing) fields.set("only", options.narrowing);
  for (const column of options.columns ?? []) fields.append("column", column);
  if (match) fields.set("match", match);
  // Blanks as `+` are mistaken for plus signs by what shortens and shares links.
  return fields.toString().replaceAll("+", "%20");
}

/** What the part of an address behind `#` says; anything that it does not know is left out. */
export function read(hash: string): Asked {
  const fields = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  const options: SearchOptions = {};
  const limit = fields.get("limit") ?? "";
  if (/^[1-9]\d{0,8}$/.test(limit)) options.limit = Number(limit);
  if (fields.get("variations") === "1") options.variations = true;
  const narrowing = fields.get("only");
  if (narrowing) options.narrowing = narrowing;
  const columns = fields.getAll("column").filter(Boolean);
  if (columns.length) options.columns = columns;
  const match = fields.get("match") ?? "";
  return { query: fields.get("q") ?? "", options, ...(/^\d+\.\d+$/.test(match) ? { match } : {}) };
}
