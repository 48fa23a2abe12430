//! The check accepts every sound plan and no plan with an overlap.

use memplan_report::{FunctionReport, Report, ScopeReport};
use proptest::prelude::*;

use crate::common::{Wanted, crowd, meets, planned};

fn report(scope: ScopeReport) -> Report {
    let name = "f".into();
    Report::new(vec![FunctionReport {
        name,
        scopes: vec![scope],
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
    }])
}

/// A buffer of up to 100 bytes that is live once or twice.
fn wanted() -> impl Strategy<Value = Wanted> {
    (
        1..100u64,
        0..30u64,
        1..9u64,
        prop::option::of((0..4u64, 1..5u64)),
    )
        .prop_map(|(size, start, length, again)| {
            let mut live = vec![(start, start + length)];
            if let Some((gap, length)) = again {
                let start = live[0].1 + gap;
                live.push((start, start + length));
            }
            Wanted {
                ty: format!("memref<{size}xi8>"),
                size,
                live,
                in_place_with: None,
            }
        })
}

proptest! {
    #[test]
    fn sound_plans_pass(wanted in prop::collection::vec(wanted(), 0..20)) {
        prop_assert_eq!(report(planned(&wanted, 16)).check(), Ok(()));
    }

    /// Moving one buffer by some steps of its alignment is found out exactly when it then shares
    /// bytes with a buffer that is live at the same time, as a comparison of all pairs says.
    #[test]
    fn overlaps_are_found(
        wanted in prop::collection::vec(wanted(), 2..20),
        which in any::<prop::sample::Index>(),
        offset in 0..12u64,
    ) {
        let mut scope = planned(&wanted, 16);
        let room = 12 * 16 + 100;
        scope.planned_bytes = scope.planned_bytes.max(room);
        scope.optimal = scope.planned_bytes == scope.lower_bound_bytes;
        let at = which.index(wanted.len());
        scope.buffers[at].offset = offset * 16;
        let moved = &scope.buffers[at];
        let clash = scope.buffers.iter().enumerate().any(|(other, buffer)| {
            other != at
                && meets(&buffer.live, &moved.live)
                && buffer.offset < moved.offset + moved.size
                && moved.offset < buffer.offset + buffer.size
        });
        let problem = report(scope).check().err().map(|error| error.to_string());
        prop_assert_eq!(problem.as_ref().is_some_and(|p| p.contains("share bytes")), clash);
        prop_assert_eq!(problem.is_some(), clash);
    }
}

#[test]
fn many_buffers_are_checked() {
    assert_eq!(report(crowd(3_000)).check(), Ok(()));
}
