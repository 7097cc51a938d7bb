// The server of `skewer ui`. The token is a folder of the address of the page, so relative addresses carry it.

import { WORDS } from "../words.ts";
import type { Backend, Begin, Calls, Done, Game, Input, SearchAsk, SearchSink, StatsAsk, StatsRow } from "./backend.ts";
import { Refusal, refusalIn } from "./backend.ts";
import { linesOf } from "./lines.ts";

export class HttpBackend implements Backend {
  readonly takesFiles = false;
  /** Says which page asks: its next search ends the one before. */
  readonly #page = crypto.randomUUID();

  async call<M extends keyof Calls>(method: M, ask: Calls[M]["ask"]): Promise<Calls[M]["answer"]> {
    return (await this.#answer(method, ask)) as Calls[M]["answer"];
  }

  async search(ask: SearchAsk, sink: SearchSink, signal: AbortSignal): Promise<Done> {
    const response = await this.#post("search", ask, signal);
    if (!response.ok || !response.body) throw await refusalOf(response);
    for await (const line of linesOf(response.body)) {
      const answer = JSON.parse(line) as { begin?: Begin; game?: Game; progress?: { games: number; share: number | null }; done?: Done };
      const refusal = refusalIn(answer);
      if (refusal) throw refusal;
      if (answer.begin) sink.begin(answer.begin);
      if (answer.game) sink.game(answer.game);
      if (answer.progress) sink.progress(answer.progress.games, answer.progress.share);
      if (answer.done) return answer.done;
    }
    throw new Refusal(WORDS.brokenOff);
  }

  async stats(ask: StatsAsk, signal: AbortSignal): Promise<StatsRow[]> {
    return (await this.#answer("stats", ask, signal)) as StatsRow[];
  }

  async inputs(): Promise<Input[]> {
    const { inputs } = (await this.#answer("inputs", {})) as { inputs: Input[] };
    return inputs;
  }

  give(): Promise<void> {
    return Promise.reject(new Refusal(WORDS.inputsAreGiven));
  }

  #post(method: string, ask: unknown, signal?: AbortSignal): Promise<Response> {
    return fetch(`api/${method}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Skewer-Page": this.#page },
      body: JSON.stringify(ask),
      ...(signal ? { signal } : {}),
    });
  }

  async #answer(method: string, ask: unknown, signal?: AbortSignal): Promise<unknown> {
    const response = await this.#post(method, ask, signal).catch((error: unknown) => {
      throw signal?.aborted ? error : new Refusal(WORDS.noServer);
    });
    if (!response.ok) throw await refusalOf(response);
    const answer: unknown = await response.json();
    const refusal = refusalIn(answer);
    if (refusal) throw refusal;
    return answer;
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const answer: unknown = await response.json().catch(() => null);
  return refusalIn(answer) ?? new Refusal(WORDS.refused(response.status));
}
