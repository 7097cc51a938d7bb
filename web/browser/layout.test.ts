// Checks the boxes of elements at each window size: nothing is cut off, nothing covers anything else, and boards are completely visible, on
// narrow windows after scrolling.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, found, launch, serve, visit } from "./site.ts";
import type { Site } from "./site.ts";

const SCREENSHOTS = process.env.SCREENSHOTS;
const SIZES = [[360, 740], [768, 1024], [1024, 768], [1280, 720], [1280, 900], [1920, 1080]] as const;

/** Returns the faults in the layout of a document. */
function faults(): string[] {
  interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  const meet = (a: Box, b: Box): Box => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const isRoom = (box: Box) => box.right - box.left > 1 && box.bottom - box.top > 1;
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()} ${element.getAttribute("aria-label") ?? element.textContent?.slice(0, 30) ?? ""}`;
  /** Returns the visible part of an element inside the elements that scroll around it. */
  const seen = (element: Element): Box => {
    let box: Box = element.getBoundingClientRect();
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflow !== "visible") box = meet(box, outer.getBoundingClientRect());
    }
    return meet(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  };
  const isOver = (element: Element, box: Box) => {
    const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return top !== null && (top === element || element.contains(top) || top.contains(element));
  };
  const controls = [...document.querySelectorAll("button, select, input, summary, .board, #large svg")].filter(
    (element) => element.checkVisibility() && !element.matches(".unseen, .segments input, #rows *, [inert] *"),
  );
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the window");
  for (const element of controls) {
    const { left, right } = element.getBoundingClientRect();
    if (left < -0.5 || right > innerWidth + 0.5) found.push(`${nameOf(element)} sticks out`);
    if (element instanceof HTMLButtonElement && element.scrollWidth > element.clientWidth + 1) found.push(`${nameOf(element)} is cut`);
    const box = seen(element);
    if (isRoom(box) && element instanceof HTMLElement && !isOver(element, box)) found.push(`${nameOf(element)} is covered`);
  }
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      if (isRoom(meet(seen(one), seen(other)))) found.push(`${nameOf(one)} and ${nameOf(other)} overlap`);
    }
  }
  for (const cell of document.querySelectorAll("#rows .match > div")) {
    const [inner, outer] = [cell.getBoundingClientRect(), cell.parentElement?.getBoundingClientRect()];
    if (cell.checkVisibility() && outer && (inner.bottom > outer.bottom + 1 || inner.top < outer.top - 1)) found.push(`${nameOf(cell)} is cut`);
  }
  for (const select of document.querySelectorAll("select")) {
    if (!select.checkVisibility()) continue;
    const whole = select.cloneNode(true) as HTMLSelectElement;
    Object.assign(whole.style, { position: "absolute", width: "auto" });
    select.after(whole);
    if (select.offsetWidth < whole.offsetWidth) found.push(`${nameOf(select)} is narrower than its longest choice`);
    whole.remove();
  }
  return found;
}

/** Returns how much of a board and its coordinates is hidden by elements that scroll around it or by the edges of the window. */
function hidden(frame: Frame, selector: string): Promise<number> {
  return frame.evaluate((selector) => {
    const board = document.querySelector(selector);
    if (!board?.checkVisibility()) throw new Error(`there is no ${selector}`);
    const parts = [board, ...board.querySelectorAll("coord, .coordinate")].map((part) => part.getBoundingClientRect());
    const box = {
      left: Math.min(...parts.map(({ left }) => left)),
      top: Math.min(...parts.map(({ top }) => top)),
      right: Math.max(...parts.map(({ right }) => right)),
      bottom: Math.max(...parts.map(({ bottom }) => bottom)),
    };
    const rooms = [new DOMRect(0, 0, innerWidth, innerHeight)];
    for (let outer = board.parentElement; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflowY !== "visible") rooms.push(outer.getBoundingClientRect());
    }
    const over = rooms.flatMap(({ left, top, right, bottom }) => [left - box.left, top - box.top, box.right - right, box.bottom - bottom]);
    return Math.max(0, Math.ceil(Math.max(...over) - 1));
  }, selector);
}

describe.skipIf(!chromiumPath())("the layout of the playground", () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    site = await serve();
    browser = await launch();
    if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  for (const scheme of ["light", "dark"] as const) {
    test.each(SIZES)(`at %i × %i nothing is cut and boards are whole, ${scheme}`, async (width, height) => {
      const { page, results } = await visit(browser, `${site.url}#q=Pd4%20pd5%20flipcolor%20xray(R%20a%20k)`, { colorScheme: scheme, viewport: { width, height } });
      await found(results, "18 games searched");
      const isNarrow = await page.locator(".switcher").isVisible();
      const look = async (name: string, frames: Frame[]) => {
        await page.waitForTimeout(200);
        if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${width}x${height}-${scheme}-${name}.png`) });
        for (const frame of frames) expect(await frame.evaluate(faults), name).toEqual([]);
      };
      const main = page.mainFrame();
      await look("query", isNarrow ? [main] : [main, results]);
      // On a narrow window, the board is completely visible after scrolling to it.
      if (isNarrow) await page.locator(".board-room").scrollIntoViewIfNeeded();
      expect(await hidden(main, ".board")).toBe(0);
      if (isNarrow) await page.locator(".switcher").getByRole("button", { name: "Results" }).click();
      await look("results", [main, results]);
      await results.locator(".match").nth(1).click();
      expect(await hidden(results, "#large svg")).toBe(0);
      await look("game", [main, results]);
      if (await results.locator("#close").isVisible()) await results.locator("#close").click();
      for (const pane of ["Statistics", "Plan", "Why"]) {
        await page.getByRole("tab", { name: pane, exact: true }).click();
        await look(pane, [main]);
      }
      if (isNarrow) await page.locator(".switcher").getByRole("button", { name: "Query" }).click();
      for (const pane of ["Library", "Games", "History"]) {
        await page.getByRole("tab", { name: pane, exact: true }).click();
        await look(pane, [main]);
      }
      await page.context().close();
    });
  }
});
