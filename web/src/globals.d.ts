/** Whether this is the playground, which contains the engine. */
declare const __PLAYGROUND__: boolean;

declare module "virtual:palette.css";
declare module "virtual:pieces.css";
declare module "*?url" {
  const url: string;
  export default url;
}

/** The engine, which engine/build makes from the Rust crate next to it. */
declare module "*/engine/pkg/engine.js" {
  export default function init(engine: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  export function call(method: string, question: string): string;
  type Run = (question: string, name: string, games: Uint8Array, emit: (event: string) => boolean | void) => void;
  export const search: Run;
  export const stats: Run;
  export const funnel: Run;
}
