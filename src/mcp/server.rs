//! The server's side of the conversation.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use tokio::runtime;
use tokio::task::spawn_blocking;

use super::call::{Call, Progress};
use super::tools::{self, TOOLS, ToolContext};
use super::transport::Lines;
use super::{guide, text};
use crate::search::on_deep_stack;
use crate::service::{Error, Inputs, Limits};

/// The number of tools that run at the same time. Other questions wait.
const THREADS: usize = 4;

/// The instructions that an assistant reads before it asks anything.
const INSTRUCTIONS: &str = include_str!("instructions.md");

/// Answers an assistant until its input ends.
///
/// # Errors
/// Returns an error if the conversation does not begin properly, or if the runtime cannot be started.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    inputs: Inputs,
    limits: Limits,
) -> io::Result<()> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(THREADS)
        .build()?;
    let served = runtime.block_on(async {
        let lines = Lines::new(input, output)?;
        let tools = Arc::new(ToolContext { inputs, limits });
        match (Server { tools }).serve(lines).await {
            Ok(conversation) => conversation.waiting().await.map(|_| ()).map_err(io::Error::other),
            // The conversation ended before it began, or nobody reads the output.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. }) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    });
    // Searches whose results nobody reads end with the process.
    runtime.shutdown_background();
    served
}

/// The server.
struct Server {
    tools: Arc<ToolContext>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let program =
            Implementation::new("skewer", env!("CARGO_PKG_VERSION")).with_title("skewer, chess position search");
        ServerConfig::new(capabilities)
            .with_server_info(program)
            .with_instructions(instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            TOOLS.iter().map(tools::Tool::description).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = tools::named(&request.name);
        let tool =
            tool.ok_or_else(|| ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None))?;
        let question = Value::Object(request.arguments.unwrap_or_default());
        let query = question["query"].as_str().unwrap_or_default().to_owned();
        let (call, mut heard) = Call::new();
        let (tools, asked) = (Arc::clone(&self.tools), Arc::clone(&call));
        // Queries nest, and so do the calls that compile them.
        let mut work = spawn_blocking(move || on_deep_stack(|| tool.answer(question, &tools, &asked)));
        let token = context.meta.get_progress_token();
        let mut is_cancelled = false;
        let answered = loop {
            tokio::select! {
                answered = &mut work => break answered,
                () = context.ct.cancelled(), if !is_cancelled => {
                    is_cancelled = true;
                    call.cancel();
                }
                Ok(()) = heard.changed(), if token.is_some() => {
                    let progress = *heard.borrow_and_update();
                    if let (Some(progress), Some(token)) = (progress, &token) {
                        // A client that no longer listens is noticed elsewhere.
                        let _ = context.peer.notify_progress(notification(token.clone(), progress)).await;
                    }
                }
            }
        };
        let answer = match answered {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => Err(Error::new(format!("no thread can be started: {error}"))),
            Err(_) => Err(Error::new("this question ran into a fault in skewer")),
        };
        let result = match answer {
            Ok(answer) => CallToolResult::success(vec![ContentBlock::text(text::bounded(answer))]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(text::bounded(text::error(&error, &query)))]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(guide::list()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match guide::read(&request.uri) {
            Some(page) => Ok(ReadResourceResult::new(vec![page]).into()),
            None => Err(ErrorData::resource_not_found(
                format!("the guide has no page `{}`", request.uri),
                None,
            )),
        }
    }
}

/// Returns the instructions for an assistant: a page about the language, and where to find more.
fn instructions() -> String {
    let pages: Vec<_> = guide::pages().into_values().map(|title| format!("“{title}”")).collect();
    format!(
        "{INSTRUCTIONS}\nThe pages of the guide, which `word` shows by their titles: {}.\n",
        pages.join(", ")
    )
}

/// Returns the progress of a search as the protocol reports it.
fn notification(token: rmcp::model::ProgressToken, progress: Progress) -> ProgressNotificationParam {
    let Progress { games, matched, share } = progress;
    let said = match share {
        Some(share) => ProgressNotificationParam::new(token, share).with_total(1.0),
        None => ProgressNotificationParam::new(token, games as f64),
    };
    said.with_message(format!("{games} games searched, {matched} match"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{self, Options};
    use crate::syntax::Source;

    #[test]
    fn the_queries_of_the_instructions_compile() {
        let blocks = INSTRUCTIONS.split("```").skip(1).step_by(2);
        let lines = blocks.flat_map(|block| block.lines().skip(1));
        let queries: Vec<&str> = lines
            .map(|line| line.split("  //").next().unwrap_or(line).trim())
            .collect();
        assert!(queries.len() > 20, "{} queries", queries.len());
        for query in queries {
            let options = Options {
                filters_only: true,
                ..Options::default()
            };
            let compiled = query::compile(&Source::new("instructions.md", query), &options);
            assert!(compiled.is_ok(), "{query}: {:?}", compiled.err());
        }
    }

    #[test]
    fn each_tool_says_what_it_is_for_and_takes_nothing_unknown() {
        for tool in &TOOLS {
            let description = tool.description();
            let schema = Value::Object((*description.input_schema).clone());
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            assert!(!schema.to_string().contains("$ref"), "{}: {schema}", tool.name);
            for (name, property) in schema["properties"].as_object().expect("fields") {
                assert!(property["description"].is_string(), "{} {name}: {property}", tool.name);
            }
            let length = description.description.expect("a purpose").len();
            assert!((60..400).contains(&length), "{}: {length}", tool.name);
        }
    }

    #[test]
    fn the_instructions_are_about_a_page() {
        assert!((2000..9000).contains(&instructions().len()), "{}", instructions().len());
    }
}
