// The engine in this browser. One worker answers questions about queries. The others search, each one slice of the games at a time.

import classics from "../../../examples/classics.pgn?url";
import engineUrl from "../../engine/pkg/engine_bg.wasm.zst?url";
import { WORDS } from "../words.ts";
import type { Backend, Calls, Counts, Done, Input, SearchAsk, SearchEvent, SearchSink } from "./backend.ts";
import { pass } from "./backend.ts";
import { Refusal, refusalIn } from "./refusal.ts";
import { EngineWorker } from "./engine.ts";
import { InOrder } from "./order.ts";
import { SIZES, slicesOf } from "./slices.ts";
import { unpacked, zstandard } from "./unpack.ts";

/** The most workers. Further cores are seldom real ones, and each worker holds a slice in memory. */
const MOST_WORKERS = 8;
/** The most slices that may be waiting for earlier ones to be shown. */
const MOST_AHEAD = 32;
/** The most bytes that are searched without slices. They must fit into the memory of one engine. */
const MOST_WHOLE = 1 << 29;

interface Games {
  name: string;
  content: Blob;
}

export class WasmBackend implements Backend {
  readonly takesFiles = true;
  // The page appears before the engine and the games are loaded. Its questions wait for them.
  readonly #module = compiled(engineUrl);
  #talker = new EngineWorker(this.#module);
  #searchers = [new EngineWorker(this.#module)];
  #files: Promise<Games[]> = fetch(classics)
    .then((response) => response.blob())
    .then((content) => [{ name: WORDS.inputs.classics, content }]);

  async call<M extends keyof Calls>(method: M, ask: Calls[M]["ask"]): Promise<Calls[M]["answer"]> {
    if (this.#talker.isOver) this.#talker = new EngineWorker(this.#module);
    const answer = await this.#talker.call(method, ask);
    const refusal = refusalIn(answer);
    if (refusal) throw refusal;
    return answer as Calls[M]["answer"];
  }

  async search(ask: SearchAsk, sink: SearchSink, signal: AbortSignal): Promise<Done> {
    const stop = () => this.#stop(signal.reason);
    signal.addEventListener("abort", stop);
    try {
      const { text, plan } = await this.call("explain", { query: ask.query });
      // A query that uses game numbers, or keeps values from one game to the next, must see all games in order.
      if (!plan.shared_by_threads || /\bgamenumber\b/.test(text)) return await this.#searchWhole(ask, sink);
      return await this.#searchSlices(ask, sink, signal);
    } finally {
      signal.removeEventListener("abort", stop);
      if (!signal.aborted) this.#stopBusy();
    }
  }

  async count<M extends keyof Counts>(method: M, ask: Counts[M]["ask"], signal: AbortSignal): Promise<Counts[M]["answer"]> {
    const counter = new EngineWorker(this.#module);
    signal.addEventListener("abort", () => counter.end(signal.reason));
    try {
      return (await run<{ done?: Counts[M]["answer"] }>(counter, method, ask, await this.#whole())).done;
    } finally {
      counter.end(new Refusal(WORDS.brokenOff));
    }
  }

  async inputs(): Promise<Input[]> {
    return (await this.#files).map(({ name, content }) => ({ name, bytes: content.size }));
  }

  async give(files: Games[]): Promise<void> {
    const opened: Games[] = [];
    for (const { name, content } of files) opened.push({ name, content: await unpacked(name, content) });
    this.#files = Promise.resolve(opened);
  }

  async #searchSlices(ask: SearchAsk, sink: SearchSink, signal: AbortSignal): Promise<Done> {
    const files = await this.#files;
    const bytes = files.reduce((sum, { content }) => sum + content.size, 0);
    const inOrder = new InOrder(sink, { bytes, limit: ask.options.limit });
    const slices = slicesOfAll(files);
    const searchOn = async (searcher: EngineWorker) => {
      while (!inOrder.isFull && !signal.aborted) {
        if (inOrder.ahead > MOST_AHEAD) {
          await new Promise((resolve) => setTimeout(resolve, 10));
          continue;
        }
        const { value: slice } = await slices.next();
        if (!slice) return;
        const number = inOrder.open(slice.name, slice.content.size);
        const { done, lines } = await run<SearchEvent>(searcher, "search", ask, slice, (event) => {
          if (event.begin) inOrder.begin(event.begin);
          if (event.game) inOrder.game(number, event.game);
          if (event.message !== undefined) inOrder.message(number, event.message);
          if (event.progress) inOrder.progress(number, event.progress.games, event.progress.share ?? 0);
          // The other workers can stop once enough is found.
          if (inOrder.isFull) this.#stopBusy(searcher);
        });
        inOrder.end(number, done, lines);
      }
    };
    const count = Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1, Math.ceil(bytes / SIZES.first));
    const running = this.#idle(Math.max(1, count)).map(searchOn);
    // Once enough is found, the workers that are still searching are ended, and their errors do not matter.
    await Promise.all(running).catch((error: unknown) => {
      if (!inOrder.isFull) throw error;
    });
    return inOrder.finish();
  }

  async #searchWhole(ask: SearchAsk, sink: SearchSink): Promise<Done> {
    const games = await this.#whole();
    const [searcher] = this.#idle(1);
    return (await run<SearchEvent>(searcher as EngineWorker, "search", ask, games, (event) => pass(event, sink))).done;
  }

  /** Returns all games as one file. */
  async #whole(): Promise<Games> {
    const files = await this.#files;
    const content = new Blob(files.flatMap(({ content }) => [content, "\n\n"]));
    if (content.size > MOST_WHOLE) throw new Refusal(WORDS.tooMuchAtOnce);
    return { name: files.map(({ name }) => name).join(" "), content };
  }

  /** Returns `count` idle workers. Ends the busy ones. */
  #idle(count: number): EngineWorker[] {
    this.#stopBusy();
    while (this.#searchers.length < count) this.#searchers.push(new EngineWorker(this.#module));
    return this.#searchers.slice(0, count);
  }

  /** Ends all busy workers except `but`. */
  #stopBusy(but?: EngineWorker): void {
    for (const searcher of this.#searchers) if (searcher !== but && searcher.isBusy && !searcher.isOver) searcher.end(new Refusal(WORDS.brokenOff));
    this.#searchers = this.#searchers.filter(({ isOver }) => !isOver);
  }

  #stop(reason: unknown): void {
    for (const searcher of this.#searchers) searcher.end(reason);
    this.#searchers = [];
  }
}

async function* slicesOfAll(files: Games[]): AsyncGenerator<Games> {
  for (const { name, content } of files) for await (const slice of slicesOf(content)) yield { name, content: slice };
}

/** Runs a pass over games and passes its events to `take`. Returns its result, and the number of lines. Throws if the engine refuses. */
async function run<E extends { done?: unknown }>(
  engine: EngineWorker,
  what: "search" | keyof Counts,
  ask: unknown,
  { name, content }: Games,
  take?: (event: E) => void,
): Promise<{ done: NonNullable<E["done"]>; lines: number }> {
  let refusal: Refusal | undefined;
  let done: E["done"] | undefined;
  const lines = await engine.run(what, ask, name, content, (texts) => {
    for (const text of texts) {
      const event = JSON.parse(text) as E;
      refusal ??= refusalIn(event);
      if (refusal) return;
      take?.(event);
      done = event.done ?? done;
    }
  });
  if (refusal) throw refusal;
  if (!done) throw new Refusal(WORDS.brokenOff);
  return { done, lines };
}

/** Loads the engine, and unpacks and compiles it meanwhile. */
async function compiled(url: string): Promise<WebAssembly.Module> {
  const [{ body }, unpacking] = await Promise.all([fetch(url), zstandard()]);
  return WebAssembly.compileStreaming(new Response(body?.pipeThrough(unpacking) ?? null, { headers: { "Content-Type": "application/wasm" } }));
}
