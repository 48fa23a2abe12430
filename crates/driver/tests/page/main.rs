//! The page that `memplan plot --html` writes, in Chromium: what it shows, and what mouse and keys do; and the manual.
//!
//! The tests save screenshots for manual inspection in `target/tmp/page`.

mod browser;
mod manual;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use browser::Browser;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A report in the repository.
fn resnet() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/data/resnet.json")
}

/// The page of a plan.
fn page(folder: &TempDir, plan: &Path) -> PathBuf {
    let page = folder.path().join("page.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.arg("plot").arg(plan).args(["--html", "-o"]);
    assert!(command.arg(&page).status().unwrap().success());
    page
}

/// The path of a screenshot.
fn picture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{name}.png"))
}

/// A browser that shows ResNet-18. The folder must live as long.
fn shown(fragment: &str) -> (Browser, TempDir) {
    let folder = TempDir::new().unwrap();
    let page = page(&folder, &resnet());
    let mut browser = Browser::start();
    browser.open(&page, fragment);
    (browser, folder)
}

/// The heading of the selected buffer.
fn chosen(browser: &mut Browser) -> String {
    browser.text("document.querySelector('#chosen h3')?.textContent ?? 'none'")
}

/// A property of the state in the URL fragment. Waits for delayed writes.
fn address(browser: &mut Browser, name: &str) -> Value {
    browser.evaluate("new Promise((done) => setTimeout(done, 200))");
    browser.evaluate(&format!(
        "new URLSearchParams(location.hash.slice(1)).get('{name}')"
    ))
}

/// A point in the map, relative to the area of the boxes.
fn in_map(browser: &mut Browser, x: f64, y: f64) -> (f64, f64) {
    let area = browser.evaluate(
        "(({ left, top, width, height }) => [left, top, width, height])(
            document.getElementById('map').getBoundingClientRect())",
    );
    let [left, top, width, height] = [0, 1, 2, 3].map(|at| area[at].as_f64().unwrap());
    const AXIS: f64 = 84.0;
    const FREE: f64 = 14.0;
    (left + AXIS + x * (width - AXIS - FREE), top + y * height)
}

/// The middle of the first box of a buffer of ResNet-18, where the map is zoomed.
fn middle_of(browser: &mut Browser, buffer: usize) -> (f64, f64) {
    let report: Value = serde_json::from_str(&fs::read_to_string(resnet()).unwrap()).unwrap();
    let buffer = &report["functions"][0]["scopes"][0]["buffers"][buffer];
    let number = |value: &Value| value.as_f64().unwrap();
    let [from, to, low, high] = ["from", "to", "low", "high"].map(|side| {
        let side = address(browser, side);
        side.as_str().unwrap().parse::<f64>().unwrap()
    });
    let position = (number(&buffer["live"][0][0]) + number(&buffer["live"][0][1])) / 2.0;
    let byte = number(&buffer["offset"]) + number(&buffer["size"]) / 2.0;
    let (x, y) = (
        (position - from) / (to - from),
        (high - byte) / (high - low),
    );
    in_map(browser, x, y)
}

#[test]
fn the_plan_is_shown_without_requests() {
    let (mut browser, _folder) = shown("");
    let facts = browser.text_of("facts");
    assert!(
        facts.starts_with("67 buffers · arena of 6.24 MiB (6,538,240 B) instead of 33.0 MiB"),
        "{facts}"
    );
    assert!(facts.contains("no plan is smaller"), "{facts}");
    assert_eq!(browser.text_of("title"), "resnet.json");
    let here = browser.text_of("here");
    assert!(
        here.ends_with(": 6.24 MiB (6,538,240 B) live in 2 buffers"),
        "{here}"
    );
    let sizes = browser.evaluate(
        "Array.from(document.querySelectorAll('#live td:nth-child(2)'), (cell) => cell.textContent)",
    );
    assert_eq!(sizes, json!(["3.17 MiB", "3.06 MiB"]));
    assert_eq!(browser.requests().len(), 1, "{:?}", browser.requests());
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn the_address_has_the_state() {
    let (mut browser, _folder) =
        shown("function=forward&view=before&position=40&search=512x7%20f32&buffer=60&theme=dark");
    assert!(browser.text_of("here").starts_with("position 40: "));
    assert!(chosen(&mut browser).starts_with("#60 "));
    let report = fs::read_to_string(resnet()).unwrap();
    let found = report.matches("\"type\":\"memref<1x512x7x7x").count();
    assert_eq!(browser.text_of("found"), format!("{found} of 67 buffers"));
    let pressed = "document.querySelector('#layouts [aria-pressed=true]').id";
    assert_eq!(browser.text(pressed), "before");
    assert_eq!(
        browser.text("document.documentElement.dataset.theme"),
        "dark"
    );
    // Another fragment on the same page.
    browser.evaluate("void (location.hash = '#function=forward&position=3')");
    browser.rest();
    assert!(browser.text_of("here").starts_with("position 3: "));
    assert_eq!(chosen(&mut browser), "none");
    assert_eq!(browser.text(pressed), "plan");
}

#[test]
fn keys_do_everything() {
    let (mut browser, _folder) = shown("");
    browser.press("j");
    assert_eq!(chosen(&mut browser), "#0 1x3x230x230xf32");
    browser.press("j");
    browser.press("j");
    browser.press("k");
    assert_eq!(chosen(&mut browser), "#1 1x64x112x112xf32");
    assert_eq!(address(&mut browser, "buffer"), "1");
    let about = browser.text_of("chosen");
    for part in [
        "typememref<1x64x112x112xf32>",
        "size3.06 MiB (3,211,264 B)",
        "resnet18.mlir\":47:11",
        "shares with",
    ] {
        assert!(about.contains(part), "{about}");
    }
    assert_eq!(address(&mut browser, "from"), Value::Null);
    browser.press("Enter");
    let from = address(&mut browser, "from");
    assert_ne!(from, Value::Null);
    browser.press("-");
    browser.press("ArrowRight");
    assert_ne!(address(&mut browser, "from"), from);
    browser.press("0");
    assert_eq!(address(&mut browser, "from"), Value::Null);
    browser.press("b");
    assert_eq!(address(&mut browser, "view"), "before");
    browser.press(".");
    let on = browser.text_of("here");
    browser.press("p");
    assert_ne!(browser.text_of("here"), on);
    browser.press("t");
    assert_eq!(address(&mut browser, "theme"), "dark");
    // In the search field, letters are text.
    browser.press("/");
    browser.write("56x56");
    let found = browser.text_of("found");
    assert!(
        found.ends_with(" of 67 buffers") && !found.starts_with("67"),
        "{found}"
    );
    browser.press("Enter");
    assert!(chosen(&mut browser).contains("56x56"));
    browser.press("Escape");
    assert_eq!(browser.text_of("found"), "");
    browser.press("?");
    browser.picture(&picture("help"));
    assert_eq!(
        browser.evaluate("document.getElementById('keys').open"),
        true
    );
    browser.press("Escape");
    assert_eq!(
        browser.evaluate("document.getElementById('keys').open"),
        false
    );
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn tab_visits_the_live_buffers() {
    let (mut browser, _folder) = shown("");
    browser.evaluate("document.getElementById('all').focus()");
    browser.press("Tab");
    let first = browser.text("document.activeElement.textContent");
    browser.press("Enter");
    assert!(
        chosen(&mut browser).starts_with(&format!("{first} ")),
        "{first}"
    );
    let outline = "getComputedStyle(document.getElementById('map')).outlineStyle";
    browser.evaluate("document.getElementById('search').focus()");
    while browser.text("document.activeElement.id") != "map" {
        browser.press("Tab");
    }
    assert_eq!(browser.text(outline), "solid", "the focus is to be seen");
}

#[test]
fn the_mouse_does_everything() {
    let (mut browser, _folder) = shown("buffer=3");
    browser.press("f");
    let middle = middle_of(&mut browser, 3);
    browser.press("Escape");
    assert_eq!(chosen(&mut browser), "none");
    browser.mouse("mouseMoved", middle, 0.0);
    let tip = browser.text_of("tip");
    assert!(tip.starts_with("#3 "), "{tip}");
    for part in ["type", "size", "offset", "live[", "location", "shares with"] {
        assert!(tip.contains(part), "{tip}");
    }
    browser.picture(&picture("hover"));
    browser.click(middle);
    assert!(chosen(&mut browser).starts_with("#3 "));
    let from = address(&mut browser, "from");
    browser.mouse("mousePressed", middle, 0.0);
    let aside = in_map(&mut browser, 0.25, 0.5);
    browser.call(
        "Input.dispatchMouseEvent",
        json!({"type": "mouseMoved", "x": aside.0, "y": aside.1, "button": "left", "buttons": 1}),
    );
    browser.mouse("mouseReleased", aside, 0.0);
    let dragged = address(&mut browser, "from");
    assert_ne!(dragged, from);
    browser.mouse("mouseWheel", middle, -200.0);
    assert_ne!(address(&mut browser, "from"), dragged);
    browser.evaluate("document.getElementById('all').click()");
    let here = browser.text_of("here");
    let (x, _) = in_map(&mut browser, 0.75, 0.5);
    let y = browser.evaluate("document.getElementById('load').getBoundingClientRect().top");
    browser.click((x, y.as_f64().unwrap() + 20.0));
    assert_ne!(browser.text_of("here"), here);
    browser.evaluate("document.getElementById('peak').click()");
    assert_eq!(browser.text_of("here"), here);
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

/// The window of a buffer, and what others have in its gaps, are found where they are drawn.
#[test]
fn gaps_and_windows_are_shown() {
    let folder = TempDir::new().unwrap();
    let csv = folder.path().join("plan.csv");
    let plan = "id,lower,upper,size,gaps,offset\n\
        kept,0,40,4096,8-16@0:1024 22-30,0\n\
        low,8,16,3072,,1024\n\
        split,0,12,2048,4-8@512:1536,4096\n";
    fs::write(&csv, plan).unwrap();
    let page = page(&folder, &csv);
    let mut browser = Browser::start();
    browser.open(&page, "");
    let at = |browser: &mut Browser, time: f64, byte: f64| {
        browser.press("Escape");
        // All is in sight, with some space above.
        let high = 1.05 * 6144.0;
        let point = in_map(browser, time / 40.0, 1.0 - byte / high);
        browser.click(point);
        chosen(browser)
    };
    assert_eq!(at(&mut browser, 12.0, 2048.0), "#1 low");
    assert_eq!(at(&mut browser, 12.0, 512.0), "#0 kept");
    assert_eq!(at(&mut browser, 26.0, 2048.0), "none");
    assert_eq!(at(&mut browser, 6.0, 4096.0 + 256.0), "none");
    assert_eq!(at(&mut browser, 6.0, 4096.0 + 1024.0), "#2 split");
    let text = browser.text_of("chosen").replace('\u{a0}', " ");
    let live = "[0, 4); [4, 8), only bytes [512, 1,536); [8, 12)";
    assert!(text.contains(live), "{text}");
    let hidden = browser.evaluate("document.getElementById('gaps').hidden");
    assert_eq!(hidden, false);
    browser.picture(&picture("windows"));
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

/// What other options would give is a table, and a buffer says what it is from and what it waits for.
#[test]
fn measures_and_reasons_at_the_peak_are_shown() {
    let folder = TempDir::new().unwrap();
    let mut report: Value = serde_json::from_str(&fs::read_to_string(resnet()).unwrap()).unwrap();
    let functions = report["functions"].as_array_mut().unwrap();
    let bytes = |heap: u64| json!({"planned_bytes": heap, "heap_bytes": heap});
    let measure = |option: &str, removes: bool, heap: u64| json!({"measure": format!("what {option} does"), "option": option, "removes": removes, "bytes": bytes(heap)});
    // As memplan-explain reports it: an entry of its own.
    functions.push(json!({
        "name": functions[0]["name"], "scopes": [], "skipped": [],
        "explained": {"options": "", "bytes": bytes(4 << 20), "measures": [
            measure("elide=none", true, 6 << 20),
            measure("recompute=cheap", false, 3 << 20),
            measure("reorder=none", true, 4 << 20),
        ]},
    }));
    let op = |name: &str| json!({"name": name, "location": "net.mlir:7:3"});
    let id = functions[0]["scopes"][0]["buffers"][1]["id"].clone();
    functions[0]["scopes"][0]["peak"] = json!({
        "op": op("linalg.matmul"),
        "buffers": [{"id": id, "made_by": op("linalg.exp"), "is_used": false, "next_use": op("linalg.add")}],
    });
    let plan = folder.path().join("plan.json");
    fs::write(&plan, report.to_string()).unwrap();
    let page = page(&folder, &plan);
    let mut browser = Browser::start();
    browser.open(&page, "buffer=1");
    let text = browser.text_of("chosen");
    for part in [
        "linalg.exp at net.mlir:7:3",
        "waits for linalg.add at net.mlir:7:3",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let rows = browser.text("document.querySelector('#measures tbody').innerText");
    let places: Vec<Option<usize>> = [
        "recompute=cheap",
        "what recompute=cheap does",
        "1.00 MiB, 25.0% less",
        "elide=none",
        "without: what elide=none does",
        "2.00 MiB, 50.0% more",
    ]
    .map(|part| rows.find(part))
    .to_vec();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{rows}"
    );
    assert!(!rows.contains("reorder"), "{rows}");
    browser.picture(&picture("measures"));
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

/// A chain has a row in a table, a bar below the map, and line buffers that say what they are.
#[test]
fn chains_in_strips_are_shown() {
    let folder = TempDir::new().unwrap();
    let mut report: Value = serde_json::from_str(&fs::read_to_string(resnet()).unwrap()).unwrap();
    let function = &mut report["functions"][0];
    let buffer = &function["scopes"][0]["buffers"][1];
    let lines = json!({
        "kind": "line", "scope": 0, "id": buffer["id"], "type": buffer["type"], "size": buffer["size"], "kept_rows": 2,
        "location": "here", "whole_type": "memref<1x64x224x112xf32>", "whole_size": 6_422_528,
    });
    function["chains"] = json!([{
        "location": "there", "positions": [4, 30], "seed": 1,
        "operations": [{"name": "linalg.exp", "location": "a"}, {"name": "linalg.matmul", "location": "b"}],
        "dimensions": [{"loop": 0, "extent": 60, "rows": 2, "strips": 31}],
        "strips": 31, "executions": 60, "repeated": 0, "load_before_bytes": 9_000_000, "load_after_bytes": 7_000_000,
        "copied_bytes": 4096, "line_buffers": [lines],
    }]);
    let plan = folder.path().join("plan.json");
    fs::write(&plan, report.to_string()).unwrap();
    let page = page(&folder, &plan);
    let mut browser = Browser::start();
    browser.open(&page, "buffer=1");
    let text = browser.text_of("chosen");
    let whole = "line buffer of memref<1x64x224x112xf32> (6.12 MiB), keeps 2 rows";
    assert!(text.contains(whole), "{text}");
    let row = browser.text("document.querySelector('#chains tbody tr').textContent");
    for part in [
        "[4, 30)",
        "31",
        "1.9 ops each",
        "6.68 MiB",
        "of 8.58 MiB",
        "4.00 KiB",
    ] {
        assert!(row.contains(part), "{row}");
    }
    browser.evaluate("document.querySelector('#chains button').click()");
    assert_eq!(chosen(&mut browser), "31 strips");
    assert!(
        browser
            .text_of("chosen")
            .contains("loop 0 of linalg.matmul")
    );
    assert_ne!(address(&mut browser, "from"), Value::Null);
    browser.press("0");
    browser.press("j");
    assert!(chosen(&mut browser).starts_with("#0 "));
    // The bar is as long as the loop.
    let (x, _) = in_map(&mut browser, 0.2, 0.0);
    let y = browser.evaluate("document.getElementById('strips').getBoundingClientRect().top");
    browser.click((x, y.as_f64().unwrap() + 8.0));
    assert_eq!(chosen(&mut browser), "31 strips");
    browser.press("0");
    browser.picture(&picture("strips"));
    browser.press("j");
    let (x, _) = in_map(&mut browser, 0.9, 0.0);
    browser.click((x, y.as_f64().unwrap() + 8.0));
    assert!(chosen(&mut browser).starts_with("#0 "));
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn light_and_dark_before_and_planned() {
    let (mut browser, folder) = shown("");
    let page = folder.path().join("page.html");
    let colour = |browser: &mut Browser, name: &str| {
        browser.text(&format!(
            "getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()"
        ))
    };
    for (theme, fragment, name, buffers) in [
        ("light", "", "light", ["live-3", "rest-1"]),
        ("dark", "", "dark", ["live-3", "rest-1"]),
        ("light", "view=before", "before", ["live-3", "rest-1"]),
        ("dark", "buffer=20", "chosen", ["sharing-0", "chosen"]),
    ] {
        let features = json!([{"name": "prefers-color-scheme", "value": theme}]);
        browser.call("Emulation.setEmulatedMedia", json!({"features": features}));
        browser.open(&page, fragment);
        let plot = colour(&mut browser, "plot");
        let buffers = buffers.map(|name| colour(&mut browser, name));
        let taken = browser.picture(&picture(name));
        let colours = browser.colours(&taken);
        assert!(colours[..4].contains(&plot), "{name}: {:?}", &colours[..4]);
        for one in buffers {
            assert!(colours.contains(&one), "{name}: no {one}");
        }
    }
}

#[test]
fn names_are_text_and_curves_are_shown() {
    const NASTY: &str =
        "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 2'>";
    let mut report: Value = serde_json::from_str(&fs::read_to_string(resnet()).unwrap()).unwrap();
    let function = &mut report["functions"][0];
    function["name"] = NASTY.into();
    function["scopes"][0]["buffers"][0]["type"] = NASTY.into();
    function["skipped"][0]["location"] = NASTY.into();
    let mut second = function.clone();
    second["scopes"] = json!([]);
    second["bounded"] = json!({"layout": {
        "mode": "defrag", "fit": "best", "values": "all", "stack": "alloc", "alignment": 8, "max_live_bytes": 80,
        "peak_bytes": 96, "plain_bytes": 200, "scan_bytes": 112, "planner_bytes": 112, "defrag_bytes": 96,
        "operations": 9, "defragmentations": 1, "moves": 1, "moved_bytes": 16, "path_count": 1, "paths": [],
        "curve": [{"peak_bytes": 112, "moved_bytes": 0}, {"peak_bytes": 96, "moved_bytes": 16}],
    }});
    report["functions"].as_array_mut().unwrap().push(second);
    let folder = TempDir::new().unwrap();
    let plan = folder.path().join("plan.json");
    fs::write(&plan, report.to_string()).unwrap();
    let page = page(&folder, &plan);
    let mut browser = Browser::start();
    browser.open(&page, "");
    browser.press("j");
    assert!(browser.text_of("chosen").contains(NASTY));
    assert!(browser.text_of("skipped").contains(NASTY));
    assert!(
        browser
            .text("document.getElementById('scope').selectedOptions[0].text")
            .contains(NASTY)
    );
    browser.press("]");
    browser.press("j");
    assert_eq!(
        browser.evaluate("document.getElementById('stage').hidden"),
        true
    );
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#curve .mark').length"),
        2
    );
    browser.picture(&picture("curve"));
    browser.open(&page, "");
    assert_eq!(browser.evaluate("window.broken ?? null"), Value::Null);
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn points_of_a_curve_of_costs_say_their_option() {
    let mut report: Value = serde_json::from_str(&fs::read_to_string(resnet()).unwrap()).unwrap();
    let point = |bytes: u64, cost: Value, bound: Value, proof: &str| {
        let copied = cost.as_f64().map(|_| 4096);
        json!({"budget_bytes": bytes, "cost": cost, "lower_bound": bound, "copied_bytes": copied, "proof": proof})
    };
    report["functions"][0]["costs"] = json!({
        "unit": "cycle", "memory_space": "1", "budget_bytes": 3_000_000, "cost": 1.9e8, "lower_bound": 1.5e8,
        "copied_bytes": 4096, "curve": [
            point(0, json!(null), json!(null), "nothing-fits"),
            point(1_500_000, json!(2.6e8), json!(1.8e8), "bound"),
            point(3_000_000, json!(1.9e8), json!(1.5e8), "bound"),
            point(4_500_000, json!(1.2e8), json!(1.1e8), "bound"),
            point(6_538_240, json!(6e7), json!(6e7), "optimal"),
        ],
    });
    let folder = TempDir::new().unwrap();
    let plan = folder.path().join("plan.json");
    fs::write(&plan, report.to_string()).unwrap();
    let page = page(&folder, &plan);
    let mut browser = Browser::start();
    browser.open(&page, "function=forward&scope=costs");
    assert_eq!(
        browser.evaluate("document.getElementById('stage').hidden"),
        true
    );
    let option = browser.text_of("option");
    assert!(option.starts_with("Click a point"), "{option}");
    let centre = browser.evaluate(
        "(({ left, top, width, height }) => [left + width / 2, top + height / 2])(
            document.querySelectorAll('#curve .mark')[1].getBoundingClientRect())",
    );
    let centre = [0, 1].map(|at| centre[at].as_f64().unwrap());
    browser.click((centre[0], centre[1]));
    assert_eq!(
        browser.text_of("option"),
        "budget=1:3000000 cost 190,000,000, at least 150,000,000 · copies of 4,096 bytes"
    );
    browser.picture(&picture("costs"));
    // The next point by keyboard.
    browser.evaluate("document.querySelectorAll('#curve .mark')[2].focus()");
    browser.press("Enter");
    let option = browser.text_of("option");
    assert!(option.starts_with("budget=1:4500000 "), "{option}");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('#curve .picked').length"),
        1
    );
    browser.press("t");
    browser.picture(&picture("costs-dark"));
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

#[test]
fn odd_plans_are_shown() {
    let most = u64::MAX;
    let buffer = |id: u64, size: u64, live: Value| json!({"id": id, "location": "", "type": "", "size": size, "alignment": 1, "offset": 0, "live": live, "in_place_with": 9});
    let scope = |buffers: Value| {
        json!({"kind": "", "location": "", "memory_space": "", "planner": "", "optimal": false, "naive_bytes": 0,
               "load_bytes": 0, "lower_bound_bytes": 0, "planned_bytes": 0, "alignment": 1, "buffers": buffers})
    };
    let scopes = [
        scope(json!([])),
        scope(json!([buffer(0, 5, json!([]))])),
        scope(json!([buffer(0, 0, json!([[0, 3]]))])),
        scope(json!([buffer(7, most, json!([[most - 1, most]]))])),
        scope(json!([buffer(7, most, json!([[0, most]]))])),
    ];
    let count = scopes.len();
    let report =
        json!({"version": 1, "functions": [{"name": "f", "scopes": scopes, "skipped": []}]});
    let folder = TempDir::new().unwrap();
    let plan = folder.path().join("plan.json");
    fs::write(&plan, report.to_string()).unwrap();
    let page = page(&folder, &plan);
    let mut browser = Browser::start();
    browser.open(&page, "");
    for at in 0..count {
        let shown = browser.evaluate("document.getElementById('scope').selectedIndex");
        assert_eq!(shown, at);
        for key in ["j", "Enter", "+", "ArrowUp", "b", ".", "0", "]"] {
            browser.press(key);
        }
    }
    assert_eq!(browser.complaints(), [&Value::Null; 0]);
}

/// The median time to draw a frame while panning and zooming, in milliseconds, and the number of
/// frames in a second.
const FRAME: &str = r#"(async () => {
    const times = [];
    const begun = performance.now();
    const keys = ["ArrowRight", "+", "ArrowUp", "ArrowLeft", "-", "ArrowDown"];
    for (let at = 0; at < 120; at++) {
        let start;
        requestAnimationFrame(() => { start = performance.now(); });
        document.dispatchEvent(new KeyboardEvent("keydown", { key: keys[at % keys.length] }));
        await new Promise((done) => requestAnimationFrame(done));
        times.push(performance.now() - start);
    }
    const rate = (1000 * times.length) / (performance.now() - begun);
    return [times.sort((a, b) => a - b)[60], rate];
})()"#;

#[test]
fn many_buffers_stay_smooth() {
    const LANES: u64 = 100;
    let folder = TempDir::new().unwrap();
    for (count, most) in [(10_000, 16.0), (100_000, 100.0)] {
        let mut plan = String::from("id,lower,upper,size,offset\n");
        for id in 0..count {
            let (lane, start) = (id % LANES, id / LANES * 10 + id % 7);
            writeln!(
                plan,
                "{id},{start},{},{},{}",
                start + 4,
                64 + lane,
                lane * 200
            )
            .unwrap();
        }
        let csv = folder.path().join("plan.csv");
        fs::write(&csv, plan).unwrap();
        let page = page(&folder, &csv);
        let mut browser = Browser::start();
        browser.open(&page, "");
        browser.write("++");
        let measured = browser.evaluate(FRAME);
        let [frame, rate] = [0, 1].map(|at| measured[at].as_f64().unwrap());
        println!("{count} buffers: {frame:.1} ms a frame, {rate:.0} frames a second");
        assert!(frame < most, "{count} buffers: {frame} ms a frame");
        browser.press("0");
        browser.picture(&picture(&format!("{count}")));
    }
}
