// The engine is most of what the playground loads: it is fetched from the beginning, not only when the scripts ask for it.

import type { Plugin } from "vite";

export function preload(): Plugin {
  return {
    name: "skewer-preload",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { filename, bundle = {} }) {
        const engine = Object.keys(bundle).find((name) => name.endsWith(".zst"));
        if (!engine || !filename.endsWith("index.html")) return [];
        return [{ tag: "link", attrs: { rel: "preload", as: "fetch", href: `./${engine}`, crossorigin: true, fetchpriority: "low" }, injectTo: "head" }];
      },
    },
  };
}
