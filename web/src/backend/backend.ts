// The questions of the page and their answers: the calls of skewer::service over any transport. docs/serve.md describes them.

import type { Setup, Width } from "../board/setup.ts";

/** A change of a text. Offsets are UTF-16 code units, as in JavaScript strings. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

export interface Diagnostic {
  severity: "error" | "warning" | "information" | "hint";
  message: string;
  from: number;
  to: number;
  line: number;
  column: number;
  help: string[];
  fixes: { title: string; edits: Edit[] }[];
}

export interface LibraryEntry {
  name: string;
  folder: string;
  summary: string;
  /** Why no search runs it, if none does. */
  refused?: string;
}

export interface ShownSetup {
  setup: Setup;
  query: string;
  /** Whether the board shows all of the query. */
  whole: boolean;
}

/** A game in the form that the page of results takes (see GameLine in src/output/html/list.rs), with its PGN. */
export interface Game {
  number: number;
  matches: unknown[];
  sort: unknown[];
  pgn: string;
  [key: string]: unknown;
}

/** A key that a query sorts by. */
export interface SortKey {
  title: string;
  /** Whether the smallest value is the best. */
  ascending: boolean;
}

/** A warning about text in the games that could not be read as written. */
export interface Warning {
  source: string;
  /** The line, from 1, or 0 for the whole file. */
  line: number;
  /** The game, from 1, or 0 for text before the first game. */
  game: number;
  message: string;
}

export interface Done extends Heading {
  games: number;
  matched: number;
  positions: number;
  end: "all" | "limit" | "time" | "interrupted";
  warnings: Warning[];
  warning_count: number;
}

/** The first and the last number of a range, both included. `null` is an open end. */
export type Range = [number | null, number | null];

/** The options of a search. All of them may be left out. */
export interface SearchOptions {
  /** The number of matching games after which the search ends. */
  limit?: number;
  variations?: boolean;
  columns?: string[];
  player?: string;
  event?: string;
  eco?: string;
  result?: string;
  years?: Range;
  elo?: Range;
  /** Whether only the first match of each game is wanted. */
  first?: boolean;
}

export interface SearchAsk {
  query: string;
  options: SearchOptions;
}

/** The sort keys of a search, and the additional values of each match. */
export interface Heading {
  sort: SortKey[];
  columns: { name: string }[];
}

/** An event of a search. It has exactly one of these fields. */
export interface SearchEvent {
  begin?: Heading;
  game?: Game;
  progress?: { games: number; share?: number };
  /** Text that the query prints. */
  message?: string;
  done?: Done;
}

/** Passes an event on. Returns the result of the search, if the event is its last one. */
export function pass(event: SearchEvent, sink: SearchSink): Done | undefined {
  if (event.begin) sink.begin(event.begin);
  if (event.game) sink.game(event.game);
  if (event.message !== undefined) sink.message(event.message);
  if (event.progress) sink.progress(event.progress.games, event.progress.share);
  return event.done;
}

/** Receives the events of a search as they arrive. */
export interface SearchSink {
  /** Is called first, and only once. */
  begin(heading: Heading): void;
  game(game: Game): void;
  message(text: string): void;
  progress(games: number, share: number | undefined): void;
}

/** The options of questions that count. */
export type CountOptions = Omit<SearchOptions, "limit" | "columns">;

/** Returns the options of a search that count, too. */
export const countOptions = ({ limit: _, columns: __, ...options }: SearchOptions): CountOptions => options;

export interface StatsAsk {
  queries: { query: string }[];
  by: string[];
  options: CountOptions;
}

export interface FunnelAsk {
  query: string;
  options: CountOptions;
}

/** The number of matching games, and of matching positions in them. */
export interface FunnelCounts {
  games: number;
  positions: number;
}

/** How many games and positions each filter of a query leaves. */
export interface Funnel {
  games: number;
  start: FunnelCounts;
  steps: { from: number; to: number; text: string; depth: number; with: FunnelCounts | null; without: FunnelCounts | null }[];
  found: FunnelCounts;
  whole: boolean;
  sentences: string[];
}

/** The questions that need a pass over all games and are answered at its end. */
export interface Counts {
  stats: { ask: StatsAsk; answer: { rows: StatsRow[] } };
  funnel: { ask: FunnelAsk; answer: Funnel };
}

export interface Calls {
  check: { ask: { query: string }; answer: { ok: boolean; diagnostics: Diagnostic[] } };
  explain: { ask: { query: string }; answer: { text: string; plan: { shared_by_threads: boolean } } };
  board: { ask: { fen: string; squares?: string[]; flip?: boolean }; answer: { svg: string } };
  library: {
    ask: { find?: string; name?: string };
    answer: { entries: LibraryEntry[] } | (LibraryEntry & { query: string; picture?: string });
  };
  setup: {
    ask: { query: string } | { setup: Setup } | { query: string; setup: Setup } | { fen: string; widen: Width };
    answer: ShownSetup;
  };
  why: { ask: { query: string; fen: string } | { query: string; game: string; position: number }; answer: Why };
  lsp: { ask: { message: unknown }; answer: { messages: unknown[] } };
}

export interface WhyPart {
  text: string;
  from?: number;
  to?: number;
  kind: "condition" | "set" | "number" | "string" | "position";
  value: boolean | number | string | string[] | { id: number; last_move: string } | null;
  asked: boolean;
  matches?: boolean;
  blamed?: boolean;
  sentence?: string;
  copy?: { number: number; of: number; colors: string };
  rounds?: { of: string; asked: number; matched: number; shown?: string };
  parts: WhyPart[];
}

export interface Why {
  query: string;
  position: { game: number; id: number; fen: string; last_move?: string };
  matches: boolean;
  sentences: string[];
  whole: boolean;
  parts: WhyPart[];
  removals: { from: number; to: number; text: string; matches: boolean }[];
  nearest: { changes: (Edit & { text: string })[]; query: string; sentence: string } | null;
  all_tried: boolean;
}

/** A row of the statistics: the values of a group of games by the names of the columns. */
export type StatsRow = Record<string, string | number | boolean | null>;

/** An input to search: a file, or pasted PGN. */
export interface Input {
  name: string;
  bytes?: number;
}

/** Answers the questions of the page. */
export interface Backend {
  /** Whether the page can add inputs. */
  readonly takesFiles: boolean;
  call<M extends keyof Calls>(method: M, ask: Calls[M]["ask"]): Promise<Calls[M]["answer"]>;
  /** Searches all inputs. Resolves when the search is over. */
  search(ask: SearchAsk, sink: SearchSink, signal: AbortSignal): Promise<Done>;
  count<M extends keyof Counts>(method: M, ask: Counts[M]["ask"], signal: AbortSignal): Promise<Counts[M]["answer"]>;
  inputs(): Promise<Input[]>;
  /** Replaces the inputs. */
  give(files: { name: string; content: Blob }[]): Promise<void>;
}
