//! The conversation with an editor, message by message.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::{
    CodeActionKind, CodeActionParams, CompletionTriggerKind, DidChangeTextDocumentParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentLinkParams,
    MessageType, Position, PositionEncodingKind, PublishDiagnosticsParams, RenameFilesParams, RenameParams,
    SelectionRangeParams, SemanticTokensRangeParams, ShowMessageParams, TextDocumentPositionParams,
    TextDocumentSyncKind, TextEdit, Uri, WorkspaceFolder, WorkspaceSymbolParams,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::query::Vocabulary;
use crate::tablebase::Tablebase;

use super::document::{Document, Encoding};
use super::file_renames::FileRenames;
use super::workspace::Workspace;
use super::{
    code_lenses, completion, diagnostics, formatting, hover, links, navigation, quick_fixes, semantic_tokens,
    signatures, structure, themes,
};

/// How a conversation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The client ended it, with `shutdown` and `exit`.
    Properly,
    /// The client disappeared.
    Abruptly,
}

/// The stage of the conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// `initialize` must come first.
    New,
    Running,
    /// After `shutdown`, only `exit` may follow.
    ShutDown,
}

/// A conversation with an editor. It needs neither threads nor streams: it takes messages and returns messages.
///
/// The stack should be large, because queries are compiled on it.
///
/// ```
/// use skewer::lsp::{Conversation, Message};
///
/// let mut conversation = Conversation::default();
/// let initialize = r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}"#;
/// conversation.take(serde_json::from_str(initialize)?);
/// assert!(matches!(conversation.answers().as_slice(), [Message::Response(_)]));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct Conversation {
    /// The messages that have not been handed out yet.
    answers: Vec<Message>,
    state: State,
    encoding: Encoding,
    documents: HashMap<Uri, Document>,
    workspace: Workspace,
    /// The client's commands that code lenses may use.
    commands: Vec<String>,
    /// The words that queries may use without declaring them.
    vocabulary: Vocabulary,
    /// The tablebases for examples.
    tablebase: Option<Arc<Tablebase>>,
    /// Whether the client has its own colours for everything except names.
    only_names: bool,
    /// Whether the client accepts snippets.
    snippets: bool,
    /// Whether documents may consist of filters without a header.
    filters: bool,
    /// The documents that have changed since their diagnostics were sent.
    changed: BTreeSet<String>,
}

/// The answer to a request: a value, or an error.
type Answer = Result<Value, (ErrorCode, String)>;

impl Default for Conversation {
    fn default() -> Conversation {
        Conversation {
            answers: Vec::new(),
            state: State::New,
            encoding: Encoding::default(),
            documents: HashMap::new(),
            workspace: Workspace::default(),
            commands: Vec::new(),
            vocabulary: Vocabulary::Whole,
            tablebase: None,
            only_names: false,
            snippets: false,
            filters: false,
            changed: BTreeSet::new(),
        }
    }
}

impl Conversation {
    /// Takes a message. Returns how the conversation ended if it was the last one.
    pub fn take(&mut self, message: Message) -> Option<Ended> {
        match message {
            Message::Request(request) => self.answer(request),
            Message::Notification(notification) if notification.method == "exit" => {
                return Some(match self.state {
                    State::ShutDown => Ended::Properly,
                    State::New | State::Running => Ended::Abruptly,
                });
            }
            Message::Notification(notification) if self.state == State::Running => self.note(notification),
            Message::Notification(_) | Message::Response(_) => {}
        }
        None
    }

    /// Makes the diagnostics of one changed document. Returns whether there was one. Call it when no message is waiting, so that fast
    /// typists do not wait for diagnostics of outdated texts.
    pub fn diagnose(&mut self) -> bool {
        let Some(uri) = self.changed.pop_first().map(Uri) else {
            return false;
        };
        if let Some(document) = self.documents.get_mut(&uri) {
            let found = diagnostics::diagnostics(document, &uri);
            let version = document.version;
            self.publish(uri, Some(version), found);
        }
        true
    }

    /// Returns the messages for the client, in order, and forgets them.
    pub fn answers(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.answers)
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match self.state {
            State::New if method == "initialize" => self.initialize(params),
            State::New => Err((ErrorCode::ServerNotInitialized, "`initialize` comes first".to_owned())),
            State::Running if method == "shutdown" => {
                self.state = State::ShutDown;
                Ok(Value::Null)
            }
            State::Running => self.respond(&method, params),
            State::ShutDown => Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned())),
        };
        self.answers.push(Message::Response(response(id, answer)));
    }

    fn initialize(&mut self, params: Value) -> Answer {
        self.workspace = Workspace::new(folders(&params).into_iter());
        let commands = params.pointer("/initializationOptions/commands").cloned();
        self.commands = commands.and_then(|names| parsed(names).ok()).unwrap_or_default();
        let is_strict = params.pointer("/initializationOptions/strict") == Some(&Value::Bool(true));
        self.vocabulary = Vocabulary::without(false, is_strict);
        let folders = params.pointer("/initializationOptions/tablebase").cloned();
        let folders: Vec<PathBuf> = folders.and_then(|folders| parsed(folders).ok()).unwrap_or_default();
        self.tablebase = Tablebase::in_folders(&folders).or_else(Tablebase::of_environment);
        let augments = params.pointer("/capabilities/textDocument/semanticTokens/augmentsSyntaxTokens");
        self.filters = params.pointer("/initializationOptions/filters") == Some(&Value::Bool(true));
        self.only_names = augments == Some(&Value::Bool(true));
        let snippets = params.pointer("/capabilities/textDocument/completion/completionItem/snippetSupport");
        self.snippets = snippets == Some(&Value::Bool(true));
        let encodings = params.pointer("/capabilities/general/positionEncodings");
        let encodings = encodings.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if encodings.contains(&json!(PositionEncodingKind::UTF8)) {
            self.encoding = Encoding::Utf8;
        }
        self.state = State::Running;
        Ok(json!({
            "capabilities": capabilities(self.encoding, !self.commands.is_empty()),
            "serverInfo": { "name": "skewer", "version": env!("CARGO_PKG_VERSION") },
        }))
    }

    /// Answers a request about an open document.
    fn respond(&mut self, method: &str, params: Value) -> Answer {
        match method {
            "textDocument/hover" => self.at(params, |document, _, at| hover::hover(document, at)),
            "textDocument/completion" => {
                let by_sign = params["context"]["triggerKind"] == json!(CompletionTriggerKind::TriggerCharacter);
                self.at(params, |document, _, at| {
                    let mut items = if by_sign {
                        completion::after_sign(document, at)
                    } else {
                        completion::completion(document, at)
                    };
                    if !self.snippets {
                        items.iter_mut().for_each(completion::write_out);
                    }
                    items
                })
            }
            "textDocument/definition" => self.at(params, |document, uri, at| {
                themes::definition(document, uri, at).or_else(|| navigation::definition(document, uri, at))
            }),
            "textDocument/references" => self.at(params, navigation::references),
            "textDocument/documentHighlight" => self.at(params, |document, _, at| navigation::highlights(document, at)),
            "textDocument/prepareRename" => self.at(params, |document, _, at| navigation::renamed(document, at)),
            "textDocument/rename" => {
                let params: RenameParams = parsed(params)?;
                let at = params.text_document_position_params;
                let document = self.document(&at.text_document.uri)?;
                let edit = navigation::rename(document, &at.text_document.uri, at.position, &params.new_name);
                edit.map_err(|why| (ErrorCode::RequestFailed, why)).and_then(value)
            }
            "textDocument/documentSymbol" => self.of(params, |document, _| navigation::symbols(document)),
            "textDocument/foldingRange" => self.of(params, |document, _| structure::folding_ranges(document)),
            "textDocument/selectionRange" => {
                let params: SelectionRangeParams = parsed(params)?;
                let document = self.document(&params.text_document.uri)?;
                value(structure::selection_ranges(document, &params.positions))
            }
            "textDocument/codeAction" => {
                let params: CodeActionParams = parsed(params)?;
                let document = self.documents.get_mut(&params.text_document.uri);
                let document = document.ok_or_else(|| not_open(&params.text_document.uri))?;
                value(quick_fixes::quick_fixes(document, &params))
            }
            "textDocument/signatureHelp" => self.at(params, |document, _, at| signatures::signature_help(document, at)),
            "textDocument/semanticTokens/full" => self.of(params, |document, _| {
                semantic_tokens::semantic_tokens(document, None, self.only_names)
            }),
            "textDocument/semanticTokens/range" => {
                let params: SemanticTokensRangeParams = parsed(params)?;
                let document = self.document(&params.text_document.uri)?;
                value(semantic_tokens::semantic_tokens(
                    document,
                    Some(params.range),
                    self.only_names,
                ))
            }
            "textDocument/codeLens" => self.of(params, |document, uri| {
                code_lenses::code_lenses(document, uri, &self.commands)
            }),
            "textDocument/documentLink" => self.of(params, links::document_links),
            "workspace/symbol" => {
                let params: WorkspaceSymbolParams = parsed(params)?;
                value(self.workspace.symbols(&params.query, &self.documents, self.encoding))
            }
            "workspace/willRenameFiles" => {
                let params: RenameFilesParams = parsed(params)?;
                let mut renames = FileRenames::new(&params.files);
                self.workspace
                    .each_query(&self.documents, self.encoding, |uri, document| {
                        renames.visit(uri, document);
                    });
                value(renames.edit())
            }
            "textDocument/formatting" => {
                let DocumentLinkParams { text_document, .. } = parsed(params)?;
                match formatting::formatting(self.document(&text_document.uri)?) {
                    Ok(edits) => value(edits),
                    // Editors show this message, but not the errors of requests.
                    Err(why) => {
                        self.show(why);
                        value(Vec::<TextEdit>::new())
                    }
                }
            }
            method => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
        }
    }

    /// Answers a request about a position in a document.
    fn at<A: Serialize>(&self, params: Value, answer: impl FnOnce(&Document, &Uri, Position) -> A) -> Answer {
        let at: TextDocumentPositionParams = parsed(params)?;
        let uri = &at.text_document.uri;
        value(answer(self.document(uri)?, uri, at.position))
    }

    /// Answers a request about a document as a whole.
    fn of<A: Serialize>(&self, params: Value, answer: impl FnOnce(&Document, &Uri) -> A) -> Answer {
        let DocumentLinkParams { text_document, .. } = parsed(params)?;
        let uri = &text_document.uri;
        value(answer(self.document(uri)?, uri))
    }

    fn document(&self, uri: &Uri) -> Result<&Document, (ErrorCode, String)> {
        let document = self.documents.get(uri);
        document.ok_or_else(|| not_open(uri))
    }

    /// Handles a notification. One that cannot be understood is ignored, since nobody waits for an answer.
    fn note(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(params) = parsed::<DidOpenTextDocumentParams>(params) {
                    let item = params.text_document;
                    let mut document = Document::new(&item.uri.0, item.text, item.version, self.encoding);
                    document.vocabulary = self.vocabulary;
                    document.filters = self.filters;
                    document.tablebase.clone_from(&self.tablebase);
                    self.changed.insert(item.uri.0.clone());
                    self.documents.insert(item.uri, document);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = parsed::<DidChangeTextDocumentParams>(params) {
                    self.change(params);
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = parsed::<DidCloseTextDocumentParams>(params) {
                    let uri = params.text_document.uri;
                    self.documents.remove(&uri);
                    self.changed.remove(&uri.0);
                    self.publish(uri, None, Vec::new());
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(params) = parsed::<DidChangeWorkspaceFoldersParams>(params) {
                    let uris = |folders: Vec<WorkspaceFolder>| folders.into_iter().map(|folder| folder.uri);
                    self.workspace
                        .change(uris(params.event.added), uris(params.event.removed));
                }
            }
            _ => {}
        }
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.text_document_identifier.uri;
        if let Some(document) = self.documents.get_mut(&uri) {
            document.version = params.text_document.version;
            params
                .content_changes
                .into_iter()
                .for_each(|change| document.change(change));
            self.changed.insert(uri.0);
        }
    }

    fn publish(&mut self, uri: Uri, version: Option<i32>, diagnostics: Vec<gen_lsp_types::Diagnostic>) {
        let params = PublishDiagnosticsParams {
            uri,
            version,
            diagnostics,
        };
        self.notify("textDocument/publishDiagnostics", params);
    }

    /// Shows a message to the user.
    fn show(&mut self, message: String) {
        let params = ShowMessageParams {
            kind: MessageType::Warning,
            message,
        };
        self.notify("window/showMessage", params);
    }

    fn notify(&mut self, method: &str, params: impl Serialize) {
        self.answers
            .push(Message::Notification(Notification::new(method.to_owned(), params)));
    }
}

fn not_open(uri: &Uri) -> (ErrorCode, String) {
    (ErrorCode::InvalidParams, format!("{} is not open", uri.0))
}

fn response(id: RequestId, answer: Answer) -> Response {
    match answer {
        Ok(value) => Response {
            id,
            response_result: Ok(value),
        },
        Err((code, message)) => Response::new_err(id, code as i32, message),
    }
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn value(answer: impl Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

/// Returns the addresses of the client's open folders: those of the workspace, or the single folder of older clients.
fn folders(params: &Value) -> Vec<Uri> {
    let address = |value: &Value| value.as_str().map(Uri::from);
    match params["workspaceFolders"].as_array() {
        Some(folders) => folders.iter().filter_map(|folder| address(&folder["uri"])).collect(),
        None => address(&params["rootUri"]).into_iter().collect(),
    }
}

fn capabilities(encoding: Encoding, has_commands: bool) -> Value {
    let mut capabilities = json!({
        "positionEncoding": match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        },
        "textDocumentSync": { "openClose": true, "change": TextDocumentSyncKind::Incremental },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["?", " ", "\""] },
        "signatureHelpProvider": { "triggerCharacters": ["(", " "] },
        "semanticTokensProvider": { "legend": semantic_tokens::legend(), "range": true, "full": true },
        "documentLinkProvider": {},
        "workspaceSymbolProvider": true,
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
            "fileOperations": { "willRename": { "filters": [
                { "scheme": "file", "pattern": { "glob": "**/*.cql", "matches": "file" } },
                { "scheme": "file", "pattern": { "glob": "**", "matches": "folder" } },
            ] } },
        },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "documentFormattingProvider": true,
        "renameProvider": { "prepareProvider": true },
        "codeActionProvider": { "codeActionKinds": [CodeActionKind::QuickFix] },
    });
    if has_commands {
        capabilities["codeLensProvider"] = json!({});
    }
    capabilities
}
