const assert = require("node:assert/strict");
const { test } = require("node:test");
const results = require("../src/results");

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="skewer test" tests="4" skipped="1" failures="1" errors="1">
    <testsuite name="mate.cql" tests="4" skipped="1" errors="1" failures="1">
        <testcase name="line 1: match &quot;k7/8 w&quot;" classname="mate.cql"/>
        <testcase name="line 3: no match pgn &quot;1. e4&quot;" classname="mate.cql">
            <failure message="position 3 matches: &lt;&#233;&#xe9;&gt;">failed:
  a &amp; b</failure>
        </testcase>
        <testcase name="line 5: count &quot;a.pgn&quot;" classname="mate.cql">
            <error message="there is no file \`a.pgn\`">error</error>
        </testcase>
        <testcase name="line 9: match &quot;8/8 b&quot;" classname="mate.cql">
            <skipped/>
        </testcase>
    </testsuite>
</testsuites>`;

test("a report has the line, outcome and message of each example", () => {
  const examples = results.examples(REPORT);
  assert.deepEqual(
    examples.map(({ line, outcome }) => [line, outcome]),
    [[0, "passed"], [2, "failed"], [4, "error"], [8, "skipped"]],
  );
  assert.equal(examples[0].title, 'match "k7/8 w"');
  assert.equal(examples[1].message, "position 3 matches: <éé>");
  assert.equal(examples[1].details, "failed:\n  a & b");
  assert.equal(results.summary(examples), "4 examples: 1 passed, 1 failed, 1 could not be run, 1 not run");
  assert.deepEqual(examples.map(results.inline), [
    "✓",
    "✗ position 3 matches: <éé>",
    "✗ there is no file `a.pgn`",
    "✗ skipped",
  ]);
});

test("what is no report has no examples", () => {
  for (const text of ["", "<testsuites/>", '<testcase name="query"/>', "<testcase name=\"line 3: ", REPORT.slice(0, 300)]) {
    const examples = results.examples(text);
    assert.ok(examples.length <= 1, text);
  }
  assert.equal(results.summary([]), "no examples");
});

test("a page is as light as the editor", () => {
  const page = '<!DOCTYPE html>\n<html lang="en">\n<p>&lt;html </p>';
  assert.equal(results.themed(page, false), '<!DOCTYPE html>\n<html data-theme="light" lang="en">\n<p>&lt;html </p>');
  assert.match(results.themed(page, true), /<html data-theme="dark" /);
});

test("the counts are those of the columns with their names", () => {
  assert.deepEqual(results.counts("query,games,positions,errors\nmate,3,1204,\n"), { games: 3, positions: 1204 });
  assert.deepEqual(results.counts("query,positions,games\r\nmate,4,2\r\n"), { games: 2, positions: 4 });
  for (const text of ["", "query,games,positions,errors\n", "query,games,positions,errors\nmate,,,no query\n", "a,b\n1,2"]) {
    assert.equal(results.counts(text), undefined, text);
  }
  assert.equal(results.counted({ games: 1, positions: 1204 }), "1 game, 1,204 positions");
});
