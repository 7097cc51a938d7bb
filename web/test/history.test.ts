import { expect, test } from "vitest";
import { History } from "../src/history.ts";

function store(kept?: string) {
  const values = new Map(kept === undefined ? [] : [["skewer-history", kept]]);
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

test("a query is kept once, the newest in front, and across visits", () => {
  const kept = store();
  const history = new History(kept);
  for (const query of ["mate", "check", "mate\n"]) history.add({ query, at: 1, found: "" });
  expect(history.queries.map(({ query }) => query)).toEqual(["mate\n", "check"]);
  expect(new History(kept).queries).toEqual(history.queries);
  history.clear();
  expect(new History(kept).queries).toEqual([]);
});

test("there are fifty at most", () => {
  const history = new History(store());
  for (let index = 0; index < 60; index += 1) history.add({ query: `#P>${index}`, at: index, found: "" });
  expect(history.queries.length).toBe(50);
  expect(history.queries[0]?.query).toBe("#P>59");
});

test("what is kept there by others does no harm, nor a store that takes nothing", () => {
  for (const kept of ["{", "7", '[{"query": 3}, null, {"query": "mate", "at": 1, "found": ""}]']) {
    expect(new History(store(kept)).queries.length).toBe(kept.includes("mate") ? 1 : 0);
  }
  const full = { ...store(), setItem: () => { throw new Error("full"); } };
  const history = new History(full);
  history.add({ query: "mate", at: 1, found: "" });
  expect(history.queries.length).toBe(1);
  expect(new History(undefined).queries).toEqual([]);
});
