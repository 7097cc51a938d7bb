// Slices of files are searched side by side; what they find is handed on in the order of the files, with the numbers that games and lines
// have there.

import type { Done, Game, Heading, SearchSink, SortKey } from "./backend.ts";

interface Slice {
  /** The file that it is of. */
  file: string;
  bytes: number;
  /** What it has found that has not been handed on. */
  waiting: { game?: Game; message?: string }[];
  /** How many games have been looked at, and what part of it that is. */
  games: number;
  share: number;
  done?: Done;
  /** How many lines it has. */
  lines: number;
}

export interface OrderOptions {
  /** How many bytes there are in all. */
  bytes: number;
  /** How many games are wanted. */
  limit?: number | undefined;
}

export class InOrder {
  readonly #sink: SearchSink;
  readonly #bytes: number;
  readonly #limit: number;
  /** What all slices say that they begin with. */
  #heading: Heading | undefined;
  readonly #slices: Slice[] = [];
  readonly #sorted: Game[] = [];
  /** The first slice that has not been handed on completely, and what was before it. */
  #first = 0;
  #games = 0;
  #lines = { file: "", count: 0 };
  readonly #done: Done = { games: 0, matched: 0, positions: 0, end: "all", sort: [], columns: [], warnings: [], warning_count: 0 };

  constructor(sink: SearchSink, { bytes, limit = Infinity }: OrderOptions) {
    this.#sink = sink;
    this.#bytes = bytes;
    this.#limit = limit;
  }

  /** The query sorts: nothing is handed on before all is known. */
  get #isSorted(): boolean {
    return (this.#heading?.sort.length ?? 0) > 0;
  }

  /** Whether as many games are found as are wanted. */
  get isFull(): boolean {
    return !this.#isSorted && this.#done.matched >= this.#limit;
  }

  /** How many slices wait for what is in front of them. */
  get ahead(): number {
    return this.#slices.length - this.#first;
  }

  /** A slice more, the next one of a file; its number. */
  open(file: string, bytes: number): number {
    return this.#slices.push({ file, bytes, waiting: [], games: 0, share: 0, lines: 0 }) - 1;
  }

  /** A slice begins; each says the same. */
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

  /** A slice has been searched; it has so many lines. */
  end(slice: number, done: Done, lines: number): void {
    Object.assign(this.#slices[slice] ?? {}, { games: done.games, share: 1, done, lines });
    this.#handOn();
    this.#sayProgress();
  }

  /** What came of it, when all slices have been searched. */
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

  /** Goes on to the next slice. */
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

/** Games in the order of their keys, the best first; those that are equal as they stand in the file. */
function ranked(games: Game[], keys: SortKey[]): Game[] {
  const byKey = (a: unknown, b: unknown, { ascending }: SortKey) => {
    if (a === b) return 0;
    // Who has no value comes last.
    if (a === null || a === undefined) return 1;
    if (b === null || b === undefined) return -1;
    return a < b === ascending ? -1 : 1;
  };
  const order = (a: Game, b: Game) => keys.reduce((found, key, index) => found || byKey(a.sort[index], b.sort[index], key), 0);
  return games.toSorted(order);
}
