//! The tools, a file for those of each kind.
//!
//! Each part uses only those before it: `desk`, `tool`, `themes`, `language`, `board`, `inputs`, `search`, `show`.

mod board;
mod desk;
mod inputs;
mod language;
mod search;
mod show;
mod themes;
mod tool;

pub(super) use desk::Desk;
pub(super) use tool::Tool;

use crate::service;

/// The tools, in the order in which they are used.
pub(super) static TOOLS: [Tool; 10] = [
    Tool::of::<themes::FindTheme>(),
    Tool::of::<themes::Theme>(),
    Tool::of::<service::help::Question>(),
    Tool::of::<service::check::Question>(),
    Tool::of::<inputs::Inputs>(),
    Tool::of::<search::Search>(),
    Tool::of::<show::Show>(),
    Tool::of::<board::Board>(),
    Tool::of::<service::explain::Question>(),
    Tool::of::<service::format::Question>(),
];

/// The tool with a name.
pub(super) fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
