//! The manual is whole: each pass and option is in it, its files are well formed, and its links lead somewhere.

use memplan_manual::{
    book::{Part, find, parts},
    html,
};
use memplan_passes::{PIPELINES, declarations};
use std::{collections::BTreeSet, fs};

#[test]
fn each_option_and_statistic_is_on_its_page() {
    for pass in declarations() {
        let page = find(pass.argument).expect("a page");
        assert!(page.text.contains(pass.example.before.trim_end()));
        for option in pass.options {
            let row = format!("| `{}` | ", option.name);
            assert!(page.text.contains(&row), "{}: {row}", pass.argument);
        }
        for one in pass.statistics {
            let row = format!("| `{}` | ", one.name);
            assert!(page.text.contains(&row), "{}: {row}", pass.argument);
        }
    }
    for pipeline in PIPELINES {
        let page = find(pipeline.argument).expect("a page");
        for option in pipeline.options() {
            let row = format!("| `{}` | ", option.name);
            assert!(page.text.contains(&row), "{}: {row}", pipeline.argument);
        }
    }
}

#[test]
fn pages_are_found_by_short_names_and_each_has_its_own() {
    assert_eq!(find("merge-alloc"), find("memplan-merge-alloc"));
    assert!(find("how-it-works").is_some());
    assert_eq!(find("no-such-page"), None);
    let parts = parts();
    let pages = parts.iter().flat_map(Part::all);
    // A folder may not tell capitals from others.
    let names: Vec<String> = pages.map(|page| page.name.to_lowercase()).collect();
    let different: BTreeSet<&String> = names.iter().collect();
    assert_eq!(names.len(), different.len());
}

#[test]
fn files_are_well_formed_and_links_lead_to_files() {
    let folder = tempfile::tempdir().expect("a folder");
    html::write(folder.path(), &parts()).expect("it is written");
    let files: BTreeSet<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|file| {
            file.expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let mut links = 0;
    for name in files.iter().filter(|name| name.ends_with(".html")) {
        let text = fs::read_to_string(folder.path().join(name)).expect("a file");
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..roxmltree::ParsingOptions::default()
        };
        let tree = roxmltree::Document::parse_with_options(&text, options)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        for node in tree.descendants() {
            let target = node.attribute("href").or(node.attribute("src"));
            let Some(target) = target.filter(|target| !target.contains("://")) else {
                continue;
            };
            links += 1;
            let file = target.split('#').next().unwrap_or_default();
            assert!(files.contains(file), "{name} leads to {target}");
        }
    }
    assert!(links > 100, "{links}");
}
