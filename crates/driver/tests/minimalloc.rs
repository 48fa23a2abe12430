//! Tests of the executable: CSV files as MiniMalloc has them.

mod support;

use serde_json::Value;
use support::{error, file, memplan, run, run_on, stdout};
use tempfile::TempDir;

/// Standard output and standard error of a run that must succeed.
fn outputs(arguments: &[&str]) -> (String, String) {
    let output = memplan(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&run(arguments))).unwrap()
}

#[test]
fn names_are_ids_in_offsets_proofs_messages_and_pictures() {
    let folder = TempDir::new().unwrap();
    let text = "id,lower,upper,size,offset\nconv1,0,2,4,\nfc,1,3,4,96\n";
    let (_, name) = file(&folder, "named.csv", text);
    let known = json(&["solve", &name, "--json"]);
    let space = &known["spaces"][0];
    assert_eq!(space["offsets"]["conv1"], 0);
    assert_eq!(space["offsets"]["fc"], 96);
    assert_eq!(space["certificate"]["buffer"], "fc");
    let table = stdout(&run(&["bound", &name]));
    assert!(table.contains("buffer fc"), "{table}");

    let (_, wrong) = file(
        &folder,
        "wrong.csv",
        "id,lower,upper,size,offset\nconv1,0,2,4,0\nfc,1,3,4,2\n",
    );
    let output = run(&["check", &wrong]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("buffers conv1 and fc"), "{text}");

    let (picture, path) = file(&folder, "named.svg", "");
    let (_, solved) = file(
        &folder,
        "solved.csv",
        "id,lower,upper,size,offset\nconv1,0,2,400,0\nfc,1,3,400,400\n",
    );
    stdout(&run(&["plot", &solved, "-o", &path]));
    assert!(std::fs::read_to_string(picture).unwrap().contains("conv1"));
}

#[test]
fn negative_times_are_shown_as_they_are() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(
        &folder,
        "early.csv",
        "id,lower,upper,size\n1,-3,-1,4\n2,-2,3,4\n3,1,2,1\n",
    );
    let known = json(&["solve", &name, "--json"]);
    let space = &known["spaces"][0];
    assert_eq!(space["peak_bytes"], 8);
    assert_eq!(space["certificate"]["time"], -2);
    let solved = stdout(&run(&["solve", &name, "-o", "/dev/null"]));
    assert!(solved.contains("load at time -2"), "{solved}");
}

#[test]
fn negative_times_are_in_pictures_as_they_are() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(
        &folder,
        "early.csv",
        "id,lower,upper,size,gaps,offset\nconv1,-4,10,10,-2-2@0:4 4-8,0\nfc,-9,-5,6,,0\n",
    );
    let svg = stdout(&run(&["plot", &name, "-o", "-"]));
    for text in [
        "live [-4, -2), range 1 of 4",
        "live [-2, 2), range 2 of 4",
        "live [8, 10), range 4 of 4",
        "live [-9, -5)",
        "peak load 10 B at time -4 to -3",
        ">-8</text>",
    ] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    let page = stdout(&run(&["plot", &name, "--html", "-o", "-"]));
    for data in [
        r#""live":[[[-4,-2],[2,4],[8,10]],[[-9,-5]]]"#,
        r#""windows":{"0":[[-2,2,0,4]]}"#,
        r#""peak":[-4,-2,10]"#,
        r#""load":[[-9,6],[-5,0],[-4,10],"#,
    ] {
        assert!(page.contains(data), "{data}");
    }
    let trace = stdout(&run(&["plot", &name, "--trace", "-o", "-"]));
    let trace: Value = serde_json::from_str(&trace).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let slices: Vec<&Value> = events.iter().filter(|one| one["ph"] == "X").collect();
    assert_eq!(slices[0]["ts"], 0);
    assert_eq!(slices[0]["args"]["live"], serde_json::json!([[-9, -5]]));
    assert_eq!(slices[1]["ts"], 5);
    let windows = serde_json::json!([{"during": [-2, 2], "bytes": [0, 4]}]);
    assert_eq!(slices[1]["args"]["windows"], windows);
}

#[test]
fn unknown_columns_are_kept_and_named_once_or_refused() {
    let folder = TempDir::new().unwrap();
    let text = "id,lower,upper,size,note,aligment\n1,0,2,4,a,64\n2,1,3,4,b,64\n";
    let (_, name) = file(&folder, "noted.csv", text);
    let (out, warning) = outputs(&["solve", &name, "-o", "-"]);
    assert!(
        out.starts_with("id,lower,upper,size,note,aligment,offset\n1,0,2,4,a,64,"),
        "{out}"
    );
    let expected = format!(
        "memplan: warning: {name}: unknown columns note, aligment (is it alignment?): kept in the output, and not read\n"
    );
    assert!(warning.starts_with(&expected), "{warning}");
    for command in ["solve", "bound", "check"] {
        assert_eq!(
            error(&run(&[command, &name, "--strict"])),
            format!(
                "{name}: unknown columns note, aligment (is it alignment?), which --strict refuses"
            )
        );
    }
    let output = run_on(text.as_bytes(), &["bound", "-", "--strict"]);
    assert!(error(&output).starts_with("standard input: unknown columns"));
}

#[test]
fn any_alignment_is_kept() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(
        &folder,
        "three.csv",
        "id,lower,upper,size,alignment\n1,0,2,4,3\n2,1,3,4,1\n",
    );
    let known = json(&["solve", &name, "--json"]);
    let space = &known["spaces"][0];
    assert_eq!(space["peak_bytes"], 8);
    assert_eq!(space["offsets"]["1"].as_u64().unwrap() % 3, 0);
}

#[test]
fn bytes_that_a_window_leaves_are_used() {
    let folder = TempDir::new().unwrap();
    let (_, name) = file(
        &folder,
        "window.csv",
        "id,lower,upper,size,gaps\n1,0,10,10,3-7@0:4\n2,4,6,6,\n",
    );
    let (path, solved) = file(&folder, "solved.csv", "");
    let table = stdout(&run(&["solve", &name, "--capacity", "10", "-o", &solved]));
    assert!(table.contains("fits"), "{table}");
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        "id,lower,upper,size,gaps,offset\n1,0,10,10,3-7@0:4,0\n2,4,6,6,,4\n"
    );
    let checked = stdout(&run(&["check", &solved, "--capacity", "10"]));
    assert!(checked.contains("no overlap"), "{checked}");
    let (_, wrong) = file(
        &folder,
        "wrong.csv",
        "id,lower,upper,size,gaps,offset\n1,0,10,10,3-7@0:4,0\n2,4,6,6,,3\n",
    );
    let output = run(&["check", &wrong]);
    assert_eq!(output.status.code(), Some(1));
}

/// While buffer 1 uses only its two middle bytes, buffer 2 does not fit beside them within its size.
#[test]
fn with_windows_exact_proves_what_no_bound_shows() {
    let folder = TempDir::new().unwrap();
    let text = "id,lower,upper,size,gaps\n0,2,4,2,\n1,0,2,4,1-2@1:3\n2,1,4,2,2-3@0:1\n";
    let (_, name) = file(&folder, "window.csv", text);
    let (_, solved) = file(&folder, "solved.csv", "");
    let (path, proof) = file(&folder, "proof.txt", "");
    let exact = ["solve", &name, "--planner", "exact", "-o", &solved];
    let table = stdout(&run(&[&exact[..], &["--certificate", &proof]].concat()));
    assert!(table.contains("search of distances, 3 nodes"), "{table}");
    assert!(table.ends_with("\n5 B, which is optimal\n"), "{table}");
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        "memplan certificate 2\nbound 5\ndistances\nnodes 1:2:1 l l\n"
    );
    let checked = stdout(&run(&["check", &solved, "--certificate", &proof]));
    assert!(
        checked.contains("every plan takes 5 bytes or more"),
        "{checked}"
    );
    let refuted = run(&[
        "solve",
        &name,
        "--planner",
        "exact",
        "--capacity",
        "4",
        "--json",
    ]);
    assert_eq!(refuted.status.code(), Some(1));
    let known: Value = serde_json::from_slice(&refuted.stdout).unwrap();
    let space = &known["spaces"][0];
    assert_eq!(space["certificate"]["kind"], "distances", "{known}");
    assert_eq!(space["lower_bound_bytes"], 5, "{known}");
}
