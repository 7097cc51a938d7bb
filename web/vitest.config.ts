import { defineConfig } from "vitest/config";
import { pieces } from "./build/pieces.ts";
import { resultsPage } from "./build/results-page.ts";

export default defineConfig({
  plugins: [resultsPage(), pieces()],
  define: { __PLAYGROUND__: true },
  test: {
    projects: [
      { extends: true, test: { name: "logic", include: ["test/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "browser", include: ["browser/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false },
      },
    ],
  },
});
