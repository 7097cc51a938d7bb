import { expect, test } from "vitest";
import type { Done, Game, SearchSink, Warning } from "../src/backend/backend.ts";
import { InOrder } from "../src/backend/order.ts";

const game = (number: number, ...sort: unknown[]): Game => ({ number, matches: [0, 0], sort, pgn: "" });
const warning = (line: number, game: number): Warning => ({ source: "a.pgn", line, game, message: "odd" });
const done = (games: number, more: Partial<Done> = {}): Done => ({ games, matched: 0, positions: 0, end: "all", sort: [], columns: [], warnings: [], warning_count: more.warnings?.length ?? 0, ...more });

function recorder() {
  const said: (number | string)[] = [];
  const progress: [number, number | undefined][] = [];
  const sink: SearchSink = {
    begin: ({ sort }) => void said.push(...sort.map(({ title }) => title)),
    game: ({ number }) => void said.push(number),
    message: (text) => void said.push(text),
    progress: (games, share) => void progress.push([games, share]),
  };
  return { said, progress, sink };
}

test("what is found comes in the order of the file, with the numbers that games and lines have in it", () => {
  const { said, progress, sink } = recorder();
  const inOrder = new InOrder(sink, { bytes: 300 });
  const [a, b, c] = [inOrder.open("a.pgn", 100), inOrder.open("a.pgn", 100), inOrder.open("b.pgn", 100)];
  inOrder.game(c, game(2));
  inOrder.end(c, done(4, { warnings: [warning(9, 1)] }), 40);
  inOrder.game(b, game(1));
  expect(said).toEqual([]);
  inOrder.game(a, game(3));
  expect(said).toEqual([3]);
  inOrder.end(a, done(5, { warnings: [warning(7, 2), warning(0, 0)] }), 50);
  expect(said).toEqual([3, 6]);
  inOrder.message(b, "so");
  inOrder.game(b, game(7));
  inOrder.end(b, done(10, { warnings: [warning(1, 3)] }), 60);
  expect(said).toEqual([3, 6, "so", 12, 17]);
  expect(inOrder.finish()).toMatchObject({ games: 19, matched: 4, positions: 8, end: "all", warning_count: 4 });
  // Line numbers start again with each file, but game numbers do not.
  expect(inOrder.finish().warnings.map(({ line, game }) => [line, game])).toEqual([[7, 2], [0, 0], [51, 8], [9, 16]]);
  expect(progress.at(-1)).toEqual([19, 1]);
  expect(inOrder.ahead).toBe(0);
});

test("no more games come than are wanted", () => {
  const { said, sink } = recorder();
  const inOrder = new InOrder(sink, { bytes: 100, limit: 2 });
  const [a, b] = [inOrder.open("a.pgn", 50), inOrder.open("a.pgn", 50)];
  inOrder.game(b, game(1));
  inOrder.game(a, game(4));
  inOrder.end(a, done(10), 1);
  expect(inOrder.isFull).toBe(true);
  inOrder.game(b, game(2));
  inOrder.end(b, done(3), 1);
  expect(said).toEqual([4, 11]);
  expect(inOrder.finish()).toMatchObject({ matched: 2, games: 11, end: "limit" });
});

test("what is sorted comes when all is known, the best first", () => {
  const { said, sink } = recorder();
  const inOrder = new InOrder(sink, { bytes: 100, limit: 4 });
  const sort = [{ title: "a", ascending: false }, { title: "b", ascending: true }];
  const [a, b] = [inOrder.open("a.pgn", 50), inOrder.open("a.pgn", 50)];
  for (const _ of [a, b]) inOrder.begin({ sort, columns: [] });
  for (const each of [game(1, 5, "x"), game(2, 9, "b"), game(3, null, "a")]) inOrder.game(a, each);
  inOrder.end(a, done(3), 1);
  for (const each of [game(1, 9, "a"), game(2, 5, "x")]) inOrder.game(b, each);
  inOrder.end(b, done(2), 1);
  expect(said).toEqual(["a", "b"]);
  expect(inOrder.finish()).toMatchObject({ matched: 4, games: 5, sort });
  expect(said).toEqual(["a", "b", 4, 2, 1, 5]);
});
