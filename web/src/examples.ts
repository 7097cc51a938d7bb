// Examples in the comments of a query, `//? match "FEN"` (docs/testing.md).

/** Returns the query with an example of a position that must or must not match. Replaces an example of the same position. */
export function withExample(query: string, fen: string, isMatch: boolean): string {
  // The move counters are not part of an example.
  const position = fen.split(" ").slice(0, 4).join(" ");
  const line = `//? ${isMatch ? "match" : "no match"} "${position}"`;
  const lines = query.split("\n");
  const same = lines.findIndex((other) => /^\s*\/\/\?\s+(no\s+)?match\s+"/.test(other) && other.includes(`"${position}"`));
  if (same >= 0) return lines.with(same, line).join("\n");
  // After the last example, or else after the comment at the start.
  const last = lines.findLastIndex((other) => /^\s*\/\/\?/.test(other));
  const comment = lines.findIndex((other) => !/^\s*\/\//.test(other));
  const at = last >= 0 ? endOfExample(lines, last) : Math.max(0, comment);
  return lines.toSpliced(at, 0, line).join("\n");
}

/** Returns the index of the line after an example, which may have several lines. */
function endOfExample(lines: string[], first: number): number {
  let at = first + 1;
  while (/^\s*\/\/\?/.test(lines[at] ?? "")) at += 1;
  return at;
}
