//! Names that outputs show and that have a page each: reasons, columns, report fields, planners, attributes.
//!
//! Each is declared where it is used, with its text; a name that several declare has one page.

use crate::{
    diagnostics,
    page::{Page, cell, link},
    part::{Entry, Part},
};
use memplan_interface::{attributes, codes};
use memplan_planner::Planner;
use memplan_report::tables;
use std::{collections::BTreeMap, fmt::Write};

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A reason that reports and remarks give.
    Reason,
    /// A column of a table.
    Column,
    /// A field of the report.
    Field,
    /// A planner.
    Planner,
    /// An attribute in the IR.
    Attribute,
}

impl Kind {
    /// All kinds, in the order of their lists.
    pub const ALL: [Self; 5] = [
        Self::Reason,
        Self::Column,
        Self::Field,
        Self::Planner,
        Self::Attribute,
    ];

    /// The name of the page that lists them, its title, and its first sentence.
    const fn list(self) -> [&'static str; 3] {
        match self {
            Self::Reason => [
                "reasons",
                "Reasons",
                "Reports, remarks and `memplan table` give a reason for each allocation that a pass left alone and for \
                 each copy that it kept.",
            ],
            Self::Column => [
                "columns",
                "Columns of tables",
                "`memplan table` prints a report as tables; `memplan solve`, `memplan bound` and `memplan check` print \
                 one for the buffers of a CSV. Sizes are in bytes.",
            ],
            Self::Field => [
                "report-fields",
                "Fields of the report",
                "`report=FILE` writes JSON with these fields; [its JSON Schema](report.schema.json) says the same to programs. \
                 Sizes are in bytes; ranges are half-open.",
            ],
            Self::Planner => [
                "planners",
                "Planners",
                "The option `planner` of passes and `memplan solve --planner` take these names. Reports and tables name \
                 the planner whose plan was taken.",
            ],
            Self::Attribute => [
                "attributes",
                "Attributes",
                "memplan's passes read and write these attributes.",
            ],
        }
    }

    /// The part that the list is in.
    const fn part(self) -> &'static str {
        match self {
            Self::Planner => "Planner",
            _ => "Reference",
        }
    }
}

/// A name and what one of its declarations says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// The name as outputs show it.
    pub name: String,
    /// What it is the name of.
    pub kind: Kind,
    /// Where it is shown: a table, an object of the report, a pass; empty where the kind says it.
    pub of: String,
    /// What it means, in Markdown.
    pub text: String,
}

/// A page that lists the topics of a kind.
pub(crate) struct Index {
    /// The part that it belongs to.
    pub part: &'static str,
    /// The page.
    pub page: Page,
}

/// All topics: by kind, in the order of their declarations. `kinds` are those of diagnostics.
pub fn all(kinds: &[diagnostics::Kind]) -> Vec<Topic> {
    let topic = |kind: Kind, name: &str, of: &str, text: String| Topic {
        name: name.to_owned(),
        kind,
        of: of.to_owned(),
        text,
    };
    // Several diagnostics may give the same reasons.
    let mut reasons: Vec<Topic> = Vec::new();
    for kind in kinds {
        for reason in (kind.code.reasons)() {
            let text = reason_text(&reason);
            let known = reasons
                .iter_mut()
                .find(|one| one.name == reason.id && one.text == text);
            match known {
                Some(known) => _ = write!(known.of, ", {}", kind.code.id),
                None => reasons.push(topic(Kind::Reason, reason.id, kind.code.id, text)),
            }
        }
    }
    let columns = tables::all().into_iter().flat_map(|table| {
        let columns = table.columns.iter();
        columns.map(move |one| topic(Kind::Column, one.heading, table.name, one.about.to_owned()))
    });
    let fields = memplan_report::schema::fields().into_iter();
    let fields = fields.map(|field| Topic {
        kind: Kind::Field,
        name: field.name,
        of: field.of,
        text: field.about,
    });
    let planners = Planner::ALL.iter();
    let planners = planners.map(|one| topic(Kind::Planner, one.name(), "", one.about().to_owned()));
    let attributes = attributes::ALL.iter();
    let attributes =
        attributes.map(|one| topic(Kind::Attribute, one.name, "", one.about.trim().to_owned()));
    reasons
        .into_iter()
        .chain(columns)
        .chain(fields)
        .chain(planners)
        .chain(attributes)
        .collect()
}

fn reason_text(reason: &codes::Reason) -> String {
    let advice = reason.advice.map(|advice| format!("; {advice}"));
    format!("{}{}.", reason.text, advice.unwrap_or_default())
}

/// A topic as it is compared: small letters, and one dash for anything between words.
pub fn key(topic: &str) -> String {
    let mut key = String::new();
    for one in topic.trim().chars() {
        match one {
            one if one.is_alphanumeric() || one == '.' => key.extend(one.to_lowercase()),
            _ if key.ends_with('-') => {}
            _ => key.push('-'),
        }
    }
    key
}

/// The pages that list topics.
pub(crate) fn indexes(all: &[Topic], kinds: &[diagnostics::Kind]) -> Vec<Index> {
    let index = |kind: Kind| {
        let [name, title, about] = kind.list();
        let mut text = format!("# {title}\n\n{about}\n\n");
        let of_kind: Vec<&Topic> = all.iter().filter(|topic| topic.kind == kind).collect();
        let mut groups: Vec<&str> = Vec::new();
        for topic in &of_kind {
            if !groups.contains(&topic.of.as_str()) {
                groups.push(&topic.of);
            }
        }
        for group in groups {
            if !group.is_empty() {
                _ = write!(text, "## {}\n\n", heading(kind, group, kinds));
            }
            text.push_str("| name | |\n|---|---|\n");
            for topic in of_kind.iter().filter(|topic| topic.of == group) {
                _ = writeln!(
                    text,
                    "| [{}]({}.html) | {} |",
                    topic.name,
                    key(&topic.name),
                    cell(&topic.text)
                );
            }
            text.push('\n');
        }
        Index {
            part: kind.part(),
            page: Page {
                name: name.to_owned(),
                title: title.to_owned(),
                text,
            },
        }
    };
    Kind::ALL.map(index).into()
}

fn heading(kind: Kind, of: &str, kinds: &[diagnostics::Kind]) -> String {
    match kind {
        Kind::Reason => {
            let first = of.split(", ").next();
            let kind = kinds.iter().find(|kind| Some(kind.code.id) == first);
            kind.map_or(of.to_owned(), |kind| format!("{}: {of}", kind.code.summary))
        }
        Kind::Field => format!("`{of}`"),
        _ => of.to_owned(),
    }
}

/// Gives each topic its page: the one that has its name, where there is one, else a page of its own below the list of
/// its kind.
pub(crate) fn place(parts: &mut [Part], all: Vec<Topic>) {
    let mut by_key: BTreeMap<String, Vec<Topic>> = BTreeMap::new();
    for topic in all {
        by_key.entry(key(&topic.name)).or_default().push(topic);
    }
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for page in parts.iter().flat_map(Part::all) {
        known.insert(key(&page.name), page.name.clone());
    }
    let mut moved = Vec::new();
    for (key, topics) in by_key {
        let taken = names(&key).iter().find_map(|name| known.get(name));
        if let Some(name) = taken {
            let mut pages = pages_mut(parts);
            if let Some(page) = pages.find(|page| page.name == *name) {
                _ = write!(page.text, "\n## `{}` in outputs\n", topics[0].name);
                page.text.push_str(&sections(&topics, "###"));
            }
            if *name != key {
                moved.push((key, name.clone()));
            }
            continue;
        }
        let [list, ..] = topics[0].kind.list();
        let page = page(&key, &topics);
        let mut entries = parts.iter_mut().flat_map(|part| &mut part.entries);
        if let Some(entry) = entries.find(|entry| entry.page.name == list) {
            entry.leaves.push(page);
        }
    }
    for page in pages_mut(parts) {
        for (key, name) in &moved {
            let link = format!("]({key}.html)");
            if page.text.contains(&link) {
                page.text = page.text.replace(&link, &format!("]({name}.html)"));
            }
        }
    }
}

fn pages_mut(parts: &mut [Part]) -> impl Iterator<Item = &mut Page> {
    let entries = parts.iter_mut().flat_map(|part| &mut part.entries);
    entries.flat_map(|Entry { page, leaves }| [page].into_iter().chain(leaves))
}

/// The page of one name.
fn page(key: &str, topics: &[Topic]) -> Page {
    let name = &topics[0].name;
    let mut text = format!("# {name}\n\n");
    match topics {
        [topic] => _ = write!(text, "*{}.*\n\n{}\n", role(topic), sentence(topic)),
        _ => text.push_str(sections(topics, "##").trim_start()),
    }
    Page {
        name: key.to_owned(),
        title: topics[0].text.trim_end_matches('.').to_owned(),
        text,
    }
}

/// A section for each topic of one name.
fn sections(topics: &[Topic], mark: &str) -> String {
    let mut text = String::new();
    for topic in topics {
        _ = write!(text, "\n{mark} {}\n\n{}\n", role(topic), sentence(topic));
    }
    text
}

fn sentence(topic: &Topic) -> String {
    match topic.kind {
        Kind::Reason => format!("The pass left it as it is: {}", topic.text),
        _ => topic.text.clone(),
    }
}

/// What a topic is, in Markdown.
fn role(topic: &Topic) -> String {
    let Topic { name, kind, of, .. } = topic;
    match kind {
        Kind::Reason => {
            let links: Vec<String> = of.split(", ").map(link).collect();
            format!("A reason of {}", links.join(", "))
        }
        Kind::Column => format!("A column of {of}"),
        Kind::Field if of.is_empty() => "A field of the report".to_owned(),
        Kind::Field => format!("A field of `{of}` in the report"),
        Kind::Planner => format!("A planner: `planner={name}`"),
        Kind::Attribute => "An attribute".to_owned(),
    }
}

/// The page of a topic: the one with its name, or with `memplan-` or `memplan.` before it.
pub(crate) fn find<'p>(parts: &'p [Part], topic: &str) -> Option<&'p Page> {
    names(topic).into_iter().find_map(|name| {
        let mut pages = parts.iter().flat_map(Part::all);
        pages.find(|page| key(&page.name) == name)
    })
}

fn names(topic: &str) -> [String; 3] {
    let name = key(topic);
    [
        name.clone(),
        format!("memplan-{name}"),
        format!("memplan.{name}"),
    ]
}

/// At most this many names are offered.
const OFFERED: usize = 4;

/// The names of the pages that are most like a topic, the nearest first: those that contain it, then those with few
/// changed letters.
pub(crate) fn nearest(parts: &[Part], topic: &str) -> Vec<String> {
    let wanted = key(topic);
    let distance = |name: &str| {
        let short = name.strip_prefix("memplan-").unwrap_or(name);
        strsim::osa_distance(&wanted, &key(short)).min(strsim::osa_distance(&wanted, &key(name)))
    };
    let mut near: Vec<(bool, usize, &str)> = Vec::new();
    for page in parts.iter().flat_map(Part::all) {
        let contains = wanted.len() > 2 && key(&page.name).contains(&wanted);
        let distance = distance(&page.name);
        if contains || distance <= 1 + wanted.chars().count() / 3 {
            near.push((!contains && distance > 1, distance, &page.name));
        }
    }
    near.sort_unstable();
    let near = near.into_iter().take(OFFERED);
    near.map(|(_, _, name)| name.to_owned()).collect()
}
