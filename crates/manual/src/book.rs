//! All pages, in their order.

use crate::{
    diagnostics, operations,
    page::Page,
    passes,
    topics::{self, Index},
};
use memplan_declarations::{PASSES, PIPELINES};

pub use crate::part::{Entry, Part};

/// Chapters, each by its name: a new one is one line here, and one in [`part_of`].
const CHAPTERS: &[(&str, &str)] = &[
    (
        "getting-started",
        include_str!("../chapters/getting-started.md"),
    ),
    ("pipelines", include_str!("../chapters/pipelines.md")),
    ("machines", include_str!("../chapters/machines.md")),
    (
        "workgroup-memory",
        include_str!("../chapters/workgroup-memory.md"),
    ),
    ("planner", include_str!("../chapters/planner.md")),
    ("objects", include_str!("../chapters/objects.md")),
    ("runtime", include_str!("../chapters/runtime.md")),
    ("embedding", include_str!("../chapters/embedding.md")),
    ("python", include_str!("../chapters/python.md")),
    ("coming-from", include_str!("../chapters/coming-from.md")),
    (
        "memplan-where",
        include_str!("../chapters/memplan-where.md"),
    ),
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

/// The parts of the manual, in their order.
const PARTS: [&str; 10] = [
    "Getting started",
    "Passes",
    "Planner",
    "Runtime",
    "Embedding",
    "Reference",
    "Design",
    "Benchmarks",
    "Testing",
    "Glossary",
];

/// The part that a chapter belongs to.
fn part_of(chapter: &str) -> Option<&'static str> {
    Some(match chapter {
        "getting-started" | "pipelines" | "machines" | "workgroup-memory" | "objects"
        | "coming-from" => "Getting started",
        "memplan-where" => "Passes",
        "planner" => "Planner",
        "runtime" => "Runtime",
        "embedding" | "python" => "Embedding",
        "reference" => "Reference",
        "how-it-works" | "below-the-load" => "Design",
        "benchmarks" => "Benchmarks",
        "testing" => "Testing",
        "glossary" => "Glossary",
        design if design.starts_with("design-") => "Design",
        _ => return None,
    })
}

/// The chapters: the pages that are written by hand.
pub fn chapters() -> impl Iterator<Item = Page> {
    CHAPTERS
        .iter()
        .map(|(name, text)| Page::of_chapter(name, text))
}

/// The parts of the manual. `commands` are pages of the command line, one a subcommand, and `tables` those of the page of
/// operations.
pub fn parts(commands: Vec<Page>, tables: &str) -> Vec<Part> {
    parts_with(commands, operations::whole_page(tables))
}

/// The parts of the manual for their names and titles: the page of operations, whose tables need LLVM, is empty.
pub fn titles(commands: Vec<Page>) -> Vec<Part> {
    parts_with(commands, operations::page())
}

fn parts_with(commands: Vec<Page>, operations: Page) -> Vec<Part> {
    let mut parts = PARTS.map(|title| Part {
        title,
        entries: Vec::new(),
    });
    let mut add = |title: &str, page: Page, leaves: Vec<Page>| {
        let part = parts.iter_mut().find(|part| part.title == title);
        let part = part.expect("the part is in the list");
        part.entries.push(Entry { page, leaves });
    };
    // The whole job comes first.
    let mut pipelines = PIPELINES.to_vec();
    pipelines.sort_by_key(|pipeline| pipeline.argument != "memplan");
    for pipeline in pipelines {
        add("Passes", passes::of_pipeline(pipeline), Vec::new());
    }
    for pass in PASSES {
        add("Passes", passes::of_pass(pass), Vec::new());
    }
    for chapter in chapters() {
        let part = part_of(&chapter.name).expect("`part_of` has each chapter");
        add(part, chapter, Vec::new());
    }
    if !commands.is_empty() {
        add("Reference", commands_index(&commands), commands);
    }
    add("Reference", operations, Vec::new());
    let kinds = diagnostics::kinds();
    let codes = kinds.iter().map(diagnostics::page).collect();
    add("Reference", diagnostics::index(&kinds), codes);
    let all = topics::all(&kinds);
    for Index { part, page } in topics::indexes(&all, &kinds) {
        add(part, page, Vec::new());
    }
    let mut parts = Vec::from(parts);
    topics::place(&mut parts, all);
    parts.retain(|part| !part.entries.is_empty());
    parts
}

/// The page that lists the subcommands.
fn commands_index(commands: &[Page]) -> Page {
    let mut text = String::from(
        "# Command line\n\n`memplan` runs without LLVM where it can: it plans buffers of a CSV, shows plans, compiles \
         modules and prints this manual.\n\n| command | |\n|---|---|\n",
    );
    for command in commands {
        text.push_str(&format!(
            "| [memplan {0}]({0}.html) | {1} |\n",
            command.name,
            crate::page::cell(&command.title)
        ));
    }
    Page {
        name: "commands".to_owned(),
        title: "Command line".to_owned(),
        text,
    }
}

/// The page of a topic, in capitals or not, with `-`, `_` or a blank between words; `merge-alloc` finds
/// `memplan-merge-alloc`, too. `commands` are pages of the command line; `tables` computes those of the page of operations.
pub fn find(topic: &str, commands: Vec<Page>, tables: impl FnOnce() -> String) -> Option<Page> {
    let parts = titles(commands);
    let found = topics::find(&parts, topic)?;
    match found.name == operations::NAME {
        // The page without its tables has the texts of the topics that it holds.
        true => Some(Page {
            text: operations::whole_page(&tables()).text + &found.text,
            ..found.clone()
        }),
        false => Some(found.clone()),
    }
}

/// The names of the pages that are most like a topic, the nearest first.
pub fn nearest(topic: &str, commands: Vec<Page>) -> Vec<String> {
    topics::nearest(&titles(commands), topic)
}
