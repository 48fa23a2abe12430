//! `memplan-check-tree`.

pub mod codes;

use memplan_interface::{Declaration, Example};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-check-tree",
    summary: "Check that the blocks of each function form a tree: no loops, no merges, one \
        path for each return",
    description: "\
After `memplan-expand-loops` and `memplan-treeify`, a function has no \
loop, no block with several predecessors, and no block arguments except those of the entry \
block. It has no operation whose arms merge, and no allocation of dynamic size. The pass \
reports an error at each operation that breaks this. Loops inside a single operation, such as \
`linalg.generic` or a move by `memplan-tree-scan`, are allowed.",
    example: Example {
        before: codes::JOINED,
        after: "error: memplan-check-tree: the block has 2 predecessors [memplan-E722]",
    },
    options: &[],
    statistics: &[],
    codes: &[codes::ALL],
    dialects: &[],
    module_only: false,
};
