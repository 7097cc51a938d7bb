// A worker with an engine, and its unanswered questions.

import type { Counts } from "./backend.ts";
import { Refusal } from "./refusal.ts";
import { WORDS } from "../words.ts";
import type { Answer, Task } from "./messages.ts";

interface Waiting {
  lines?: (lines: string[]) => void;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

type Distribute<T> = T extends unknown ? Omit<T, "id"> : never;

export class EngineWorker {
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "skewer" });
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #isOver = false;

  constructor(module: Promise<WebAssembly.Module>) {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#take(data));
    this.#worker.addEventListener("error", () => this.end(new Refusal(WORDS.failed)));
    const begin = (module: WebAssembly.Module) => this.#worker.postMessage({ id: 0, do: "begin", module } satisfies Task);
    module.then(begin, () => this.end(new Refusal(WORDS.cannotStart)));
  }

  /** Whether the worker takes no more questions, because it was ended or has failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  call(method: string, ask: unknown): Promise<unknown> {
    return this.#ask({ do: "call", method, ask });
  }

  /** Runs a pass over games. Resolves to the number of their lines. */
  async run(what: "search" | keyof Counts, ask: unknown, name: string, games: Blob, lines: (lines: string[]) => void): Promise<number> {
    return (await this.#ask({ do: what, ask, name, games }, lines)) as number;
  }

  /** Ends the worker, even if it is busy, and rejects its unanswered questions. */
  end(reason: unknown): void {
    this.#isOver = true;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  #ask(task: Distribute<Task>, lines?: (lines: string[]) => void): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new Refusal(WORDS.failed));
    const id = (this.#next += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, ...(lines ? { lines } : {}) });
      this.#worker.postMessage({ id, ...task });
    });
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) {
      // No question waits for the start of the engine, so only its failure matters.
      if ("failed" in answer) this.end(new Refusal(WORDS.cannotStart));
      return;
    }
    if ("lines" in answer) {
      waiting.lines?.(answer.lines);
      return;
    }
    this.#waiting.delete(answer.id);
    if ("answer" in answer) waiting.resolve(answer.answer);
    else {
      waiting.reject(new Refusal(answer.failed));
      // After a panic, the memory of the engine is in an unknown state.
      this.end(new Refusal(answer.failed));
    }
  }
}
