// Runs the program.

const { spawn } = require("node:child_process");

// Runs a command; resolves to its exit code and what it has printed. Raising the signal ends it.
exports.run = (command, args, { cwd, signal } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, signal, stdio: ["ignore", "pipe", "pipe"] });
    const printed = { stdout: [], stderr: [] };
    for (const stream of ["stdout", "stderr"]) child[stream].on("data", (part) => printed[stream].push(part));
    child.on("error", reject);
    child.on("close", (code) => {
      const text = (stream) => Buffer.concat(printed[stream]).toString("utf8");
      resolve({ code, stdout: text("stdout"), stderr: text("stderr") });
    });
  });
