// The pieces of boards that are set up: the drawings of the program, as a style sheet.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PIECES = join(import.meta.dirname, "../../src/output/pieces.svg");
const STYLE = "virtual:pieces.css";
const ROLES: Record<string, string> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const COLORS = {
  white: { fill: "#fffdf8", stroke: "#33302c", detail: "#33302c" },
  black: { fill: "#4a443e", stroke: "#1c1917", detail: "#f3ece0" },
};

/** What may stand on a square beside single pieces: any white, any black, any piece, none. */
const SIGNS = {
  "white-any": '<circle cx="50" cy="50" r="30" fill="#fffdf8" stroke="#33302c" stroke-width="4"/>',
  "black-any": '<circle cx="50" cy="50" r="30" fill="#4a443e" stroke="#1c1917" stroke-width="4"/>',
  whatever: '<path d="M50 20a30 30 0 0 0 0 60z" fill="#fffdf8"/><path d="M50 20a30 30 0 0 1 0 60z" fill="#4a443e"/><circle cx="50" cy="50" r="30" fill="none" stroke="#33302c" stroke-width="4"/>',
  empty: '<circle cx="50" cy="50" r="22" fill="none" stroke="#b32513" stroke-width="6"/>',
};

/** A picture of a piece, as an address. */
function picture(drawing: string, { fill, stroke, detail }: (typeof COLORS)["white"]): string {
  return address(`<g fill="${fill}" stroke="${stroke}" color="${detail}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round">${drawing}</g>`);
}

function address(drawing: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${drawing}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}

/** A property for the picture of each piece: `--white-pawn`. */
export function piecesStyle(): string {
  const symbols = readFileSync(PIECES, "utf8").matchAll(/<symbol id="skewer-(\w)"[^>]*>(.*?)<\/symbol>/gs);
  const rules = [...symbols].flatMap(([, letter = "", drawing = ""]) =>
    Object.entries(COLORS).map(([color, paint]) => `--${color}-${ROLES[letter]}: ${picture(drawing, paint)};`),
  );
  const signs = Object.entries(SIGNS).map(([name, drawing]) => `--${name}: ${address(drawing)};`);
  return `:root {\n${[...rules, ...signs].join("\n")}\n}\n`;
}

export function pieces(): Plugin {
  return {
    name: "skewer-pieces",
    resolveId: (id) => (id === STYLE ? "\0" + STYLE : undefined),
    load: (id) => (id === "\0" + STYLE ? piecesStyle() : undefined),
  };
}
