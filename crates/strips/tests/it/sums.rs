//! Reductions.

use crate::generate::{Choice, Kind, program};
use memplan_strips::{chain::Spread, program::NodeId, refusal::Refusal};

#[test]
fn only_the_outermost_reduction_is_split() {
    let convolve = Choice {
        kind: Kind::Convolve {
            size: 3,
            stride: 1,
            dilation: 1,
        },
        from: 0,
    };
    let program = program(&[convolve], 10);
    // It sums over channels that are read (2), then over rows of the window (3). The fill runs before the strips.
    let of = |split| Spread::of(&program, 0..2, NodeId::new(1), split);
    let spread = of(2).unwrap();
    assert!(spread.accumulates);
    assert_eq!(spread.before, [NodeId::new(0)]);
    assert_eq!(of(3).err(), Some(Refusal::Order));
}
