//! The file format.

use crate::common::resnet_report;
use memplan_report::{
    BufferReport, FunctionReport, MadeRegions, RegionsReport, Report, ReportError, ScopeReport,
    Skipped, WindowReport,
};
use proptest::prelude::*;

fn small() -> Report {
    let buffer = BufferReport {
        id: 0,
        location: "loc(\"a.mlir\":2:8)".into(),
        ty: "memref<4xf32>".into(),
        size: 16,
        alignment: 64,
        offset: 0,
        live: vec![(3, 17), (20, 21)],
        windows: Vec::new(),
        in_place_with: None,
        arena_of: String::new(),
        same_as: None,
    };
    let second = BufferReport {
        id: 1,
        in_place_with: Some(0),
        arena_of: "callee".into(),
        same_as: None,
        live: vec![],
        windows: vec![WindowReport {
            during: (17, 20),
            bytes: (4, 8),
        }],
        ..buffer.clone()
    };
    Report::new(vec![
        FunctionReport {
            name: "forward".into(),
            scopes: vec![ScopeReport {
                slots: Vec::new(),
                excluded: Vec::new(),
                banks: None,
                held: None,
                each_iteration: false,
                first_time: 0,
                kind: "function".into(),
                location: "loc(\"a.mlir\":1:1)".into(),
                arena: String::new(),
                memory_space: "1".into(),
                planner: "exact".into(),
                optimal: true,
                naive_bytes: 128,
                load_bytes: 16,
                lower_bound_bytes: 16,
                lower_bound_proof: "load".into(),
                lower_bound_sizes: Vec::new(),
                op_floor_bytes: None,
                peak: None,
                planned_bytes: 16,
                alignment: 64,
                buffers: vec![buffer, second],
            }],
            skipped: vec![Skipped {
                location: "loc(unknown)".into(),
                ty: "memref<?xf32>".into(),
                reason: "dynamic-size".into(),
                id: None,
                arena_of: String::new(),
            }],
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
        },
        FunctionReport {
            name: "empty".into(),
            scopes: vec![],
            skipped: vec![],
            bounded: None,
            dimensions: Vec::new(),
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
            regions: Some(RegionsReport {
                takes_region: true,
                borrowed_results: vec![0, 2],
                made: vec![MadeRegions {
                    region: "function".into(),
                    location: "a.mlir:9:1".into(),
                    count: 1,
                }],
                ..RegionsReport::default()
            }),
        },
    ])
}

const SMALL: &str = r#"{"version":1,"functions":[
  {"name":"forward","scopes":[
    {"kind":"function","location":"loc(\"a.mlir\":1:1)","memory_space":"1","planner":"exact","optimal":true,"naive_bytes":128,"load_bytes":16,"lower_bound_bytes":16,"lower_bound_proof":"load","planned_bytes":16,"alignment":64,"buffers":[
      {"id":0,"location":"loc(\"a.mlir\":2:8)","type":"memref<4xf32>","size":16,"alignment":64,"offset":0,"live":[[3,17],[20,21]],"in_place_with":null},
      {"id":1,"location":"loc(\"a.mlir\":2:8)","type":"memref<4xf32>","size":16,"alignment":64,"offset":0,"live":[],"windows":[{"during":[17,20],"bytes":[4,8]}],"in_place_with":0,"arena_of":"callee"}]}],"skipped":[
    {"location":"loc(unknown)","type":"memref<?xf32>","reason":"dynamic-size"}]},
  {"name":"empty","scopes":[],"skipped":[],"regions":{"takes_region":true,"lent_results":[0,2],"made":[
    {"region":"function","location":"a.mlir:9:1","count":1}],"loops":[],"placed":[],"calls":[]}}]}
"#;

#[test]
fn the_first_time_is_written_where_it_is_not_0() {
    let mut report = small();
    assert!(!report.to_json().contains("first_time"));
    report.functions[0].scopes[0].first_time = -7;
    let text = report.to_json();
    assert!(text.contains(r#""first_time":-7"#), "{text}");
    assert_eq!(Report::from_json(&text), Ok(report));
}

#[test]
fn the_shape_is_fixed() {
    assert_eq!(small().to_json(), SMALL);
    assert_eq!(Report::from_json(SMALL), Ok(small()));
}

#[test]
fn documents_follow_each_other() {
    let text = SMALL.repeat(2) + &Report::default().to_json();
    let reports = Report::read_all(&text).unwrap();
    assert_eq!(reports, [small(), small(), Report::default()]);
    assert_eq!(Report::merge(reports).functions.len(), 4);
    assert_eq!(
        Report::from_json(&text),
        Err(ReportError::Count { found: 3 })
    );
    assert_eq!(Report::read_all(" \n"), Ok(vec![]));
    assert_eq!(Report::from_json(""), Err(ReportError::Count { found: 0 }));
}

#[test]
fn added_fields_are_passed_over() {
    let text = SMALL
        .replace("\"version\":1", "\"tool\":{\"name\":[1]},\"version\":1")
        .replace("\"id\":", "\"hint\":null,\"id\":")
        .replace("\"kind\":", "\"steps\":12,\"kind\":");
    assert_eq!(Report::from_json(&text), Ok(small()));
}

#[test]
fn reports_from_before_the_proof_are_read() {
    let text = SMALL.replace("\"lower_bound_proof\":\"load\",", "");
    let mut report = small();
    report.functions[0].scopes[0].lower_bound_proof.clear();
    assert_eq!(Report::from_json(&text), Ok(report));
}

#[test]
fn another_version_is_named_even_if_its_shape_differs() {
    let error = Report::from_json(r#"{"version":2,"modules":[]}"#).unwrap_err();
    assert_eq!(error, ReportError::Version { found: 2 });
    assert_eq!(
        error.to_string(),
        "report version 2 is not supported: this build reads version 1"
    );
}

#[test]
fn errors_have_a_place() {
    let place = |text: &str| match Report::read_all(text) {
        Err(ReportError::Json {
            line,
            column,
            message,
        }) => (line, column, message),
        other => panic!("expected a JSON error, found {other:?}"),
    };
    assert_eq!(
        place("{\"version\":1,\n  oops}"),
        (2, 3, "key must be a string".into())
    );
    assert_eq!(place("{\"version\":1}").2, "missing field `functions`");
    assert_eq!(place("{}").2, "missing field `version`");
    // In the second document, whose first line begins after the first document.
    let (line, column, message) = place(&(SMALL.to_owned() + "{\"version\":1,\"functions\":7}"));
    assert_eq!((line, column), (SMALL.lines().count() + 1, 26));
    assert!(message.contains("integer `7`"), "{message}");
    let (line, column, _) =
        place("{\"version\":1,\"functions\":[]} {\"version\":1,\"functions\":7}");
    assert_eq!((line, column), (1, 55));
}

#[test]
fn the_sample_is_sound() {
    let report = resnet_report();
    assert_eq!(report.check(), Ok(()));
    assert_eq!(Report::from_json(&report.to_json()), Ok(report));
}

fn buffers() -> impl Strategy<Value = BufferReport> {
    let live = prop::collection::vec(any::<(u64, u64)>(), 0..3);
    let window = any::<((u64, u64), (u64, u64))>();
    let window = window.prop_map(|(during, bytes)| WindowReport { during, bytes });
    let windows = prop::collection::vec(window, 0..3);
    (
        any::<(u64, String, String, u64)>(),
        any::<(u64, u64, Option<u64>)>(),
        (live, windows),
    )
        .prop_map(
            |((id, location, ty, size), (alignment, offset, in_place_with), (live, windows))| {
                BufferReport {
                    id,
                    location,
                    ty,
                    size,
                    alignment,
                    offset,
                    live,
                    windows,
                    in_place_with,
                    arena_of: String::new(),
                    same_as: None,
                }
            },
        )
}

fn scopes() -> impl Strategy<Value = ScopeReport> {
    let words = any::<(String, String, String, String, String, bool)>();
    let numbers = any::<(u64, u64, u64, u64, u64)>();
    (words, numbers, prop::collection::vec(buffers(), 0..4)).prop_map(
        |(words, numbers, buffers)| {
            let (kind, location, memory_space, planner, lower_bound_proof, optimal) = words;
            let (naive_bytes, load_bytes, lower_bound_bytes, planned_bytes, alignment) = numbers;
            ScopeReport {
                slots: Vec::new(),
                excluded: Vec::new(),
                banks: None,
                held: None,
                each_iteration: false,
                first_time: 0,
                kind,
                location,
                arena: String::new(),
                memory_space,
                planner,
                optimal,
                naive_bytes,
                load_bytes,
                lower_bound_bytes,
                lower_bound_proof,
                lower_bound_sizes: Vec::new(),
                op_floor_bytes: None,
                peak: None,
                planned_bytes,
                alignment,
                buffers,
            }
        },
    )
}

fn reports() -> impl Strategy<Value = Report> {
    let skipped = any::<(String, String, String)>().prop_map(|(location, ty, reason)| Skipped {
        location,
        ty,
        reason,
        id: None,
        arena_of: String::new(),
    });
    let functions = (
        any::<String>(),
        prop::collection::vec(scopes(), 0..3),
        prop::collection::vec(skipped, 0..3),
    )
        .prop_map(|(name, scopes, skipped)| FunctionReport {
            name,
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
        });
    prop::collection::vec(functions, 0..3).prop_map(Report::new)
}

proptest! {
    #[test]
    fn what_is_written_is_read(reports in prop::collection::vec(reports(), 1..3)) {
        let text: String = reports.iter().map(Report::to_json).collect();
        prop_assert_eq!(Report::read_all(&text).unwrap(), reports);
    }

    /// Whatever stands in a report, nothing that looks at it panics.
    #[test]
    fn nonsense_is_survived(report in reports()) {
        _ = report.check();
        _ = memplan_report::text::table(&report);
        let svg = memplan_report::svg::map(&report.functions, &Default::default());
        prop_assert!(roxmltree::Document::parse(&svg).is_ok());
    }
}
