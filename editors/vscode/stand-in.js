// A stand-in for the editor: what the extension asks of it, in memory.

const Module = require("node:module");
const path = require("node:path");

const disposable = { dispose() {} };

class Uri {
  constructor(fsPath) {
    Object.assign(this, { scheme: "file", fsPath });
  }
  static file = (fsPath) => new Uri(fsPath);
  static parse = (text) => new Uri(decodeURIComponent(new URL(text).pathname));
  toString = () => `file://${encodeURI(this.fsPath)}`;
}

exports.Uri = Uri;

// A document with this text, in this file.
exports.document = (file, text) => {
  const lines = text.split("\n");
  return {
    uri: Uri.file(file),
    languageId: "cql",
    isDirty: false,
    isUntitled: false,
    lineCount: lines.length,
    getText: () => text,
    lineAt: (line) => ({ range: [line, lines[line].length] }),
    save: async () => true,
  };
};

// Puts an editor with these documents and settings in the place of the module `vscode`.
exports.install = ({ documents, settings = {}, chosen }) => {
  const seen = { commands: {}, errors: [], warnings: [], panels: [], decorations: {}, saved: {}, client: undefined };
  const listeners = {};
  const on = (name) => (listener) => {
    listeners[name] = listener;
    return disposable;
  };
  const editors = documents.map((document) => ({
    document,
    setDecorations: (kind, options) => {
      seen.decorations[kind] = options.map(({ range, renderOptions }) => [range[0], renderOptions.after.contentText]);
    },
  }));
  let kinds = 0;
  const vscode = {
    Uri,
    ThemeColor: class {},
    ColorThemeKind: { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 },
    MarkdownString: class {
      appendCodeblock = (text) => ({ text });
    },
    ProgressLocation: {},
    ViewColumn: {},
    commands: {
      registerCommand: (name, action) => {
        seen.commands[name] = action;
        return disposable;
      },
      executeCommand: () => {},
    },
    env: { openExternal: async () => true },
    window: {
      activeTextEditor: editors[0],
      activeColorTheme: { kind: 2 },
      visibleTextEditors: editors,
      createOutputChannel: () => ({ ...disposable, append() {}, appendLine() {}, show() {} }),
      createTextEditorDecorationType: () => ["passed", "failed", "found"][kinds++],
      createWebviewPanel: (_, title) => {
        const panel = { title, webview: {}, reveal() {}, onDidDispose: (gone) => (panel.dispose = gone) };
        seen.panels.push(panel);
        return panel;
      },
      onDidChangeVisibleTextEditors: on("editors"),
      setStatusBarMessage: (message) => seen.warnings.push(message),
      showErrorMessage: async (message) => void seen.errors.push(message),
      showInformationMessage: async () => undefined,
      showOpenDialog: async () => chosen?.map(Uri.file),
      showWarningMessage: async (message) => void seen.warnings.push(message),
      withProgress: (_, task) => task({}, { onCancellationRequested() {} }),
    },
    workspace: {
      getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise }),
      getWorkspaceFolder: ({ fsPath }) => ({ uri: Uri.file(path.dirname(fsPath)) }),
      onDidChangeConfiguration: on("configuration"),
      onDidChangeTextDocument: on("change"),
      onDidCloseTextDocument: on("close"),
      openTextDocument: async (uri) => documents.find((document) => document.uri.fsPath === uri.fsPath),
    },
  };
  class LanguageClient {
    constructor(id, name, server, options) {
      seen.client = { server, options };
    }
    start = async () => {
      if (settings.path === "missing") throw new Error("spawn missing ENOENT");
    };
    stop = async () => {};
  }
  const modules = { vscode, "vscode-languageclient/node": { LanguageClient } };
  const load = Module._load;
  Module._load = (name, ...rest) => modules[name] ?? load(name, ...rest);
  const folder = path.join(__dirname, "src");
  for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file];
  const extension = require("./src/extension");
  Module._load = load;
  const state = new Map();
  const context = {
    subscriptions: [],
    workspaceState: { get: (key, otherwise) => state.get(key) ?? otherwise, update: async (key, value) => state.set(key, value) },
  };
  return { activate: () => extension.activate(context), seen, listeners, extension };
};
