// The server of `skewer ui`. The token is a folder in the page's address, so relative addresses contain it.

import { WORDS } from "../words.ts";
import type { Backend, Calls, Counts, Done, Input, SearchAsk, SearchEvent, SearchSink } from "./backend.ts";
import { pass } from "./backend.ts";
import { Refusal, refusalIn } from "./refusal.ts";
import { linesOf } from "./lines.ts";

export class HttpBackend implements Backend {
  readonly takesFiles = false;
  /** Identifies the page to the server. The next search of a page ends its previous one. */
  readonly #page = crypto.randomUUID();

  async call<M extends keyof Calls>(method: M, ask: Calls[M]["ask"]): Promise<Calls[M]["answer"]> {
    return (await this.#answer(method, ask)) as Calls[M]["answer"];
  }

  async search(ask: SearchAsk, sink: SearchSink, signal: AbortSignal): Promise<Done> {
    for await (const event of this.#events<SearchEvent>("search", ask, signal)) {
      const done = pass(event, sink);
      if (done) return done;
    }
    throw new Refusal(WORDS.brokenOff);
  }

  async count<M extends keyof Counts>(method: M, ask: Counts[M]["ask"], signal: AbortSignal): Promise<Counts[M]["answer"]> {
    for await (const { done } of this.#events<{ done?: Counts[M]["answer"] }>(method, ask, signal)) if (done) return done;
    throw new Refusal(WORDS.brokenOff);
  }

  async inputs(): Promise<Input[]> {
    const { inputs } = (await this.#answer("inputs", {})) as { inputs: Input[] };
    return inputs;
  }

  give(): Promise<void> {
    return Promise.reject(new Refusal(WORDS.inputsAreGiven));
  }

  /** Yields the events of a method as they arrive, one object on each line. */
  async *#events<E>(method: string, ask: unknown, signal: AbortSignal): AsyncGenerator<E> {
    const response = await this.#post(method, ask, signal);
    if (!response.ok || !response.body) throw await refusalOf(response);
    for await (const line of linesOf(response.body)) {
      const event: unknown = JSON.parse(line);
      const refusal = refusalIn(event);
      if (refusal) throw refusal;
      yield event as E;
    }
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
