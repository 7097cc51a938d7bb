// Slices of a file are searched side by side; what they find is handed on in the order of the file, with the numbers that the games have in
// it.

import type { Begin, Done, Game, SearchSink } from "./backend.ts";

interface Slice {
  waiting: Game[];
  /** How many games it has: so many so far, or in all. */
  games: number;
  bytes: number;
  share: number;
  isDone: boolean;
}

export class InOrder {
  readonly #sink: SearchSink;
  readonly #limit: number;
  readonly #bytes: number;
  readonly #slices: Slice[] = [];
  /** The first slice that is not handed on completely, and the games in those before. */
  #first = 0;
  #before = 0;
  #hasBegun = false;
  #handedOn = 0;
  readonly done: Done = { games: 0, matched: 0, positions: 0, warnings: [] };

  constructor(sink: SearchSink, bytes: number, limit = Infinity) {
    this.#sink = sink;
    this.#bytes = bytes;
    this.#limit = limit;
  }

  /** Whether as many games are found as were asked for. */
  get isFull(): boolean {
    return this.#handedOn >= this.#limit;
  }

  /** How many slices are ahead of what has been handed on. */
  get ahead(): number {
    return this.#slices.length - this.#first;
  }

  /** A slice more, the next one of the file; its number. */
  open(bytes: number): number {
    return this.#slices.push({ waiting: [], games: 0, bytes, share: 0, isDone: false }) - 1;
  }

  begin(begin: Begin): void {
    if (!this.#hasBegun) this.#sink.begin(begin);
    this.#hasBegun = true;
  }

  game(slice: number, game: Game): void {
    this.#slices[slice]?.waiting.push(game);
    this.#handOn();
  }

  progress(slice: number, games: number, share: number): void {
    const at = this.#slices[slice];
    if (at) Object.assign(at, { games, share });
    this.#sayProgress();
  }

  end(slice: number, done: Done): void {
    const at = this.#slices[slice];
    if (!at) return;
    Object.assign(at, { games: done.games, share: 1, isDone: true });
    this.done.warnings.push(...done.warnings);
    this.#handOn();
    this.#sayProgress();
  }

  #handOn(): void {
    for (let slice = this.#slices[this.#first]; slice; slice = this.#slices[this.#first]) {
      for (const game of slice.waiting.splice(0)) {
        if (this.isFull) return;
        game.number += this.#before;
        this.#handedOn += 1;
        this.done.matched += 1;
        this.done.positions += game.matches.length;
        this.#sink.game(game);
      }
      if (!slice.isDone) return;
      this.#before += slice.games;
      this.#first += 1;
    }
  }

  #sayProgress(): void {
    const games = this.#slices.reduce((sum, slice) => sum + slice.games, 0);
    const bytes = this.#slices.reduce((sum, slice) => sum + slice.share * slice.bytes, 0);
    this.done.games = games;
    this.#sink.progress(games, this.#bytes > 0 ? Math.min(1, bytes / this.#bytes) : null);
  }
}
