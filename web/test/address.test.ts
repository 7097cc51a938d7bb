import { expect, test } from "vitest";
import { rangeOf, read, written } from "../src/address.ts";
import type { Asked } from "../src/address.ts";

test("a link says the query and its options, whatever is in them", () => {
  const asked: Asked[] = [
    { query: "mate", options: {} },
    { query: "// a + b & c = d # e % f\ncql()\n♙d4 flipcolor { ['K'] }\n", options: { limit: 20 } },
    { query: "#P>=3", options: { variations: true, first: true, player: "Tal, M", eco: "B", years: [1957, null], elo: [null, 2500], columns: ["movenumber", "#P + 1"] }, match: "12.34" },
    { query: "", options: {} },
  ];
  for (const each of asked) expect(read(`#${written(each)}`)).toEqual(each);
});

test("a link has no blanks, as some programs end it there, and no plus signs", () => {
  expect(written({ query: "R attacks k + 1", options: {} })).toBe("q=R%20attacks%20k%20%2B%201");
});

test("what a link says wrongly is left out", () => {
  expect(read("#q=mate&limit=-3&variations=yes&years=old&elo=&match=../x&other=1")).toEqual({ query: "mate", options: {} });
  expect(read("")).toEqual({ query: "", options: {} });
  expect(read("#q=a+b")).toEqual({ query: "a+b", options: {} });
});

test("a range has two ends, one of which may be open, or is one number", () => {
  expect(["1957-1961", "2500-", "-1900", " 1972 ", "1957–1961"].map(rangeOf)).toEqual([[1957, 1961], [2500, null], [null, 1900], [1972, 1972], [1957, 1961]]);
  expect(["", "-", "x", "1-2-3", "1e3"].map(rangeOf)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
