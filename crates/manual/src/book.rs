//! All pages, in their order.

use crate::page::Page;
use memplan_passes::{PIPELINES, declarations};

/// Chapters, each by its name: a new one is one line here.
const CHAPTERS: &[(&str, &str)] = &[
    ("how-it-works", include_str!("../chapters/how-it-works.md")),
    ("coming-from", include_str!("../chapters/coming-from.md")),
];

/// A part of the manual.
#[derive(Clone, Debug)]
pub struct Part {
    /// What its pages have in common.
    pub title: &'static str,
    /// The pages.
    pub pages: Vec<Page>,
}

/// The parts of the manual.
pub fn parts() -> Vec<Part> {
    let chapters = CHAPTERS
        .iter()
        .map(|(name, text)| Page::of_chapter(name, text));
    let passes = declarations().into_iter().map(Page::of_pass);
    let pipelines = PIPELINES.iter().map(|one| Page::of_pipeline(one));
    vec![
        Part {
            title: "Chapters",
            pages: chapters.collect(),
        },
        Part {
            title: "Pipelines",
            pages: pipelines.collect(),
        },
        Part {
            title: "Passes",
            pages: passes.collect(),
        },
    ]
}

/// The page of a name; `merge-alloc` finds `memplan-merge-alloc`, too.
pub fn find(name: &str) -> Option<Page> {
    let pages = || parts().into_iter().flat_map(|part| part.pages);
    let exact = pages().find(|page| page.name == name);
    exact.or_else(|| pages().find(|page| page.name.strip_prefix("memplan-") == Some(name)))
}
