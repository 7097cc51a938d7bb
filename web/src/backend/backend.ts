// What a page asks, and what it is answered: the calls of skewer::service, whoever carries them. docs/serve.md describes them.

import type { Setup, Width } from "../board/setup.ts";

/** A change of a text; offsets are UTF-16 code units, as those of strings here. */
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
}

export interface ShownSetup {
  setup: Setup;
  query: string;
  /** Whether the board shows all of the query. */
  whole: boolean;
}

/** A game as the page of results knows it (see GameLine in src/output/html/list.rs), with its PGN. */
export interface Game {
  number: number;
  matches: unknown[];
  sort: unknown[];
  pgn: string;
  [key: string]: unknown;
}

/** What a query sorts by. */
export interface SortKey {
  title: string;
  /** Whether the smallest value is the best. */
  ascending: boolean;
}

/** Something about the games that could not be read as it stands. */
export interface Warning {
  source: string;
  /** From 1; 0 for the file as a whole. */
  line: number;
  /** From 1; 0 for text before the first game. */
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

/** The first and the last number of some, both included; `null` for no end. */
export type Range = [number | null, number | null];

/** How a query is searched for; all of it may be left out. */
export interface SearchOptions {
  /** Ends after so many matching games. */
  limit?: number;
  variations?: boolean;
  columns?: string[];
  player?: string;
  event?: string;
  eco?: string;
  result?: string;
  years?: Range;
  elo?: Range;
  /** The first match of each game only. */
  first?: boolean;
}

export interface SearchAsk {
  query: string;
  options: SearchOptions;
}

/** What the games of a search are sorted by, and what is told of each match beside what all have. */
export interface Heading {
  sort: SortKey[];
  columns: { name: string }[];
}

/** Something that a search says, one of these at a time. */
export interface SearchEvent {
  begin?: Heading;
  game?: Game;
  progress?: { games: number; share?: number };
  /** What the query prints. */
  message?: string;
  done?: Done;
}

/** What takes the answers of a search as they come. */
export interface SearchSink {
  /** Comes first, and once. */
  begin(heading: Heading): void;
  game(game: Game): void;
  message(text: string): void;
  progress(games: number, share: number | undefined): void;
}

export interface StatsAsk {
  queries: { query: string }[];
  by: string[];
  options: Omit<SearchOptions, "limit" | "columns">;
}

export interface FunnelAsk {
  query: string;
  options: Omit<SearchOptions, "limit" | "columns">;
}

/** How many games, and positions in them, match. */
export interface FunnelCounts {
  games: number;
  positions: number;
}

/** What each filter of a query leaves of the games. */
export interface Funnel {
  games: number;
  start: FunnelCounts;
  steps: { from: number; to: number; text: string; depth: number; with: FunnelCounts | null; without: FunnelCounts | null }[];
  found: FunnelCounts;
  whole: boolean;
  sentences: string[];
}

/** What goes through all games and is answered at the end. */
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
    answer: { entries?: LibraryEntry[]; name?: string; summary?: string; query?: string; picture?: string };
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

/** A group of games, by the names of its columns. */
export type StatsRow = Record<string, string | number | boolean | null>;

/** Something to search: a file, or PGN that was pasted. */
export interface Input {
  name: string;
  bytes?: number;
}

/** Whoever answers. */
export interface Backend {
  /** Whether inputs can be given in the page. */
  readonly takesFiles: boolean;
  call<M extends keyof Calls>(method: M, ask: Calls[M]["ask"]): Promise<Calls[M]["answer"]>;
  /** Searches all inputs; resolves when the search has ended, also by its signal. */
  search(ask: SearchAsk, sink: SearchSink, signal: AbortSignal): Promise<Done>;
  count<M extends keyof Counts>(method: M, ask: Counts[M]["ask"], signal: AbortSignal): Promise<Counts[M]["answer"]>;
  inputs(): Promise<Input[]>;
  /** Takes the place of the inputs so far. */
  give(files: { name: string; content: Blob }[]): Promise<void>;
}
