// What the page and its workers say to each other.

import type { Counts } from "./backend.ts";

/** Something to do, with a number by which its answers are known. */
export type Task =
  | { id: number; do: "begin"; module: WebAssembly.Module }
  | { id: number; do: "call"; method: string; ask: unknown }
  | { id: number; do: "search" | keyof Counts; ask: unknown; name: string; games: Blob };

/** An answer: some lines of a search, then the end of what was to be done. */
export type Answer = { id: number; lines: string[] } | { id: number; answer: unknown } | { id: number; failed: string };
