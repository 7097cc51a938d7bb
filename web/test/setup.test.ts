import { expect, test } from "vitest";
import { cleared, moved, placed, pointed, tidy } from "../src/board/setup.ts";
import type { Brush } from "../src/board/setup.ts";

const brush = (letter: string, more: Partial<Brush> = {}): Brush => ({ letter, reach: "square", mode: "must", isSet: false, ...more });

test("a letter takes the place of what was on its square", () => {
  expect(placed({ squares: { d4: "p" } }, "d4", brush("P"))).toEqual({ squares: { d4: "P" } });
});

test("letters of a set are added, and taken away again", () => {
  let setup = placed({}, "d4", brush("R", { isSet: true }));
  setup = placed(setup, "d4", brush("Q", { isSet: true }));
  expect(setup).toEqual({ squares: { d4: "RQ" } });
  setup = placed(setup, "d4", brush("R", { isSet: true }));
  setup = placed(setup, "d4", brush("Q", { isSet: true }));
  expect(setup).toEqual({});
});

test("what must not stand somewhere is said with a tilde, on a file with a count of none", () => {
  expect(placed({}, "d4", brush("P", { mode: "not" }))).toEqual({ squares: { d4: "~P" } });
  expect(placed({ squares: { d4: "~P" } }, "d4", brush("p", { mode: "not", isSet: true }))).toEqual({ squares: { d4: "~Pp" } });
  expect(placed({}, "c4", brush("P", { mode: "not", reach: "file" }))).toEqual({ anywhere: [{ pieces: "P", zone: "c1-8", most: 0 }] });
});

test("a piece on a file, a rank and the board", () => {
  expect(placed({}, "d4", brush("P", { reach: "file" }))).toEqual({ anywhere: [{ pieces: "P", zone: "d1-8" }] });
  expect(placed({}, "d4", brush("P", { reach: "rank" }))).toEqual({ anywhere: [{ pieces: "P", zone: "a-h4" }] });
  expect(placed({}, "d4", brush("P", { reach: "board" }))).toEqual({ material: [{ pieces: "P" }] });
});

test("a count on a file goes by a second click, and its opposite takes its place", () => {
  const none = placed({}, "c4", brush("P", { mode: "not", reach: "file" }));
  expect(placed(none, "c7", brush("P", { mode: "not", reach: "file" }))).toEqual({});
  expect(placed(none, "c7", brush("P", { reach: "file" }))).toEqual({ anywhere: [{ pieces: "P", zone: "c1-8" }] });
});

test("places of which one is enough are a group, and each goes by a second click", () => {
  let setup = placed({}, "f3", brush("N", { mode: "or" }));
  setup = placed(setup, "c3", brush("N", { mode: "or" }));
  expect(setup).toEqual({ either: [[{ pieces: "N", zone: "f3" }, { pieces: "N", zone: "c3" }]] });
  setup = placed(setup, "f3", brush("N", { mode: "or" }));
  expect(placed(setup, "c3", brush("N", { mode: "or" }))).toEqual({});
});

test("arrows begin and end at what stands there, and go by a second stroke", () => {
  const setup = pointed({ squares: { e1: "R" } }, "xray", "e1", "e8");
  expect(setup.arrows).toEqual([{ kind: "xray", from: { pieces: "R", zone: "e1" }, to: { pieces: "Aa", zone: "e8" } }]);
  expect(pointed(setup, "xray", "e1", "e8")).toEqual({ squares: { e1: "R" } });
});

test("a square that is cleared has no piece, no arrow, and is in no group", () => {
  const setup = { squares: { e1: "R", a1: "Q" }, arrows: [{ kind: "ray" as const, from: { pieces: "R", zone: "e1" }, to: { pieces: "k", zone: "e8" } }], either: [[{ pieces: "N", zone: "e1" }]] };
  expect(cleared(setup, "e1")).toEqual({ squares: { a1: "Q" } });
});

test("a square that is cleared takes the counts of its file and rank along", () => {
  const setup = { anywhere: [{ pieces: "P", zone: "c1-8", most: 0 }, { pieces: "P", zone: "a-h4" }, { pieces: "P", zone: "a-c1-8" }] };
  expect(cleared(setup, "c4")).toEqual({ anywhere: [{ pieces: "P", zone: "a-c1-8" }] });
});

test("a piece that is moved takes the place of another", () => {
  expect(moved({ squares: { e1: "R", e2: "p" } }, "e1", "e2")).toEqual({ squares: { e2: "R" } });
  expect(moved({ squares: { e2: "p" } }, "e1", "e2")).toEqual({ squares: { e2: "p" } });
});

test("what says nothing is left out", () => {
  expect(tidy({ squares: {}, anywhere: [], transforms: [], side: "w" })).toEqual({ side: "w" });
});
