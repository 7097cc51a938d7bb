// Runs the engine in a worker.

import init, { call, funnel, search, stats } from "../../engine/pkg/engine.js";
import type { Answer, Task } from "./messages.ts";

const PATIENCE = 40; // milliseconds that lines may wait to be sent together
const MOST_LINES = 200;

/** Ends the wait of questions that arrived before the engine was loaded. */
let begin = () => {};
const begun = new Promise<void>((resolve) => (begin = resolve));

const say = (answer: Answer) => postMessage(answer);

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  run(data).then(
    (answer) => say({ id: data.id, answer }),
    (error: unknown) => say({ id: data.id, failed: String(error) }),
  );
});

async function run(task: Task): Promise<unknown> {
  if (task.do === "begin") {
    await init({ module_or_path: task.module });
    begin();
    return true;
  }
  await begun;
  if (task.do === "call") return JSON.parse(call(task.method, JSON.stringify(task.ask)));
  const bytes = new Uint8Array(await task.games.arrayBuffer());
  const count = lineCount(bytes);
  let lines: string[] = [];
  let last = 0;
  const flush = () => {
    if (lines.length) say({ id: task.id, lines });
    lines = [];
    last = performance.now();
  };
  const runs = { search, stats, funnel };
  runs[task.do](JSON.stringify(task.ask), task.name, bytes, (line: string) => {
    lines.push(line);
    if (lines.length >= MOST_LINES || performance.now() - last > PATIENCE) flush();
  });
  flush();
  return count;
}

function lineCount(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}
