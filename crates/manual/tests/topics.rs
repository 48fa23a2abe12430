//! Each name that an output shows is a topic of `memplan help`.

use memplan_interface::{SkipReason, attributes};
use memplan_manual::{book, diagnostics, page::Page, topics};
use memplan_planner::Planner;
use memplan_report::{schema, tables};
use std::{collections::BTreeSet, fs, path::Path};

/// A word in tests that looks like an attribute.
const NO_ATTRIBUTE: &str = "memplan.so";

fn find(topic: &str) -> Option<Page> {
    book::find(topic, Vec::new(), String::new)
}

/// The text of a topic that says what a name means.
#[track_caller]
fn expect(name: &str, text: &str) {
    let page = find(name).unwrap_or_else(|| panic!("no topic {name}"));
    assert!(!text.trim().is_empty(), "{name} has no text");
    assert!(page.text.contains(text.trim()), "{name}: {}", page.text);
}

#[test]
fn each_declared_name_has_a_page_with_its_text() {
    for planner in Planner::ALL {
        expect(planner.name(), planner.about());
    }
    for attribute in attributes::ALL {
        expect(attribute.name, attribute.about);
    }
    for column in tables::all().iter().flat_map(|table| table.columns) {
        expect(column.heading, column.about);
    }
    for field in schema::fields() {
        expect(&field.name, &field.about);
    }
    for reason in SkipReason::ALL {
        expect(reason.id(), reason.text());
    }
    let kinds = diagnostics::kinds();
    for kind in &kinds {
        expect(kind.code.id, kind.code.meaning);
        for reason in (kind.code.reasons)() {
            expect(reason.id, reason.text);
        }
    }
    for topic in topics::all(&kinds) {
        expect(&topic.name, &topic.text);
    }
}

/// All files below a folder.
fn files(folder: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, texts),
            false => texts.extend(fs::read_to_string(&path)),
        }
    }
}

/// The texts of the lit tests, which show what passes print.
fn outputs() -> Vec<String> {
    let mut texts = Vec::new();
    let lit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lit");
    files(&lit, &mut texts);
    texts
}

/// The letters that a name goes on with.
fn name(text: &str) -> &str {
    let is_letter = |one: char| one.is_ascii_alphanumeric() || one == '_' || one == '-';
    &text[..text.find(|one| !is_letter(one)).unwrap_or(text.len())]
}

#[test]
fn attributes_in_outputs_are_topics() {
    let mut found = BTreeSet::new();
    for text in outputs() {
        for rest in text.split("memplan.").skip(1) {
            let name = name(rest).split('-').next().unwrap_or_default();
            if name.starts_with(|one: char| one.is_ascii_lowercase()) {
                found.insert(format!("memplan.{name}"));
            }
        }
    }
    found.retain(|name| name != NO_ATTRIBUTE);
    assert!(found.len() > 20, "{found:?}");
    for name in found {
        assert!(find(&name).is_some(), "no topic {name}");
    }
}

#[test]
fn reasons_and_fields_in_reports_are_topics() {
    let mut found = BTreeSet::new();
    for text in outputs() {
        for rest in text.split("\"reason\":\"").skip(1) {
            found.insert(name(rest).to_owned());
        }
        for rest in text.split("memplan.skip = \"").skip(1) {
            found.insert(name(rest).to_owned());
        }
    }
    assert!(found.len() > 5, "{found:?}");
    let report = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/data/resnet.json");
    let report = fs::read_to_string(report).expect("a report");
    fields(&serde_json::from_str(&report).expect("JSON"), &mut found);
    for name in found.iter().filter(|name| !name.is_empty()) {
        assert!(find(name).is_some(), "no topic {name}");
    }
}

/// The names of all fields of a value.
fn fields(value: &serde_json::Value, names: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(all) => {
            for (name, value) in all {
                names.insert(name.clone());
                fields(value, names);
            }
        }
        serde_json::Value::Array(all) => all.iter().for_each(|value| fields(value, names)),
        _ => {}
    }
}

#[test]
fn topics_are_found_with_blanks_capitals_and_underscores() {
    for (topic, page) in [
        ("allocs before", "allocs-before"),
        ("Naive_Bytes", "naive-bytes"),
        ("mark/clear/swap", "mark-clear-swap"),
        ("MEMPLAN.ARENA_IN", "memplan.arena-in"),
        ("regions", "memplan-regions"),
    ] {
        assert_eq!(find(topic).map(|page| page.name).as_deref(), Some(page));
    }
}
