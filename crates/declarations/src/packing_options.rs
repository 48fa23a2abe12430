//! Options that affect the bytes of the plan that follows.

use memplan_interface::{OptionDeclaration, OptionKind};

/// Alignment of slices.
pub const ALIGNMENT: OptionDeclaration = OptionDeclaration {
    name: "alignment",
    description: "Least alignment of a slice, in bytes",
    kind: OptionKind::Bytes {
        default: 64,
        min: 1,
        max: 1 << 30,
        power_of_two: true,
    },
};

/// In-place reuse.
pub const IN_PLACE: OptionDeclaration = OptionDeclaration {
    name: "in-place",
    description: "Let a buffer reuse the bytes of one that an operation reads for the last \
    time, element by element",
    kind: OptionKind::Flag(true),
};

/// Smallest planned size.
pub const MIN_SIZE: OptionDeclaration = OptionDeclaration {
    name: "min-size",
    description: "Skip smaller allocations, in bytes",
    kind: OptionKind::Bytes {
        default: 0,
        min: 0,
        max: i64::MAX,
        power_of_two: false,
    },
};

/// Largest planned size.
pub const MAX_SIZE: OptionDeclaration = OptionDeclaration {
    name: "max-size",
    description: "Skip larger allocations, in bytes",
    kind: OptionKind::Bytes {
        default: i64::MAX,
        min: 0,
        max: i64::MAX,
        power_of_two: false,
    },
};
