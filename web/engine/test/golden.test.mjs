// The golden cases that need no files: WebAssembly answers what CQL 6.2 answered.
// `tests/service/other-answers.txt` has the cases that the service answers otherwise, with the reason.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { found, root, search } from "./engine.mjs";

const folder = new URL("tests/golden/", root);
const others = new Set(
  readFileSync(new URL("tests/service/other-answers.txt", root), "utf8")
    .split("\n")
    .map((line) => line.split(" ")[0]),
);

/** What was recorded: `games: 1`, `positions: 6`, `@ 1:6 …`, `digest: …`. */
function recorded(name) {
  const lines = readFileSync(new URL(`${name}.expected`, folder), "utf8").split("\n");
  const value = (word) => lines.find((line) => line.startsWith(word))?.slice(word.length).trim();
  return { games: value("games:"), positions: value("positions:"), digest: value("digest:") };
}

function answered(name, games) {
  const query = readFileSync(new URL(`${name}.cql`, folder), "utf8");
  const input = /input\s+([^\s)]+)/.exec(query)?.[1];
  const file = input && new URL(input, games);
  if (!file || !existsSync(file)) return false;
  const kind = query.replace(/^\ufeff/, "").split("\n")[0].trim();
  const events = search({ query, options: { strict: true } }, readFileSync(file));
  const [matching, last] = found(events);
  if (kind === "// reject") {
    assert.ok(last.error, name);
    return true;
  }
  assert.ok(last.done, `${name}: ${JSON.stringify(last)}`);
  const expected = recorded(name);
  if (expected.games !== undefined) assert.equal(String(last.done.matched), expected.games, name);
  if (kind === "// nowrap") return true;
  const ids = matching.flatMap((game) => game.matches.map(([id]) => `${game.number}:${id}`));
  if (expected.positions !== undefined) assert.equal(String(ids.length), expected.positions, name);
  if (expected.digest !== undefined) {
    const hash = createHash("sha256").update(ids.map((id) => `${id}\n`).join(""));
    assert.equal(hash.digest("hex"), expected.digest, name);
  }
  return true;
}

for (const chapter of readdirSync(folder, { withFileTypes: true })) {
  if (!chapter.isDirectory() || chapter.name === "pgn") continue;
  const games = new URL(chapter.name === "differential" ? "differential/" : "pgn/", folder);
  test(`golden cases of ${chapter.name}`, () => {
    const cases = readdirSync(new URL(`${chapter.name}/`, folder)).filter((name) => name.endsWith(".cql"));
    const names = cases.map((name) => `${chapter.name}/${name.slice(0, -4)}`).filter((name) => !others.has(name));
    const count = names.filter((name) => answered(name, games)).length;
    assert.ok(count > names.length / 2, `${count} of ${names.length} cases were asked`);
  });
}
