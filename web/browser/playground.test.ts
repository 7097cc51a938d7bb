import { readFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { AxeResults } from "axe-core";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, found, launch, says, serve, visit, write } from "./site.ts";
import type { Site } from "./site.ts";

const SCREENSHOTS = process.env.SCREENSHOTS;
const CLASSICS = readFileSync(join(import.meta.dirname, "../../examples/classics.pgn"), "utf8");

/** Three games, two of which have an isolated queen's pawn. */
const ISOLATED = [
  ["With", "1. e4 c6 2. d4 d5 3. exd5 cxd5 4. c4 e6 5. Nc3 Nf6 6. Nf3 dxc4 7. Bxc4 *"],
  ["Without", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"],
  ["Also", "1. d4 d5 2. c4 e6 3. Nc3 c5 4. e3 cxd4 5. exd4 dxc4 6. Bxc4 *"],
]
  .map(([name, moves]) => `[Event "${name}"]\n[White "${name}"]\n[Black "B"]\n[Result "*"]\n\n${moves}\n\n`)
  .join("");

/** Drops a file on the page with the events of a browser. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name = "", text = ""]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      return data;
    },
    [name, text],
  );
  for (const event of ["dragenter", "dragover", "drop"]) await page.dispatchEvent("#app", event, { dataTransfer: transfer });
}

/** Clicks a square of the setup board. */
async function square(page: Page, name: string): Promise<void> {
  const box = await page.locator(".ground cg-board").boundingBox();
  if (!box) throw new Error("there is no board");
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
  await page.mouse.click(box.x + (box.width * (file + 0.5)) / 8, box.y + (box.height * (7.5 - rank)) / 8);
  // Chessground reports a click a moment later, and would use a tool that was chosen in the meantime.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 5)));
}

const editorText = (page: Page) => page.locator(".cm-content").evaluate((element) => [...element.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));

describe.skipIf(!chromiumPath())("the playground", () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    site = await serve();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test("a player drops games, sets up an isolated queen's pawn, opens a game and shares the link", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    await found(results, "18 games searched");
    await drop(page, "mine.pgn", ISOLATED);
    await page.getByText("mine.pgn").first().waitFor();
    await page.getByRole("button", { name: "Clear" }).first().click();
    // A white pawn on d4, and none on the adjacent files.
    await page.getByRole("button", { name: "white pawn" }).click();
    await square(page, "d4");
    await page.getByLabel("What is said").selectOption("not");
    await page.getByLabel("Where", { exact: true }).selectOption("file");
    await square(page, "c4");
    await square(page, "e4");
    await found(results, "in 2 games; 3 games searched");
    const query = await editorText(page);
    expect(query).toMatch(/d4/);
    await results.locator(".match").nth(1).click();
    await results.locator("#move").getByText("Match after").waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain("#q=");
    expect(link).not.toContain("With");
    await page.context().close();

    const again = await visit(browser, link);
    await found(again.results, "18 games searched");
    expect(await editorText(again.page)).toBe(query);
    expect(await again.page.locator("[data-square=d4]").getAttribute("aria-label")).toContain("white pawn");
    await again.page.context().close();
    expect([...troubles, ...again.troubles]).toEqual([]);
  });

  test("nothing runs that stands in games", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    await found(results, "18 games searched");
    const evil = `</script><img src=x onerror=alert(1)><svg onload=alert(2)>"'\``;
    const tag = evil.replaceAll('"', '\\"');
    const game = `[Event "${tag}"]\n[Site "javascript:alert(3)"]\n[White "${tag}"]\n[Black "<script>alert(4)</script>"]\n[ECO "<b onclick=alert(5)>"]\n\n1. e4 {${evil}} e5 2. Qh5 {[%csl G<script>] <iframe src=javascript:alert(6)>} Ke7 3. Qxe5# 1-0\n`;
    await drop(page, `<img src=x onerror=alert(7)>.pgn`, game);
    await write(page, `mate comment("<img src=x onerror=alert(8)>")`);
    await found(results, "1 position in 1 game; 1 game searched");
    await results.locator(".match").click();
    expect(await results.locator(".match .players").textContent()).toContain("<script>alert(4)</script>");
    for (const pane of ["Games", "History"]) await page.getByRole("tab", { name: pane, exact: true }).click();
    await page.waitForTimeout(500);
    for (const frame of page.frames()) expect(await frame.locator("img[onerror], [onclick], [onload], iframe[src^=javascript]").count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("an error has advice that can be taken, words are completed and explained, and a text is formatted", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    await found(results, "18 games searched");
    await write(page, "R attcks k");
    await page.locator("#query-status.error").waitFor();
    await page.locator(".cm-lintRange-error").hover();
    await page.locator(".cm-diagnosticAction").first().click();
    expect(await editorText(page)).toBe("R attacks k");
    await page.locator(".token-keyword, .token-operator").first().waitFor();
    await page.locator("#query-status:not(.error)").waitFor();
    await write(page, "R attcks k");
    await page.locator("#query-status.error").waitFor();
    await page.getByRole("button", { name: "Clear" }).first().click();
    await page.locator("#query-status:empty:not(.error)").waitFor({ state: "attached" });
    expect(await page.locator(".cm-lintRange, .cm-lintPoint").count()).toBe(0);
    await write(page, "smoth");
    await page.keyboard.press("Control+Space");
    await write(page, "");
    await page.keyboard.type("chec");
    await page.locator(".cm-tooltip-autocomplete").getByText("check", { exact: true }).first().waitFor();
    await page.keyboard.press("Escape");
    await write(page, "check    mate");
    await page.getByRole("button", { name: "Format" }).click();
    await says(page, "check mate");
    await page.locator(".token-keyword", { hasText: "mate" }).hover();
    await page.locator(".cm-lsp-hover-tooltip").waitFor();
    await page.keyboard.press("Escape");
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("what a slice of a file finds is what the whole file has", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    await found(results, "18 games searched");
    await drop(page, "many.pgn", CLASSICS.repeat(60));
    await write(page, "mate");
    await page.getByRole("button", { name: "Search" }).first().click();
    await found(results, "480 positions in 480 games; 1,080 games searched");
    // The last mate of the classics is in game 18. Game numbers continue from slice to slice.
    const numbers = await results.evaluate(() => {
      const { results } = globalThis as unknown as { results: { numbers(): number[] } };
      return results.numbers();
    });
    expect(numbers.length).toBe(480);
    expect(numbers.slice(8, 16)).toEqual(numbers.slice(0, 8).map((number) => number + 18));
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("a position of a result becomes an example, and a query", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=mate`);
    await found(results, "18 games searched");
    await results.getByRole("button", { name: "Must not" }).click();
    await page.locator("#query-status.warning").waitFor();
    expect(await editorText(page)).toContain('//? no match "');
    await results.getByRole("button", { name: "Must match" }).click();
    await page.locator("#query-status:not(.warning)").waitFor();
    expect(await editorText(page)).toContain('//? match "');
    await results.getByRole("button", { name: "More like this" }).click();
    await page.waitForFunction(() => !document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent?.includes("//?"));
    await found(results, "18 games searched");
    expect(await results.locator(".match").count()).toBeGreaterThan(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("a position says why it matches, or why not", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=mate`);
    await found(results, "18 games searched");
    await results.getByRole("button", { name: "Why?" }).click();
    await page.locator(".verdict.yes").waitFor();
    expect(await page.locator(".verdict").textContent()).toBe("The position matches.");
    await page.locator(".tree code").getByText("mate").first().waitFor();
    await page.getByRole("tab", { name: "Results" }).click();
    await results.locator("#back").click();
    await results.getByRole("button", { name: "Why?" }).click();
    await page.locator(".verdict.no").waitFor();
    // The filter to blame is marked in the query.
    await page.locator(".cm-content .blamed").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("the pane of reasons knows the position on the board, and leads back to it", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=mate`);
    await found(results, "18 games searched");
    const open = (name: string) => page.getByRole("tab", { name, exact: true }).click();
    const fen = () => page.locator(".why-board").getAttribute("alt");
    await open("Why");
    await page.locator(".verdict.yes").waitFor();
    const first = await fen();
    // Choose another match of the list.
    await open("Results");
    await results.locator(".match").nth(2).click();
    await open("Why");
    await page.locator(`.why-board:not([alt="${first}"])`).waitFor();
    await page.locator(".verdict.yes").waitFor();
    // Go back one move.
    await open("Results");
    await results.locator("#back").click();
    await open("Why");
    await page.locator(".verdict.no").waitFor();
    const before = await fen();
    // A position that the user entered stays until another one is chosen, and the button leads back.
    await page.getByLabel("Position as FEN").last().fill("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    await page.keyboard.press("Enter");
    await page.locator('.why-board[alt^="4k3/"]').waitFor();
    await open("Plan");
    await open("Why");
    expect(await fen()).toContain("4k3/");
    await page.getByRole("button", { name: "The position on the board" }).click();
    await page.locator(`.why-board[alt="${before}"]`).waitFor();
    // A new query is explained at the same position.
    await write(page, "not mate");
    await page.locator(".verdict.yes").waitFor();
    expect(await fen()).toBe(before);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("where nothing matches, each filter says how many games it leaves", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=mate%20%23Q%3E%3D3`);
    await found(results, "18 games searched");
    await page.getByRole("button", { name: "Why does nothing match?" }).click();
    await page.locator(".why").getByText("leaves nothing of 8 games.").waitFor();
    const rows = await page.locator(".why tbody tr").allTextContents();
    expect(rows).toHaveLength(3);
    expect(await page.locator(".why tbody tr").last().locator("th, td").allTextContents()).toEqual(["#Q>=3", "0", "0", "8"]);
    await page.locator(".cm-content .blamed").first().waitFor();
    expect((await page.locator(".cm-content .blamed").allTextContents()).join("")).toBe("#Q>=3");
    // A change of the query is counted again.
    await write(page, "mate #Q>=1");
    await page.locator(".why").getByText(/of 18 games match/).waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("a coach prints nine diagrams on a sheet, with the solutions behind them", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=check`);
    await found(results, "18 games searched");
    await results.evaluate(() => (window.print = () => dispatchEvent(new Event("beforeprint"))));
    await results.getByRole("button", { name: "Print …" }).click();
    await results.getByLabel("Heading").fill("Checks for Tuesday");
    await results.getByLabel("On each sheet").selectOption("9 diagrams");
    await results.getByLabel("Solutions behind them").check();
    await results.getByRole("button", { name: "Print", exact: true }).click();
    const sheets = results.locator("#sheet .paper");
    expect(await sheets.first().locator("figure").count()).toBe(9);
    expect(await sheets.first().locator(".heading").textContent()).toBe("Checks for Tuesday");
    expect(await sheets.first().locator(".how").allTextContents()).toEqual(Array<string>(9).fill(""));
    expect(await sheets.last().locator("li").count()).toBe(83);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("a file without games is said to be none", async () => {
    const { page, results } = await visit(browser, `${site.url}#q=mate`);
    await found(results, "18 games searched");
    await drop(page, "notes.txt", "buy milk");
    await page.locator("#query-status.error").getByText("There are no games in notes.txt").waitFor();
    expect(await results.getByRole("button", { name: "More like this" }).isDisabled()).toBe(true);
    await page.context().close();
  });

  test("fingers are enough on a phone", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=mate`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await found(results, "18 games searched");
    await page.getByRole("button", { name: "Clear" }).first().tap();
    await page.getByRole("button", { name: "white knight" }).tap();
    await page.locator(".ground cg-board").scrollIntoViewIfNeeded();
    const box = await page.locator(".ground cg-board").boundingBox();
    if (!box) throw new Error("there is no board");
    await page.touchscreen.tap(box.x + (box.width * 4.5) / 8, box.y + (box.height * 3.5) / 8);
    await page.waitForFunction(() => document.querySelector("[data-square=e5]")?.getAttribute("aria-label")?.includes("white knight"));
    await found(results, "18 games searched");
    await page.locator(".switcher").getByRole("button", { name: "Results" }).tap();
    await results.locator(".match").first().tap();
    await results.getByRole("button", { name: "← List" }).tap();
    await results.locator(".match").first().tap();
    await results.getByRole("button", { name: "More like this" }).tap();
    await page.locator('.switcher [aria-pressed="true"]').getByText("Query").waitFor();
    await page.locator(".board").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("a click means the square under it, also when the query above has grown", async () => {
    const { page, results, troubles } = await visit(browser, site.url, { viewport: { width: 1280, height: 1400 } });
    await found(results, "18 games searched");
    await write(page, "// a line\n".repeat(9));
    await page.getByRole("button", { name: "white pawn" }).click();
    await square(page, "d4");
    await page.waitForFunction(() => document.querySelector("[data-square=d4]")?.getAttribute("aria-label")?.includes("white pawn"));
    await page.getByLabel("What is said").selectOption("not");
    await page.getByLabel("Where", { exact: true }).selectOption("file");
    await square(page, "c4");
    await page.waitForFunction(() => document.querySelector("[data-square=c7]")?.getAttribute("aria-label")?.includes("no white pawn on c1-8"));
    await page.getByRole("button", { name: "Erase" }).click();
    await square(page, "c5");
    await page.waitForFunction(() => document.querySelector("[data-square=c7]")?.getAttribute("aria-label")?.endsWith("nothing said"));
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("where nothing is searched by itself, the page says what to press", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=check`);
    await found(results, "18 games searched");
    await page.getByRole("tab", { name: "Games", exact: true }).click();
    await page.getByLabel("search while I write").uncheck();
    await write(page, "mate");
    await page.locator("#query-status").getByText("Press Search").waitFor();
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await found(results, "8 positions in 8 games");
    await page.locator("#query-status").getByText("8 positions").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("what search masks ask is set up with a few clicks", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    const clear = () => page.getByRole("button", { name: "Clear" }).first().click();
    const put = async (piece: string, ...names: string[]) => {
      await page.getByRole("button", { name: piece, exact: true }).click();
      for (const name of names) await square(page, name);
    };
    const mode = (name: string) => page.getByLabel("What is said").selectOption(name);
    const fill = async (name: string, text: string) => {
      await page.getByLabel(name, { exact: true }).last().fill(text);
      await page.keyboard.press("Tab");
    };
    const count = async (pieces: string, least: string, most: string) => {
      await page.getByRole("button", { name: "Add a count" }).click();
      await fill("Pieces, as letters", pieces);
      await fill("At least", least);
      await fill("At most", most);
    };
    const theme = async (words: string, name: string) => {
      await page.getByRole("tab", { name: "Library" }).click();
      await page.getByRole("searchbox").first().fill(words);
      await page.locator(".entry", { hasText: name }).first().click();
      await page.getByRole("button", { name: "Use this query" }).click();
    };
    const masks: [string, () => Promise<void>, string, string][] = [
      ["look for", async () => (await put("white knight", "f5"), await put("white pawn", "e4")), "Nf5 Pe4", "20 positions in 1 game"],
      ["or", async () => (await mode("or"), await put("white knight", "d5", "f5")), "N[d5,f5]", "32 positions in 4 games"],
      ["or another", async () => (await mode("or"), await put("white bishop", "g2"), await put("black bishop", "g7")), "Bg2 or bg7", "137 positions in 4 games"],
      ["exclude", async () => (await put("white bishop", "b5"), await mode("not"), await put("black knight", "c6")), "Bb5 not nc6", "23 positions in 3 games"],
      ["mirror", async () => (await put("white bishop", "g2"), await page.getByLabel("colours exchanged").check(), await page.getByLabel("mirrored left–right").check()), "flipcolor flipvertical Bg2", "302 positions in 8 games"],
      ["first and last", async () => (await put("white pawn", "d4", "e4"), await fill("First move", "10"), await fill("Last move", "20")), "10 <= movenumber <= 20", "9 positions in 2 games"],
      ["material", async () => (await count("R", "1", "2"), await count("P", "3", "5"), await count("q", "0", "0")), "3 <= P <= 5", "42 positions in 3 games"],
      ["sacrifice", () => theme("queen sacrifice", "queen-sacrifice"), "queen sacrifice", "18 games searched"],
      ["manoeuvre", () => theme("knight manoeuvre", "spanish-knight-manoeuvre"), "--g3", "18 games searched"],
    ];
    for (const [name, set, query, counts] of masks) {
      await clear();
      await set();
      await says(page, query);
      await found(results, counts);
      await page.locator("#query-status").getByText("of 18.").waitFor();
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `mask ${name}.png`) });
    }
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("completions and help cover no button of the query", async () => {
    for (const viewport of [{ width: 1280, height: 720 }, { width: 360, height: 740 }]) {
      const { page, results, troubles } = await visit(browser, `${site.url}#q=check`, { viewport });
      await found(results, "18 games searched");
      await write(page, "");
      await page.locator(".cm-content").focus();
      for (const [typed, popup] of [["mat", ".cm-tooltip-autocomplete"], ["e xray(", ".cm-lsp-signature-tooltip"]] as const) {
        await page.keyboard.type(typed);
        await page.locator(popup).waitFor();
        const [shown, buttons, tabs] = [await page.locator(popup).boundingBox(), await page.locator(".actions").boundingBox(), await page.locator(".ask .tabs").boundingBox()];
        if (!shown || !buttons || !tabs) throw new Error("there is no box");
        expect(shown.y).toBeGreaterThanOrEqual(buttons.y + buttons.height);
        if (popup === ".cm-tooltip-autocomplete") expect(shown.y + shown.height).toBeLessThanOrEqual(tabs.y);
      }
      await page.getByRole("button", { name: "Clear" }).first().click();
      await page.locator(".cm-lsp-signature-tooltip").waitFor({ state: "hidden" });
      await write(page, "mate");
      await page.locator(".cm-tooltip-autocomplete").waitFor();
      await page.getByRole("button", { name: "Search", exact: true }).click({ timeout: 1000 });
      await found(results, "8 positions in 8 games");
      expect(troubles).toEqual([]);
      await page.context().close();
    }
  });

  test("results go with their query and their games", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=mate`);
    const former = page.getByText("The results are those of an earlier query.");
    await found(results, "8 positions in 8 games");
    // An error keeps the results, and says whose they are.
    await write(page, "mate (");
    await former.waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).not.toContain("match=");
    await write(page, "mate");
    await former.waitFor({ state: "hidden" });
    for (const [tab, part] of [["Statistics", ".stats table"], ["Why", ".verdict"]] as const) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.locator(part).waitFor();
    }
    // Without a query there are no results.
    await page.getByRole("button", { name: "Clear" }).first().click();
    for (const part of [".stats table", ".verdict"]) await page.locator(part).waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Results", exact: true }).click();
    await results.getByText("What a query finds stands here.").first().waitFor();
    expect(await results.locator(".match").count()).toBe(0);
    expect(await results.locator("#found").textContent()).toBe("");
    await write(page, "mate");
    await found(results, "8 positions in 8 games");
    // Games that are not searched by themselves.
    await page.getByRole("tab", { name: "Games", exact: true }).click();
    await page.getByLabel("search while I write").uncheck();
    await write(page, "check");
    await former.waitFor();
    await drop(page, "mine.pgn", ISOLATED);
    await former.waitFor({ state: "hidden" });
    expect(await results.locator(".match").count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("the library says which of its queries cannot be searched here", async () => {
    const { page, troubles } = await visit(browser, site.url);
    await page.getByRole("tab", { name: "Library" }).click();
    await page.locator("summary", { hasText: "tablebases" }).getByText("not here").waitFor();
    await page.getByRole("searchbox").first().fill("thrown win");
    await page.locator(".entry", { hasText: "thrown-win" }).click();
    await page.getByText("It cannot be searched here: the query needs endgame tablebases.").waitFor();
    expect(await page.getByRole("button", { name: "Use this query" }).count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("what is found is counted by groups", async () => {
    const { page, results, troubles } = await visit(browser, `${site.url}#q=mate`);
    await found(results, "18 games searched");
    await page.getByRole("tab", { name: "Statistics" }).click();
    const rows = page.locator(".stats tbody tr");
    await rows.first().waitFor();
    expect(await rows.count()).toBeGreaterThan(3);
    await page.getByLabel("Grouped by").fill("result");
    await page.getByRole("button", { name: "Count", exact: true }).click();
    await page.getByText("2 groups").waitFor();
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("a keyboard is enough", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    await found(results, "18 games searched");
    const focus = () => page.evaluate(() => document.activeElement?.getAttribute("data-square") ?? document.activeElement?.className ?? "");
    await page.keyboard.press("b");
    expect(await focus()).toBe("d4");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowRight");
    expect(await focus()).toBe("e5");
    await page.keyboard.press("Escape");
    // The next query does not mention squares.
    await page.keyboard.press("Tab");
    await page.keyboard.press("e");
    await page.keyboard.press("Control+a");
    // When Chromium types over a selection, it adds a style attribute. The policy refuses it with an error, so the selection is deleted first.
    await page.keyboard.press("Delete");
    await page.keyboard.type("mate");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Enter");
    await found(results, "8 positions in 8 games");
    // Leave the editor and return to the board.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.keyboard.press("b");
    await page.keyboard.press("k");
    await page.waitForFunction(() => document.querySelector("[data-square=e5]")?.getAttribute("aria-label")?.includes("black king"));
    await page.keyboard.press("Delete");
    await page.waitForFunction(() => document.querySelector("[data-square=e5]")?.getAttribute("aria-label")?.includes("nothing"));
    await found(results, "8 positions in 8 games");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.keyboard.press("r");
    await page.keyboard.press("ArrowDown");
    expect(await results.locator("#place").textContent()).toBe("2 of 8");
    await page.keyboard.press("ArrowLeft");
    expect(await results.locator("#move").textContent()).toContain("After");
    // A key of the whole page also works here.
    await page.keyboard.press("w");
    await page.locator(".why .verdict, .why .error").first().waitFor();
    await page.keyboard.press("l");
    await page.keyboard.type("smothered");
    await page.locator(".entry").getByText("smothered-mate").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Use this query" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await editorText(page)).toContain("mate");
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("it works without a network once it was there", async () => {
    const { page, results, troubles } = await visit(browser, site.url);
    await found(results, "18 games searched");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.context().setOffline(true);
    await page.goto(`${site.url}#q=check`);
    await page.reload();
    const frame = await (await page.waitForSelector("iframe.results")).contentFrame();
    await found(frame as Frame, "18 games searched");
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  for (const scheme of ["light", "dark"] as const) {
    test(`axe finds nothing serious, ${scheme}`, async () => {
      const { page, results } = await visit(browser, `${site.url}#q=check`, { colorScheme: scheme });
      await found(results, "18 games searched");
      for (const [pane, name] of [["Board", "Results"], ["Library", "Statistics"], ["Games", "Plan"], ["History", "Why"]]) {
        await page.getByRole("tab", { name: pane as string, exact: true }).click();
        await page.getByRole("tab", { name: name as string, exact: true }).click();
        await page.waitForTimeout(400);
        for (const frame of page.frames()) await frame.evaluate(axe.source);
        const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).slice(0, 5).join(", ")}`)).toEqual([]);
      }
      await page.context().close();
    });
  }
});
