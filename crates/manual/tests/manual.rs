//! The manual is whole: each pass and option is in it, its files are well formed, and its links lead somewhere.

use memplan_declarations::{PASSES, PIPELINES};
use memplan_manual::{
    book::{self, Part, chapters, nearest},
    highlight, html,
    page::Page,
    terminal,
};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use roxmltree::{Document, ParsingOptions};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::LazyLock,
};

/// The parts without pages of the command line, which the driver adds.
fn parts() -> Vec<Part> {
    book::parts(Vec::new(), &TABLES)
}

/// The tables of the page of operations, which take a second to find.
static TABLES: LazyLock<String> = LazyLock::new(memplan_operations::tables);

fn find(topic: &str) -> Option<Page> {
    book::find(topic, Vec::new(), || TABLES.clone())
}

#[test]
fn each_option_and_statistic_is_on_its_page() {
    for pass in PASSES {
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
fn each_operation_that_has_a_sample_is_on_the_page_of_operations() {
    let page = find("operations").expect("a page");
    let files = memplan_semantics::samples::FILES.iter();
    let samples = files.flat_map(|(_, file)| memplan_semantics::samples::samples(file));
    for name in samples.flat_map(|sample| sample.operations) {
        assert!(page.text.contains(&format!("| `{name}` |")), "{name}");
    }
}

/// The files of the manual, those that are text for a browser parsed.
fn written() -> (tempfile::TempDir, BTreeMap<String, String>) {
    let folder = tempfile::tempdir().expect("a folder");
    html::write(folder.path(), &parts()).expect("it is written");
    let files = fs::read_dir(folder.path()).expect("a folder").map(|file| {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("a text");
        (name.into_owned(), text)
    });
    let files = files.collect();
    (folder, files)
}

fn tree<'t>(name: &str, text: &'t str) -> Document<'t> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn files_are_well_formed_and_links_lead_to_files_and_places_in_them() {
    let (_folder, files) = written();
    let pages = files.iter().filter(|(name, _)| name.ends_with(".html"));
    let trees: BTreeMap<&str, Document<'_>> = pages
        .map(|(name, text)| (name.as_str(), tree(name, text)))
        .collect();
    let ids = |name: &str| {
        let nodes = trees[name].descendants();
        nodes.filter_map(|node| node.attribute("id")).collect()
    };
    let mut links = 0;
    for (name, tree) in &trees {
        let all: Vec<&str> = ids(name);
        let different: BTreeSet<&&str> = all.iter().collect();
        assert_eq!(all.len(), different.len(), "{name}: {all:?}");
        for node in tree.descendants() {
            let Some(target) = node.attribute("href").or(node.attribute("src")) else {
                continue;
            };
            links += 1;
            assert!(
                !target.contains("//"),
                "{name} asks the network for {target}"
            );
            let (file, place) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { name } else { file };
            assert!(files.contains_key(file), "{name} leads to {target}");
            assert!(
                place.is_empty() || ids(file).contains(&place),
                "{name} leads to {target}"
            );
        }
    }
    assert!(links > 1000, "{links}");
}

/// The files that a file links to.
fn targets<'t>(tree: &'t Document<'t>) -> impl Iterator<Item = &'t str> {
    let links = tree.descendants().filter_map(|node| node.attribute("href"));
    links.map(|target| target.split_once('#').map_or(target, |(file, _)| file))
}

#[test]
fn each_page_is_reached_from_the_index_and_is_whole() {
    let (_folder, files) = written();
    let mut reached = BTreeSet::from(["index.html".to_owned()]);
    let mut open = vec!["index.html".to_owned()];
    while let Some(file) = open.pop() {
        let tree = tree(&file, &files[&file]);
        for target in targets(&tree).filter(|target| target.ends_with(".html")) {
            if reached.insert(target.to_owned()) {
                open.push(target.to_owned());
            }
        }
    }
    let parts = parts();
    for page in parts.iter().flat_map(Part::all) {
        let file = format!("{}.html", page.name);
        assert!(reached.remove(&file), "{file}");
        let tree = tree(&file, &files[&file]);
        let has = |name: &str| {
            tree.descendants()
                .filter(|node| node.has_tag_name(name))
                .count()
        };
        assert!(
            has("nav") == 1 && has("main") == 1 && has("h1") == 1,
            "{file}"
        );
        let title = tree.descendants().find(|node| node.has_tag_name("title"));
        let title = title.and_then(|node| node.text()).unwrap_or_default();
        assert!(
            title.len() > " · memplan".len() && !title.contains(['`', '[']),
            "{file}: {title}"
        );
        assert!(!page.title.is_empty(), "{file}");
    }
    assert_eq!(reached, BTreeSet::from(["index.html".to_owned()]));
}

#[test]
fn each_page_is_a_topic_and_each_topic_a_page() {
    let parts = parts();
    let (_folder, files) = written();
    let mut names = BTreeSet::from(["index.html".to_owned()]);
    for page in parts.iter().flat_map(Part::all) {
        assert!(find(&page.name).as_ref() == Some(page), "{}", page.name);
        names.insert(format!("{}.html", page.name));
    }
    let written = files.into_keys().filter(|name| name.ends_with(".html"));
    assert_eq!(written.collect::<BTreeSet<_>>(), names);
}

#[test]
fn the_same_pages_become_the_same_bytes() {
    assert_eq!(written().1, written().1);
}

#[test]
fn an_unknown_topic_has_topics_near_it() {
    let near = |topic: &str| nearest(topic, Vec::new());
    assert_eq!(near("memplan-merge-aloc")[0], "memplan-merge-alloc");
    assert_eq!(near("fist-fit")[0], "first-fit");
    assert_eq!(near("dynamic-sizes")[0], "dynamic-size");
    assert!(near("zyxwvutsrqponm").is_empty());
    assert_eq!(find("zyxwvutsrqponm"), None);
}

#[test]
fn code_is_of_a_language_that_is_highlighted() {
    for page in parts().iter().flat_map(Part::all) {
        for event in Parser::new(&page.text) {
            if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) = event {
                let language = highlight::language(&info);
                let is_known = language == highlight::PLAIN || highlight::is_known(language);
                assert!(is_known, "{}: {info}", page.name);
            }
        }
    }
}

#[test]
fn tables_of_options_fit_a_terminal_and_have_units() {
    for pass in PASSES {
        let page = find(pass.argument).expect("a page");
        let table = page.text.split("## Options").nth(1).unwrap_or_default();
        let table = table.split("\n## ").next().unwrap_or_default();
        assert!(!table.contains(&i64::MAX.to_string()), "{table}");
        for width in [40, 80, 120] {
            let table = terminal::text(table, width);
            let widest = table.lines().map(|line| line.chars().count()).max();
            assert!(widest.unwrap_or(0) <= width, "{}: {table}", pass.argument);
        }
    }
    let page = terminal::text(&find("merge-alloc").expect("a page").text, 80);
    assert!(page.contains("64 KiB") && page.contains("1 GiB"), "{page}");
}

#[test]
fn pictures_say_what_they_show_and_are_legible_in_the_dark() {
    let (_folder, files) = written();
    let mut shown = BTreeSet::new();
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        let tree = tree(name, text);
        for image in tree.descendants().filter(|node| node.has_tag_name("img")) {
            let alt = image.attribute("alt").unwrap_or_default();
            assert!(alt.len() > 40, "{name}: {alt}");
            shown.extend(image.attribute("src").map(str::to_owned));
        }
    }
    let is_picture = |name: &str| name.ends_with(".svg") && name != "icon.svg";
    let pictures = files.iter().filter(|(name, _)| is_picture(name));
    for (name, text) in pictures {
        tree(name, text);
        assert!(text.contains("prefers-color-scheme:dark"), "{name}");
        assert!(shown.remove(name), "no page shows {name}");
    }
    let page = find("design-lifetimes").expect("a page");
    let terminal = terminal::text(&page.text, 80);
    assert!(terminal.contains("with a bar for each buffer") && !terminal.contains(".svg"));
}

/// What a text calls a pass of ours, and the options that it gives it.
#[test]
fn chapters_name_passes_and_options_that_there_are() {
    let options: BTreeSet<&str> = {
        let passes = PASSES.iter().flat_map(|pass| pass.options);
        let pipelines = PIPELINES.iter().flat_map(|one| one.options());
        passes.chain(pipelines).map(|option| option.name).collect()
    };
    let mut named = 0;
    for page in chapters() {
        {
            let codes = Parser::new_ext(&page.text, Options::ENABLE_TABLES);
            let codes = codes.filter_map(|event| match event {
                Event::Code(text) => Some(text.to_string()),
                _ => None,
            });
            for code in codes {
                let pass = code.split(['{', '=']).next().unwrap_or_default();
                let is_name = pass
                    .bytes()
                    .all(|one| one.is_ascii_lowercase() || one == b'-');
                if is_name && pass.starts_with("memplan-") && !NO_PASSES.contains(&pass) {
                    assert!(find(pass).is_some(), "{}: {code}", page.name);
                    named += 1;
                }
                if let Some((option, value)) = code.split_once('=')
                    && !value.is_empty()
                    && !option.contains(|one: char| !one.is_ascii_lowercase() && one != '-')
                    && !option.starts_with('-')
                    && !NO_OPTIONS.contains(&option)
                {
                    assert!(options.contains(option), "{}: {code}", page.name);
                    named += 1;
                }
            }
        }
    }
    assert!(named > 30, "{named}");
}

/// Names that start as those of passes do.
const NO_PASSES: &[&str] = &[
    "memplan-llvm",
    "memplan-opt",
    "memplan-lsp",
    "memplan-c",
    "memplan-runtime",
];
/// Options of other programs.
const NO_OPTIONS: &[&str] = &["algorithm", "arena-mode", "planner-options"];
