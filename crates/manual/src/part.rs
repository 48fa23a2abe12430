//! Parts of the manual.

use crate::page::Page;

/// A part of the manual.
#[derive(Clone, Debug)]
pub struct Part {
    /// What its pages have in common.
    pub title: &'static str,
    /// The pages that menus list.
    pub entries: Vec<Entry>,
}

/// A page that menus list, and the pages that it lists itself.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The page.
    pub page: Page,
    /// Pages that the page links to and no menu lists.
    pub leaves: Vec<Page>,
}

impl Part {
    /// All its pages.
    pub fn all(&self) -> impl Iterator<Item = &Page> {
        self.entries
            .iter()
            .flat_map(|entry| [&entry.page].into_iter().chain(&entry.leaves))
    }
}
