// The commands that run and test the query of an editor and show what comes of it.

const fs = require("node:fs/promises");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { run } = require("./process");
const results = require("./results");

// Larger pages are shown by the browser.
const LARGEST_PAGE = 20 * 1024 * 1024;
const CHOSEN = "skewer.games";

exports.Queries = class Queries {
  constructor(context, command) {
    this.context = context;
    this.command = command;
    this.panels = new Map();
    this.log = vscode.window.createOutputChannel("skewer");
    const color = (name) => ({ after: { margin: "0 0 0 2em", color: new vscode.ThemeColor(name) } });
    this.decorations = {
      passed: vscode.window.createTextEditorDecorationType(color("testing.iconPassed")),
      failed: vscode.window.createTextEditorDecorationType(color("testing.iconFailed")),
      found: vscode.window.createTextEditorDecorationType(color("editorCodeLens.foreground")),
    };
    // By document: what is shown behind which lines.
    this.shown = new Map();
    context.subscriptions.push(
      this.log,
      ...Object.values(this.decorations),
      vscode.commands.registerCommand("skewer.run", (uri) => this.guarded(uri, (document) => this.search(document))),
      vscode.commands.registerCommand("skewer.test", (uri) => this.guarded(uri, (document) => this.test(document))),
      vscode.commands.registerCommand("skewer.chooseGames", () => this.chooseGames()),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.decorate(editor))),
      // A text that has changed may find something else.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length && this.shown.delete(document.uri.toString())) this.decorateAll(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.shown.delete(document.uri.toString())),
    );
  }

  // Does something with the document of an address, or of the active editor, as it is on disk.
  async guarded(uri, action) {
    try {
      const document = uri
        ? await vscode.workspace.openTextDocument(typeof uri === "string" ? vscode.Uri.parse(uri) : uri)
        : vscode.window.activeTextEditor?.document;
      if (document?.languageId !== "cql") throw new Error("this is not a query");
      if (document.isUntitled || document.isDirty) {
        if (!(await document.save())) return;
      }
      if (document.uri.scheme !== "file") throw new Error("the query is not in a file");
      await action(document);
    } catch (error) {
      if (error.name !== "AbortError") vscode.window.showErrorMessage(`skewer: ${error.message}`);
    }
  }

  // Runs the program while a notification shows what is done, by which it can be ended.
  async withProgress(title, folder, args) {
    const location = vscode.ProgressLocation.Notification;
    return vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
      const ending = new AbortController();
      token.onCancellationRequested(() => ending.abort());
      this.log.appendLine(`> ${[this.command(), ...args].join(" ")}`);
      const ended = await run(this.command(), args, { cwd: folder, signal: ending.signal });
      this.log.append(ended.stdout + ended.stderr);
      return ended;
    });
  }

  async search(document) {
    const file = document.uri.fsPath;
    const games = await this.games(document);
    if (!games?.length) return;
    const out = await fs.mkdtemp(path.join(os.tmpdir(), "skewer-"));
    try {
      const limit = vscode.workspace.getConfiguration("skewer", document.uri).get("limit", 0);
      const limits = limit > 0 ? ["-n", String(limit)] : [];
      const args = ["search", file, ...games, "--out-dir", out, "-f", "html", ...limits];
      const { code, stderr } = await this.withProgress(`Searching ${path.basename(file)}`, folder(document), args);
      const counts = results.counts(await fs.readFile(path.join(out, "summary.csv"), "utf8").catch(() => ""));
      if (!counts) throw new Error(firstLine(stderr) || `the search ended with code ${code}`);
      const line = headerLine(document.getText());
      this.show(document, "found", [{ line, text: results.counted(counts) }]);
      await this.showPage(document, path.join(out, `${path.parse(file).name}.html`), counts);
    } finally {
      await fs.rm(out, { recursive: true, force: true });
    }
  }

  // Shows a page in a panel of its own beside the query; one that is too large for that in the browser.
  async showPage(document, page, counts) {
    const title = `${path.basename(document.uri.fsPath)}: ${results.counted(counts)}`;
    const { size } = await fs.stat(page);
    if (size > LARGEST_PAGE) {
      const kept = path.join(await fs.mkdtemp(path.join(os.tmpdir(), "skewer-page-")), path.basename(page));
      await fs.rename(page, kept);
      const open = "Open in the browser";
      const chosen = await vscode.window.showInformationMessage(`${title}. The page is too large for a panel.`, open);
      if (chosen === open) await vscode.env.openExternal(vscode.Uri.file(kept));
      return;
    }
    const key = document.uri.toString();
    let panel = this.panels.get(key);
    if (!panel) {
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      panel = vscode.window.createWebviewPanel("skewer.results", title, place, {
        enableScripts: true,
        enableFindWidget: true,
        retainContextWhenHidden: true,
        localResourceRoots: [],
      });
      this.panels.set(key, panel);
      panel.onDidDispose(() => this.panels.delete(key));
    }
    panel.title = title;
    const { Dark, HighContrast } = vscode.ColorThemeKind;
    const isDark = [Dark, HighContrast].includes(vscode.window.activeColorTheme.kind);
    panel.webview.html = results.themed(await fs.readFile(page, "utf8"), isDark);
    panel.reveal(undefined, true);
  }

  async test(document) {
    const out = await fs.mkdtemp(path.join(os.tmpdir(), "skewer-"));
    try {
      const report = path.join(out, "results.xml");
      const file = document.uri.fsPath;
      const args = ["test", file, "--junit", report];
      const { code, stderr } = await this.withProgress(`Testing ${path.basename(file)}`, folder(document), args);
      const examples = results.examples(await fs.readFile(report, "utf8").catch(() => ""));
      if (!examples.length && code !== 0) throw new Error(firstLine(stderr) || `the test ended with code ${code}`);
      const shown = (passed) =>
        examples
          .filter(({ outcome }) => (outcome === "passed") === passed)
          .map((example) => ({ line: example.line, text: results.inline(example), details: example.details }));
      this.show(document, "passed", shown(true));
      this.show(document, "failed", shown(false));
      const summary = results.summary(examples);
      if (examples.every(({ outcome }) => outcome === "passed")) {
        vscode.window.setStatusBarMessage(`skewer: ${summary}`, 5000);
      } else {
        const details = "Show details";
        vscode.window.showWarningMessage(summary, details).then((chosen) => chosen === details && this.log.show(true));
      }
    } finally {
      await fs.rm(out, { recursive: true, force: true });
    }
  }

  // The games to search: those of the settings, or else those that were chosen before, or else those that are chosen now.
  async games(document) {
    const set = vscode.workspace.getConfiguration("skewer", document.uri).get("games", []);
    if (set.length) return set.map((name) => path.resolve(folder(document), name));
    const chosen = this.context.workspaceState.get(CHOSEN, []);
    const present = await Promise.all(chosen.map((file) => fs.access(file).then(() => true, () => false)));
    return chosen.length && present.every(Boolean) ? chosen : this.chooseGames();
  }

  async chooseGames() {
    const chosen = await vscode.window.showOpenDialog({
      title: "Games to search",
      openLabel: "Search these",
      canSelectMany: true,
      filters: { Games: ["pgn", "gz", "zst", "bz2", "xz", "zip", "parquet"], "All files": ["*"] },
    });
    if (!chosen) return undefined;
    const games = chosen.map((uri) => uri.fsPath);
    await this.context.workspaceState.update(CHOSEN, games);
    return games;
  }

  // Remembers what stands behind lines of a document, and shows it wherever the document is shown.
  show(document, kind, lines) {
    const key = document.uri.toString();
    this.shown.set(key, { ...this.shown.get(key), [kind]: lines });
    this.decorateAll(document);
  }

  decorateAll(document) {
    const editors = vscode.window.visibleTextEditors;
    editors.filter((editor) => editor.document === document).forEach((editor) => this.decorate(editor));
  }

  decorate(editor) {
    const shown = this.shown.get(editor.document.uri.toString()) ?? {};
    for (const [kind, decoration] of Object.entries(this.decorations)) {
      const lines = (shown[kind] ?? []).filter(({ line }) => line < editor.document.lineCount);
      const options = lines.map(({ line, text, details }) => ({
        range: editor.document.lineAt(line).range,
        hoverMessage: details && new vscode.MarkdownString().appendCodeblock(details, "text"),
        renderOptions: { after: { contentText: text } },
      }));
      editor.setDecorations(decoration, options);
    }
  }
};

// Where names of files begin: the folder of the workspace that has the query, or else the query's own.
const folder = (document) =>
  vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? path.dirname(document.uri.fsPath);

const firstLine = (text) => text.trim().split("\n")[0];

// The line of the header, from 0; the first one where there is none.
const headerLine = (text) => {
  const line = text.split("\n").findIndex((line) => /^\s*cql\b/.test(line));
  return Math.max(line, 0);
};
