import { expect, test } from "vitest";
import { withExample } from "../src/examples.ts";

const FEN = "4k3/8/8/8/8/8/8/4K3 w - - 12 34";
const LINE = '//? match "4k3/8/8/8/8/8/8/4K3 w - -"';

test("an example stands behind the others", () => {
  const query = '// A fork.\n//? no match "8/8/8/8/8/8/8/k1K5 w"\n//?   and more\ncql() mate\n';
  expect(withExample(query, FEN, true)).toBe(`// A fork.\n//? no match "8/8/8/8/8/8/8/k1K5 w"\n//?   and more\n${LINE}\ncql() mate\n`);
});

test("the first one stands behind the comment in front", () => {
  expect(withExample("// A fork.\nmate", FEN, true)).toBe(`// A fork.\n${LINE}\nmate`);
  expect(withExample("mate // so", FEN, true)).toBe(`${LINE}\nmate // so`);
});

test("a position is there once, whatever is said of it", () => {
  const once = withExample("mate", FEN, true);
  expect(withExample(once, FEN, true)).toBe(once);
  expect(withExample(once, FEN, false)).toBe(`${LINE.replace("match", "no match")}\nmate`);
});
