// Tests the page with `skewer ui` as its server, if that has been built. SKEWER names the program.

import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FRONT_END, chromiumPath, found, launch, says, serve, visit, write } from "./site.ts";
import type { Site } from "./site.ts";

const ROOT = join(import.meta.dirname, "../..");
const SKEWER = process.env.SKEWER ?? join(ROOT, "target/debug/skewer");

function hasServer(): boolean {
  return existsSync(SKEWER) && existsSync(join(FRONT_END, "index.html")) && spawnSync(SKEWER, ["ui", "--help"]).status === 0;
}

/** Returns the address that the server prints. */
async function addressOf(server: ChildProcess): Promise<string> {
  let text = "";
  for await (const part of server.stdout ?? []) {
    text += String(part);
    const [address] = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//.exec(text) ?? [];
    if (address) return address;
  }
  throw new Error(`the server says no address: ${text}`);
}

describe.skipIf(!chromiumPath() || !hasServer())("the page of skewer ui", () => {
  let server: ChildProcess;
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    server = spawn(SKEWER, ["ui", join(ROOT, "examples/classics.pgn")], { stdio: ["ignore", "pipe", "inherit"] });
    site = await serve(FRONT_END, await addressOf(server));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    server?.kill();
  });

  test("the games that it was started with are searched, and cannot be others", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    await found(results, "18 games searched");
    expect(await page.locator(".summary").textContent()).toMatch(/classics\.pgn$/);
    expect(await page.getByRole("button", { name: "Open PGN" }).count()).toBe(0);
    await write(page, "mate");
    await found(results, "8 positions in 8 games; 18 games searched");
    await page.keyboard.press("Escape");
    await page.locator("[data-square=e4]").focus();
    await page.keyboard.press("P");
    await found(results, "18 games searched");
    await says(page, "e4");
    expect(troubles).toEqual([]);
    // The request for the setup of a faulty query is refused with 400, which Chromium reports as an error of the page.
    await write(page, "R attcks k");
    await page.locator("#query-status.error").waitFor();
    await page.context().close();
  });

  test("why a search has failed is told until it has not", async () => {
    const { page, results } = await visit(browser, `${site.url}#q=mate&column=x%3DR%20attcks`);
    const status = page.locator("#query-status");
    await page.locator("#query-status.error").waitFor();
    await page.waitForTimeout(1000);
    expect(await status.textContent()).toContain("did you mean `attacks`?");
    await page.getByRole("tab", { name: "Games" }).click();
    await page.getByLabel("More columns").fill("");
    await page.keyboard.press("Enter");
    await found(results, "8 positions in 8 games");
    expect([await status.textContent(), await status.getAttribute("class")]).toEqual(["8 positions in 8 games of 18.", ""]);
    await page.context().close();
  });

  test("alternatives and counts are set up step by step", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    await found(results, "18 games searched");
    const put = async (square: string, letter: string, query: string) => {
      await page.locator(`[data-square=${square}]`).focus();
      await page.keyboard.press(letter);
      await says(page, query);
      // The board must show the query before the next piece is put.
      await page.waitForTimeout(1000);
    };
    await write(page, "");
    await page.getByLabel("What is said").selectOption("or");
    await put("d5", "N", "Nd5");
    await put("f5", "N", "N[d5,f5]");
    await found(results, "32 positions in 4 games");
    await put("g2", "B", "N[d5,f5] or Bg2");
    await write(page, "");
    await page.getByRole("button", { name: "Add a count" }).click();
    const count = async (name: string, text: string, query: string) => {
      await page.getByLabel(name).fill(text);
      await page.keyboard.press("Tab");
      await says(page, query);
      await page.waitForTimeout(1000);
    };
    await count("Pieces, as letters", "R", "not R");
    await count("At least", "1", "R");
    await count("At most", "2", "1 <= R <= 2");
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("a board is mirrored as it is said", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=Bg2`);
    await found(results, "42 positions in 1 game");
    const mirrored = (name: string) => page.getByLabel(`mirrored ${name}`);
    // Left–right adds bishops on b2, top–bottom bishops on g7.
    await mirrored("left–right").check();
    await found(results, "92 positions in 3 games");
    await mirrored("left–right").uncheck();
    await mirrored("top–bottom").check();
    await found(results, "44 positions in 3 games");
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});
