//! The conversation with an editor.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;

use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeLensOptions, CodeLensParams, CompletionOptions,
    CompletionTriggerKind, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentFormattingParams, DocumentLinkOptions, DocumentLinkParams, DocumentSymbolParams,
    FileOperationFilter, FileOperationOptions, FileOperationPattern, FileOperationPatternKind,
    FileOperationRegistrationOptions, FoldingRangeParams, InitializeParams, InitializeResult, MessageType,
    PositionEncodingKind, PublishDiagnosticsParams, RenameFilesParams, RenameOptions, RenameParams,
    SelectionRangeParams, SemanticTokensOptions, SemanticTokensParams, SemanticTokensRangeParams, ServerCapabilities,
    ServerInfo, ShowMessageParams, SignatureHelpOptions, TextDocumentPositionParams, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextEdit, Uri, WorkDoneProgressOptions, WorkspaceFolder,
    WorkspaceFoldersServerCapabilities, WorkspaceOptions, WorkspaceSymbolParams,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::query::Vocabulary;
use crate::tablebase::Tablebase;

use super::document::{Document, Encoding};
use super::file_renames::FileRenames;
use super::transport::{self, Incoming};
use super::workspace::Workspace;
use super::{
    code_lenses, completion, diagnostics, formatting, hover, links, navigation, quick_fixes, semantic_tokens,
    signatures, structure, themes,
};

/// How a conversation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The client asked for it, in two steps: `shutdown`, `exit`.
    Properly,
    /// The client went away.
    Abruptly,
}

/// Talks to an editor until it ends the conversation. The thread should have a large stack: it compiles queries.
///
/// Messages are answered in their order. Diagnostics of a document are made when no message waits, so that who types fast
/// does not wait for those of texts that are gone.
///
/// # Errors
///
/// Streams that fail, and input that is no conversation at all.
pub fn serve(input: impl BufRead + Send + 'static, output: &mut dyn Write) -> io::Result<Ended> {
    let (sender, receiver) = sync_channel(16);
    // It ends with the stream, or when nobody listens any more.
    thread::spawn(move || {
        let mut input = input;
        loop {
            let incoming = transport::read(&mut input).transpose();
            let Some(incoming) = incoming else { break };
            let failed = incoming.is_err();
            if sender.send(incoming).is_err() || failed {
                break;
            }
        }
    });
    let mut server = Server::new(output);
    while let Some(incoming) = server.next(&receiver)? {
        let ended = match incoming? {
            Incoming::Message(message) => server.take(message)?,
            Incoming::Malformed(why) => {
                transport::write_malformed(server.output, &why)?;
                None
            }
        };
        if let Some(ended) = ended {
            return Ok(ended);
        }
    }
    Ok(Ended::Abruptly)
}

/// How far the conversation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// `initialize` has to come first.
    New,
    Running,
    /// After `shutdown` only `exit` is left.
    ShutDown,
}

struct Server<'a> {
    output: &'a mut dyn Write,
    state: State,
    encoding: Encoding,
    documents: HashMap<Uri, Document>,
    workspace: Workspace,
    /// The commands of the client that code lenses may name.
    commands: Vec<String>,
    /// Which words queries may use without declaring them.
    vocabulary: Vocabulary,
    /// What examples may ask.
    tablebase: Option<Arc<Tablebase>>,
    /// The client has colours of its own for all but names.
    only_names: bool,
    /// The client takes texts with places to write at.
    snippets: bool,
    /// The documents that have changed since their diagnostics were sent.
    changed: BTreeSet<String>,
}

/// What a request gives: a value, or the reason why there is none.
type Answer = Result<Value, (ErrorCode, String)>;

impl<'a> Server<'a> {
    fn new(output: &'a mut dyn Write) -> Server<'a> {
        Server {
            output,
            state: State::New,
            encoding: Encoding::default(),
            documents: HashMap::new(),
            workspace: Workspace::default(),
            commands: Vec::new(),
            vocabulary: Vocabulary::Whole,
            tablebase: None,
            only_names: false,
            snippets: false,
            changed: BTreeSet::new(),
        }
    }

    /// The next message; before it waits for one, what changed is diagnosed.
    fn next(&mut self, receiver: &Receiver<io::Result<Incoming>>) -> io::Result<Option<io::Result<Incoming>>> {
        loop {
            match receiver.try_recv() {
                Ok(incoming) => return Ok(Some(incoming)),
                Err(TryRecvError::Disconnected) => return Ok(None),
                Err(TryRecvError::Empty) => match self.changed.pop_first() {
                    Some(uri) => self.diagnose(Uri(uri))?,
                    None => return Ok(receiver.recv().ok()),
                },
            }
        }
    }

    /// Takes a message; says when it was the last one.
    fn take(&mut self, message: Message) -> io::Result<Option<Ended>> {
        match message {
            Message::Request(request) => self.answer(request)?,
            Message::Notification(notification) if notification.method == "exit" => {
                return Ok(Some(match self.state {
                    State::ShutDown => Ended::Properly,
                    State::New | State::Running => Ended::Abruptly,
                }));
            }
            Message::Notification(notification) if self.state == State::Running => self.note(notification)?,
            Message::Notification(_) | Message::Response(_) => {}
        }
        Ok(None)
    }

    fn answer(&mut self, request: Request) -> io::Result<()> {
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
        self.send(Message::Response(response(id, answer)))
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
        self.only_names = augments == Some(&Value::Bool(true));
        let snippets = params.pointer("/capabilities/textDocument/completion/completionItem/snippetSupport");
        self.snippets = snippets == Some(&Value::Bool(true));
        let params: InitializeParams = parsed(params)?;
        let general = params.capabilities.general;
        let encodings = general
            .and_then(|general| general.position_encodings)
            .unwrap_or_default();
        if encodings.contains(&PositionEncodingKind::UTF8) {
            self.encoding = Encoding::Utf8;
        }
        self.state = State::Running;
        value(InitializeResult {
            capabilities: capabilities(self.encoding, !self.commands.is_empty()),
            server_info: Some(ServerInfo {
                name: "skewer".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    /// A request about an open document.
    fn respond(&mut self, method: &str, params: Value) -> Answer {
        match method {
            "textDocument/hover" => {
                let (document, at) = self.place(params)?;
                value(hover::hover(document, at.position))
            }
            "textDocument/completion" => {
                let by_sign = params["context"]["triggerKind"] == json!(CompletionTriggerKind::TriggerCharacter);
                let (document, at) = self.place(params)?;
                let mut items = if by_sign {
                    completion::after_sign(document, at.position)
                } else {
                    completion::completion(document, at.position)
                };
                if !self.snippets {
                    items.iter_mut().for_each(completion::write_out);
                }
                value(items)
            }
            "textDocument/definition" => {
                let (document, at) = self.place(params)?;
                let uri = &at.text_document.uri;
                let of_theme = themes::definition(document, uri, at.position);
                value(of_theme.or_else(|| navigation::definition(document, uri, at.position)))
            }
            "textDocument/references" => {
                let (document, at) = self.place(params)?;
                value(navigation::references(document, &at.text_document.uri, at.position))
            }
            "textDocument/documentHighlight" => {
                let (document, at) = self.place(params)?;
                value(navigation::highlights(document, at.position))
            }
            "textDocument/prepareRename" => {
                let (document, at) = self.place(params)?;
                value(navigation::renamed(document, at.position))
            }
            "textDocument/rename" => {
                let params: RenameParams = parsed(params)?;
                let at = params.text_document_position_params;
                let document = self.document(&at.text_document.uri)?;
                let edit = navigation::rename(document, &at.text_document.uri, at.position, &params.new_name);
                edit.map_err(|why| (ErrorCode::RequestFailed, why)).and_then(value)
            }
            "textDocument/documentSymbol" => {
                let params: DocumentSymbolParams = parsed(params)?;
                value(navigation::symbols(self.document(&params.text_document.uri)?))
            }
            "textDocument/foldingRange" => {
                let params: FoldingRangeParams = parsed(params)?;
                value(structure::folding_ranges(self.document(&params.text_document.uri)?))
            }
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
            "textDocument/signatureHelp" => {
                let (document, at) = self.place(params)?;
                value(signatures::signature_help(document, at.position))
            }
            "textDocument/semanticTokens/full" => {
                let params: SemanticTokensParams = parsed(params)?;
                value(semantic_tokens::semantic_tokens(
                    self.document(&params.text_document.uri)?,
                    None,
                    self.only_names,
                ))
            }
            "textDocument/semanticTokens/range" => {
                let params: SemanticTokensRangeParams = parsed(params)?;
                let document = self.document(&params.text_document.uri)?;
                value(semantic_tokens::semantic_tokens(
                    document,
                    Some(params.range),
                    self.only_names,
                ))
            }
            "textDocument/codeLens" => {
                let params: CodeLensParams = parsed(params)?;
                let uri = params.text_document.uri;
                value(code_lenses::code_lenses(self.document(&uri)?, &uri, &self.commands))
            }
            "textDocument/documentLink" => {
                let params: DocumentLinkParams = parsed(params)?;
                let uri = params.text_document.uri;
                value(links::document_links(self.document(&uri)?, &uri))
            }
            "workspace/symbol" => {
                let params: WorkspaceSymbolParams = parsed(params)?;
                value(self.workspace.symbols(&params.query, &self.documents, self.encoding))
            }
            "workspace/willRenameFiles" => {
                let params: RenameFilesParams = parsed(params)?;
                let mut renames = FileRenames::new(&params.files);
                self.workspace
                    .each_query(&self.documents, self.encoding, |uri, document| {
                        renames.visit(uri, document)
                    });
                value(renames.edit())
            }
            "textDocument/formatting" => {
                let params: DocumentFormattingParams = parsed(params)?;
                match formatting::formatting(self.document(&params.text_document.uri)?) {
                    Ok(edits) => value(edits),
                    // Editors show this, and not the reasons of requests that fail.
                    Err(why) => {
                        self.show(why)?;
                        value(Vec::<TextEdit>::new())
                    }
                }
            }
            method => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
        }
    }

    /// The document and the position that a request is about.
    fn place(&self, params: Value) -> Result<(&Document, TextDocumentPositionParams), (ErrorCode, String)> {
        let at: TextDocumentPositionParams = parsed(params)?;
        Ok((self.document(&at.text_document.uri)?, at))
    }

    fn document(&self, uri: &Uri) -> Result<&Document, (ErrorCode, String)> {
        let document = self.documents.get(uri);
        document.ok_or_else(|| not_open(uri))
    }

    /// Takes note of what a client says; what cannot be understood is left out, since nobody waits for an answer.
    fn note(&mut self, notification: Notification) -> io::Result<()> {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(params) = parsed::<DidOpenTextDocumentParams>(params) {
                    let item = params.text_document;
                    let mut document = Document::new(&item.uri.0, item.text, item.version, self.encoding);
                    document.vocabulary = self.vocabulary;
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
                    return self.publish(uri, None, Vec::new());
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
        Ok(())
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

    fn diagnose(&mut self, uri: Uri) -> io::Result<()> {
        let Some(document) = self.documents.get_mut(&uri) else {
            return Ok(());
        };
        let found = diagnostics::diagnostics(document, &uri);
        let version = document.version;
        self.publish(uri, Some(version), found)
    }

    fn publish(
        &mut self,
        uri: Uri,
        version: Option<i32>,
        diagnostics: Vec<gen_lsp_types::Diagnostic>,
    ) -> io::Result<()> {
        let params = PublishDiagnosticsParams {
            uri,
            version,
            diagnostics,
        };
        self.send(Message::Notification(Notification {
            method: "textDocument/publishDiagnostics".to_owned(),
            params: serde_json::to_value(params)?,
        }))
    }

    /// Tells the user something.
    fn show(&mut self, message: String) -> Result<(), (ErrorCode, String)> {
        let params = ShowMessageParams {
            kind: MessageType::Warning,
            message,
        };
        let notification = Notification {
            method: "window/showMessage".to_owned(),
            params: value(params)?,
        };
        let sent = self.send(Message::Notification(notification));
        sent.map_err(|error| (ErrorCode::InternalError, error.to_string()))
    }

    fn send(&mut self, message: Message) -> io::Result<()> {
        transport::write(self.output, message)
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

fn value(answer: impl serde::Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

/// The addresses of the folders that the client has open: those of the workspace, or else the one that older clients tell.
fn folders(params: &Value) -> Vec<Uri> {
    let address = |value: &Value| value.as_str().map(Uri::from);
    match params["workspaceFolders"].as_array() {
        Some(folders) => folders.iter().filter_map(|folder| address(&folder["uri"])).collect(),
        None => address(&params["rootUri"]).into_iter().collect(),
    }
}

fn capabilities(encoding: Encoding, has_commands: bool) -> ServerCapabilities {
    let rename = RenameOptions {
        prepare_provider: Some(true),
        ..RenameOptions::default()
    };
    let fixes = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
        ..CodeActionOptions::default()
    };
    let calls = SignatureHelpOptions {
        trigger_characters: Some(vec!["(".to_owned(), " ".to_owned()]),
        ..SignatureHelpOptions::default()
    };
    let completion = CompletionOptions {
        trigger_characters: Some(vec!["?".to_owned(), " ".to_owned(), "\"".to_owned()]),
        ..CompletionOptions::default()
    };
    let colours = SemanticTokensOptions {
        legend: semantic_tokens::legend(),
        range: Some(true.into()),
        full: Some(true.into()),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    };
    let folders = WorkspaceFoldersServerCapabilities {
        supported: Some(true),
        change_notifications: Some(true.into()),
    };
    let files = |glob: &str, kind: FileOperationPatternKind| FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern {
            glob: glob.to_owned(),
            matches: Some(kind),
            options: None,
        },
    };
    let renames = FileOperationOptions {
        will_rename: Some(FileOperationRegistrationOptions {
            filters: vec![
                files("**/*.cql", FileOperationPatternKind::File),
                files("**", FileOperationPatternKind::Folder),
            ],
        }),
        ..FileOperationOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        hover_provider: Some(true.into()),
        completion_provider: Some(completion),
        signature_help_provider: Some(calls),
        semantic_tokens_provider: Some(colours.into()),
        code_lens_provider: has_commands.then(CodeLensOptions::default),
        document_link_provider: Some(DocumentLinkOptions::default()),
        workspace_symbol_provider: Some(true.into()),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(folders),
            file_operations: Some(renames),
            ..WorkspaceOptions::default()
        }),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        document_formatting_provider: Some(true.into()),
        rename_provider: Some(rename.into()),
        code_action_provider: Some(fixes.into()),
        ..ServerCapabilities::default()
    }
}
