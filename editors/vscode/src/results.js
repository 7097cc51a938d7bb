// What skewer says about a query, in a form that an editor can show. Knows nothing of the editor.

// What `skewer test --junit` has written: for each example its line (from 0), what came of it and the message.
exports.examples = (xml) => {
  const cases = xml.matchAll(/<testcase name="line (\d+): ([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs);
  return Array.from(cases, ([, line, title, body]) => {
    const found = /<(failure|error|skipped)\b(?: message="([^"]*)")?[^>]*?(?:\/>|>(.*?)<\/\1>)/s.exec(body ?? "");
    return {
      line: Number(line) - 1,
      title: unescaped(title),
      outcome: { failure: "failed", error: "error", skipped: "skipped" }[found?.[1]] ?? "passed",
      message: unescaped(found?.[2] ?? ""),
      details: unescaped(found?.[3] ?? ""),
    };
  });
};

const ENTITIES = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const unescaped = (text) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal, hexadecimal, name) => {
    if (name) return ENTITIES[name] ?? all;
    const code = decimal ? Number(decimal) : parseInt(hexadecimal, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

// `5 examples: 4 passed, 1 failed`
exports.summary = (examples) => {
  const counts = ["passed", "failed", "error", "skipped"].map((outcome) => [
    examples.filter((example) => example.outcome === outcome).length,
    { error: "could not be run", skipped: "not run" }[outcome] ?? outcome,
  ]);
  const told = counts.filter(([count]) => count > 0).map(([count, outcome]) => `${count} ${outcome}`);
  return told.length ? `${plural(examples.length, "example")}: ${told.join(", ")}` : "no examples";
};

// What stands behind an example once it has been tested.
exports.inline = ({ outcome, message }) => (outcome === "passed" ? "✓" : `✗ ${message || outcome}`);

// What the table of a run with `--out-dir` says of its only query.
exports.counts = (csv) => {
  const [names, values] = csv.split(/\r?\n/).map((line) => line.split(","));
  const column = (name) => Number(values?.[names.indexOf(name)] || NaN);
  const [games, positions] = [column("games"), column("positions")];
  return Number.isInteger(games) && Number.isInteger(positions) ? { games, positions } : undefined;
};

// A page that is light or dark as the editor is, whatever the system prefers.
exports.themed = (page, isDark) => page.replace("<html ", `<html data-theme="${isDark ? "dark" : "light"}" `);

// `2 games, 5 positions`
exports.counted = ({ games, positions }) => `${plural(games, "game")}, ${plural(positions, "position")}`;

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
