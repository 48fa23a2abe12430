//! Textual form of functions.

use std::fmt::Write as _;

use memplan_ownership::{Function, function::RegionId};

/// A function as text.
pub fn show(function: &Function) -> String {
    let mut text = String::new();
    for (index, segment) in function.segments.iter().enumerate() {
        let params: Vec<u32> = segment.params.iter().map(|param| param.0).collect();
        let region = segment.region.unwrap_or(RegionId(0)).0;
        let _ = writeln!(text, "segment {index} of region {region} ({params:?}):");
        for step in 0..segment.steps {
            let _ = write!(text, "    {step}:");
            for (_, value) in segment.uses.iter().filter(|(at, _)| *at == step) {
                let _ = write!(text, " use {};", value.0);
            }
            for (id, value) in function.values.iter().enumerate() {
                if value.segment.index() == index && value.step == Some(step) {
                    let _ = write!(text, " {id} = {:?};", value.kind);
                }
            }
            text.push('\n');
        }
        for edge in &segment.edges {
            let edge = function.edge(*edge);
            let passed: Vec<_> = edge
                .passed
                .iter()
                .map(|value| value.map(|value| value.0))
                .collect();
            let _ = writeln!(
                text,
                "    to {:?} {passed:?} {:?}",
                edge.to.map(|to| to.0),
                edge.split
            );
        }
    }
    text
}
