import { expect, test } from "vitest";
import type { Done, Game } from "../src/backend/backend.ts";
import { InOrder } from "../src/backend/order.ts";

const game = (number: number): Game => ({ number, matches: [0, 0], sort: [], pgn: "" });
const done = (games: number, warnings: string[] = []): Done => ({ games, matched: 0, positions: 0, warnings });

function recorder() {
  const said: number[] = [];
  const progress: [number, number | null][] = [];
  const begun: unknown[] = [];
  return {
    said,
    progress,
    begun,
    sink: { begin: (begin: unknown) => void begun.push(begin), game: ({ number }: Game) => void said.push(number), progress: (games: number, share: number | null) => void progress.push([games, share]) },
  };
}

test("games come in the order of the file, with their numbers in it", () => {
  const heard = recorder();
  const inOrder = new InOrder(heard.sink, 300);
  const [a, b, c] = [inOrder.open(100), inOrder.open(100), inOrder.open(100)];
  inOrder.begin({ sort: [], columns: [] });
  inOrder.begin({ sort: [], columns: [] });
  inOrder.game(c, game(2));
  inOrder.end(c, done(4));
  inOrder.game(b, game(1));
  expect(heard.said).toEqual([]);
  inOrder.game(a, game(3));
  expect(heard.said).toEqual([3]);
  inOrder.end(a, done(5, ["a"]));
  expect(heard.said).toEqual([3, 6]);
  inOrder.game(b, game(7));
  inOrder.end(b, done(10, ["b"]));
  expect(heard.said).toEqual([3, 6, 12, 17]);
  expect(inOrder.done).toEqual({ games: 19, matched: 4, positions: 8, warnings: ["a", "b"] });
  expect(heard.progress.at(-1)).toEqual([19, 1]);
  expect(heard.begun.length).toBe(1);
  expect(inOrder.ahead).toBe(0);
});

test("no more games come than were asked for", () => {
  const heard = recorder();
  const inOrder = new InOrder(heard.sink, 100, 2);
  const slice = inOrder.open(100);
  for (const number of [1, 2, 3]) inOrder.game(slice, game(number));
  inOrder.end(slice, done(3));
  expect(heard.said).toEqual([1, 2]);
  expect(inOrder.isFull).toBe(true);
  expect(inOrder.done.matched).toBe(2);
});
