//! Tests of the executable: reports.

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use support::{error, file, memplan, run, run_on, stdout};
use tempfile::TempDir;

fn resnet() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/data/resnet.json");
    path.to_str().unwrap().to_owned()
}

const NOTHING: &str = r#"{"version":1,"functions":[{"name":"f","scopes":[],"skipped":[]}]}"#;

#[test]
fn plot_writes_a_file() {
    let folder = TempDir::new().unwrap();
    let (path, name) = file(&folder, "out.svg", "");
    let said = stdout(&run(&["plot", &resnet(), "-o", &name]));
    assert!(
        said.starts_with(&format!("wrote {name}: 1 function, ")),
        "{said}"
    );
    let svg = fs::read_to_string(path).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(stdout(&run(&["plot", &resnet(), "-o", "-"])), svg);
}

#[test]
fn plot_writes_map_svg_by_default() {
    let folder = TempDir::new().unwrap();
    let output = memplan(&["plot", &resnet()])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(stdout(&output).starts_with("wrote map.svg: "));
    assert!(folder.path().join("map.svg").exists());
}

#[test]
fn plot_writes_over_its_own_files_and_over_others_only_with_force() {
    let folder = TempDir::new().unwrap();
    for form in [&[][..], &["--html"], &["--trace"]] {
        let (path, name) = file(&folder, "out", "my own words");
        let plot = |more: &[&str]| {
            let report = resnet();
            let fixed = ["plot", &report, "-o", &name];
            run(&[&fixed[..], form, more].concat())
        };
        let message = error(&plot(&[]));
        assert!(message.ends_with("was not written by memplan plot; --force writes over it"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "my own words");
        stdout(&plot(&["--force"]));
        // Now it is memplan's.
        stdout(&plot(&[]));
        assert_ne!(fs::read_to_string(&path).unwrap(), "my own words");
    }
}

#[test]
fn plot_draws_two_reports_below_each_other() {
    let folder = TempDir::new().unwrap();
    let (_, other) = file(
        &folder,
        "after.json",
        &fs::read_to_string(resnet()).unwrap(),
    );
    let (path, name) = file(&folder, "both.svg", "");
    let said = stdout(&run(&["plot", &resnet(), "--compare", &other, "-o", &name]));
    assert!(said.contains("after / before"), "{said}");
    assert!(said.trim_end().ends_with("1.000"), "{said}");
    let svg = fs::read_to_string(path).unwrap();
    for title in ["(resnet.json)", "(after.json)"] {
        assert!(svg.contains(title), "{title}");
    }
    let page = run(&["plot", &resnet(), "--compare", &other, "--html"]);
    assert_eq!(page.status.code(), Some(2));
}

#[test]
fn plot_has_other_forms() {
    let folder = TempDir::new().unwrap();
    for (form, name, start) in [
        ("--html", "map.html", "<!DOCTYPE html>"),
        (
            "--trace",
            "map.json",
            "{\"otherData\":{\"generator\":\"memplan\"},\"traceEvents\":[",
        ),
    ] {
        let output = memplan(&["plot", &resnet(), form])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(stdout(&output).starts_with(&format!("wrote {name}: ")));
        let written = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(written.starts_with(start), "{form}");
        assert_eq!(stdout(&run(&["plot", &resnet(), form, "-o", "-"])), written);
        let title = written.contains("<title>resnet.json · memplan</title>");
        assert_eq!(title, form == "--html");
    }
    let both = run(&["plot", &resnet(), "--html", "--trace"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn plot_draws_the_selection() {
    let folder = TempDir::new().unwrap();
    let two = fs::read_to_string(resnet()).unwrap();
    let two = two.clone() + &two.replace("\"forward\"", "\"backward\"");
    let (_, name) = file(&folder, "two.json", &two);
    let titles = |more: &[&str]| {
        let svg = stdout(&run(&[&["plot", &name, "-o", "-"], more].concat()));
        (
            svg.matches(">@forward<").count(),
            svg.matches(">@backward<").count(),
        )
    };
    assert_eq!(titles(&[]), (1, 1));
    assert_eq!(titles(&["--function", "backward"]), (0, 1));
    assert_eq!(titles(&["--function", "@forward", "--scope", "0"]), (1, 0));
    assert_eq!(
        error(&run(&["plot", &name, "--function", "main"])),
        format!("no function 'main' in {name}; it has forward, backward")
    );
    assert_eq!(
        error(&run(&["plot", &name, "--scope", "3"])),
        format!("no scope 3 in {name}; the last one is 0")
    );
}

#[test]
fn plot_of_nothing_is_an_error() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "none.json", NOTHING);
    assert_eq!(error(&run(&["plot", &name])), format!("{name} has no plan"));
    let (_, name) = file(&folder, "empty.json", "");
    assert_eq!(
        error(&run(&["plot", &name])),
        format!("{name} contains no report")
    );
}

#[test]
fn table_prints_and_checks() {
    let golden = resnet().replace(".json", ".txt");
    let golden = fs::read_to_string(golden).unwrap();
    assert_eq!(stdout(&run(&["table", &resnet()])), golden);
    let checked = stdout(&run(&["table", "--check", &resnet()]));
    let note = "\nchecked 1 arena with 67 buffers: no overlap, all numbers agree\n";
    assert_eq!(checked, golden + note);
}

#[test]
fn table_lists_the_buffers_at_the_peak() {
    let text = stdout(&run(&["table", "--peak", &resnet()]));
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("@forward: 6.24 MiB of 6.24 MiB planned are live at the peak, positions [3, 4)")
    );
    let bytes = |line: &str| {
        let cell = line.split_whitespace().nth(1).unwrap().replace(',', "");
        cell.parse::<u64>().unwrap()
    };
    let (rows, total) = text.split_once("total").unwrap();
    let rows = rows.lines().filter(|line| line.trim().starts_with('#'));
    let sizes: Vec<u64> = rows.map(bytes).collect();
    assert!(sizes.is_sorted_by(|one, next| one >= next), "{text}");
    assert_eq!(sizes.iter().sum::<u64>(), bytes(&format!("total{total}")));
    let checked = stdout(&run(&["table", "--peak", "--check", &resnet()]));
    assert!(
        checked.starts_with(&text) && checked.contains("no overlap"),
        "{checked}"
    );
}

#[test]
fn table_of_several_files_names_them() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "none.json", NOTHING);
    let text = stdout(&run(&["table", &resnet(), &name]));
    assert!(
        text.starts_with(&format!("{}\n\nfunction ", resnet())),
        "{text}"
    );
    assert!(
        text.ends_with(&format!("\n\n{name}\n\nno allocations in 1 function\n")),
        "{text}"
    );
}

#[test]
fn table_finds_contradictions() {
    let folder = TempDir::new().unwrap();
    let text = fs::read_to_string(resnet()).unwrap();
    let (_, name) = file(
        &folder,
        "bad.json",
        &text.replace("\"naive_bytes\":3", "\"naive_bytes\":4"),
    );
    let output = run(&["table", "--check", &name]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    let start = format!(
        "memplan: error: {name} contradicts itself: function 'forward', scope 0 (function): naive_bytes is "
    );
    assert!(message.starts_with(&start), "{message}");
    assert_eq!(run(&["table", &name]).status.code(), Some(0));
}

#[test]
fn unreadable_reports() {
    let folder = TempDir::new().unwrap();
    let missing = folder.path().join("missing.json");
    let missing = missing.to_str().unwrap();
    for command in ["plot", "table"] {
        let message = error(&run(&[command, missing]));
        assert!(
            message.starts_with(&format!("cannot read {missing}: No such file")),
            "{message}"
        );
        let (_, name) = file(&folder, "bad.json", "{\"version\":1,\n \"functions\":[}");
        let message = error(&run(&[command, &name]));
        assert_eq!(
            message,
            format!("{name}: line 2, column 15: expected value")
        );
        let (_, name) = file(&folder, "new.json", "{\"version\":9}");
        let message = error(&run(&[command, &name]));
        assert_eq!(
            message,
            format!("{name}: report version 9 is not supported: this build reads version 1")
        );
    }
    let (path, name) = file(&folder, "latin.json", "");
    fs::write(path, b"\"\xe9\"").unwrap();
    assert!(error(&run(&["table", &name])).starts_with(&format!("{name} is not UTF-8")));
    let message = error(&run(&["plot", &resnet(), "-o", "/nowhere/map.svg"]));
    assert!(
        message.starts_with("cannot write /nowhere/map.svg: "),
        "{message}"
    );
}

#[test]
fn wrong_usage_has_code_2() {
    for arguments in [
        &["table"][..],
        &["plot"],
        &["paint"],
        &[],
        &["plot", "a", "--scope", "x"],
    ] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(run(&["--help"]).status.code(), Some(0));
    assert_eq!(run(&["--version"]).status.code(), Some(0));
}

const VERSION: &str = concat!("memplan ", env!("CARGO_PKG_VERSION"), "\n");

/// The value of a row of `memplan version --bug-report`.
fn row<'a>(report: &'a str, name: &str) -> &'a str {
    let start = format!("{name}: ");
    let found = report.lines().find_map(|line| line.strip_prefix(&start));
    found.unwrap_or_else(|| panic!("no {name} in {report}"))
}

#[test]
fn a_bug_report_has_the_build_llvm_the_plugin_and_the_machine() {
    assert_eq!(stdout(&run(&["version"])), VERSION);
    assert_eq!(stdout(&run(&["--version"])), VERSION);
    let report = stdout(&run(&["version", "--bug-report"]));
    assert!(report.starts_with(VERSION), "{report}");
    for name in ["commit", "features", "plugin", "system", "processor"] {
        assert_ne!(row(&report, name), "", "{report}");
    }
    assert!(row(&report, "build").contains(", rustc 1."), "{report}");
    assert!(row(&report, "target").contains("-linux-"), "{report}");
    let built = row(&report, "LLVM built against");
    assert!(built.starts_with("22."), "{report}");
    assert!(
        row(&report, "LLVM loaded").starts_with(&format!("{built} in /")),
        "{report}"
    );
}

#[test]
fn a_bug_report_says_by_which_rule_the_plugin_was_found() {
    let folder = TempDir::new().unwrap();
    let (path, name) = file(&folder, "libmemplan.so", "");
    let plugin = |path: &str| {
        let mut command = memplan(&["version", "--bug-report"]);
        let command = command
            .env("MEMPLAN_PLUGIN", path)
            .env("HOME", folder.path());
        row(&stdout(&command.output().unwrap()), "plugin").to_owned()
    };
    assert!(path.exists());
    assert_eq!(plugin(&name), "~/libmemplan.so (MEMPLAN_PLUGIN)");
    let none = folder.path().join("none.so");
    assert_eq!(
        plugin(none.to_str().unwrap()),
        "not found: MEMPLAN_PLUGIN names no file"
    );
}

#[test]
fn standard_input_is_a_dash() {
    let text = stdout(&run_on(&fs::read(resnet()).unwrap(), &["table", "-"]));
    assert!(text.starts_with("function "), "{text}");
}

#[test]
fn a_closed_pipe_ends_a_command_without_a_word() {
    let mut child = memplan(&["plot", "-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The picture is written after the report was read; then the pipe is closed.
    drop(child.stdout.take());
    child
        .stdin
        .take()
        .unwrap()
        .write_all(&fs::read(resnet()).unwrap())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(141));
}

/// `memplan help TOPIC` with variables of the environment; a pipe is no terminal.
fn help(topic: &str, variables: &[(&str, &str)]) -> String {
    let mut command = memplan(&["help", topic]);
    command.env_remove("COLUMNS").env_remove("NO_COLOR");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    stdout(&output)
}

#[test]
fn help_is_as_wide_as_the_terminal_and_plain_in_a_pipe() {
    for (columns, most) in [
        (None, 80),
        (Some("50"), 50),
        (Some("132"), 132),
        (Some("x"), 80),
    ] {
        let variables: Vec<_> = columns
            .map(|columns| ("COLUMNS", columns))
            .into_iter()
            .collect();
        for topic in [
            "merge-alloc",
            "reasons",
            "diagnostics",
            "memplan-E101",
            "solve",
        ] {
            let text = help(topic, &variables);
            assert!(!text.contains('\x1b'), "{text}");
            for line in text.lines().filter(|line| !line.starts_with("    ")) {
                assert!(line.chars().count() <= most, "{topic}, {columns:?}: {line}");
            }
        }
        let text = help("merge-alloc", &variables);
        assert!(!text.contains(&i64::MAX.to_string()), "{text}");
    }
}

#[test]
fn columns_of_tables_are_topics() {
    let table = stdout(&run(&["table", &resnet()]));
    let mut found = 0;
    // The first lines of tables stand above a rule.
    for (head, _) in table
        .lines()
        .zip(table.lines().skip(1))
        .filter(|(_, rule)| rule.starts_with("---"))
    {
        let is_heading = head.starts_with(' ') || head.starts_with("function");
        for name in head
            .split("  ")
            .map(str::trim)
            .filter(|name| is_heading && !name.is_empty())
        {
            assert!(help(name, &[]).contains("A column of "), "{name}");
            found += 1;
        }
    }
    assert!(found > 10, "{table}");
}

#[test]
fn unknown_topics_have_near_ones() {
    let wrong = error(&run(&["help", "best-fti"]));
    assert_eq!(wrong, "unknown topic: best-fti; the nearest: best-fit");
    let wrong = error(&run(&["help", "zyxwvutsr"]));
    assert_eq!(
        wrong,
        "unknown topic: zyxwvutsr; `memplan help` lists the topics"
    );
}

#[test]
fn help_has_a_page_for_each_pass_and_subcommand() {
    let all = stdout(&run(&["help"]));
    for topic in [
        "memplan-merge-alloc",
        "memplan-dealloc-pipeline",
        "how-it-works",
        "compile",
    ] {
        assert!(all.contains(&format!("  {topic} ")), "{all}");
    }
    // The names of listed pages start after two blanks.
    let names = all.lines().skip_while(|line| !line.starts_with("Topics"));
    let names = names.filter_map(|line| {
        line.strip_prefix("  ")
            .filter(|line| !line.starts_with(' '))
    });
    let mut listed = 0;
    for name in names.filter_map(|line| line.split(' ').next()) {
        assert!(!stdout(&run(&["help", name])).is_empty(), "{name}");
        listed += 1;
    }
    assert!(listed > 40, "{all}");
    let page = stdout(&run(&["help", "memplan-merge-alloc"]));
    assert_eq!(page, stdout(&run(&["help", "merge-alloc"])));
    for part in [
        "# memplan-merge-alloc\n",
        "    func.func @",
        "## Options\n",
        "\nhoist-parallel ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let paragraphs = page.lines().filter(|line| !line.starts_with("    "));
    for line in paragraphs.take_while(|line| !line.starts_with("## Options")) {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let page = stdout(&run(&["help", "memplan-e101"]));
    assert!(page.starts_with("# memplan-E101\n"), "{page}");
    let all = stdout(&run(&["help", "diagnostics"]));
    assert!(all.contains("\nmemplan-E101  error "), "{all}");
    assert!(stdout(&run(&["help", "compile"])).contains("Usage: memplan compile"));
    let folder = TempDir::new().unwrap();
    let manual = folder.path().join("manual");
    stdout(&run(&["help", "--html", manual.to_str().unwrap()]));
    let page = fs::read_to_string(manual.join("memplan-merge-alloc.html")).unwrap();
    assert!(page.contains("<h2 id=\"options\">Options "), "{page}");
    assert!(page.contains("href=\"memplan-E101.html\""), "{page}");
    assert!(manual.join("memplan-E101.html").exists());
    let wrong = error(&run(&["help", "fusion"]));
    assert!(wrong.starts_with("unknown topic: fusion; "), "{wrong}");
}

/// Of one function with a static buffer, and two buffers of dynamic size in a slot.
const DYNAMIC: &str = r#"{"version":1,"functions":[{"name":"f","scopes":[{"kind":"function","location":"a","arena":"arg",
"memory_space":"","planner":"exact","optimal":true,"naive_bytes":64,"load_bytes":64,"lower_bound_bytes":64,
"planned_bytes":64,"alignment":64,"buffers":[{"id":0,"location":"b","type":"memref<64xi8>","size":64,"alignment":64,
"offset":0,"live":[[0,4]],"in_place_with":null}],"slots":[{"size":["4*d0*d1"],"alignment":64,"buffers":[
{"id":1,"location":"c","type":"memref<?x?xf32>","live":[[1,3]]},
{"id":2,"location":"d","type":"memref<?x?xf32>","live":[[5,9]]}]}]}],"skipped":[],"dimensions":[
{"name":"d0","argument":0,"dimension":0},{"name":"d1","argument":0,"dimension":1,"bounds":[1,8]}]}]}"#;

#[test]
fn dimensions_have_values() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "plan.json", DYNAMIC);
    let hint = "sizes that are known only at run time are not in the bytes: --dim gives their dimensions values, as in --dim d0=N,d1=N\n";
    assert!(stdout(&run(&["table", &name])).contains(hint));
    assert!(stdout(&run(&["table", "--peak", &name])).ends_with(hint));
    let at = stdout(&run(&["table", "--check", &name, "--dim", "d0=100,d1=7"]));
    assert!(at.contains("f (d0=100, d1=7)"), "{at}");
    assert!(
        at.contains("1 arena for 3 allocations: 2.80 KiB instead of 5.56 KiB, 49.7% less\n"),
        "{at}"
    );
    assert!(
        at.ends_with("checked 1 arena with 3 buffers: no overlap, all numbers agree\n"),
        "{at}"
    );
    let peak = stdout(&run(&[
        "table", "--peak", &name, "--dim", "d0=100", "--dim", "f:d1=7",
    ]));
    assert!(
        peak.starts_with("@f · d0=100, d1=7: 2.80 KiB of 2.80 KiB planned are live"),
        "{peak}"
    );
    for form in [&[][..], &["--html"], &["--trace"]] {
        let all = [&["plot", &name, "-o", "-", "--dim", "d0=100,d1=7"], form].concat();
        let drawn = stdout(&run(&all));
        assert!(
            drawn.contains("d0=100, d1=7") && drawn.contains("2,800") | drawn.contains("2800"),
            "{form:?}"
        );
    }
    let cases = [
        (
            "d0",
            "option --dim: 'd0' is not a value of a dimension, such as d0=128 or forward:d1=7"
                .to_owned(),
        ),
        (
            "d0=1",
            format!(
                "{name}: option --dim: sizes of function 'f' depend on d1 too: a value is missing"
            ),
        ),
        (
            "d0=1,d1=9",
            format!("{name}: option --dim: 'd1=9': in function 'f' it is within 1 to 8"),
        ),
    ];
    for (given, wanted) in cases {
        for command in ["table", "plot"] {
            assert_eq!(error(&run(&[command, &name, "--dim", given])), wanted);
        }
    }
    let fixed = error(&run(&["table", &resnet(), "--dim", "d0=1"]));
    assert!(
        fixed.ends_with("option --dim: the report has no sizes that depend on dimensions"),
        "{fixed}"
    );
}
