// The service worker of the playground, which keeps all files of one build so that it works without a network.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const WORKER = join(import.meta.dirname, "../src/service-worker.js");

export function offline(): Plugin {
  return {
    name: "skewer-offline",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const names = Object.keys(bundle).sort();
        const hash = createHash("sha256");
        for (const name of names) {
          const file = bundle[name];
          hash.update(name).update(file?.type === "asset" ? file.source : (file?.code ?? ""));
        }
        const files = ["./", ...names, "icon.svg", "manifest.webmanifest"];
        const head = `const VERSION = ${JSON.stringify(hash.digest("hex").slice(0, 16))};\nconst FILES = ${JSON.stringify(files)};\n`;
        this.emitFile({ type: "asset", fileName: "service-worker.js", source: head + readFileSync(WORKER, "utf8") });
      },
    },
  };
}
