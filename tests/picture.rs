//! The picture in the README is what `memplan plot` draws today.

use std::process::Command;

use memplan_harness::tools::{Tools, root};

const PICTURE: &str = "tests/pictures/resnet18.svg";

/// `MEMPLAN_BLESS=1` draws it anew.
#[test]
fn the_readme_shows_what_plot_draws() {
    let tools = Tools::with_memplan().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.json");
    let drawn = folder.path().join("map.svg");
    // A path below the root, so that the locations in the picture are the same everywhere.
    let planned = Command::new(tools.mlir_opt())
        .current_dir(root())
        .arg("tests/models/bufferized/resnet18.mlir")
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg(format!(
            "--pass-pipeline=builtin.module(func.func(memplan-merge-alloc{{report={}}}))",
            report.display()
        ))
        .args(["-o", "/dev/null"])
        .status()
        .unwrap();
    assert!(planned.success());
    let plotted = Command::new(&tools.memplan)
        .arg("plot")
        .arg(&report)
        .arg("-o")
        .arg(&drawn)
        .status()
        .unwrap();
    assert!(plotted.success());
    let drawn = std::fs::read_to_string(drawn).unwrap();
    let kept = root().join(PICTURE);
    if std::env::var_os("MEMPLAN_BLESS").is_some() {
        std::fs::write(&kept, &drawn).unwrap();
    }
    assert!(
        std::fs::read_to_string(&kept).is_ok_and(|kept| kept == drawn),
        "{PICTURE} is out of date; MEMPLAN_BLESS=1 cargo test --release --test picture draws it anew"
    );
}
