// Shows sentences with parts of queries between backquotes.

import { el } from "../dom.ts";

export function codeIn(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));
}
