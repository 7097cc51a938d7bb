// Connects the editor to skewer's language server, which other editors use too. The call `lsp` carries the messages.

import { setDiagnostics } from "@codemirror/lint";
import type { Action, Diagnostic } from "@codemirror/lint";
import { LSPClient, LSPPlugin, formatKeymap, hoverTooltips, serverCompletion, serverDiagnostics, signatureHelp } from "@codemirror/lsp-client";
import type { LSPClientExtension, Transport } from "@codemirror/lsp-client";
import { StateEffect, StateField } from "@codemirror/state";
import type { Extension, Text } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import type { Backend } from "../backend/backend.ts";
import { debounced } from "../dom.ts";
import { cleanHtml } from "./markdown.ts";

/** The query is in no file, so its examples cannot name files beside it. */
const URI = "untitled:query.cql";

interface Position {
  line: number;
  character: number;
}

interface Range {
  start: Position;
  end: Position;
}

interface Published {
  uri: string;
  version?: number;
  diagnostics: { range: Range; severity?: number; message: string; code?: string | number }[];
}

interface CodeAction {
  title: string;
  kind?: string;
  isPreferred?: boolean;
  diagnostics?: { range: Range; message: string }[];
  edit?: { changes?: Record<string, { range: Range; newText: string }[]> };
}

/** Creates a transport that sends messages to the server one at a time, and passes on its answers. */
function transport(backend: Backend): Transport {
  const handlers = new Set<(message: string) => void>();
  let last: Promise<unknown> = Promise.resolve();
  const carry = async (message: string) => {
    const { messages } = await backend.call("lsp", { message: JSON.parse(message) as unknown });
    for (const answer of messages) for (const handler of handlers) handler(JSON.stringify(answer));
  };
  return {
    send: (message) => {
      last = last.then(() => carry(message)).catch((error: unknown) => console.warn(error));
    },
    subscribe: (handler) => void handlers.add(handler),
    unsubscribe: (handler) => void handlers.delete(handler),
  };
}

// ---- diagnostics with quick fixes

const offsetIn = (doc: Text, { line, character }: Position) => {
  const at = doc.line(Math.min(line + 1, doc.lines));
  return Math.min(at.to, at.from + character);
};

const SEVERITIES = ["error", "error", "warning", "info", "hint"] as const;

/** Creates an extension that shows the server's diagnostics, with its quick fixes as actions. */
function diagnosticsWithFixes(onDiagnostics: (diagnostics: Diagnostic[]) => void): LSPClientExtension {
  const { editorExtension } = serverDiagnostics();
  const show = async (client: LSPClient, published: Published) => {
    const view = client.workspace.getFile(published.uri)?.getView();
    const plugin = view && LSPPlugin.get(view);
    if (!view || !plugin) return;
    const { doc } = view.state;
    // An empty query has no diagnostics.
    const found = doc.toString().trim() ? published.diagnostics : [];
    const fixes = found.length ? await fixesFor(client, published, doc) : [];
    // If the text has changed in the meantime, new diagnostics follow soon.
    if (view.state.doc !== doc) return;
    const diagnostics = found.map((item): Diagnostic => {
      const from = offsetIn(doc, item.range.start);
      const to = offsetIn(doc, item.range.end);
      const own = fixes.filter(({ diagnostics = [] }) => diagnostics.some(({ message, range }) => message === item.message && offsetIn(doc, range.start) === from));
      const actions = own.map((fix): Action => ({ name: fix.title, apply: (target) => applyFix(target, fix) }));
      return { from, to: Math.max(from, to), severity: SEVERITIES[item.severity ?? 1] ?? "error", message: item.message, actions };
    });
    view.dispatch(setDiagnostics(view.state, diagnostics));
    onDiagnostics(diagnostics);
  };
  return {
    clientCapabilities: {
      textDocument: {
        publishDiagnostics: { versionSupport: true, relatedInformation: false },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } }, isPreferredSupport: true },
      },
    },
    notificationHandlers: {
      "textDocument/publishDiagnostics": (client, published: Published) => {
        void show(client, published);
        return true;
      },
    },
    ...(editorExtension ? { editorExtension } : {}),
  };
}

async function fixesFor(client: LSPClient, published: Published, doc: Text): Promise<CodeAction[]> {
  const range = { start: { line: 0, character: 0 }, end: { line: doc.lines - 1, character: doc.line(doc.lines).length } };
  const params = { textDocument: { uri: published.uri }, range, context: { diagnostics: published.diagnostics, only: ["quickfix"] } };
  return (await client.request<typeof params, CodeAction[] | null>("textDocument/codeAction", params).catch(() => null)) ?? [];
}

function applyFix(view: EditorView, fix: CodeAction): void {
  const { doc } = view.state;
  const edits = Object.values(fix.edit?.changes ?? {}).flat();
  const changes = edits.map(({ range, newText }) => ({ from: offsetIn(doc, range.start), to: offsetIn(doc, range.end), insert: newText }));
  view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true });
  view.focus();
}

// ---- colours

const setTokens = StateEffect.define<DecorationSet>();
const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(setTokens)) return effect.value;
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Decodes the tokens of an answer. Each token has five numbers, and its place is relative to the token before. */
export function decodeTokens(data: number[], types: string[], doc: Text): { from: number; to: number; type: string }[] {
  const decoded = [];
  let [line, character] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0] = data.slice(at, at + 4);
    line += lines;
    character = lines > 0 ? characters : character + characters;
    const from = offsetIn(doc, { line, character });
    const to = Math.min(doc.length, from + length);
    const name = types[type];
    if (name && to > from) decoded.push({ from, to, type: name });
  }
  return decoded;
}

async function colour(client: LSPClient, view: EditorView): Promise<void> {
  client.sync();
  const { doc } = view.state;
  const params = { textDocument: { uri: URI } };
  const answer = await client.request<typeof params, { data: number[] } | null>("textDocument/semanticTokens/full", params).catch(() => null);
  if (!answer || view.state.doc !== doc) return;
  const types = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
  const marks = decodeTokens(answer.data, types, doc).map(({ from, to, type }) => Decoration.mark({ class: `token-${type}` }).range(from, to));
  view.dispatch({ effects: setTokens.of(Decoration.set(marks, true)) });
}

const COLOUR_AFTER = 60; // milliseconds after the last change

function colours(client: () => LSPClient): Extension {
  const colourSoon = debounced((view: EditorView) => void colour(client(), view), COLOUR_AFTER);
  return [
    tokens,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) colourSoon(update.view);
    }),
  ];
}

/** Creates everything that the editor shows besides the text: completions, help, diagnostics and colours. */
export function language(backend: Backend, onDiagnostics: (diagnostics: Diagnostic[]) => void): { extension: Extension; begin: (view: EditorView) => void } {
  const client: LSPClient = new LSPClient({
    timeout: 10_000,
    // A query need not have a header.
    initializationOptions: { filters: true },
    sanitizeHTML: cleanHtml,
    extensions: [
      serverCompletion(),
      hoverTooltips(),
      signatureHelp(),
      keymap.of([...formatKeymap]),
      diagnosticsWithFixes(onDiagnostics),
      {
        clientCapabilities: { textDocument: { semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] } } },
        editorExtension: colours(() => client),
      },
    ],
  });
  client.connect(transport(backend));
  return {
    extension: client.plugin(URI, "cql"),
    begin: (view) => void client.initializing.then(() => colour(client, view)),
  };
}
