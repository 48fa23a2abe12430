//! The picture: well formed, a box for each live range, usable with many buffers.

use crate::common::{Wanted, crowd, planned, resnet, resnet_report};
use memplan_report::svg::{Options, map};
use memplan_report::{
    BanksReport, ChainDimension, ChainReport, FunctionReport, LineBufferReport, Report,
    ScopeReport, WindowReport,
};
use roxmltree::{Document, Node};

fn function(scopes: Vec<ScopeReport>) -> FunctionReport {
    FunctionReport {
        name: "f<\"x\" & y>".into(),
        scopes,
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
    }
}

/// Rectangles that have a title.
fn boxes<'a>(document: &'a Document) -> Vec<Node<'a, 'a>> {
    let titled = |node: &Node| node.children().any(|child| child.has_tag_name("title"));
    document
        .descendants()
        .filter(|node| node.has_tag_name("rect") && titled(node))
        .collect()
}

fn ranges(scope: &ScopeReport) -> usize {
    scope.buffers.iter().map(|buffer| buffer.live.len()).sum()
}

fn number(node: &Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

#[test]
fn a_box_for_each_live_range() {
    let report = resnet_report();
    let svg = map(&report.functions, &Options::default());
    let document = Document::parse(&svg).unwrap();
    assert_eq!(
        boxes(&document).len(),
        ranges(&report.functions[0].scopes[0])
    );
    assert_eq!(svg, map(&report.functions, &Options::default()));
}

#[test]
fn borders_of_banks_and_the_bank_of_each_buffer() {
    let mut report = resnet_report();
    let scope = &mut report.functions[0].scopes[0];
    let (planned, first) = (scope.planned_bytes, scope.buffers[0].clone());
    let half = first.offset + first.size / 2;
    let ranges = vec![(0, half), (half, planned), (planned, planned + 9)];
    scope.banks = Some(BanksReport::Contiguous { ranges });
    report.check().unwrap();
    let svg = map(&report.functions, &Options::default());
    let document = Document::parse(&svg).unwrap();
    let of = |class: &str| -> Vec<Node<'_, '_>> {
        let all = document.descendants();
        all.filter(|node| node.attribute("class") == Some(class))
            .collect()
    };
    // The last bank is above all buffers.
    let names: Vec<&str> = of("bankname").iter().filter_map(Node::text).collect();
    assert!(
        names.contains(&"bank 1") && !names.contains(&"bank 2"),
        "{names:?}"
    );
    assert_eq!(of("bank").len(), 2);
    let titles = boxes(&document);
    let mut titles = titles
        .iter()
        .filter_map(|node| node.first_element_child()?.text());
    let crossing = format!("#{} ", first.id);
    let crossing = titles.find(|title| title.starts_with(&crossing)).unwrap();
    assert!(crossing.contains("\nin banks 0, 1\n"), "{crossing}");
    let (count, width) = (8, 64);
    report.functions[0].scopes[0].banks = Some(BanksReport::Interleaved { count, width });
    let svg = map(&report.functions, &Options::default());
    assert!(svg.contains("8 interleaved banks of 64 B"), "{svg}");
}

#[test]
fn a_bar_for_each_chain_and_outlines_of_line_buffers() {
    let mut report = resnet_report();
    let scope = &report.functions[0].scopes[0];
    let ends = scope.buffers.iter().flat_map(|buffer| &buffer.live);
    let last = ends.map(|live| live.1).max().unwrap();
    let (buffers, first) = (ranges(scope), scope.buffers[0].clone());
    let chain = |positions| ChainReport {
        positions,
        dimensions: vec![ChainDimension {
            number: 2,
            extent: Some(60),
            rows: 2,
            strips: Some(31),
        }],
        strips: Some(31),
        executions: Some(60),
        ..ChainReport::default()
    };
    let lines = LineBufferReport {
        kind: "line".into(),
        scope: Some(0),
        id: Some(first.id),
        size: Some(first.size),
        kept_rows: 1,
        whole_type: "memref<9x9xf32>".into(),
        whole_size: Some(2 * first.size),
        ..LineBufferReport::default()
    };
    let without = map(&report.functions, &Options::default());
    // The last one is after all buffers.
    report.functions[0].chains = vec![chain((4, 30)), chain((last, last + 4))];
    report.functions[0].chains[0].line_buffers = vec![lines];
    report.check().unwrap();
    let svg = map(&report.functions, &Options::default());
    let document = Document::parse(&svg).unwrap();
    let of = |class: &str| -> Vec<Node<'_, '_>> {
        let all = document.descendants();
        all.filter(|node| node.attribute("class") == Some(class))
            .collect()
    };
    assert_eq!(boxes(&document).len(), buffers + 1);
    let [bar] = of("strips")[..] else {
        panic!("one bar is in the picture");
    };
    let title = bar.descendants().find_map(|node| node.text()).unwrap();
    assert!(
        title.contains("31 strips of 2 rows, 1.9 operations in each"),
        "{title}"
    );
    let edges = of("stripedge");
    let [left, right] = [&edges[0], &edges[1]].map(|edge| number(edge, "x1"));
    assert_eq!(
        (number(&bar, "x"), number(&bar, "width")),
        (left, right - left)
    );
    // One in the map, and one in the legend.
    assert_eq!(of("lines").len(), first.live.len() + 1);
    assert!(
        svg.contains("line buffer of memref&lt;9x9xf32&gt;"),
        "a box says whose rows it has"
    );
    assert!(!without.contains("class=\"strips\"") && !without.contains("class=\"lines\""));
}

#[test]
fn boxes_stay_within_the_picture_and_apart() {
    let functions = [function(vec![crowd(60)])];
    let svg = map(&functions, &Options::default());
    let document = Document::parse(&svg).unwrap();
    let areas: Vec<[f64; 4]> = boxes(&document).iter().map(area).collect();
    let root = document.root_element();
    let (width, height) = (number(&root, "width"), number(&root, "height"));
    for a in &areas {
        assert!(a[0] >= 0.0 && a[0] + a[2] <= width && a[1] >= 0.0 && a[1] + a[3] <= height);
    }
    assert_eq!(overlaps(&areas), 0);
}

/// Left, top, width, height.
fn area(node: &Node) -> [f64; 4] {
    ["x", "y", "width", "height"].map(|name| number(node, name))
}

/// How many pairs of boxes overlap by more than the least height or width of a box.
fn overlaps(areas: &[[f64; 4]]) -> usize {
    let overlap = |a: &[f64; 4], b: &[f64; 4]| {
        let across = (a[0] + a[2]).min(b[0] + b[2]) - a[0].max(b[0]);
        let up = (a[1] + a[3]).min(b[1] + b[3]) - a[1].max(b[1]);
        across >= 0.6 && up >= 0.6
    };
    let pairs = areas.iter().enumerate();
    pairs
        .map(|(at, a)| areas[..at].iter().filter(|b| overlap(a, b)).count())
        .sum()
}

/// A buffer whose second quarter stays in use in its gap, while another one has the half above.
fn with_window() -> ScopeReport {
    let wanted = |live: &[(u64, u64)], size: u64| Wanted {
        ty: format!("memref<{size}xi8>"),
        size,
        live: live.to_vec(),
        in_place_with: None,
    };
    let mut scope = planned(
        &[wanted(&[(0, 4), (8, 10)], 1024), wanted(&[(4, 8)], 512)],
        64,
    );
    scope.buffers[1].offset = 512;
    scope.buffers[0].windows = vec![WindowReport {
        during: (4, 8),
        bytes: (256, 512),
    }];
    scope.load_bytes = 1024;
    assert_eq!(
        Report::new(vec![function(vec![scope.clone()])]).check(),
        Ok(())
    );
    scope
}

#[test]
fn in_a_gap_only_the_window_is_drawn_and_an_outline() {
    let svg = map(&[function(vec![with_window()])], &Options::default());
    let document = Document::parse(&svg).unwrap();
    let areas: Vec<[f64; 4]> = boxes(&document).iter().map(area).collect();
    assert_eq!((areas.len(), overlaps(&areas)), (4, 0));
    let [first, window] = [areas[0], areas[1]];
    assert!((window[3] - first[3] / 4.0).abs() < 0.1, "{window:?}");
    let above = window[1] - first[1];
    assert!((above - first[3] / 2.0).abs() < 0.1, "{window:?}");
    assert!((window[0] - first[0] - first[2]).abs() < 0.1, "{window:?}");
    // The outline of the gap, and its mark in the legend.
    let outlines = document.descendants();
    let outlines: Vec<_> = outlines
        .filter(|node| node.attribute("class") == Some("gap"))
        .map(|node| area(&node))
        .collect();
    assert_eq!(outlines.len(), 2);
    assert_eq!(outlines[0], [window[0], first[1], window[2], first[3]]);
    assert!(svg.contains("only its bytes [256, 512): 256 B at offset 256"));
}

#[test]
fn without_gaps_there_is_no_outline() {
    let live = vec![(0, 2), (2, 7)];
    let wanted = Wanted {
        ty: "memref<8xi8>".into(),
        size: 8,
        live,
        in_place_with: None,
    };
    let svg = map(
        &[function(vec![planned(&[wanted], 64)])],
        &Options::default(),
    );
    assert!(!svg.contains("class=\"gap\""));
}

#[test]
fn holes_keep_the_colour() {
    let live = vec![(0, 2), (5, 7), (9, 10)];
    let wanted = Wanted {
        ty: "memref<8xi8>".into(),
        size: 8,
        live,
        in_place_with: None,
    };
    let svg = map(
        &[function(vec![planned(&[wanted], 64)])],
        &Options::default(),
    );
    let document = Document::parse(&svg).unwrap();
    let boxes = boxes(&document);
    assert_eq!(boxes.len(), 3);
    assert!(
        boxes
            .iter()
            .all(|node| node.attribute("class") == boxes[0].attribute("class"))
    );
}

#[test]
fn panels_stack_and_one_can_be_chosen() {
    let functions = [
        function(vec![crowd(20), crowd(9)]),
        function(vec![crowd(5)]),
    ];
    let height = |options| {
        let svg = map(&functions, &options);
        let document = Document::parse(&svg).unwrap();
        let titles = svg.matches("class=\"title\"").count();
        (titles, number(&document.root_element(), "height"))
    };
    let (panels, whole) = height(Options::default());
    let (chosen, part) = height(Options {
        scope: Some(1),
        ..Options::default()
    });
    assert_eq!((panels, chosen), (3, 1));
    assert_eq!(whole, 3.0 * part);
}

#[test]
fn empty_scopes_have_a_panel() {
    let empty = planned(&[], 64);
    let unused = Wanted {
        ty: "memref<0xi8>".into(),
        size: 0,
        live: vec![],
        in_place_with: None,
    };
    for scope in [empty, planned(&[unused], 64)] {
        let svg = map(&[function(vec![scope])], &Options::default());
        assert_eq!(boxes(&Document::parse(&svg).unwrap()).len(), 0);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn ten_thousand_buffers() {
    let scope = crowd(10_000);
    let count = ranges(&scope);
    let svg = map(&[function(vec![scope])], &Options::default());
    assert_eq!(boxes(&Document::parse(&svg).unwrap()).len(), count);
    assert!(svg.len() < 3_500_000, "{} bytes", svg.len());
    assert!(svg.matches("class=\"in\"").count() < 200);
}

#[test]
fn joined_buffers_are_marked() {
    let scope = planned(&resnet().buffers, 64);
    let joined = scope
        .buffers
        .iter()
        .filter(|buffer| buffer.in_place_with.is_some())
        .count();
    let svg = map(&[function(vec![scope])], &Options::default());
    assert_eq!(svg.matches("\nin place with #").count(), joined);
}

#[test]
fn the_curve_of_costs_is_drawn_with_its_points() {
    let point = |budget_bytes, cost: Option<f64>, lower_bound, proof| memplan_report::CostPoint {
        budget_bytes,
        cost,
        lower_bound,
        copied_bytes: cost.map(|_| 64),
        proof,
    };
    let mut function = function(Vec::new());
    assert!(!memplan_report::svg::has_curve(&function));
    let costs = memplan_report::CostReport {
        unit: "<cycle>".to_owned(),
        memory_space: "#gpu.address_space<private>".to_owned(),
        budget_bytes: Some(300),
        cost: 1500.5,
        lower_bound: 1400.0,
        copied_bytes: 64,
        curve: vec![
            point(0, None, None, memplan_report::CostProof::NothingFits),
            point(
                256,
                Some(2000.0),
                Some(1500.0),
                memplan_report::CostProof::Bound,
            ),
            point(
                512,
                Some(1000.0),
                Some(1000.0),
                memplan_report::CostProof::Optimal,
            ),
        ],
    };
    function.costs = Some(costs);
    assert!(memplan_report::svg::has_curve(&function));
    let text = map([&function], &Options::default());
    let document = Document::parse(&text).unwrap();
    let marks: Vec<_> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("mark"))
        .collect();
    let options: Vec<_> = marks
        .iter()
        .filter_map(|node| node.attribute("data-option"))
        .collect();
    assert_eq!(
        options,
        [
            "budget=#gpu.address_space<private>:256",
            "budget=#gpu.address_space<private>:512"
        ]
    );
    // More bytes are further right, and cost less.
    assert!(number(&marks[0], "x") < number(&marks[1], "x"));
    assert!(number(&marks[0], "y") < number(&marks[1], "y"));
    let title = marks[1].first_element_child().unwrap().text();
    assert!(
        title
            .unwrap()
            .ends_with("cost 1,000, the least possible\ncopies of 64 bytes")
    );
    let chosen = document
        .descendants()
        .find(|node| node.attribute("class") == Some("chosen"))
        .unwrap();
    let middle = |node| number(node, "x") + number(node, "width") / 2.0;
    assert!(middle(&marks[0]) < middle(&chosen) && middle(&chosen) < middle(&marks[1]));
}

#[test]
fn the_curve_of_a_bounded_program_is_drawn_with_its_points() {
    let point = |peak_bytes, moved_bytes| memplan_report::CurvePoint {
        peak_bytes,
        moved_bytes,
    };
    let mut function = function(Vec::new());
    function.bounded = Some(memplan_report::BoundedReport {
        size: None,
        layout: Some(memplan_report::LayoutReport {
            max_live_bytes: 80,
            peak_bytes: 96,
            moved_bytes: 16,
            curve: vec![point(112, 0), point(96, 16), point(80, 48)],
            ..Default::default()
        }),
    });
    assert!(memplan_report::svg::has_curve(&function));
    let text = map([&function], &Options::default());
    let document = Document::parse(&text).unwrap();
    let class = |name: &str| {
        let nodes = document.descendants();
        nodes
            .filter(|node| node.attribute("class") == Some(name))
            .count()
    };
    assert_eq!((class("mark"), class("curve"), class("chosen")), (3, 1, 1));
    let marks = boxes(&document);
    let titles: Vec<_> = marks
        .iter()
        .filter_map(|node| node.first_element_child()?.text())
        .collect();
    assert!(titles.contains(&"stack of 96 bytes, 16 bytes moved"));
}
