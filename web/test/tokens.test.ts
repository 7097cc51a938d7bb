import { Text } from "@codemirror/state";
import { expect, test } from "vitest";
import { decodeTokens } from "../src/editor/lsp.ts";

test("tokens stand where their distances lead", () => {
  const doc = Text.of(["mate", "  R attacks k"]);
  const data = [0, 0, 4, 0, 0, 1, 2, 1, 1, 0, 2, 7, 0, 0];
  // There is one more token, whose type is not in the legend.
  expect(decodeTokens([0, 0, 4, 0, 0, 1, 4, 7, 1, 0, 0, 8, 1, 9, 0], ["keyword", "operator"], doc)).toEqual([
    { from: 0, to: 4, type: "keyword" },
    { from: 9, to: 16, type: "operator" },
  ]);
  expect(decodeTokens(data.slice(0, 3), ["keyword"], doc)).toEqual([]);
});
