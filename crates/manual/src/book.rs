//! All pages, in their order.

use crate::{diagnostics, operations, page::Page, passes};
use memplan_passes::{PIPELINES, declarations};

/// Chapters, each by its name: a new one is one line in one of these lists.
macro_rules! chapters {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../chapters/", $name, ".md")))),*]
    };
}

/// Chapters on how to use memplan.
const CHAPTERS: &[(&str, &str)] = chapters![
    "getting-started",
    "pipelines",
    "planner",
    "objects",
    "runtime",
    "embedding",
    "coming-from",
    "reference",
    "benchmarks",
    "testing",
    "glossary",
];

/// Chapters on how memplan works: lattices, transfer functions, algorithms.
const DESIGN: &[(&str, &str)] = chapters![
    "how-it-works",
    "design-semantics",
    "design-lifetimes",
    "below-the-load",
    "design-ownership",
    "design-regions",
    "design-bounded",
    "design-verify",
];

/// A part of the manual.
#[derive(Clone, Debug)]
pub struct Part {
    /// What its pages have in common.
    pub title: &'static str,
    /// The pages.
    pub pages: Vec<Page>,
    /// Pages that one of them leads to, and no menu.
    pub leaves: Vec<Page>,
}

/// The parts of the manual.
pub fn parts() -> Vec<Part> {
    parts_with(operations::whole_page())
}

/// The parts of the manual, for their names and titles: a page that takes a second to make is empty.
pub fn titles() -> Vec<Part> {
    parts_with(operations::page())
}

fn parts_with(operations: Page) -> Vec<Part> {
    let chapters = CHAPTERS.iter().map(chapter);
    let design = DESIGN.iter().map(chapter);
    let of_passes = declarations().into_iter().map(passes::of_pass);
    let pipelines = PIPELINES.iter().map(|one| passes::of_pipeline(one));
    let kinds = diagnostics::kinds();
    vec![
        Part {
            title: "Chapters",
            pages: chapters.collect(),
            leaves: Vec::new(),
        },
        Part {
            title: "Design",
            pages: design.collect(),
            leaves: Vec::new(),
        },
        Part {
            title: "Pipelines",
            pages: pipelines.collect(),
            leaves: Vec::new(),
        },
        Part {
            title: "Passes",
            pages: of_passes.collect(),
            leaves: Vec::new(),
        },
        Part {
            title: "Operations",
            pages: vec![operations],
            leaves: Vec::new(),
        },
        Part {
            title: "Diagnostics",
            pages: vec![diagnostics::index(&kinds)],
            leaves: kinds.iter().map(diagnostics::page).collect(),
        },
    ]
}

/// The page of a chapter. In the repository, chapters link to Markdown and to pictures in other folders; all pages and
/// pictures are in one folder.
fn chapter((name, text): &(&str, &str)) -> Page {
    let text = text.replace(".md)", ".html)").replace(".md#", ".html#");
    let text = text.replace("](../pictures/", "](");
    Page::of_chapter(name, &text.replace("](../../../tests/pictures/", "]("))
}

impl Part {
    /// All its pages.
    pub fn all(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().chain(&self.leaves)
    }
}

/// The page of a name, in capitals or not; `merge-alloc` finds `memplan-merge-alloc`, too.
pub fn find(name: &str) -> Option<Page> {
    let parts = titles();
    let named = |name: &str| {
        let mut pages = parts.iter().flat_map(Part::all);
        pages.find(|page| page.name.eq_ignore_ascii_case(name))
    };
    let found = named(name).or_else(|| named(&format!("memplan-{name}")));
    match found {
        Some(page) if page.name == operations::NAME => Some(operations::whole_page()),
        found => found.cloned(),
    }
}
