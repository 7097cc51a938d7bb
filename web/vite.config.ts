import { defineConfig } from "vite";
import { offline } from "./build/offline.ts";
import { pieces } from "./build/pieces.ts";
import { policy } from "./build/policy.ts";
import { preload } from "./build/preload.ts";
import { resultsPage } from "./build/results-page.ts";

// Two builds of one front end: `dist` asks the server of `skewer ui`, `dist/playground` brings the engine along.
export default defineConfig(({ mode }) => {
  const isPlayground = mode === "playground";
  return {
    base: "./",
    define: { __PLAYGROUND__: isPlayground },
    plugins: [resultsPage(), pieces(), policy(isPlayground), ...(isPlayground ? [offline(), preload()] : [])],
    worker: { format: "es" as const },
    build: {
      outDir: isPlayground ? "dist/playground" : "dist",
      emptyOutDir: true,
      target: "es2022",
      // A policy forbids what is not a file.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ["index.html", "results.html"] },
    },
  };
});
