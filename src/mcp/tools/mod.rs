//! The tools, one file for each kind.
//!
//! Each part uses only those before it: `context`, `tool`, `themes`, `language`, `board`, `setup`, `inputs`, `progress`, `search`, `stats`, `show`, `why`.

mod board;
mod context;
mod inputs;
mod language;
mod progress;
mod search;
mod setup;
mod show;
mod stats;
mod themes;
mod tool;
mod why;

pub(super) use context::ToolContext;
pub(super) use tool::Tool;

use crate::service;

/// The tools, in the order in which they are usually used.
pub(super) static TOOLS: [Tool; 13] = [
    Tool::of::<themes::FindTheme>(),
    Tool::of::<themes::Theme>(),
    Tool::of::<service::help::Question>(),
    Tool::of::<service::check::Question>(),
    Tool::of::<inputs::Inputs>(),
    Tool::of::<search::Search>(),
    Tool::of::<why::WhyNot>(),
    Tool::of::<stats::Count>(),
    Tool::of::<show::Show>(),
    Tool::of::<board::Board>(),
    Tool::of::<service::setup::Question>(),
    Tool::of::<service::explain::Question>(),
    Tool::of::<service::format::Question>(),
];

/// Returns the tool with a name.
pub(super) fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
