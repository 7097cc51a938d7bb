// What the pages may do: nothing from elsewhere, no script and no style that stands in a page. `skewer ui` says so in a header, too; a
// static host has only this.

import type { Plugin } from "vite";

const POLICY: Record<string, string> = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "worker-src": "'self'",
  "frame-src": "'self'",
  "manifest-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
};

/** The policy as text; the engine is code that the browser compiles. */
export function policyText(hasEngine: boolean): string {
  const policy = hasEngine ? { ...POLICY, "script-src": "'self' 'wasm-unsafe-eval'" } : POLICY;
  return Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
}

export function policy(hasEngine: boolean): Plugin {
  return {
    name: "skewer-policy",
    // A server for development puts styles into the page itself.
    apply: "build",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: policyText(hasEngine) }, injectTo: "head-prepend" },
    ],
  };
}
