// Starts the page with the backend that answers its questions.

import "virtual:palette.css";
import "virtual:pieces.css";
import "@lichess-org/chessground/assets/chessground.base.css";
import "./style.css";
import piecesText from "../../src/output/pieces.svg?raw";
import { App } from "./app.ts";
import type { Backend } from "./backend/backend.ts";
import { byId } from "./dom.ts";
import { followTheme } from "./theme.ts";
import { WORDS } from "./words.ts";

async function backend(): Promise<Backend> {
  if (__PLAYGROUND__) {
    const { WasmBackend } = await import("./backend/wasm.ts");
    return new WasmBackend();
  }
  const { HttpBackend } = await import("./backend/http.ts");
  return new HttpBackend();
}

followTheme();
byId("pieces").innerHTML = piecesText;
const root = byId("app");
root.textContent = WORDS.loading;
try {
  new App(root, await backend());
} catch (error) {
  root.textContent = WORDS.cannotStart;
  throw error;
}
if (__PLAYGROUND__ && import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("./service-worker.js");
