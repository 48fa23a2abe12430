//! The files under `tests/data`: a report, its table. `MEMPLAN_BLESS=1` writes them anew.

use std::fs;
use std::path::Path;

use crate::common::{planned, resnet, resnet_report};
use memplan_report::{FunctionReport, Report, Skipped, text};

fn expect(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    if std::env::var_os("MEMPLAN_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    assert!(
        text == expected,
        "{name} differs from what was made now:\n{text}"
    );
}

#[test]
fn report() {
    expect("resnet.json", &resnet_report().to_json());
}

#[test]
fn table() {
    expect("resnet.txt", &text::table(&resnet_report()));
}

#[test]
fn table_of_many_functions() {
    let skipped = |line: u32, ty: &str, reason: &str| Skipped {
        location: format!("loc(\"net.mlir\":{line}:9)"),
        ty: ty.into(),
        reason: reason.into(),
        id: None,
        arena_of: String::new(),
    };
    let mut on_device = planned(&resnet().buffers[..8], 64);
    on_device.memory_space = "#gpu.address_space<workgroup>".into();
    on_device.planner = "exact".into();
    let mut parallel = planned(&resnet().buffers[5..9], 64);
    parallel.kind = "scf.forall".into();
    let function = |name: &str, scopes, skipped| FunctionReport {
        name: name.into(),
        scopes,
        skipped,
        bounded: None,
        dimensions: Vec::new(),
        regions: None,
        orders: Vec::new(),
        chains: Vec::new(),
        functions_read: None,
        program: None,
        planned_bytes: None,
        lower_bound_bytes: None,
        heap_bytes: None,
        heap_lower_bound_bytes: None,
        costs: None,
        explained: None,
    };
    let report = Report::new(vec![
        function(
            "forward",
            vec![planned(&resnet().buffers, 64), on_device, parallel],
            vec![],
        ),
        function("helper", vec![], vec![]),
        function(
            "a_function_with_a_name_that_goes_on_for_longer_than_anybody_wants_to_read",
            vec![planned(&resnet().buffers[..3], 64)],
            vec![skipped(9, "memref<4xf32>", "returned")],
        ),
        function(
            "dynamic",
            vec![],
            vec![
                skipped(21, "memref<?xf32>", "dynamic-size"),
                skipped(22, "memref<?x?xf32>", "dynamic-size"),
            ],
        ),
    ]);
    expect("many.txt", &text::table(&report));
}

#[test]
fn tables_of_nothing() {
    let empty = FunctionReport {
        name: "f".into(),
        scopes: vec![],
        skipped: vec![],
        bounded: None,
        dimensions: Vec::new(),
        regions: None,
        orders: Vec::new(),
        chains: Vec::new(),
        functions_read: None,
        program: None,
        planned_bytes: None,
        lower_bound_bytes: None,
        heap_bytes: None,
        heap_lower_bound_bytes: None,
        costs: None,
        explained: None,
    };
    assert_eq!(
        text::table(&Report::new(vec![empty])),
        "no allocations in 1 function\n"
    );
    assert_eq!(
        text::table(&Report::default()),
        "no allocations in 0 functions\n"
    );
}
