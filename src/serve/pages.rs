//! What is remembered about the pages that ask.

use std::sync::{Arc, Mutex};

use super::limits::PAGES;
use crate::limits::{Interrupt, locked};
use crate::service::Service;

/// The pages that ask, the most recent last. Each has a language server conversation and one search at a time. If there are too many, the
/// least recent ones are forgotten.
#[derive(Default)]
pub(super) struct Pages(Mutex<Vec<Page>>);

struct Page {
    name: String,
    service: Arc<Service>,
    /// The interrupt of its search.
    search: Option<Arc<Interrupt>>,
}

impl Pages {
    /// Returns the service that answers a page. Nothing is remembered for a page without a name.
    pub(super) fn service(&self, name: Option<&str>) -> Arc<Service> {
        name.map_or_else(Arc::default, |name| {
            Arc::clone(&Pages::page(&mut locked(&self.0), name).service)
        })
    }

    /// Ends the search of a page, because it begins another.
    pub(super) fn begin_search(&self, name: Option<&str>, interrupt: &Arc<Interrupt>) {
        let Some(name) = name else { return };
        let before = Pages::page(&mut locked(&self.0), name)
            .search
            .replace(Arc::clone(interrupt));
        if let Some(before) = before {
            before.raise();
        }
    }

    /// Returns the page with a name, and makes it the most recent one.
    fn page<'p>(pages: &'p mut Vec<Page>, name: &str) -> &'p mut Page {
        let page = match pages.iter().position(|page| page.name == name) {
            Some(place) => pages.remove(place),
            None => Page {
                name: name.to_owned(),
                service: Arc::default(),
                search: None,
            },
        };
        if pages.len() == PAGES {
            pages.remove(0);
        }
        pages.push_mut(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_one_search_and_does_not_end_those_of_others() {
        let pages = Pages::default();
        let searches: [Arc<Interrupt>; 5] = Default::default();
        let names = [Some("a"), Some("b"), None, Some("a"), None];
        for (name, search) in names.into_iter().zip(&searches) {
            pages.begin_search(name, search);
        }
        let ended = searches.map(|search| search.is_raised());
        assert_eq!(ended, [true, false, false, false, false]);
    }

    #[test]
    fn pages_that_are_silent_for_long_are_forgotten() {
        let pages = Pages::default();
        let first = pages.service(Some("first"));
        for number in 0..PAGES - 1 {
            pages.service(Some(&number.to_string()));
        }
        assert!(Arc::ptr_eq(&first, &pages.service(Some("first"))));
        for number in 0..PAGES {
            pages.service(Some(&number.to_string()));
        }
        assert_eq!(locked(&pages.0).len(), PAGES);
        assert!(!Arc::ptr_eq(&first, &pages.service(Some("first"))));
        assert!(!Arc::ptr_eq(&pages.service(None), &pages.service(None)));
    }
}
