import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { piecesStyle } from "../build/pieces.ts";
import { policyText } from "../build/policy.ts";
import { resultsHtml, resultsScript } from "../build/results-page.ts";

const PAGE = new URL("../../src/output/html/page/", import.meta.url);

test("the page of results is that of the command, without its beginning", () => {
  const script = resultsScript();
  for (const name of ["data.js", "list.js", "game.js", "page.js"]) expect(script).toContain(readFileSync(new URL(name, PAGE), "utf8"));
  expect(script).not.toContain(readFileSync(new URL("start.js", PAGE), "utf8"));
  expect(script).toContain("globalThis.results");
});

test("no script, no style and no attribute of style stands in it", () => {
  const html = resultsHtml();
  expect(html).not.toMatch(/\{\{|<style|style=|\son\w+=/);
  expect([...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual([
    ' type="application/json" id="data"',
    ' type="application/json" id="totals"',
    ' type="module" src="/src/results/page.js"',
  ]);
});

test("no file of it writes an attribute of style, which the policy would refuse", () => {
  for (const name of readdirSync(PAGE).filter((name) => name.endsWith(".js"))) {
    expect(readFileSync(new URL(name, PAGE), "utf8"), name).not.toMatch(/ style="/);
  }
});

test("the policy allows nothing that stands in a page, and nothing from elsewhere", () => {
  for (const hasEngine of [false, true]) {
    expect(policyText(hasEngine)).toContain("default-src 'none'");
    expect(policyText(hasEngine)).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
  }
});

test("each piece has its picture in both colours", () => {
  expect(piecesStyle().match(/--(white|black)-(king|queen|rook|bishop|knight|pawn): url/g)?.length).toBe(12);
});
