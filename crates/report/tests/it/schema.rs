//! `schema.json` has every field of a report, with its type, and requires those that are always there.

use memplan_report::{
    BoundedReport, BufferReport, CurvePoint, FunctionReport, LayoutReport, LoopRegions,
    MadeRegions, OrderReport, PathReport, PlacedAllocation, PlacedCall, RegionsReport, Report,
    ScopeReport, SizeReport, Skipped, SlotBufferReport, SlotReport,
};
use serde_json::{Value, from_str, to_value};

fn schema() -> Value {
    from_str(include_str!("../../schema.json")).expect("it is JSON")
}

fn text() -> String {
    "text".to_owned()
}

/// A report in which each field is written: a new field does not compile before it is here.
fn full() -> Report {
    let buffer = BufferReport {
        id: 1,
        location: text(),
        ty: text(),
        size: 64,
        alignment: 64,
        offset: 0,
        live: vec![(0, 1)],
        in_place_with: Some(2),
        arena_of: text(),
        same_as: Some(3),
    };
    let slot = SlotReport {
        size: vec![text()],
        alignment: 64,
        buffers: vec![SlotBufferReport {
            id: 4,
            location: text(),
            ty: text(),
            live: vec![(0, 1)],
        }],
    };
    let scope = ScopeReport {
        kind: text(),
        location: text(),
        arena: text(),
        memory_space: text(),
        planner: text(),
        optimal: true,
        naive_bytes: 64,
        load_bytes: 64,
        lower_bound_bytes: 64,
        lower_bound_proof: text(),
        op_floor_bytes: Some(64),
        planned_bytes: 64,
        alignment: 64,
        buffers: vec![buffer],
        slots: vec![slot],
    };
    Report::new(vec![FunctionReport {
        name: text(),
        scopes: vec![scope],
        skipped: vec![Skipped {
            location: text(),
            ty: text(),
            reason: text(),
        }],
        bounded: Some(BoundedReport {
            size: Some(SizeReport {
                loops: vec![(text(), Some(1))],
                operations: 1,
                expanded: text(),
                tree: text(),
                paths: text(),
            }),
            layout: Some(layout()),
        }),
        regions: Some(regions()),
        orders: vec![OrderReport {
            location: text(),
            operations: 1,
            load_before_bytes: 1,
            load_after_bytes: 1,
            lower_bound_bytes: 1,
            proven: true,
        }],
        functions_read: Some(1),
    }])
}

fn layout() -> LayoutReport {
    LayoutReport {
        mode: text(),
        fit: text(),
        values: text(),
        is_virtual: true,
        stack: text(),
        alignment: 1,
        max_live_bytes: 1,
        peak_bytes: 1,
        plain_bytes: 1,
        scan_bytes: Some(1),
        planner_bytes: None,
        defrag_bytes: Some(1),
        pinned: 1,
        before_tree_bytes: Some(1),
        operations_before_tree: Some(1),
        operations: 1,
        defragmentations: 1,
        moves: 1,
        moved_bytes: 1,
        path_count: 1,
        all_paths: text(),
        paths: vec![PathReport {
            max_live_bytes: 1,
            peak_bytes: 1,
            defragmentations: 1,
            moves: 1,
            moved_bytes: 1,
        }],
        curve: vec![CurvePoint {
            peak_bytes: 1,
            moved_bytes: 1,
        }],
    }
}

fn regions() -> RegionsReport {
    RegionsReport {
        takes_region: true,
        lent_results: vec![0],
        made: vec![MadeRegions {
            region: text(),
            location: text(),
            count: 1,
        }],
        loops: vec![LoopRegions {
            location: text(),
            way: text(),
        }],
        placed: vec![PlacedAllocation {
            location: text(),
            ty: text(),
            region: text(),
        }],
        calls: vec![PlacedCall {
            location: text(),
            callee: text(),
            region: text(),
        }],
    }
}

/// What of a value a schema does not allow. `is_full`: the value has each property.
fn faults(all: &Value, schema: &Value, value: &Value, is_full: bool, at: &str) -> Vec<String> {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let target = all.pointer(&target[1..]).expect("it leads somewhere");
        return faults(all, target, value, is_full, at);
    }
    let mut found = Vec::new();
    if let Some(constant) = schema.get("const") {
        if constant != value {
            found.push(format!("{at} is not {constant}"));
        }
        return found;
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = &schema["type"];
    let names = allowed
        .as_array()
        .map_or(vec![allowed], |all| all.iter().collect());
    if !names.iter().any(|name| *name == kind) {
        found.push(format!("{at} is {kind}, and not {allowed}"));
    }
    if let (Value::Array(items), Some(of)) = (value, schema.get("items")) {
        for item in items {
            found.extend(faults(all, of, item, is_full, &format!("{at}[]")));
        }
    }
    if let Value::Object(fields) = value {
        let properties = schema["properties"].as_object().expect("properties");
        for (name, field) in fields {
            let at = format!("{at}.{name}");
            match properties.get(name) {
                Some(of) => found.extend(faults(all, of, field, is_full, &at)),
                None => found.push(format!("{at} is not in the schema")),
            }
        }
        let required = schema["required"].as_array().expect("a list");
        for name in properties.keys() {
            let is_required = required.iter().any(|one| one == name.as_str());
            if !fields.contains_key(name) && (is_full || is_required) {
                found.push(format!("{at}.{name} is missing"));
            }
        }
    }
    found
}

#[test]
fn the_schema_has_each_field_of_a_report() {
    let schema = schema();
    let value = to_value(full()).expect("it is JSON");
    let found = faults(&schema, &schema, &value, true, "report");
    assert_eq!(found, [""; 0]);
}

#[test]
fn reports_need_not_have_more_than_the_schema_requires() {
    let schema = schema();
    let small = Report::new(vec![FunctionReport {
        bounded: Some(BoundedReport::default()),
        regions: Some(RegionsReport::default()),
        ..FunctionReport::default()
    }]);
    for report in [small, crate::common::resnet_report()] {
        let value = to_value(report).expect("it is JSON");
        let found = faults(&schema, &schema, &value, false, "report");
        assert_eq!(found, [""; 0]);
    }
}

#[test]
fn what_is_no_report_is_refused() {
    let schema = schema();
    let mut value = to_value(full()).expect("it is JSON");
    value["functions"][0]["scopes"][0]["buffers"][0]["size"] = "64".into();
    value["version"] = 2.into();
    let found = faults(&schema, &schema, &value, true, "report");
    assert_eq!(found.len(), 2, "{found:?}");
}
