// The extension in a stand-in for the editor. What runs the program needs SKEWER, the path of the command.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const { document, install } = require("../stand-in");
const package_ = require("../package.json");

const SKEWER = process.env.SKEWER && path.resolve(process.env.SKEWER);
const needsProgram = { skip: SKEWER ? false : "SKEWER is not set" };

const QUERY = `// Mate.
//? match pgn "1. f3 e5 2. g4 Qh4#" at 4
//? match "4k3/8/8/8/8/8/8/4K3 w"
cql()
mate
`;
const GAMES = `[White "A"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White "B"]\n\n1. e4 *\n`;

// An editor that shows a query beside a file of games.
const editor = async (context, { text = QUERY, settings = {}, chosen } = {}) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "skewer-test-"));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, "mate's query.cql");
  fs.writeFileSync(file, text);
  fs.writeFileSync(path.join(folder, "games.pgn"), GAMES);
  const shown = document(file, text);
  const choose = chosen?.map((name) => path.join(folder, name));
  const installed = install({ documents: [shown], settings: { path: SKEWER, ...settings }, chosen: choose });
  await installed.activate();
  return { ...installed, shown, folder };
};

test("every command of the manifest is there", async (context) => {
  const { seen, extension } = await editor(context);
  const declared = package_.contributes.commands.map(({ command }) => command);
  assert.deepEqual(Object.keys(seen.commands).sort(), declared.sort());
  assert.deepEqual(seen.client.server.args, ["lsp"]);
  assert.deepEqual(seen.client.options.initializationOptions.commands, ["skewer.run", "skewer.test"]);
  await extension.deactivate();
});

test("a program that is not there is said", async (context) => {
  const { seen } = await editor(context, { settings: { path: "missing", games: ["games.pgn"] } });
  assert.match(seen.errors[0], /`missing lsp` does not start \(spawn missing ENOENT\)/);
  await seen.commands["skewer.run"]();
  assert.match(seen.errors[1], /^skewer: spawn missing ENOENT/);
});

test("what is not a query is not run", async (context) => {
  const { seen, shown } = await editor(context);
  shown.languageId = "pgn";
  await seen.commands["skewer.run"]();
  await seen.commands["skewer.test"]();
  assert.deepEqual(seen.errors, ["skewer: this is not a query", "skewer: this is not a query"]);
});

test("a run shows the page and the counts", needsProgram, async (context) => {
  const { seen, shown, listeners } = await editor(context, { settings: { games: ["games.pgn"] } });
  await seen.commands["skewer.run"](shown.uri.toString());
  assert.deepEqual(seen.errors, []);
  assert.deepEqual(seen.decorations.found, [[3, "1 game, 1 position"]]);
  assert.equal(seen.panels.length, 1);
  assert.equal(seen.panels[0].title, "mate's query.cql: 1 game, 1 position");
  assert.match(seen.panels[0].webview.html, /^<!DOCTYPE html>\n<html data-theme="dark" lang="en">/i);

  await seen.commands["skewer.run"]();
  assert.equal(seen.panels.length, 1, "the panel is used again");
  listeners.change({ document: shown, contentChanges: [{}] });
  assert.deepEqual(seen.decorations.found, [], "the text has changed");
});

test("games are asked for once", needsProgram, async (context) => {
  const { seen } = await editor(context, { chosen: ["games.pgn"] });
  await seen.commands["skewer.run"]();
  await seen.commands["skewer.run"]();
  assert.deepEqual(seen.decorations.found, [[3, "1 game, 1 position"]]);
  const without = await editor(context);
  await without.seen.commands["skewer.run"]();
  assert.deepEqual([without.seen.errors, without.seen.panels], [[], []], "nothing is chosen, nothing happens");
});

test("a test shows what came of each example", needsProgram, async (context) => {
  const { seen } = await editor(context);
  await seen.commands["skewer.test"]();
  assert.deepEqual(seen.decorations.passed, [[1, "✓"]]);
  assert.deepEqual(seen.decorations.failed, [[2, "✗ the position does not match"]]);
  assert.deepEqual(seen.warnings, ["2 examples: 1 passed, 1 failed"]);
});

test("errors of the query are said", needsProgram, async (context) => {
  const { seen } = await editor(context, { text: "cql() chekc", settings: { games: ["games.pgn"] } });
  await seen.commands["skewer.run"]();
  await seen.commands["skewer.test"]();
  assert.match(seen.errors[0], /unknown name `chekc`/);
  const temporary = fs.readdirSync(os.tmpdir()).filter((name) => /^skewer-[^t]/.test(name));
  assert.deepEqual(temporary.filter((name) => fs.existsSync(path.join(os.tmpdir(), name, "summary.csv"))), []);
});
