//! The page: the plan is in it, and nothing in a name breaks out.

use crate::common::{crowd, resnet_report};
use memplan_report::{BanksReport, FunctionReport, page::page};
use serde_json::{Value, json};

/// What stands in the page's element of data.
fn data(page: &str) -> Value {
    let (_, rest) = page
        .split_once(r#"<script type="application/json" id="data">"#)
        .unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn the_same_plan_gives_the_same_page() {
    let report = resnet_report();
    let written = page("plan.json", &report.functions, None);
    assert_eq!(written, page("plan.json", &report.functions, None));
    assert!(written.contains("<title>plan.json · memplan</title>"));
    let data = data(&written);
    let scope = &data["functions"][0]["scopes"][0];
    assert_eq!(scope["name"], "@forward");
    let count = report.functions[0].scopes[0].buffers.len();
    assert_eq!(scope["buffers"]["id"].as_array().unwrap().len(), count);
    assert_eq!(data["functions"][0]["skipped"][0][2], "returned");
}

#[test]
fn banks_have_addresses_and_names() {
    let mut report = resnet_report();
    let planned = report.functions[0].scopes[0].planned_bytes;
    let ranges = vec![(0, 64), (64, planned)];
    report.functions[0].scopes[0].banks = Some(BanksReport::Contiguous { ranges });
    let data = data(&page("plan.json", &report.functions, None));
    let banks = &data["functions"][0]["scopes"][0]["banks"];
    assert_eq!(banks, &json!([[0, 64, "bank 0"], [64, planned, "bank 1"]]));
}

#[test]
fn names_stay_names() {
    const NASTY: &str = "</script><script>alert(1)</script><!--{data}]]>\"'&";
    let mut report = resnet_report();
    let function = &mut report.functions[0];
    function.name = NASTY.into();
    function.scopes[0].buffers[3].ty = NASTY.into();
    function.scopes[0].buffers[3].location = NASTY.into();
    function.skipped[0].location = NASTY.into();
    let plain = page("plan", &resnet_report().functions, None);
    let nasty = page(NASTY, &report.functions, None);
    for sign in ["<script", "</script", "<!--"] {
        let count = |page: &str| page.matches(sign).count();
        assert_eq!(count(&plain), count(&nasty), "{sign}");
    }
    let data = data(&nasty);
    assert_eq!(data["title"], NASTY);
    assert_eq!(data["functions"][0]["name"], NASTY);
    assert_eq!(
        data["functions"][0]["scopes"][0]["buffers"]["location"][3],
        NASTY
    );
}

#[test]
fn it_asks_for_nothing() {
    let page = page("plan", &resnet_report().functions, None);
    for sign in ["http:", "https:", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(sign), "{sign}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn one_scope_can_be_chosen() {
    let function = FunctionReport {
        name: "f".into(),
        scopes: vec![crowd(20), crowd(9)],
        skipped: Vec::new(),
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
    let functions = [function];
    let numbers = |scope| {
        let data = data(&page("plan", &functions, scope));
        let scopes = data["functions"][0]["scopes"].as_array().unwrap().clone();
        scopes
            .iter()
            .map(|scope| scope["number"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers(None), [0, 1]);
    assert_eq!(numbers(Some(1)), [1]);
}

#[test]
fn ten_thousand_buffers_are_small() {
    let functions = [FunctionReport {
        scopes: vec![crowd(10_000)],
        ..resnet_report().functions.remove(0)
    }];
    let page = page("plan", &functions, None);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}
