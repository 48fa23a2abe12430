//! The manual that `memplan help --html` writes, in Chromium: colours, search, narrow and wide screens.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{browser::Browser, picture};

/// The widths of a large screen and of a telephone, in pixels.
const WIDE: u32 = 1440;
const NARROW: u32 = 400;

fn manual() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.args(["help", "--html"]).arg(folder.path());
    assert!(command.status().unwrap().success());
    folder
}

fn resize(browser: &mut Browser, width: u32) {
    let size = json!({"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false});
    browser.call("Emulation.setDeviceMetricsOverride", size);
}

fn prefer(browser: &mut Browser, scheme: &str) {
    let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
    browser.call("Emulation.setEmulatedMedia", json!({"features": features}));
}

fn page(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.html"))
}

/// The colour of the paper, as the browser computes it.
fn paper(browser: &mut Browser) -> String {
    browser.text("getComputedStyle(document.body).backgroundColor")
}

/// What is searched, and the address of each result.
fn results(browser: &mut Browser, words: &str) -> Vec<String> {
    browser.press("/");
    browser.write(words);
    let found = "new Promise((done) => setTimeout(() => done(
        [...document.querySelectorAll('#site-results a')].map((link) => link.getAttribute('href'))), 300))";
    serde_json::from_value(browser.evaluate(found)).unwrap()
}

#[test]
fn pages_fit_wide_and_narrow_screens_in_light_and_dark() {
    let folder = manual();
    let mut browser = Browser::start();
    let mut papers = Vec::new();
    for scheme in ["light", "dark"] {
        prefer(&mut browser, scheme);
        for width in [WIDE, 900, NARROW] {
            resize(&mut browser, width);
            for (name, anchor) in [
                ("index", ""),
                ("how-it-works", ""),
                ("memplan-merge-alloc", "example"),
                ("memplan-merge-alloc", "options"),
                ("embedding", "passes-and-pipelines"),
                ("operations", "memref"),
                ("reasons", ""),
                ("memplan-E101", ""),
                ("solve", ""),
            ] {
                browser.open(&page(folder.path(), name), anchor);
                let over = browser.evaluate("document.documentElement.scrollWidth - innerWidth");
                assert!(over.as_i64().unwrap() <= 0, "{name} at {width}: {over}");
                assert_eq!(browser.complaints(), [&Value::Null; 0], "{name}");
                let asked = browser.requests();
                assert!(
                    asked.iter().all(|url| !url.starts_with("http")),
                    "{asked:?}"
                );
                browser.rest();
                browser.picture(&picture(&format!(
                    "manual-{name}-{anchor}-{scheme}-{width}"
                )));
            }
        }
        papers.push(paper(&mut browser));
    }
    assert_ne!(papers[0], papers[1]);
}

/// The most characters on one line of a paragraph, by where its words are.
const LONGEST_LINE: &str = r"(() => {
    let most = 0;
    for (const paragraph of document.querySelectorAll('main > p')) {
        const lines = new Map();
        const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (const { 0: word, index } of node.data.matchAll(/\S+\s*/g)) {
                const range = document.createRange();
                range.setStart(node, index);
                range.setEnd(node, index + word.trimEnd().length);
                const bottom = Math.round(range.getBoundingClientRect().bottom / 12);
                lines.set(bottom, (lines.get(bottom) ?? 0) + word.length);
            }
        }
        most = Math.max(most, ...lines.values());
    }
    return most;
})()";

#[test]
fn paper_has_the_text_alone() {
    let folder = manual();
    let mut browser = Browser::start();
    resize(&mut browser, 800);
    browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    browser.open(&page(folder.path(), "memplan-merge-alloc"), "");
    let hidden = "[...document.querySelectorAll('header, nav, aside, footer')].every((one) => one.offsetHeight === 0)";
    assert_eq!(browser.evaluate(hidden), true);
    assert_eq!(paper(&mut browser), "rgb(255, 255, 255)");
    browser.picture(&picture("manual-print"));
}

#[test]
fn lines_have_at_most_80_characters() {
    let folder = manual();
    let mut browser = Browser::start();
    resize(&mut browser, 1920);
    for name in ["memplan-merge-alloc", "how-it-works", "memplan-E101"] {
        browser.open(&page(folder.path(), name), "");
        let longest = browser.evaluate(LONGEST_LINE).as_u64().unwrap();
        assert!((50..=80).contains(&longest), "{name}: {longest}");
    }
}

#[test]
fn the_switch_of_colours_is_remembered() {
    let folder = manual();
    let mut browser = Browser::start();
    prefer(&mut browser, "light");
    browser.open(&page(folder.path(), "index"), "");
    let light = paper(&mut browser);
    let click = "document.getElementById('site-theme').click()";
    browser.evaluate(click);
    assert_eq!(browser.text_of("site-theme"), "Light");
    browser.evaluate(click);
    let dark = paper(&mut browser);
    assert_ne!(light, dark);
    browser.open(&page(folder.path(), "reasons"), "");
    assert_eq!(browser.text_of("site-theme"), "Dark");
    assert_eq!(paper(&mut browser), dark);
    browser.picture(&picture("manual-switched-dark"));
    browser.evaluate(click);
    assert_eq!(browser.text_of("site-theme"), "Auto");
    assert_eq!(paper(&mut browser), light);
}

#[test]
fn the_search_finds_names_and_words() {
    let folder = manual();
    let mut browser = Browser::start();
    resize(&mut browser, WIDE);
    for (words, first) in [
        ("merge-alloc", "memplan-merge-alloc.html"),
        ("dynamic-size", "dynamic-size.html"),
        ("e101", "memplan-E101.html"),
        ("first-fit", "first-fit.html"),
        ("memplan.arena", "memplan.arena.html"),
    ] {
        browser.open(&page(folder.path(), "embedding"), "");
        let found = results(&mut browser, words);
        assert_eq!(
            found.first().map(String::as_str),
            Some(first),
            "{words}: {found:?}"
        );
    }
    browser.open(&page(folder.path(), "embedding"), "");
    let found = results(&mut browser, "lower bound load");
    assert!(found.len() > 3, "{found:?}");
    browser.picture(&picture("manual-search-wide"));
    browser.press("ArrowDown");
    let focused = "document.activeElement.getAttribute('href')";
    assert_eq!(browser.text(focused), found[0]);
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(browser.text(outline), "solid", "the focus is to be seen");
    browser.press("Escape");
    assert_eq!(results(&mut browser, "zyxwvu"), [""; 0]);
    assert!(browser.text_of("site-results").contains("Nothing found"));
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
    resize(&mut browser, NARROW);
    browser.open(&page(folder.path(), "embedding"), "");
    results(&mut browser, "arena");
    browser.picture(&picture("manual-search-narrow"));
}

#[test]
fn the_menu_opens_on_narrow_screens() {
    let folder = manual();
    let mut browser = Browser::start();
    resize(&mut browser, NARROW);
    browser.open(&page(folder.path(), "memplan-verify"), "");
    let is_shown = "document.getElementById('site-menu').offsetHeight > 0";
    assert_eq!(browser.evaluate(is_shown), false);
    browser.evaluate("document.getElementById('site-menu-switch').focus()");
    browser.press("Enter");
    assert_eq!(browser.evaluate(is_shown), true);
    browser.picture(&picture("manual-menu-narrow"));
}
