// Serves the playground like a static host, and opens it in Chromium.

import { existsSync, readFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, BrowserContextOptions, Frame, Page } from "playwright-core";

const PLAYGROUND = join(import.meta.dirname, "../dist/playground");
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".pgn": "application/octet-stream",
};

/** Returns the path of Chromium, if it is installed. */
export function chromiumPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = [process.env.CHROMIUM, ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))];
  return candidates.find((path) => path !== undefined && existsSync(path));
}

/** The front end of `skewer ui`. */
export const FRONT_END = join(import.meta.dirname, "../dist");

export interface Site {
  url: string;
  close(): Promise<void>;
}

/** Serves a folder. Requests to `api/` are forwarded to the server at `api`, if it is given. */
export async function serve(folder = PLAYGROUND, api?: string): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (api && pathname.startsWith("/api/")) {
      const { "content-type": type, "skewer-page": page } = request.headers;
      const onward = ask(new URL(pathname.slice(1), api), { method: request.method ?? "GET", headers: { "Content-Type": type, "Skewer-Page": page } }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      response.on("close", () => onward.destroy());
      onward.on("error", () => response.destroy());
      request.pipe(onward);
      return;
    }
    const path = join(folder, normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    if (!path.startsWith(folder) || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(readFileSync(path));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function launch(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (!executablePath) throw new Error("there is no Chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

export interface Visit {
  page: Page;
  results: Frame;
  /** What went wrong in the page: errors, dialogs, requests to other sites, and what the policy has refused. */
  troubles: string[];
}

/** Opens the page and waits until its first search is over. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !/^(data|blob):/.test(request.url())) troubles.push(`asks for ${request.url()}`);
  });
  await page.goto(url);
  const element = await page.waitForSelector("iframe.results", { state: "attached" });
  const results = await element.contentFrame();
  if (!results) throw new Error("the results have no page");
  return { page, results, troubles };
}

/** Waits until a search is over and its summary contains `text`. */
export async function found(results: Frame, text: string): Promise<void> {
  await results.waitForFunction((text) => document.querySelector("#found")?.textContent?.includes(text) && !document.body.classList.contains("searching"), text);
}

/** Replaces the query from the keyboard, as a user would. */
export async function write(page: Page, query: string): Promise<void> {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(query);
}

/** Waits until the query contains `text`. */
export async function says(page: Page, text: string): Promise<void> {
  await page.waitForFunction((text) => document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent?.includes(text), text);
}
