//! All pages, in their order.

use crate::{diagnostics, operations, page::Page, passes};
use memplan_passes::{PIPELINES, declarations};

/// Chapters, each by its name: a new one is one line here.
const CHAPTERS: &[(&str, &str)] = &[
    (
        "getting-started",
        include_str!("../chapters/getting-started.md"),
    ),
    ("pipelines", include_str!("../chapters/pipelines.md")),
    ("planner", include_str!("../chapters/planner.md")),
    ("objects", include_str!("../chapters/objects.md")),
    ("runtime", include_str!("../chapters/runtime.md")),
    ("embedding", include_str!("../chapters/embedding.md")),
    ("coming-from", include_str!("../chapters/coming-from.md")),
    ("reference", include_str!("../chapters/reference.md")),
    ("how-it-works", include_str!("../chapters/how-it-works.md")),
    (
        "design-semantics",
        include_str!("../chapters/design-semantics.md"),
    ),
    (
        "design-lifetimes",
        include_str!("../chapters/design-lifetimes.md"),
    ),
    (
        "below-the-load",
        include_str!("../chapters/below-the-load.md"),
    ),
    (
        "design-ownership",
        include_str!("../chapters/design-ownership.md"),
    ),
    (
        "design-regions",
        include_str!("../chapters/design-regions.md"),
    ),
    (
        "design-bounded",
        include_str!("../chapters/design-bounded.md"),
    ),
    (
        "design-verify",
        include_str!("../chapters/design-verify.md"),
    ),
    ("benchmarks", include_str!("../chapters/benchmarks.md")),
    ("testing", include_str!("../chapters/testing.md")),
    ("glossary", include_str!("../chapters/glossary.md")),
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
    let chapters = CHAPTERS
        .iter()
        .map(|(name, text)| Page::of_chapter(name, text));
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
