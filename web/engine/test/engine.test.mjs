// The engine: methods, searches as they go, and input that means no good.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as engine from "../pkg/engine.js";
import { call, found, lsp, root, search } from "./engine.mjs";

const classics = readFileSync(new URL("examples/classics.pgn", root));

test("methods answer, and refuse what is no question", () => {
  assert.deepEqual(call("check", { query: "mate" }), { ok: true, diagnostics: [] });
  assert.equal(call("check", { query: "R attcks k" }).diagnostics[0].fixes[0].title, "Change to `attacks`");
  assert.equal(call("format", { query: "check   mate" }).query, "check mate\n");
  assert.match(call("explain", { query: "mate" }).text, /^At /);
  assert.match(call("help", { word: "attacks" }).markdown, /S attacks T/);
  assert.match(call("library", { name: "smothered-mate" }).query, /cql\(/);
  assert.equal(call("library", { find: "knight mate" }).nearest, undefined);
  assert.match(call("board", { fen: "4k3/8/8/8/8/8/8/4K3 w" }).svg, /^<svg/);
  assert.match(call("chek", {}).error.hint, /`check`/);
  assert.match(call("check", { nonsense: 1 }).error.message, /^unknown field/);
});

test("check tries examples within its time", () => {
  const endless = '//? match "4k3/8/8/8/8/8/8/4K3 w"\ncql() x=0 while (x>=0) {x=1} mate';
  const began = Date.now();
  call("check", { query: endless });
  assert.ok(Date.now() - began < 20_000);
});

test("the language server speaks", () => {
  const options = { capabilities: {}, initializationOptions: { filters: true } };
  const [begun] = lsp({ jsonrpc: "2.0", id: 1, method: "initialize", params: options });
  assert.equal(begun.result.serverInfo.name, "skewer");
  const textDocument = { uri: "inmemory:///query.cql", languageId: "cql", version: 1, text: "R attcks k" };
  const [opened] = lsp({ jsonrpc: "2.0", method: "textDocument/didOpen", params: { textDocument } });
  assert.equal(opened.params.diagnostics.length, 1);
  const [symbols] = lsp({ jsonrpc: "2.0", id: 2, method: "workspace/symbol", params: { query: "" } });
  assert.deepEqual(symbols.result, []);
});

test("a search says what it finds as it goes", () => {
  const [games, last] = found(search({ query: "mate", options: { columns: ["next"] } }, classics));
  assert.equal(last.done.games, 18);
  assert.equal(games.length, last.done.matched);
  assert.match(games[0].pgn, /^\[Event /);
  const some = search({ query: "true" }, classics, (events) => events.length < 3);
  assert.equal(some.length, 3);
  const [, refused] = found(search({ query: "R attcks k" }, classics));
  assert.equal(refused.error.diagnostics[0].from, 2);
});

test("games are counted and shown", () => {
  const events = [];
  engine.stats('{"by": ["result"]}', "games.pgn", classics, (event) => void events.push(JSON.parse(event)));
  const { rows, games } = events.at(-1).done;
  assert.equal(games, 18);
  assert.equal(rows.reduce((sum, row) => sum + row.games, 0), 18);
  const said = [];
  engine.funnel('{"query": "mate #Q>=3"}', "games.pgn", classics, (event) => void said.push(JSON.parse(event)));
  assert.deepEqual(said.at(-1).done.steps[1].without, { games: 8, positions: 8 });
  assert.equal(JSON.parse(engine.show('{"game": 2}', "games.pgn", classics)).game.number, 2);
  assert.match(JSON.parse(engine.show('{"game": 99}', "games.pgn", classics)).error.message, /no game 99$/);
});

test("a search ends when its time is over", () => {
  const long = Buffer.from(("1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(400) + "*\n\n").repeat(50));
  const began = Date.now();
  const [, last] = found(search({ query: "echo (x y) true  echo (z w) true", options: { time: 0.2 } }, long));
  assert.equal(last.done.end, "time");
  assert.ok(Date.now() - began < 20_000);
});

test("queries that nest deeply are answered or refused", () => {
  const nested = (open, close, depth, inside = "mate") => open.repeat(depth) + inside + close.repeat(depth);
  for (const [open, close] of [["{", "}"], ["(", ")"], ["not ", ""], ["flip {", "}"], ["if ", " then mate"], ["find {", "}"],
    ["~", ""], ["legal --(", ")"], ["echo (x y) {", "}"], ["//", ""], ["/*", ""], ["[", "]"], ["function f() {", "}"],
    ["R attacks (", ")"], ["path (", ")"], ["ray (R ", " k)"], ["shift {", "}"]]) {
    for (const depth of [50, 499, 500, 501, 5000, 100_000]) {
      const query = nested(open, close, depth);
      const checked = call("check", { query });
      assert.ok(checked.diagnostics || checked.error, open);
      for (const method of ["format", "explain"]) call(method, { query });
      if (depth <= 501) search({ query, options: { time: 2 } }, classics, (events) => events.length < 5);
    }
  }
  // The engine is as good as before.
  assert.equal(call("check", { query: "mate" }).ok, true);
});

test("texts without measure are refused", () => {
  const checked = call("check", { query: "mate ".repeat(3_000_000) });
  assert.equal(checked.ok, false);
  assert.ok(call("library", { find: "x".repeat(1_000_000) }).entries);
  assert.ok(call("help", { word: "x".repeat(1_000_000) }).error);
  assert.ok(call("board", { fen: "k".repeat(1_000_000) }).error);
  const [, last] = found(search({ query: 'x="a" while (#x<2000000000) {x=x+x} mate' }, classics));
  assert.ok(last.error, "more than its memory");
});

test("bytes that are no PGN are searched without harm", () => {
  const random = new Uint8Array(200_000);
  let seed = 1;
  for (let at = 0; at < random.length; at++) random[at] = (seed = (seed * 48271) % 2147483647) & 255;
  const deep = Buffer.from("1. e4 " + "(1. d4 ".repeat(50_000) + "*");
  const braces = Buffer.from("{".repeat(1_000_000));
  const long = Buffer.from('[White "' + "x".repeat(5_000_000) + '"]\n\n1. e4 *');
  const texts = ["", "\0", "PAR1", "PK\x03\x04", "\x1f\x8b\x08", "(\xb5/\xfd", "%!PS", "<script>alert(1)</script>", "\ufffe"];
  for (const bytes of [random, deep, braces, long, ...texts.map((text) => Buffer.from(text, "latin1"))]) {
    const [, last] = found(search({ query: "cql(variations) mate" }, bytes));
    assert.ok(last.done || last.error);
  }
  assert.equal(found(search({ query: "true", options: { limit: 1 } }, classics))[0].length, 1);
});
