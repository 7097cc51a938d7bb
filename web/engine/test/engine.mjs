// The engine as the tests use it: loaded from the folder in which `build` writes it.

import { readFileSync } from "node:fs";
import * as engine from "../pkg/engine.js";

const path = (name) => new URL(name, import.meta.url);

engine.initSync({ module: readFileSync(path("../pkg/engine_bg.wasm")) });

/** The folder of the project. */
export const root = path("../../../");

/** What a method answers: an object, which has `error` where there is no answer. */
export const call = (method, question) => JSON.parse(engine.call(method, JSON.stringify(question)));

export const lsp = (message) => engine.lsp(JSON.stringify(message)).map((text) => JSON.parse(text));

/** What a search says, up to the event at which `wanted` is false. */
export function search(question, bytes, wanted = () => true, name = "games.pgn") {
  const events = [];
  engine.search(JSON.stringify(question), name, bytes, (event) => {
    events.push(JSON.parse(event));
    return wanted(events);
  });
  return events;
}

/** The games of events, and the last event. */
export const found = (events) => [events.flatMap((event) => (event.game ? [event.game] : [])), events.at(-1)];
