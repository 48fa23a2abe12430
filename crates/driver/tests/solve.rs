//! Tests of the executable: plans for CSV.

mod support;

use std::fs;
use std::process::Output;

use serde_json::Value;
use support::{error, file, memplan, run, run_on, stdout};
use tempfile::TempDir;

/// Three buffers whose load is 96; end to end they take 160.
const THREE: &str = "id,lower,upper,size\n7,0,2,64\n8,1,3,32\n9,2,4,64\n";

/// Two memory spaces.
const SPACES: &str = "space,id,lower,upper,size,hint\n\
    near,0,0,4,64,-1\n\
    far,0,1,6,32,5\n\
    near,1,2,6,100,-1\n\
    far,1,0,3,4096,-1\n";

/// The standard output of a run with exit code 1 and nothing on standard error.
fn output_of_failure(output: &Output) -> String {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(text).unwrap()
}

#[test]
fn solve_prints_a_table() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    assert_eq!(
        stdout(&run(&["solve", &name, "--planner", "by-size"])),
        "\
buffers  naive bytes  load bytes  lower bound  proven by       peak bytes   ratio  planner  optimal  reuse distance
-------  -----------  ----------  -----------  --------------  ----------  ------  -------  -------  --------------
      3          160          96           96  load at time 1          96  1.0000  by-size  yes                 0.0

96 B, which is optimal
"
    );
    let plain = stdout(&run(&["solve", &name, "--planner", "plain"]));
    assert!(
        plain.contains("  160  1.6667  plain    no                    -\n"),
        "{plain}"
    );
    assert!(plain.ends_with("\n160 B, at most 66.7% above the lower bound\n"));
}

#[test]
fn solve_writes_the_offsets_and_check_reads_them() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    let (path, out) = file(&folder, "out.csv", "");
    stdout(&run(&["solve", &name, "-o", &out]));
    let solved = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = solved.lines().collect();
    assert_eq!(lines[0], "id,lower,upper,size,offset");
    assert!(
        lines[1].starts_with("7,0,2,64,") && lines.len() == 4,
        "{solved}"
    );

    let checked = stdout(&run(&["check", &out, "--capacity", "96"]));
    assert!(
        checked.ends_with(
            "fits: the plan takes 96 B of 96 B\nchecked 3 buffers: no overlap, all offsets are aligned\n"
        ),
        "{checked}"
    );
    // Existing offsets are fixed and stay.
    assert_eq!(
        String::from_utf8(run(&["solve", &out, "-o", "-"]).stdout).unwrap(),
        solved
    );
}

#[test]
fn memory_spaces_are_independent_of_each_other_and_of_the_threads() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", SPACES);
    let solve = |threads: &str| {
        let output = run(&[
            "solve",
            &name,
            "--planner=by-size",
            "-o",
            "-",
            "-j",
            threads,
        ]);
        assert_eq!(output.status.code(), Some(0));
        output
    };
    let one = solve("1");
    assert_eq!(
        String::from_utf8_lossy(&one.stdout),
        "space,id,lower,upper,size,hint,offset\n\
         near,0,0,4,64,-1,100\n\
         far,0,1,6,32,5,4096\n\
         near,1,2,6,100,-1,0\n\
         far,1,0,3,4096,-1,0\n"
    );
    let table = String::from_utf8_lossy(&one.stderr);
    assert!(table.contains("\ntotal        4        4,292 "), "{table}");
    assert!(
        table.contains("  2 of 2\n\nnear: 164 B, which is optimal"),
        "{table}"
    );
    for threads in ["2", "9"] {
        assert_eq!(solve(threads), one);
    }
}

#[test]
fn a_capacity_has_three_answers() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    let solve = |capacity: &str| run(&["solve", &name, "--planner=plain", "--capacity", capacity]);
    let fits = stdout(&solve("1KiB"));
    assert!(
        fits.ends_with("\nfits: the plan takes 160 B of 1.00 KiB\n"),
        "{fits}"
    );
    let unknown = output_of_failure(&solve("96"));
    assert!(
        unknown.ends_with(
            "\nunknown: the best plan found takes 160 bytes, and the capacity is 96; every plan takes 96 or more\n"
        ),
        "{unknown}"
    );
    let no = output_of_failure(&solve("95"));
    assert!(
        no.ends_with(
            "\ndoes not fit: every plan takes 96 bytes or more (load at time 1), and the capacity is 95\n"
        ),
        "{no}"
    );
}

#[test]
fn json_says_the_same() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    let solve =
        |more: &[&str]| run(&[&["solve", &name, "--json", "--planner=plain"], more].concat());
    let fits = json(&stdout(&solve(&[])));
    assert_eq!(
        (&fits["version"], &fits["answer"]),
        (&1.into(), &"fits".into())
    );
    let space = &fits["spaces"][0];
    for (field, value) in [
        ("buffers", 3.into()),
        ("naive_bytes", 160.into()),
        ("load_bytes", 96.into()),
        ("lower_bound_bytes", 96.into()),
        (
            "certificate",
            serde_json::json!({"kind": "load", "time": 1}),
        ),
        ("peak_bytes", 160.into()),
        ("planner", "plain".into()),
        ("optimal", false.into()),
        ("reuse_distance", Value::Null),
        ("offsets", serde_json::json!({"7": 0, "8": 64, "9": 96})),
    ] {
        assert_eq!(space[field], value, "{field}");
    }
    let unknown = json(&output_of_failure(&solve(&["--capacity=100"])));
    assert_eq!(unknown["answer"], "unknown");
    assert_eq!(unknown["spaces"][0]["capacity"], 100);
    assert_eq!(unknown["spaces"][0]["peak_bytes"], 160);
    let no = json(&output_of_failure(&solve(&["--capacity=9"])));
    assert_eq!(no["answer"], "does-not-fit");
    assert_eq!(no["spaces"][0].get("offsets"), None);
}

#[test]
fn each_memory_space_may_have_its_capacity() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", SPACES);
    let solve = |more: &[&str]| run(&[&["solve", &name], more].concat());
    stdout(&solve(&[
        "--capacity",
        "near=164",
        "--capacity",
        "far=8KiB",
    ]));
    let no = output_of_failure(&solve(&[
        "--capacity",
        "near=164",
        "--capacity",
        "far=4KiB",
    ]));
    assert!(no.contains("\nnear: fits: "), "{no}");
    assert!(
        no.contains("\nfar: does not fit: every plan takes 4,128 bytes"),
        "{no}"
    );
    let message = error(&solve(&["--capacity=1", "--capacity=far=2"]));
    assert_eq!(
        message,
        "--capacity is given twice for the memory space 'far'"
    );
    let message = error(&solve(&["--forbid=l3=0-1"]));
    assert_eq!(
        message,
        "--forbid: there is no memory space 'l3'; there are near, far"
    );
}

#[test]
fn forbidden_addresses_are_left_alone() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    let (_, out) = file(&folder, "out.csv", "");
    let forbid = ["--forbid", "0-16", "--forbid", "0x50-1MiB"];
    let solve = ["solve", &name, "--planner=by-size", "-o", &out];
    stdout(&run(&[&solve, &forbid[..]].concat()));
    stdout(&run(&[&["check", &out], &forbid[..]].concat()));
    let wrong = output_of_failure(&run(&["check", &out, "--forbid", "0-1GiB"]));
    assert_eq!(
        wrong,
        "wrong: line 2, column 5: buffer 7 is fixed at offset 16, where it reaches into the forbidden range [0, 1073741824)\n"
    );
    assert_eq!(
        error(&run(&["solve", &out, "--forbid", "79-80"])),
        format!(
            "{out}: line 2, column 5: buffer 7 is fixed at offset 16, where it reaches into the forbidden range [79, 80)"
        )
    );
}

/// Two pairs of ping and pong, a table that must be in bank 1, and a buffer that may cross.
const BANKED: &str = "id,lower,upper,size,bank,apart\n\
    ping,0,2,16,,pong\npong,1,3,16,,\nleft,0,2,8,,@mac\nright,0,2,8,0,@mac\nwide,3,4,40,any,\n";

#[test]
fn buffers_are_in_their_banks() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", BANKED);
    let (path, out) = file(&folder, "out.csv", "");
    let (proof_path, proof) = file(&folder, "proof.txt", "");
    let banks = "--banks=32,32";
    let shown = stdout(&run(&[
        "solve",
        &name,
        banks,
        "-o",
        &out,
        "--certificate",
        &proof,
    ]));
    assert!(
        shown.contains("\nbank  buffers  which") && shown.contains("\n   0        3  "),
        "{shown}"
    );
    let check = ["check", &out, banks, "--certificate", &proof];
    let checked = stdout(&run(&check));
    assert!(
        checked.contains("\nchecked 5 buffers: no overlap"),
        "{checked}"
    );
    let text = fs::read_to_string(proof_path).unwrap();
    assert!(text.starts_with("memplan certificate "), "{text}");

    let facts = json(&stdout(&run(&[
        "solve",
        &name,
        "--banks=2",
        "--capacity=64",
        "--json",
    ])));
    let space = &facts["spaces"][0];
    assert_eq!(space["banks"]["right"], serde_json::json!([0]));
    assert_eq!(space["banks"]["left"], serde_json::json!([1]));
    assert_ne!(space["banks"]["ping"], space["banks"]["pong"]);
    assert_eq!(space["banks"]["wide"], serde_json::json!([0, 1]));

    // Another plan breaks a rule.
    let solved = fs::read_to_string(path).unwrap();
    let line = solved
        .lines()
        .find(|line| line.starts_with("right,"))
        .unwrap();
    let moved = format!("{},56", line.rsplit_once(',').unwrap().0);
    let (_, wrong) = file(&folder, "wrong.csv", &solved.replace(line, &moved));
    assert_eq!(
        output_of_failure(&run(&["check", &wrong, banks])),
        "wrong: line 5, column 7: buffer right is fixed at offset 56, where it is not in its banks\n"
    );
}

#[test]
fn banks_without_a_plan_are_proven_to_have_none() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", BANKED);
    let (_, proof) = file(&folder, "proof.txt", "");
    let one = ["--banks=0-64", "--certificate", &proof];
    let no = output_of_failure(&run(&[&["solve", &name], &one[..]].concat()));
    assert!(
        no.contains("\ndoes not fit: no plan keeps the rules of the banks (apart: "),
        "{no}"
    );
    let checked = output_of_failure(&run(&[&["check", &name], &one[..]].concat()));
    assert!(
        checked.contains(": no plan keeps the rules of the banks\n"),
        "{checked}"
    );
    let facts = json(&stdout(&run(&["bound", &name, "--banks=0-64", "--json"])));
    let space = &facts["spaces"][0];
    assert_eq!(space["lower_bound_bytes"], Value::Null);
    assert_eq!(space["certificate"]["kind"], "apart");
    let searched = stdout(&run(&["bound", &name, "--banks=0-64", "--effort=quick"]));
    assert!(searched.contains("no plan keeps the rules"), "{searched}");

    // Three of six bytes do not fit in banks of ten, though their sum would.
    let text = "id,lower,upper,size\n0,0,1,6\n1,0,1,6\n2,0,1,6\n";
    let (_, name) = file(&folder, "three.csv", text);
    let two = ["--banks=10,10", "--certificate", &proof];
    let no = output_of_failure(&run(&[&["solve", &name], &two[..]].concat()));
    assert!(no.contains("(search of banks, "), "{no}");
    output_of_failure(&run(&[&["check", &name], &two[..]].concat()));
    // Banks with a hole in between, of which the first has a stack.
    let holes = ["solve", &name, "--banks=0-10,20-30,30-36", "--forbid=0-4"];
    stdout(&run(&holes));
    let more = output_of_failure(&run(&[&holes[..], &["--forbid=4-5"]].concat()));
    assert!(more.contains("does not fit"), "{more}");
    let pinned = "id,lower,upper,size,bank\n0,0,1,6,1\n1,0,1,6,1\n";
    let (_, name) = file(&folder, "pinned.csv", pinned);
    let no = output_of_failure(&run(&["solve", &name, "--banks=10,10"]));
    assert!(no.contains("(bank 1: 0, 1)"), "{no}");
}

#[test]
fn interleaved_banks_repeat() {
    let folder = TempDir::new().unwrap();
    let text = "id,lower,upper,size,bank,apart\n0,0,1,4,3,1\n1,0,1,4,,\n2,0,1,100,,\n";
    let (_, name) = file(&folder, "in.csv", text);
    let facts = json(&stdout(&run(&["solve", &name, "--banks=4x4", "--json"])));
    let space = &facts["spaces"][0];
    assert_eq!(space["banks"]["0"], serde_json::json!([3]));
    assert_ne!(space["banks"]["1"], space["banks"]["0"]);
    assert_eq!(space["peak_bytes"], 112);
}

#[test]
fn errors_in_banks_name_the_culprit() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", BANKED);
    for command in ["solve", "bound", "check"] {
        assert_eq!(
            error(&run(&[command, &name])),
            format!(
                "{name}: line 2 has a rule for banks, and there are none: name them with --banks"
            ),
            "{command}"
        );
    }
    for (banks, expected) in [
        (
            "4",
            "--banks=4 divides the capacity, and there is none: write the size of each bank, as 4KiB,4KiB",
        ),
        (
            "0-32,16-64",
            "--banks: bank 1 starts before the end of the bank before it",
        ),
        ("32,0,32", "--banks: bank 1 has no bytes"),
        (
            "l2:64",
            "--banks: there is no memory space 'l2'; there is no column 'space'",
        ),
    ] {
        assert_eq!(error(&run(&["solve", &name, "--banks", banks])), expected);
    }
    let three = ["solve", &name, "--banks=3", "--capacity=64"];
    assert_eq!(
        error(&run(&three)),
        "--banks=3: the capacity of 64 bytes is no multiple of 3"
    );
    let twice = ["solve", &name, "--banks=32,32", "--banks=32x4"];
    assert_eq!(
        error(&run(&twice)),
        "--banks is given twice for one memory space"
    );
    for banks in ["0", "1025", "4x0", "8-8", "4KB"] {
        let output = run(&["solve", &name, "--banks", banks]);
        assert_eq!(output.status.code(), Some(2), "{banks}");
    }
    let solve = |text: &str| {
        let (_, name) = file(&folder, "bad.csv", text);
        let message = error(&run(&["solve", &name, "--banks=32,32"]));
        message.replace(&format!("{name}: "), "")
    };
    for (from, to, expected) in [
        (
            "8,0,@mac",
            "8,2,@mac",
            "line 5, column 5: buffer right names bank 2, and the last bank is 1",
        ),
        (
            "40,any",
            "40,",
            "line 6, column 4: buffer wide has 40 bytes, and its banks have at most 32",
        ),
        (
            "40,any",
            "65,any",
            "line 6, column 4: buffer wide has 65 bytes, and its banks have at most 64",
        ),
        (
            ",pong\n",
            ",song\n",
            "line 2, column 6: 'song' is no buffer of this memory space: write ids, or @NAME for a group",
        ),
        (
            ",pong\n",
            ",ping\n",
            "line 2, column 6: buffer ping is in a group of buffers that are apart twice",
        ),
        (
            "8,0,",
            "8,near,",
            "line 5, column 5: 'near' is not a bank: write numbers of banks, and any where the buffer may cross from bank to bank",
        ),
    ] {
        assert_eq!(solve(&BANKED.replacen(from, to, 1)), expected);
    }
    let fixed = "id,lower,upper,size,apart,offset\n0,0,2,8,1,0\n1,1,3,8,,16\n";
    assert_eq!(
        solve(fixed),
        "line 3, column 6: buffers 0 and 1 must be apart, and are live at once and fixed in bank 0"
    );
    // Buffers without bytes, and those that are never live, are in no bank.
    let (_, name) = file(
        &folder,
        "idle.csv",
        "id,lower,upper,size,bank,apart\n0,0,2,0,1,1\n1,1,1,8,1,\n",
    );
    stdout(&run(&["solve", &name, "--banks=8,4"]));
}

#[test]
fn bad_input_is_named_with_line_and_column() {
    let folder = TempDir::new().unwrap();
    for (text, expected) in [
        (
            &b"id,lower,upper,size\n0,0,1,1\n1,0,x,1\n"[..],
            "line 3, column 3: 'x' is not a time from -2^63 to 2^64 - 1",
        ),
        (
            b"id,lower,upper,size\n0,0,1,1\n1,0,1,1\n\n0,0,1,1\n",
            "line 5, column 1: two buffers have the id 0",
        ),
        (
            b"id,lower,upper,size\n0,0,1,1\n1,\xff0,1,1\n",
            "line 3, column 2: this is not UTF-8",
        ),
        (
            b"",
            "line 1, column 1: the text is empty; the first line names the columns id, lower, upper, size",
        ),
    ] {
        let (path, name) = file(&folder, "bad.csv", "");
        fs::write(path, text).unwrap();
        for command in ["solve", "bound", "check", "plot"] {
            let message = error(&run(&[command, &name]));
            assert_eq!(message, format!("{name}: {expected}"), "{command}");
        }
        let message = error(&run_on(text, &["solve", "-"]));
        assert_eq!(message, format!("standard input: {expected}"));
    }
    let missing = folder.path().join("missing.csv");
    let missing = missing.to_str().unwrap();
    for command in ["solve", "bound", "check", "plot"] {
        let message = error(&run(&[command, missing]));
        assert!(
            message.starts_with(&format!("cannot read {missing}: ")),
            "{message}"
        );
    }
    let (_, name) = file(&folder, "in.csv", THREE);
    let message = error(&run(&["solve", &name, "-o", "/nowhere/out.csv"]));
    assert!(
        message.starts_with("cannot write /nowhere/out.csv: "),
        "{message}"
    );
}

#[test]
fn wrong_usage_has_code_2() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    for option in [
        "--planner=worst-fit",
        "--effort=much",
        "--capacity=lots",
        "--capacity=-1",
        "--forbid=9-9",
        "--forbid=5",
        "--seed=x",
        "--time-limit=-1",
        "--time-limit=soon",
        "-jx",
    ] {
        let output = run(&["solve", &name, option]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(
            !output.stderr.is_empty() && output.stdout.is_empty(),
            "{option}"
        );
    }
    for arguments in [&["solve"][..], &["bound"], &["check"]] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(
        error(&run(&["solve", &name, "-o", "-", "--json"])),
        "--json and -o would both write to standard output"
    );
    assert_eq!(
        error(&run(&["solve", &name, "--capacity=1", "--capacity=2"])),
        "--capacity is given twice"
    );
    let listed = run(&["solve", &name, "--planner=worst-fit"]).stderr;
    assert!(String::from_utf8_lossy(&listed).contains("by-conflicts, locality, hill-climb"));
}

#[test]
fn every_planner_and_option_can_be_named() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    for planner in [
        "first-fit",
        "best-fit",
        "by-conflicts",
        "locality",
        "hill-climb",
        "large",
        "auto",
    ] {
        stdout(&run(&["solve", &name, "--planner", planner]));
    }
    for effort in ["quick", "normal", "12345"] {
        let more = ["--effort", effort, "--seed", "7", "--time-limit", "2.5"];
        stdout(&run(&[&["solve", &name], &more[..]].concat()));
    }
}

#[test]
fn dashes_stand_for_standard_input_and_output() {
    let output = run_on(THREE.as_bytes(), &["solve", "-", "-o", "-"]);
    assert_eq!(output.status.code(), Some(0));
    let solved = String::from_utf8(output.stdout).unwrap();
    assert!(
        solved.starts_with("id,lower,upper,size,offset\n7,0,2,64,"),
        "{solved}"
    );
    assert!(String::from_utf8_lossy(&output.stderr).ends_with("96 B, which is optimal\n"));
    stdout(&run_on(solved.as_bytes(), &["check", "-"]));
    let svg = stdout(&run_on(solved.as_bytes(), &["plot", "-", "-o", "-"]));
    assert!(svg.starts_with("<svg "), "{svg}");
}

#[test]
fn bound_prints_bounds_and_their_proofs() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    assert_eq!(
        stdout(&run(&["bound", &name])),
        "\
buffers  naive bytes  load bytes  lower bound  proven by
-------  -----------  ----------  -----------  --------------
      3          160          96           96  load at time 1

every plan of 3 buffers takes 96 B or more
"
    );
    let facts = json(&stdout(&run(&["bound", &name, "--json", "--effort=quick"])));
    assert_eq!(facts["spaces"][0]["lower_bound_bytes"], 96);
    assert_eq!(facts.get("answer"), None);
    let text = "id,lower,upper,size,alignment\n0,0,1,1,64\n1,0,1,10,64\n2,4,5,8,1\n";
    let (_, name) = file(&folder, "aligned.csv", text);
    let table = stdout(&run(&["bound", &name]));
    assert!(table.contains("  65  alignment 64 at time 0\n"), "{table}");
}

#[test]
fn plot_draws_a_solved_csv() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", SPACES);
    assert_eq!(
        error(&run(&["plot", &name])),
        format!("{name}: line 2 has no offset; memplan solve -o FILE adds them")
    );
    let solved = run(&["solve", &name, "-o", "-"]).stdout;
    let (path, name) = file(&folder, "plan.csv", "");
    fs::write(path, solved).unwrap();
    let svg = stdout(&run(&["plot", &name, "-o", "-"]));
    for part in [
        ">plan · memory space near<",
        ">plan · memory space far<",
        ">time<",
    ] {
        assert_eq!(
            svg.matches(part).count(),
            if part == ">time<" { 2 } else { 1 },
            "{part}"
        );
    }
    let one = stdout(&run(&["plot", &name, "-o", "-", "--scope", "1"]));
    assert!(one.contains("space far<") && !one.contains("space near<"));
    for form in ["--html", "--trace"] {
        let all = stdout(&run(&["plot", &name, form, "-o", "-"]));
        assert!(all.contains("memory space near\"") && all.contains("memory space far\""));
        let one = stdout(&run(&["plot", &name, form, "-o", "-", "--scope", "1"]));
        assert!(one.contains("memory space far\"") && !one.contains("memory space near\""));
    }
}

#[test]
fn plot_knows_a_csv_of_any_name() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(
        &folder,
        "plan.txt",
        "id,lower,upper,size,offset\n0,0,2,8,0\n",
    );
    let svg = stdout(&run(&["plot", &name, "-o", "-"]));
    assert!(svg.contains("live [0, 2)"), "{svg}");
    let (_, name) = file(
        &folder,
        "plan.json",
        "id,lower,upper,size,offset\n0,0,2,8,0\n",
    );
    let message = error(&run(&["plot", &name]));
    assert!(
        message.starts_with(&format!("{name} is not a report")),
        "{message}"
    );
}

#[test]
fn check_finds_errors() {
    let folder = TempDir::new().unwrap();
    let check = |text: &str, more: &[&str]| {
        let (_, name) = file(&folder, "plan.csv", text);
        run(&[&["check", &name], more].concat())
    };
    let overlap = "id,lower,upper,size,offset\n0,0,2,8,0\n1,1,3,8,4\n";
    assert_eq!(
        output_of_failure(&check(overlap, &[])),
        "wrong: line 3, column 5: buffers 0 and 1 are live at once and fixed at offsets where they overlap\n"
    );
    let odd = "id,lower,upper,size,alignment,offset\n0,0,2,8,8,4\n";
    assert_eq!(
        output_of_failure(&check(odd, &[])),
        "wrong: line 2, column 6: buffer 0 is fixed at offset 4, which is not a multiple of its alignment 8\n"
    );
    let right = "id,lower,upper,size,offset\n0,0,2,8,0\n1,2,3,8,4\n2,5,5,8,\n";
    stdout(&check(right, &["--capacity=12"]));
    let large = output_of_failure(&check(right, &["--capacity=11"]));
    assert!(
        large.contains("\ndoes not fit: the plan takes 12 bytes, and the capacity is 11\n"),
        "{large}"
    );
    let message = error(&check("id,lower,upper,size,offset\n0,0,2,8,\n", &[]));
    assert!(
        message.ends_with("plan.csv: line 2 has no offset"),
        "{message}"
    );
}

#[test]
fn certificates_are_written_and_checked() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    let (_, out) = file(&folder, "out.csv", "");
    let (path, proof) = file(&folder, "a=b.txt", "");
    stdout(&run(&["solve", &name, "-o", &out, "--certificate", &proof]));
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.starts_with("memplan certificate 2\nbound 96\nload 1\n"),
        "{text}"
    );
    let check = |input: &str, more: &[&str]| {
        run(&[&["check", input, "--certificate", &proof], more].concat())
    };
    let checked = stdout(&check(&out, &[]));
    assert!(checked.contains("\n96 B, which is optimal\n"), "{checked}");

    // Without a plan there is still a proof.
    let proven = stdout(&check(&name, &[]));
    assert!(
        proven.ends_with(&format!(
            "\nevery plan of 3 buffers takes 96 B or more\n\
            checked {proof}: every plan takes 96 bytes or more\nchecked 3 buffers, not planned\n"
        )),
        "{proven}"
    );
    let open = check(&name, &["--capacity=96"]);
    assert_eq!(open.status.code(), Some(2));
    let message = String::from_utf8_lossy(&open.stderr);
    assert!(
        message.ends_with("there is no plan, and the certificate does not prove that none fits\n"),
        "{message}"
    );
    fs::write(&path, "").unwrap();
    output_of_failure(&run(&[
        "solve",
        &name,
        "--capacity=95",
        "--certificate",
        &proof,
    ]));
    let proven = output_of_failure(&check(&name, &["--capacity=95"]));
    assert!(
        proven.contains("\ndoes not fit: every plan takes 96 bytes or more ("),
        "{proven}"
    );

    // Without the certificate, the known bounds do not get worse.
    fs::write(&path, "memplan certificate 2\nbound 64\nload 0\n").unwrap();
    let weak = stdout(&check(&out, &[]));
    assert!(
        weak.contains("\n96 B, which is optimal\n")
            && weak.contains(": every plan takes 64 bytes or more\n"),
        "{weak}"
    );
    fs::write(&path, "memplan certificate 2\nbound 65\nload 0\n").unwrap();
    assert_eq!(
        error(&check(&out, &[])),
        format!(
            "{proof}: the proof claims 65 bytes, and proves 64; where offsets were fixed before it was solved, the \
             proof may rest on them: name that CSV with --problem"
        )
    );
    fs::write(&path, "memplan certificate 2\nbound 0\nend 5\n").unwrap();
    assert_eq!(
        error(&check(&out, &[])),
        format!("{proof}: there is no buffer 5")
    );
    fs::write(&path, "memplan certificate 2\nbound 0\nend x\n").unwrap();
    let message = error(&check(&out, &[]));
    assert!(
        message.starts_with(&format!("{proof}: line 3: 'x' is not a number")),
        "{message}"
    );
}

#[test]
fn a_proof_that_rests_on_fixed_offsets_is_checked_against_the_problem() {
    const FIXED: &str = "id,lower,upper,size,alignment,gaps,offset\n\
        n0,-1,0,4,1,,\nn1,-2,-2,3,4,,8\nn2,4,11,1,4,5-6@0:1,\n";
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", FIXED);
    let (plan, out) = file(&folder, "out.csv", "");
    let (_, proof) = file(&folder, "proof.txt", "");
    stdout(&run(&["solve", &name, "-o", &out, "--certificate", &proof]));
    let check = |out: &str, problem: &str| {
        run(&["check", out, "--certificate", &proof, "--problem", problem])
    };
    let checked = stdout(&check(&out, &name));
    assert!(
        checked.contains("\n11 B, which is optimal\n")
            && checked
                .contains(": every plan takes 11 bytes or more\nchecked 3 buffers: no overlap"),
        "{checked}"
    );
    let message = error(&run(&["check", &out, "--certificate", &proof]));
    assert!(
        message.starts_with(&format!(
            "{proof}: the proof claims 11 bytes, and proves 3;"
        )) && message.ends_with("name that CSV with --problem"),
        "{message}"
    );

    // What is fixed stays there.
    let solved = fs::read_to_string(&plan).unwrap();
    let (_, moved) = file(&folder, "moved.csv", &solved.replace(",3,4,,8", ",3,4,,12"));
    let wrong = output_of_failure(&check(&moved, &name));
    assert!(
        wrong.contains("buffer n1 is at offset 12 but fixed at 8"),
        "{wrong}"
    );
    // The buffers are those of the problem, and the first that is not is named.
    for (from, to, expected) in [
        (
            "n0,",
            "m0,",
            format!("{out} has buffer n0 where NAME has m0"),
        ),
        (
            "-1,0,4",
            "-1,0,5",
            format!("buffer n0 has another size in {out} than in NAME"),
        ),
        (
            "4,11,1,4",
            "4,11,1,2",
            format!("buffer n2 has another alignment in {out} than in NAME"),
        ),
        (
            "4,11",
            "3,11",
            format!("buffer n2 has other times in {out} than in NAME"),
        ),
        ("-2,-2", "-3,-3", String::new()),
        (
            "5-6@0:1",
            "5-6",
            format!("buffer n2 has other gaps in {out} than in NAME"),
        ),
        (
            "n2,4,11,1,4,5-6@0:1,\n",
            "",
            format!("{out} has buffer n2, and NAME has not"),
        ),
        (
            "n2,",
            "x,1,2,1,1,,\nn2,",
            format!("{out} has buffer n2 where NAME has x"),
        ),
    ] {
        let (_, other) = file(&folder, "other.csv", &FIXED.replace(from, to));
        let found = check(&out, &other);
        match expected.as_str() {
            // The time of what is never live is not kept.
            "" => _ = stdout(&found),
            _ => assert_eq!(error(&found), expected.replace("NAME", &other)),
        }
    }
    // A plan without offsets is none.
    assert_eq!(
        error(&check(&name, &name)),
        format!("{name}: line 2 has no offset")
    );
}

#[test]
fn the_problem_of_a_plan_has_its_memory_spaces() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", SPACES);
    let (plan, out) = file(&folder, "out.csv", "");
    stdout(&run(&["solve", &name, "-o", &out]));
    stdout(&run(&["check", &out, "--problem", &name]));
    let solved = fs::read_to_string(plan).unwrap();
    let (_, renamed) = file(&folder, "renamed.csv", &solved.replace("near", "nigh"));
    assert_eq!(
        error(&run(&["check", &renamed, "--problem", &name])),
        format!("{renamed} has the memory space 'nigh', and {name} has not")
    );
}

#[test]
fn each_memory_space_has_its_certificate() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", SPACES);
    let (path, proof) = file(&folder, "proof.txt", "");
    assert_eq!(
        error(&run(&["solve", &name, "--certificate", &proof])),
        format!("--certificate {proof}: several memory spaces need SPACE=FILE")
    );
    let named = format!("--certificate=far={proof}");
    stdout(&run(&["solve", &name, &named]));
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with("load 1\n"), "{text}");
    let checked = stdout(&run(&["check", &name, &named]));
    assert!(
        checked.contains("\nfar: every plan of 2 buffers takes 4.03 KiB or more\n"),
        "{checked}"
    );
    assert_eq!(
        error(&run(&["solve", &name, &named, &named])),
        "--certificate is given twice for one memory space"
    );
}

#[test]
fn large_and_odd_numbers_pass_through() {
    let text = "hint,size,upper,lower,buffer,alignment\r\n\
        -1,1152921504606846976,18446744073709551615,0,18446744073709551615,1\r\n\
        7,0,9,3,0,64\r\n\
        7,5,3,3,1,64\r\n";
    let output = run_on(text.as_bytes(), &["solve", "-", "-o", "-"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "hint,size,upper,lower,buffer,alignment,offset\n\
         -1,1152921504606846976,18446744073709551615,0,18446744073709551615,1,0\n\
         7,0,9,3,0,64,0\n\
         7,5,3,3,1,64,0\n"
    );
}

#[test]
fn messages_name_the_culprit() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(&folder, "in.csv", THREE);
    assert_eq!(
        error(&run(&["solve", &name, "--certificate", "foo=c"])),
        "--certificate: there is no memory space 'foo'; there is no column 'space'"
    );
    assert_eq!(
        error(&run(&["table", &name])),
        format!(
            "{name} is not a report; write one with report=FILE, and check plans in a CSV with memplan check"
        )
    );
    let message = error(&run(&["solve", &name, "--forbid=0-9223372036854775807"]));
    assert!(
        message.starts_with("--forbid: sizes and alignments"),
        "{message}"
    );
    let bound = stdout(&run(&["bound", &name, "--forbid=0-16"]));
    assert!(
        bound.contains("  2 buffers around forbidden addresses\n"),
        "{bound}"
    );
    let odd = "id,lower,upper,size,space\n0,0,1,8,\n1,0,1,8,a\u{1b}b\n";
    let (_, name) = file(&folder, "odd.csv", odd);
    let text = stdout(&run(&["solve", &name]));
    assert!(
        text.contains("\n'': 8 B") && text.contains("\na\\u{1b}b: 8 B"),
        "{text}"
    );
    let near = "id,lower,upper,size\n0,0,1,100000\n1,1,2,1\n";
    let (_, name) = file(&folder, "near.csv", near);
    let text = stdout(&run(&["solve", &name, "--planner=plain"]));
    assert!(
        text.ends_with(", less than 0.1% above the lower bound\n"),
        "{text}"
    );
}

#[test]
fn nothing_to_plan_is_a_plan() {
    for text in ["id,lower,upper,size\n", "id,lower,upper,size,space\n"] {
        let output = run_on(text.as_bytes(), &["solve", "-", "--json"]);
        assert_eq!(json(&stdout(&output))["answer"], "fits");
    }
    assert_eq!(
        memplan(&["solve", "--help"])
            .output()
            .unwrap()
            .status
            .code(),
        Some(0)
    );
}
