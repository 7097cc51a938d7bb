// The page of results is the one that `skewer search -o x.html` writes: its files lie in src/output/html/page, and are joined here as
// list.rs does. Its last file, which reads games that stand in the page itself, is replaced by one that takes games as they arrive.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const OUTPUT = join(import.meta.dirname, "../../src/output");
const PAGE = join(OUTPUT, "html/page");
const LIVE = join(import.meta.dirname, "../src/results");
const SCRIPT = "virtual:results.js";
const STYLE = "virtual:results.css";
const PALETTE = "virtual:palette.css";

const read = (path: string) => readFileSync(path, "utf8");

/** The files that list.rs joins, in its order. */
function included(kind: "js" | "css"): string[] {
  const list = read(join(OUTPUT, "html/list.rs"));
  return [...list.matchAll(/include_str!\("page\/([\w-]+\.(\w+))"\)/g)].flatMap(([, name, end]) => (name && end === kind ? [name] : []));
}

/** The script of the page: one module, as it is in the static page. */
export function resultsScript(): string {
  const files = included("js").filter((name) => name !== "start.js");
  return [...files.map((name) => read(join(PAGE, name))), read(join(LIVE, "sheet.js")), read(join(LIVE, "live.js"))].join("");
}

/** The dark squares as one path, on a board with a side of 360. */
function darkSquares(): string {
  const squares = Array.from({ length: 64 }, (_, index) => [index % 8, index >> 3] as const);
  const dark = squares.filter(([file, rank]) => (file + rank) % 2 === 0);
  return dark.map(([file, rank]) => `M${45 * file} ${45 * (7 - rank)}h45v45h-45z`).join("");
}

/** The page without games, its style and script in files of their own. */
export function resultsHtml(): string {
  const totals = { games: 0, sort: [], columns: [], large: Number.MAX_SAFE_INTEGER, per_page: 6, neutral_title: "Positions" };
  const values: Record<string, string> = {
    version: read(join(OUTPUT, "../../Cargo.toml")).match(/^version = "(.*)"/m)?.[1] ?? "",
    title: "",
    pieces: read(join(OUTPUT, "pieces.svg")),
    dark: darkSquares(),
    totals: JSON.stringify(totals),
  };
  const page = read(join(PAGE, "page.html"))
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>\n/, "")
    .replace(/<style>\n\{\{style\}\}<\/style>\n/, "")
    .replace('<script type="module">{{script}}</script>', '<script type="module" src="/src/results/page.js"></script>');
  return page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}

export function resultsPage(): Plugin {
  return {
    name: "skewer-results-page",
    transformIndexHtml: {
      order: "pre",
      handler: (html, { filename }) => (filename.endsWith("results.html") ? resultsHtml() : html),
    },
    resolveId: (id) => ([SCRIPT, STYLE, PALETTE].includes(id) ? "\0" + id : undefined),
    load(id) {
      if (id === "\0" + SCRIPT) return resultsScript();
      if (id === "\0" + STYLE) return included("css").map((name) => read(join(PAGE, name))).join("");
      // The colours, which the front end has, too.
      if (id === "\0" + PALETTE) return read(join(PAGE, "page.css")).split("\n*,")[0];
      return undefined;
    },
  };
}
