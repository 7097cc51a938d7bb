//! The pages of the guide as resources.

use std::collections::BTreeMap;

use rmcp::model::{Resource, ResourceContents};

use crate::guide::sections;
use crate::service::help;

/// The beginning of the address of each page.
const ADDRESS: &str = "skewer://guide/";

const MARKDOWN: &str = "text/markdown";

/// Returns the titles of the pages by their files.
pub(super) fn pages() -> BTreeMap<&'static str, &'static str> {
    sections()
        .iter()
        .map(|section| (section.file, &*section.page))
        .collect()
}

/// Returns the list of pages.
pub(super) fn list() -> Vec<Resource> {
    let pages = pages().into_iter().map(|(file, title)| {
        Resource::new(format!("{ADDRESS}{file}"), file)
            .with_title(title)
            .with_description(format!("The guide to CQL: {title}"))
            .with_mime_type(MARKDOWN)
    });
    pages.collect()
}

/// Returns a page by its address.
pub(super) fn read(address: &str) -> Option<ResourceContents> {
    let title = *pages().get(address.strip_prefix(ADDRESS)?)?;
    let word = title.to_owned();
    let page = help::help(help::Question { word }).ok()?;
    Some(ResourceContents::text(page.markdown, address).with_mime_type(MARKDOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_is_read_by_its_address() {
        let all = list();
        assert!(all.len() > 15, "{} pages", all.len());
        for page in all {
            let Some(ResourceContents::TextResourceContents { text, .. }) = read(&page.uri) else {
                panic!("{} is not read", page.uri);
            };
            let file = page.uri.strip_prefix(ADDRESS).expect("an address");
            let of_page: Vec<_> = sections().iter().filter(|section| section.file == file).collect();
            for section in of_page {
                assert!(
                    text.contains(&format!("### {}", section.title)),
                    "{file}: {}",
                    section.title
                );
            }
        }
        for address in [
            "",
            "skewer://guide/",
            "skewer://guide/../../Cargo.toml",
            "file:///etc/passwd",
        ] {
            assert!(read(address).is_none(), "{address}");
        }
    }
}
