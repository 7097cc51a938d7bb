// The messages between the page and its workers.

import type { Counts } from "./backend.ts";

/** A task for a worker. Its answers have the same `id`. */
export type Task =
  | { id: number; do: "begin"; module: WebAssembly.Module }
  | { id: number; do: "call"; method: string; ask: unknown }
  | { id: number; do: "search" | keyof Counts; ask: unknown; name: string; games: Blob };

/** An answer to a task: lines of a search, then the result or the failure. */
export type Answer = { id: number; lines: string[] } | { id: number; answer: unknown } | { id: number; failed: string };
