import { describe, expect, test } from "vitest";
import { slicesOf } from "../src/backend/slices.ts";

const game = (number: number, end = "\n", gap = end) =>
  [`[Event "Game ${number}"]`, `[White "A"]`, "", `1. e4 {a comment [%clk 0:01]} e5 ${number % 3 ? "1-0" : "*"}`, ""].join(end) + gap;

async function cut(text: string, first: number, most = first): Promise<string[]> {
  const slices = [];
  for await (const slice of slicesOf(new Blob([text]), { first, most })) slices.push(await slice.text());
  return slices;
}

const games = (text: string) => text.split('[Event "').length - 1;

describe("a file of games is cut between games", () => {
  for (const [name, end] of [
    ["line feeds", "\n"],
    ["carriage returns", "\r\n"],
  ] as const) {
    test(`with ${name}, wherever the cut would fall`, async () => {
      const text = Array.from({ length: 7 }, (_, index) => game(index, end)).join("");
      for (let size = 1; size < text.length + 5; size += 7) {
        const slices = await cut(text, size);
        expect(slices.join("")).toBe(text);
        for (const slice of slices) expect(slice.startsWith("[Event")).toBe(true);
      }
      expect((await cut(text, 1)).map(games)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    });
  }

  test("where no blank line stands between the games, or between tags and moves", async () => {
    const text = Array.from({ length: 5 }, (_, index) => `[Event "Game ${index}"]\n[White "A"]\n1. e4 e5 *\n`).join("");
    expect((await cut(text, 1)).map(games)).toEqual([1, 1, 1, 1, 1]);
  });

  test("not at tags behind the first, marks in comments, or words in brackets at the start of a line", async () => {
    const text = `${game(1)}[Event "Game 2"]\n[White "B"]\n\n1. e4 {\n[%clk 0:01]\n[see the next game]\n\n[Event "no game"]\n[a "b"\n} e5 *\n\n`;
    expect((await cut(text + game(3), 1)).map(games)).toEqual([1, 2, 1]);
  });

  test("across the windows in which it is read", async () => {
    const long = `[Event "Long"]\n\n1. e4 {${"word ".repeat(40_000)}\n} *\n\n`;
    const text = long + game(2) + long + game(4);
    const slices = await cut(text, 1);
    expect(slices.join("")).toBe(text);
    expect(slices.map(games)).toEqual([1, 1, 1, 1]);
  });

  test("not at all where there are no tags", async () => {
    const text = "1. e4 e5 *\n\n1. d4 d5 *\n".repeat(100);
    expect(await cut(text, 10)).toEqual([text]);
    expect(await cut("", 10)).toEqual([]);
  });

  test("in slices that grow up to a size", async () => {
    const text = Array.from({ length: 400 }, (_, index) => game(index)).join("");
    const sizes = (await cut(text, 500, 4000)).map(({ length }) => length);
    expect(sizes.slice(0, 3).map((size) => Math.round(size / 500))).toEqual([1, 2, 4]);
    expect(Math.max(...sizes)).toBeLessThan(4200);
  });
});
