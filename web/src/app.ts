// The page: the query, the board and the library on the left, the results on the right, and how they affect each other.

import type { Diagnostic } from "@codemirror/lint";
import { read, written } from "./address.ts";
import type { Asked } from "./address.ts";
import type { Backend, Done, Game, Heading, SearchOptions } from "./backend/backend.ts";
import { Refusal, messageOf } from "./backend/refusal.ts";
import { BoardPanel } from "./board/panel.ts";
import { PIECES } from "./board/setup.ts";
import type { Setup, Width } from "./board/setup.ts";
import { button, debounced, el } from "./dom.ts";
import { QueryEditor } from "./editor/editor.ts";
import { withExample } from "./examples.ts";
import { History } from "./history.ts";
import { ExplainPane } from "./panes/explain.ts";
import { HistoryPane } from "./panes/history.ts";
import { LibraryPane } from "./panes/library.ts";
import { OptionsPane } from "./panes/options.ts";
import { StatsPane } from "./panes/stats.ts";
import type { Subject } from "./panes/why.ts";
import { WhyPane } from "./panes/why.ts";
import { ResultsFrame } from "./results/frame.ts";
import type { ActionName, Here } from "./results/frame.ts";
import { storage } from "./storage.ts";
import { Tabs } from "./tabs.ts";
import { changeTheme } from "./theme.ts";
import { WORDS } from "./words.ts";

const SEARCH_AFTER = 450; // milliseconds after the last change
const SETUP_AFTER = 200;
const FORMER_AFTER = 700; // most searches have found something by then
const MOST_MESSAGES = 1000;

/** A message about the query. */
interface Said {
  text: string;
  kind: "" | "warning" | "error";
}

export class App {
  readonly #backend: Backend;
  readonly #editor: QueryEditor;
  readonly #board: BoardPanel;
  readonly #library: LibraryPane;
  readonly #options: OptionsPane;
  readonly #why: WhyPane;
  readonly #stats: StatsPane;
  readonly #explain: ExplainPane;
  readonly #frame: ResultsFrame;
  readonly #left: Tabs;
  readonly #right: Tabs;
  readonly #history = new History(storage());
  readonly #status = el("p", { id: "query-status", role: "status" }, WORDS.loading);
  readonly #progress = el("progress", { max: 1, hidden: true, "aria-label": WORDS.searching });
  readonly #go = button(WORDS.query.search, () => void this.search(), { class: "primary", title: `${WORDS.query.search} (Ctrl+Enter)` });
  /** Text that the query prints, and warnings about the games. */
  readonly #remarks = el("div", { class: "remarks" });
  /** Says that the results are not those of the present query. */
  readonly #former = el("p", { class: "notice", role: "status" });
  readonly #toast = el("p", { class: "toast", role: "status" });
  readonly #help = el("dialog", { "aria-labelledby": "help-title" });
  #searching: AbortController | undefined;
  /** How often the user has changed the board, and whether the query still lacks the last change. */
  #edit = 0;
  #isSettingUp = false;
  /** The part of the query that the board showed last. */
  #shown: { setup: Setup; whole: boolean } = { setup: {}, whole: true };
  /** The question of the last search, and the one whose results are shown. */
  #searched = "";
  #answered = "";
  #toastTimer = 0;
  readonly #parts = [button(WORDS.narrow.ask, () => this.#showPart(false)), button(WORDS.narrow.answer, () => this.#showPart(true))];
  /** The worst diagnostic of the query, and the outcome of its last search. */
  #diagnosis: Said = { text: "", kind: "" };
  #outcome: Said = { text: "", kind: "" };

  constructor(root: HTMLElement, backend: Backend) {
    this.#backend = backend;
    const asked = read(location.hash);
    const editorRoom = el("div", { class: "editor" });
    this.#board = new BoardPanel({ change: (setup) => void this.#fromBoard(setup), position: (fen, width) => void this.#fromPosition(fen, width) });
    this.#library = new LibraryPane(backend, (query) => this.#take(query));
    this.#options = new OptionsPane(backend, asked.options, { change: () => this.#optionsChanged(), inputs: () => this.#inputsChanged() });
    const past = new HistoryPane(this.#history, (query) => this.#take(query));
    this.#left = new Tabs(WORDS.tabs.left, [
      { id: "board", name: WORDS.tabs.board, element: this.#board.element },
      { id: "library", name: WORDS.tabs.library, element: this.#library.element, shown: () => this.#library.shown() },
      { id: "games", name: WORDS.tabs.games, element: this.#options.element },
      { id: "history", name: WORDS.tabs.history, element: past.element, shown: () => past.shown() },
    ]);
    this.#frame = new ResultsFrame({
      act: (name, here) => void this.#act(name, here),
      key: (event) => this.#key(event),
      files: (files) => void this.#options.give(files.map((file) => ({ name: file.name, content: file }))),
    });
    this.#why = new WhyPane(backend, { asked: () => this.#asked(), subject: () => this.#whyOf(), take: (query) => this.#take(query), mark: (ranges) => this.#editor.mark(ranges) });
    this.#stats = new StatsPane(backend, () => this.#asked());
    this.#explain = new ExplainPane(backend, () => this.#editor.text);
    const results = el("div", {}, this.#remarks, this.#frame.element);
    this.#right = new Tabs(WORDS.tabs.right, [
      { id: "results", name: WORDS.tabs.results, element: results },
      { id: "stats", name: WORDS.tabs.stats, element: this.#stats.element, shown: () => void this.#stats?.count() },
      { id: "explain", name: WORDS.tabs.explain, element: this.#explain.element, shown: () => void this.#explain?.shown() },
      { id: "why", name: WORDS.tabs.why, element: this.#why.element, shown: () => void this.#why?.shown() },
    ]);
    root.replaceChildren(this.#head(), this.#main(editorRoom), el("nav", { class: "switcher", "aria-label": WORDS.narrow.title }, ...this.#parts), this.#toast, this.#help);
    this.#writeHelp();
    this.#showPart(false);
    this.#editor = new QueryEditor(editorRoom, backend, asked.query || WORDS.firstQuery, {
      change: () => this.#queryChanged(),
      diagnostics: (diagnostics) => this.#sayDiagnosis(diagnostics),
      search: () => void this.search(),
      room: (isCompleting) => ({
        top: Math.max(0, editorRoom.getBoundingClientRect().top),
        bottom: isCompleting ? this.#status.getBoundingClientRect().bottom : innerHeight,
      }),
    });
    addEventListener("hashchange", () => this.#follow());
    document.addEventListener("keydown", (event) => {
      if (this.#key(event)) event.preventDefault();
    });
    if (asked.match) void this.#frame.follow(asked.match);
    this.#showSetup();
    void this.#options.load().then(() => this.search());
  }

  // ---- the page

  #head(): HTMLElement {
    const theme = button("", () => changeTheme(), { class: "icon", "aria-label": WORDS.theme, title: WORDS.theme });
    theme.append(el("span", { class: "half", "aria-hidden": "true" }));
    return el(
      "header",
      { class: "top" },
      el("h1", {}, "skewer"),
      this.#options.summary,
      el("div", { class: "row tools" }, theme, button("?", () => this.#help.showModal(), { class: "icon", "aria-label": WORDS.help.title, title: WORDS.help.title })),
    );
  }

  #main(editorRoom: HTMLElement): HTMLElement {
    const tools = el(
      "div",
      { class: "row actions" },
      this.#go,
      button(WORDS.query.format, () => this.#editor.format(), { title: "Shift+Alt+F" }),
      button(WORDS.query.link, () => void this.#copyLink()),
      button(WORDS.query.save, () => this.#save()),
      button(WORDS.query.clear, () => {
        this.#board.beginAnew();
        this.#take("");
      }),
    );
    const ask = el("section", { class: "ask", "aria-label": WORDS.query.title }, tools, editorRoom, this.#status, this.#left.element);
    const answer = el("section", { class: "answer", "aria-label": WORDS.results.title }, this.#progress, this.#former, this.#right.element);
    return el("main", {}, ask, answer);
  }

  /** Shows either the query or the results, on a small screen. */
  #showPart(isAnswer: boolean): void {
    document.body.classList.toggle("answers", isAnswer);
    this.#parts.forEach((control, index) => control.setAttribute("aria-pressed", String(Boolean(index) === isAnswer)));
  }

  #writeHelp(): void {
    const keys = WORDS.help.keys.map(([key, does]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)));
    this.#help.append(
      el("h2", { id: "help-title", tabindex: -1, autofocus: true }, WORDS.help.title),
      el("dl", {}, ...keys),
      el("p", { class: "faint" }, WORDS.help.more),
      button(WORDS.help.close, () => this.#help.close()),
    );
  }

  /** Handles the keys of the whole page. Single letters count only outside text fields. Returns whether the key was handled. */
  #key(event: KeyboardEvent): boolean {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      void this.search();
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || this.#help.open || isWriting(event)) return false;
    const does: Record<string, () => void> = {
      e: () => this.#editor.focus(),
      b: () => {
        this.#left.choose("board");
        this.#board.focus();
      },
      l: () => {
        this.#left.choose("library");
        this.#library.focus();
      },
      g: () => this.#choose(this.#left, "games"),
      y: () => this.#choose(this.#left, "history"),
      r: () => {
        this.#right.choose("results");
        void this.#frame.focus();
      },
      s: () => this.#choose(this.#right, "stats"),
      x: () => this.#choose(this.#right, "explain"),
      w: () => this.#choose(this.#right, "why"),
      "?": () => this.#help.showModal(),
    };
    const action = does[event.key];
    action?.();
    return action !== undefined;
  }

  #choose(tabs: Tabs, id: string): void {
    tabs.choose(id);
    tabs.focus();
  }

  // ---- the query

  readonly #searchSoon = debounced(() => {
    // A query that is written anew is empty for a moment, so the results do not go at once.
    if (!wordsOf(this.#editor.text)) this.#forgetResults();
    else if (this.#options.isLive) void this.search();
    else this.#sayOutcome(WORDS.query.pressSearch);
  }, SEARCH_AFTER);
  readonly #showSetupSoon = debounced(() => this.#showSetup(), SETUP_AFTER);

  readonly #sayFormerSoon = debounced(() => this.#sayFormer(), FORMER_AFTER);

  #asked(): Asked & { options: SearchOptions } {
    return { query: this.#editor.text, options: this.#options.options };
  }

  #queryChanged(): void {
    this.#writeAddress();
    // An empty query shows an empty board at once.
    if (wordsOf(this.#editor.text)) {
      this.#showSetupSoon();
    } else {
      this.#showSetup();
      this.#sayOutcome("");
    }
    this.#searchSoon();
    this.#sayFormerSoon();
    if (this.#right.chosen === "explain") void this.#explain.shown();
  }

  #optionsChanged(): void {
    this.#writeAddress();
    this.#searchSoon();
    this.#sayFormerSoon();
  }

  #inputsChanged(): void {
    this.#forgetResults();
    this.#why.forget();
    this.#searchSoon();
  }

  #take(query: string): void {
    this.#editor.write(query);
    this.#editor.focus();
  }

  /** Shows the worst diagnostic of the query. */
  #sayDiagnosis(diagnostics: Diagnostic[]): void {
    const worst = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
    const [message = ""] = (worst?.message ?? "").split("\n");
    const text = [message, diagnostics.length > 1 ? WORDS.query.more(diagnostics.length - 1) : ""].filter(Boolean).join(" ");
    this.#diagnosis = { text, kind: worst?.severity === "error" ? "error" : worst ? "warning" : "" };
    this.#writeStatus();
  }

  #sayOutcome(text: string, kind: Said["kind"] = ""): void {
    this.#outcome = { text, kind };
    this.#writeStatus();
  }

  /** Shows the error, if one of the two messages is one, or else the first message. */
  #writeStatus(): void {
    const both = [this.#diagnosis, this.#outcome];
    const { text, kind } = both.find(({ kind }) => kind === "error") ?? both.find(({ text }) => text) ?? this.#outcome;
    this.#status.className = kind;
    this.#status.textContent = text;
  }

  // ---- board and query

  #showSetup(): void {
    const query = this.#editor.text;
    // A change of the board comes first. This is called again once the query has it.
    if (this.#isSettingUp) return;
    const edit = this.#edit;
    if (!wordsOf(query)) {
      this.#shown = { setup: {}, whole: true };
      this.#board.show({}, true);
      return;
    }
    const show = async () => {
      const { setup, whole } = await this.#backend.call("setup", { query });
      if (query !== this.#editor.text || edit !== this.#edit) return;
      this.#shown = { setup, whole };
      this.#board.show(setup, whole);
    };
    // If the text is not a query yet, the board stays as it is.
    void show().catch(() => undefined);
  }

  async #fromBoard(setup: Setup): Promise<void> {
    const edit = (this.#edit += 1);
    this.#isSettingUp = true;
    const text = this.#editor.text;
    try {
      const isAlone = !wordsOf(text);
      const { query } = await this.#backend.call("setup", isAlone ? { setup } : { query: text, setup });
      if (edit !== this.#edit) return;
      this.#isSettingUp = false;
      this.#editor.write(isAlone ? `${[text.trim(), query].filter(Boolean).join("\n")}\n` : query);
    } catch (error) {
      if (edit !== this.#edit) return;
      this.#isSettingUp = false;
      // The text stays as it is, and the board shows its setup again.
      this.say(error instanceof Refusal && error.diagnostics.length ? WORDS.board.queryHasError : messageOf(error));
      this.#board.show(this.#shown.setup, this.#shown.whole);
    }
  }

  async #fromPosition(fen: string, width: Width): Promise<void> {
    try {
      const { query } = await this.#backend.call("setup", { fen, widen: width });
      this.#editor.write(query);
      this.#board.showPosition(fen, width);
    } catch (error) {
      this.say(messageOf(error));
    }
  }

  // ---- searching

  get #question(): string {
    const { query, options } = this.#asked();
    return JSON.stringify([query, options]);
  }

  /** Whether the results are those of another question than the present one. */
  get #isFormer(): boolean {
    return this.#answered !== "" && this.#answered !== this.#question;
  }

  #sayFormer(): void {
    this.#former.textContent = this.#isFormer ? WORDS.results.former : "";
  }

  /** Removes all answers, because there is no query any more, or the games are others. */
  #forgetResults(): void {
    this.#searching?.abort();
    this.#searched = this.#answered = "";
    this.#sayFormer();
    this.#sayOutcome("");
    this.#remarks.replaceChildren();
    void this.#frame.clear();
    this.#stats.clear();
    this.#why.clear();
  }

  async search(): Promise<void> {
    const { query, options } = this.#asked();
    const question = this.#question;
    if (question === this.#searched && this.#searching) return;
    this.#searching?.abort();
    if (!wordsOf(query)) return;
    const searching = (this.#searching = new AbortController());
    this.#searched = question;
    const { ok } = await this.#backend.call("check", { query }).catch(() => ({ ok: true }));
    if (!ok || searching.signal.aborted) {
      if (this.#searching === searching) this.#searched = "";
      return;
    }
    this.#progress.hidden = false;
    this.#progress.removeAttribute("value");
    let isBegun = false;
    let waiting: Game[] = [];
    const messages: string[] = [];
    let heading: Heading = { sort: [], columns: [] };
    // The previous results stay until there are new ones.
    const show = () => {
      if (!isBegun) {
        void this.#frame.begin(heading.sort.map(({ title }) => title), heading.columns.map(({ name }) => name));
        this.#answered = question;
        this.#sayFormer();
      }
      isBegun = true;
      if (waiting.length) void this.#frame.add(waiting);
      waiting = [];
    };
    try {
      const done = await this.#backend.search(
        { query, options },
        {
          begin: (told) => (heading = told),
          game: (game) => {
            if (searching.signal.aborted) return;
            waiting.push(game);
            if (waiting.length === 1) setTimeout(() => searching.signal.aborted || show(), 30);
          },
          message: (text) => {
            if (!searching.signal.aborted && messages.push(text) > MOST_MESSAGES) messages.shift();
          },
          progress: (games, share) => {
            if (searching.signal.aborted) return;
            if (share !== undefined) this.#progress.value = share;
            if (isBegun) void this.#frame.count(games, false);
          },
        },
        searching.signal,
      );
      if (searching.signal.aborted) return;
      show();
      await this.#frame.count(done.games, true);
      this.#sayDone(query, done, messages);
    } catch (error) {
      if (searching.signal.aborted) return;
      this.#searched = "";
      this.#sayOutcome(messageOf(error), "error");
    } finally {
      if (this.#searching === searching) {
        this.#progress.hidden = true;
        this.#searching = undefined;
        const pane = searching.signal.aborted ? "" : this.#right.chosen;
        if (pane === "why") void this.#why.again();
        if (pane === "stats") void this.#stats.count();
      }
    }
  }

  #sayDone(query: string, done: Done, messages: string[]): void {
    this.#history.add({ query, at: Date.now(), found: WORDS.found(done.positions, done.matched) });
    const sentences = [WORDS.foundIn(done.positions, done.matched, done.games), done.end === "time" ? WORDS.timeIsOver : ""];
    if (done.games) this.#sayOutcome(sentences.filter(Boolean).join(" "));
    else this.#sayOutcome(WORDS.noGames(this.#options.names), "error");
    const warnings = done.warnings.map(({ source, line, message }) => WORDS.warning(source, line, message));
    const lists = [
      [WORDS.messages(messages.length), messages],
      [WORDS.warningCount(done.warning_count), warnings],
    ] as const;
    const told = lists.filter(([, lines]) => lines.length).map(([name, lines]) => el("details", {}, el("summary", {}, name), el("pre", { tabindex: 0 }, lines.join("\n"))));
    const why = button(WORDS.why.nothing, () => this.#choose(this.#right, "why"));
    this.#remarks.replaceChildren(...(done.matched || !done.games ? [] : [why]), ...told);
  }

  // ---- actions on a position that was found

  async #act(name: ActionName, here: Here): Promise<void> {
    if (name === "similar") {
      this.#left.choose("board");
      await this.#fromPosition(here.fen, "pawns");
      this.#showPart(false);
    } else if (name === "why") {
      this.#right.choose("why");
      await this.#why.ask({ game: here.pgn, position: here.id });
    } else {
      this.#take(withExample(this.#editor.text, here.fen, name === "match"));
      this.say(WORDS.exampleAdded);
    }
  }

  /** Returns the likely subject of a question: the position on the board, or all games if nothing was found. */
  async #whyOf(): Promise<Subject | undefined> {
    const here = await this.#frame.here();
    if (here) return { game: here.pgn, position: here.id };
    return this.#searching || !wordsOf(this.#editor.text) ? undefined : "games";
  }

  // ---- links and files

  #writeAddress(): void {
    history.replaceState(history.state, "", `#${written(this.#asked())}`);
  }

  /** Follows a new address that the user has entered. */
  #follow(): void {
    const asked = read(location.hash);
    if (asked.match) void this.#frame.follow(asked.match);
    this.#options.show(asked.options);
    this.#editor.write(asked.query);
    this.#searchSoon();
  }

  async #copyLink(): Promise<void> {
    const here = this.#isFormer ? null : await this.#frame.here();
    const match = here?.isMatch ? { match: `${here.game}.${here.id}` } : {};
    const link = new URL(`#${written({ ...this.#asked(), ...match })}`, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      this.say(WORDS.linkCopied);
    } catch {
      history.replaceState(history.state, "", link);
      this.say(WORDS.linkInAddress);
    }
  }

  #save(): void {
    const { text } = this.#editor;
    const title = /cql\s*\([^)]*matchstring\s+"([^"]+)"/.exec(text)?.[1] ?? "query";
    const link = el("a", { download: `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.cql` });
    link.href = URL.createObjectURL(new Blob([text.endsWith("\n") ? text : `${text}\n`], { type: "text/plain" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /** Shows a message for a moment. */
  say(text: string): void {
    this.#toast.textContent = text;
    this.#toast.classList.add("on");
    clearTimeout(this.#toastTimer);
    this.#toastTimer = window.setTimeout(() => this.#toast.classList.remove("on"), 2200);
  }
}

function isWriting(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  // On the board, the letters of pieces put pieces on squares.
  if (target.closest("[role=gridcell]")) return PIECES.includes(event.key);
  return target.closest("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable=true]") !== null;
}

/** Returns the query without its comments. */
const wordsOf = (query: string) => query.replace(/\/\/.*|\/\*[^]*?\*\//g, "").trim();
