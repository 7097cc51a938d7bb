// Puts the results of slices that are searched in parallel into the order of the files, and gives games and lines their numbers in the files.

import type { Done, Game, Heading, SearchSink, SortKey } from "./backend.ts";

interface Slice {
  /** The name of its file. */
  file: string;
  bytes: number;
  /** The results that have not been handed on. */
  waiting: { game?: Game; message?: string }[];
  /** The number of searched games, and the part of the slice that is searched. */
  games: number;
  share: number;
  done?: Done;
  /** The number of its lines. */
  lines: number;
}

export interface OrderOptions {
  /** The total number of bytes. */
  bytes: number;
  /** The number of wanted games. */
  limit?: number | undefined;
}

export class InOrder {
  readonly #sink: SearchSink;
  readonly #bytes: number;
  readonly #limit: number;
  /** The heading, which is the same for all slices. */
  #heading: Heading | undefined;
  readonly #slices: Slice[] = [];
  readonly #sorted: Game[] = [];
  /** The first slice that has not been handed on completely, and the games and lines before it. */
  #first = 0;
  #games = 0;
  #lines = { file: "", count: 0 };
  readonly #done: Done = { games: 0, matched: 0, positions: 0, end: "all", sort: [], columns: [], warnings: [], warning_count: 0 };

  constructor(sink: SearchSink, { bytes, limit = Infinity }: OrderOptions) {
    this.#sink = sink;
    this.#bytes = bytes;
    this.#limit = limit;
  }

  /** Whether the query sorts. Then no game is handed on before all are found. */
  get #isSorted(): boolean {
    return (this.#heading?.sort.length ?? 0) > 0;
  }

  /** Whether enough games are found. */
  get isFull(): boolean {
    return !this.#isSorted && this.#done.matched >= this.#limit;
  }

  /** The number of slices that have not been handed on completely. */
  get ahead(): number {
    return this.#slices.length - this.#first;
  }

  /** Adds the next slice of a file. Returns its number. */
  open(file: string, bytes: number): number {
    return this.#slices.push({ file, bytes, waiting: [], games: 0, share: 0, lines: 0 }) - 1;
  }

  /** Takes the heading of a slice. Only the first one counts, as all are the same. */
  begin(heading: Heading): void {
    if (this.#heading) return;
    this.#heading = heading;
    Object.assign(this.#done, heading);
    this.#sink.begin(heading);
  }

  game(slice: number, game: Game): void {
    this.#slices[slice]?.waiting.push({ game });
    this.#handOn();
  }

  message(slice: number, message: string): void {
    this.#slices[slice]?.waiting.push({ message });
    this.#handOn();
  }

  progress(slice: number, games: number, share: number): void {
    Object.assign(this.#slices[slice] ?? {}, { games, share });
    this.#sayProgress();
  }

  /** Ends a slice, which has this many lines. */
  end(slice: number, done: Done, lines: number): void {
    Object.assign(this.#slices[slice] ?? {}, { games: done.games, share: 1, done, lines });
    this.#handOn();
    this.#sayProgress();
  }

  /** Returns the outcome after all slices have been searched. */
  finish(): Done {
    if (this.#isSorted) for (const game of ranked(this.#sorted, this.#done.sort).slice(0, this.#limit)) this.#say(game);
    return this.#done;
  }

  #handOn(): void {
    if (this.isFull) return;
    for (let slice = this.#slices[this.#first]; slice; slice = this.#slices[this.#first]) {
      for (const { game, message } of slice.waiting.splice(0)) {
        if (this.isFull) return;
        if (message !== undefined) this.#sink.message(message);
        if (game) this.#take(game);
      }
      if (!slice.done) return;
      this.#leave(slice, slice.done);
    }
  }

  #take(game: Game): void {
    game.number += this.#games;
    if (this.#isSorted) this.#sorted.push(game);
    else this.#say(game);
    if (!this.isFull) return;
    this.#done.games = game.number;
    this.#done.end = "limit";
  }

  #say(game: Game): void {
    this.#done.matched += 1;
    this.#done.positions += game.matches.length;
    this.#sink.game(game);
  }

  /** Adds the outcome of a slice to the total, and goes on to the next slice. */
  #leave({ file, lines, games }: Slice, done: Done): void {
    if (this.#lines.file !== file) this.#lines = { file, count: 0 };
    const before = this.#lines.count;
    const warnings = done.warnings.map((warning) => ({
      ...warning,
      line: warning.line && warning.line + before,
      game: warning.game && warning.game + this.#games,
    }));
    this.#done.warnings.push(...warnings);
    this.#done.warning_count += done.warning_count;
    if (done.end === "time") this.#done.end = "time";
    this.#games += games;
    this.#done.games = this.#games;
    this.#lines.count += lines;
    this.#first += 1;
  }

  #sayProgress(): void {
    const games = this.#slices.reduce((sum, slice) => sum + slice.games, 0);
    const bytes = this.#slices.reduce((sum, slice) => sum + slice.share * slice.bytes, 0);
    this.#sink.progress(games, this.#bytes > 0 ? Math.min(1, bytes / this.#bytes) : undefined);
  }
}

/** Returns games sorted by their keys, the best first. Equal games keep their order in the file. */
function ranked(games: Game[], keys: SortKey[]): Game[] {
  const byKey = (a: unknown, b: unknown, { ascending }: SortKey) => {
    if (a === b) return 0;
    // Games without a value come last.
    if (a === null || a === undefined) return 1;
    if (b === null || b === undefined) return -1;
    return a < b === ascending ? -1 : 1;
  };
  const order = (a: Game, b: Game) => keys.reduce((found, key, index) => found || byKey(a.sort[index], b.sort[index], key), 0);
  return games.toSorted(order);
}
