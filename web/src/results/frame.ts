// The list of results and the player. It is the page that the command writes, in a frame because it has its own names and keys.

import type { Game } from "../backend/backend.ts";
import { el } from "../dom.ts";
import { WORDS } from "../words.ts";

/** The position that the player shows. */
export interface Here {
  game: number;
  id: number;
  fen: string;
  pgn: string;
  isMatch: boolean;
}

export type ActionName = "similar" | "why" | "match" | "no match";

/** The words for the parts that the page has only in this frame. */
export interface ResultsWords {
  searching: string;
  /** Stands in place of a list before there is a search. */
  none: string;
  print: string;
  printTitle: string;
  heading: string;
  diagrams: string;
  perSheet(count: number): string;
  solutionsBehind: string;
  close: string;
}

interface Host {
  words: ResultsWords;
  actions: [ActionName, string, string][];
  act(name: ActionName, here: Here): void;
  /** Handles a key that the page does not know. Returns whether the key has a meaning. */
  key(event: KeyboardEvent): boolean;
  /** Takes files that the user drops on the frame. */
  files(files: File[]): void;
}

/** The functions of live.js. */
interface Results {
  start(host: Host): void;
  begin(sort: string[], columns: string[]): void;
  clear(): void;
  add(games: Game[]): void;
  count(searched: number, isOver: boolean): void;
  here(): Here | null;
  follow(hash: string): void;
  focus(): void;
}

export class ResultsFrame {
  readonly element = el("iframe", { src: "results.html", title: WORDS.results.title, class: "results" });
  readonly #ready: Promise<Results>;

  constructor(host: Omit<Host, "words" | "actions">) {
    this.#ready = new Promise((resolve) => {
      this.element.addEventListener("load", () => {
        const { results } = this.element.contentWindow as Window & { results?: Results };
        if (!results) return;
        results.start({ words: WORDS.results.words, actions: WORDS.results.actions, ...host });
        resolve(results);
      });
    });
  }

  /** Selects a match, `12.34`, as soon as it is found. */
  async follow(match: string): Promise<void> {
    (await this.#ready).follow(`#${match}`);
  }

  /** Clears the list. The next matches have these sort keys and additional columns. */
  async begin(sort: string[], columns: string[]): Promise<void> {
    (await this.#ready).begin(sort, columns);
  }

  /** Clears the list, because there is no search that it could belong to. */
  async clear(): Promise<void> {
    (await this.#ready).clear();
  }

  async add(games: Game[]): Promise<void> {
    (await this.#ready).add(games);
  }

  async count(searched: number, isOver: boolean): Promise<void> {
    (await this.#ready).count(searched, isOver);
  }

  async here(): Promise<Here | null> {
    return (await this.#ready).here();
  }

  async focus(): Promise<void> {
    this.element.focus();
    (await this.#ready).focus();
  }
}
