// The editor of the query. It lives in a shadow root, where CodeMirror adopts its style sheets. In a document it would add a `style`
// element, which the content security policy forbids.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import type { Diagnostic } from "@codemirror/lint";
import { formatDocument } from "@codemirror/lsp-client";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightSpecialChars, keymap, placeholder, tooltips } from "@codemirror/view";
import type { DecorationSet } from "@codemirror/view";
import type { Backend } from "../backend/backend.ts";
import { WORDS } from "../words.ts";
import { language } from "./lsp.ts";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--panel)", borderRadius: "8px", fontSize: "14px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace', lineHeight: "1.55", maxHeight: "38vh", minHeight: "6.4em" },
  ".cm-content": { padding: "10px 4px", caretColor: "var(--ink)", minHeight: "6.4em" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--selection)" },
  ".cm-placeholder": { color: "var(--faint)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--chosen)", outline: "1px solid var(--mark)" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--panel)", border: "1px solid var(--edge)", borderRadius: "6px", maxWidth: "min(34rem, 92vw)", maxHeight: "22rem", overflow: "auto", font: "13px/1.45 system-ui, sans-serif" },
  "&:not(.cm-focused) .cm-lsp-signature-tooltip": { display: "none" },
  ".cm-tooltip code, .cm-tooltip pre": { fontFamily: "ui-monospace, Menlo, Consolas, monospace", fontSize: "12.5px", whiteSpace: "pre-wrap" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--panel)" },
  ".cm-tooltip-autocomplete ul li": { padding: "3px 8px" },
  ".cm-completionDetail": { color: "inherit", opacity: ".8" },
  ".cm-completionInfo": { maxWidth: "24rem", padding: "8px 10px" },
  ".cm-lsp-documentation table": { borderCollapse: "collapse" },
  ".cm-lsp-documentation td, .cm-lsp-documentation th": { border: "1px solid var(--line)", padding: "2px 6px", textAlign: "left" },
  ".cm-diagnostic": { padding: "6px 10px", whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { font: "inherit", fontSize: "13px", color: "var(--panel)", backgroundColor: "var(--accent)", borderRadius: "6px", padding: "3px 9px", margin: "6px 6px 2px 0" },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "var(--ink)" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: "var(--chosen)" },
  ".token-keyword": { color: "var(--accent)", fontWeight: "600" },
  ".token-class": { color: "var(--step-ink)", fontWeight: "600" },
  ".token-variable, .token-parameter, .token-function": { color: "var(--step-ink)" },
  ".token-string": { color: "var(--text-green)" },
  ".token-number, .token-enumMember": { color: "var(--text-brown)" },
  ".token-comment": { color: "var(--faint)", fontStyle: "italic" },
  ".blamed": { backgroundColor: "var(--blamed)", borderRadius: "3px" },
});

/** A part of the text. */
export interface TextRange {
  from: number;
  to: number;
}

const mark = StateEffect.define<TextRange[]>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(mark)) continue;
      const { length } = transaction.newDoc;
      const ranges = effect.value.filter(({ from, to }) => from < to && to <= length);
      return Decoration.set(ranges.map(({ from, to }) => Decoration.mark({ class: "blamed" }).range(from, to)), true);
    }
    return transaction.docChanged ? Decoration.none : shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface EditorEvents {
  /** The user or the page has changed the text. */
  change(): void;
  diagnostics(diagnostics: Diagnostic[]): void;
  search(): void;
  /** Returns where help may stand, so that it does not cover what is needed next. Completions stay while the user does other things. */
  room(isCompleting: boolean): { top: number; bottom: number };
}

export class QueryEditor {
  readonly #view: EditorView;

  constructor(parent: HTMLElement, backend: Backend, text: string, events: EditorEvents) {
    const { extension, begin } = language(backend, (diagnostics) => events.diagnostics(diagnostics));
    const search = () => {
      events.search();
      return true;
    };
    this.#view = new EditorView({
      parent: parent.attachShadow({ mode: "open" }),
      state: EditorState.create({
        doc: text,
        extensions: [
          keymap.of([{ key: "Mod-Enter", run: search }]),
          history(),
          drawSelection(),
          highlightSpecialChars(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          tooltips({ tooltipSpace: ({ state }) => ({ ...events.room(completionStatus(state) !== null), left: 0, right: innerWidth }) }),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": WORDS.query.editor, "aria-describedby": "query-status", spellcheck: "false", autocapitalize: "off" }),
          placeholder(WORDS.query.placeholder),
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
          theme,
          marks,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) events.change();
          }),
          extension,
        ],
      }),
    });
    begin(this.#view);
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the whole text in one step that can be undone. */
  write(text: string): void {
    if (text === this.text) return;
    // Help about the old text goes when the cursor is set. The filters are at the end, after the comment.
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, selection: { anchor: text.length }, scrollIntoView: true, userEvent: "input" });
  }

  /** Marks parts of the text until the text changes. */
  mark(ranges: TextRange[]): void {
    this.#view.dispatch({ effects: mark.of(ranges) });
  }

  format(): void {
    formatDocument(this.#view);
  }

  focus(): void {
    this.#view.focus();
  }
}
