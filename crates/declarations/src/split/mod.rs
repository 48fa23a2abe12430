//! `memplan-split`.

pub mod codes;

use crate::{
    assign_spaces::{BUDGET, MACHINE, PROMOTE},
    merge_alloc,
    packing_options::{ALIGNMENT, IN_PLACE, MAX_SIZE, MIN_SIZE},
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-split",
    summary: "Run chains of operations strip by strip, so that what is between them is never whole in memory",
    description: "\
No plan holds less than the largest operation touches. So the pass changes the shape of the work: \
operations that follow each other run strip by strip. Each computes a few rows of its result, and \
the next one uses them at once. A convolution or a pooling needs rows that the strip before has \
computed: these stay in a line buffer. With two split dimensions, the columns at the border \
between strips stay in memory, too. Nothing is computed twice, and each sum is added in its order, \
so that the results are the same, bit for bit.

A chain is a range of operations of one block: the body of the function, of a loop or of a branch; with \
`split-parallel`, also that of a parallel loop. \
Each needs only a window of each operand for a strip of its result. It consists of structured operations of linalg, of copies, and of loops over elements; the buffers \
between them have static sizes, and may be seen through subviews, transposed and reshaped views. \
The dimension that is split spreads from one operation to the next through the buffers between \
them: rows or columns of images, tokens, heads, channels, the batch. It may also be the outermost \
reduction of the last operation, which then adds up strip by strip. Nothing moves across an \
operation with other effects. An argument is written strip by strip if `memplan.noalias` or `llvm.noalias` \
says that nothing else refers to its memory. Where the program frees what is between, strips are freed, too.

A nest of loops of scf or affine is such an operation if it does to memory what one of linalg may do. Bounds \
are constants, and steps 1. Elements are loaded before others are stored. Their indices are linear in the induction \
variables, with which nothing else is computed, and each element of what is written is. Loops of affine become loops of scf in \
strips. Loops that run in parallel have strips with `split-parallel` only. Verify strips before passes such as \
`canonicalize`, which leave out loops that run once.

The number of items of a dimension, such as a batch, may be known only at run time. Operations that \
do the same for each item then run item by item, in a loop with `memplan.items`. The buffers between \
them have a static size, and strips may split what is done in the loop. The bytes of plans are \
compared with 16, 1 and 256 items.

A length may be known only at run time, too, such as the height of an image or the number of tokens. Strips along it \
have one row of the shortest result; where rows end, and how many strips there are, is computed from what the function gets. \
Sizes have to be expressions of one such number: sums, products with constants, and quotients by them that round down. \
Memory of strips that has another unknown size is allocated before the loop. The bytes of plans are compared at a length of 1,024: \
what gets fewer rows than line buffers have may take more than before.

The search goes through all ranges, dimensions and heights. It looks for the chains with which no \
moment of the block holds more than a limit, and lowers the limit as long as there are such. What \
it counts are line buffers, borders, the buffers of one strip, and what is live around the chain, \
with in-place reuse. In long blocks, it tries few ranges first, then \
more. It takes at most `effort` steps, each of which computes one operation of a chain. \
A model estimates the time of each chain: the operations and loops that are started, the iterations \
of innermost loops, and what is copied. Of chains that hold no more than the limit, the search takes \
those that add the least time. All of them together may make the function slower by 3%, or by 10% if \
it takes less than 1 ms. `strip-cost=none` drops that limit, and takes the chains that copy the least.

With `max-recompute`, strips may compute rows again that an earlier strip computed, so that no buffer \
keeps them. Each buffer is either kept or computed again, whichever holds less. The option limits the \
innermost iterations that are repeated, such as multiplications, in percent of those of the block. \
The results are the same, bit for bit, and the plan is never larger than without.

With remarks, the pass also says what no plan of this kind takes less than. That is the least peak \
of the same search without limits, where strips have one row, and one column in two dimensions. Line \
buffers and borders are exact there, and reuse in place is free. The bound is one of chains as above, with \
the operations in the order of the form that was kept, and with none repeated.

What helps alone may hide what helps together. So the pass tries the forms of the function in \
`forms`: as it is, with copies elided (with the guards of `memplan-elide-copies`), and with \
operations reordered. It keeps the form whose plan is the smallest with its chains. If none is \
smaller than the plan of the function as it was, the function stays as it was. With `below=forms`, \
it also stays if one of the forms without strips has as small a plan.

Where a machine or `budget` limits memory spaces, the pass compares costs in place of bytes, as `memplan-assign-spaces` counts \
them. These are what all operations read and write, arguments and constants included, and the copies between spaces that the \
limits need. The pass tries strips of several sizes, from what fits to sixteen times that: the rest may be in a slower space. \
It chooses chains by the bytes that strips read again and copy. It keeps the form that costs the least, so that a function that fits is not \
split; and where none fits, the one of which the fewest bytes do not. The function is marked with `memplan.keep_form`, so that \
passes which follow leave that form as it is. Callers and callees do not count.

A function with a loop that has `memplan.strips` or `memplan.items` is left alone. Each operation in such a loop says in \
`memplan.rows` or `memplan.item` what it was, so that `memplan-verify` can check the loop. Along a length, `memplan.strips` is -1, and `memplan.lengths` \
says what sizes are. `memplan.chain` of the loop and `memplan.line_buffer` of allocations say what was gained and what \
it costs: the report of `memplan-merge-alloc` lists the chains, and `memplan table` and `memplan plot` show them. What \
is known only at run time is -1 there, or absent.",
    example: Example {
        before: "\
func.func @f(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}",
        after: "\
#both = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j, k) -> (i, k)>
#second = affine_map<(i, j, k) -> (k, j)>
#sum = affine_map<(i, j, k) -> (i, j)>
func.func @f(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %b = memref.alloc() : memref<64x8xf32>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.alloc() {alignment = 64 : i64} : memref<1x64xf32>
    %row = memref.subview %x[%i, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
    linalg.exp {memplan.rows = {number = 0 : i64, loops = array<i64: 64, 64>, split = [array<i64: 0, 1, 0, 64>], operands = array<i64: 0, 1>,
      buffers = array<i64: -2, 0>, indices = [#both, #both]}}
      ins(%row : memref<1x64xf32, strided<[64, 1], offset: ?>>) outs(%a : memref<1x64xf32>)
    %result = memref.subview %b[%i, 0] [1, 8] [1, 1] : memref<64x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    linalg.fill {memplan.rows = {number = 1 : i64, loops = array<i64: 64, 8>, split = [array<i64: 0, 1, 0, 64>], operands = array<i64: 1>,
      buffers = array<i64: -3>, indices = [#both]}}
      ins(%zero : f32) outs(%result : memref<1x8xf32, strided<[8, 1], offset: ?>>)
    linalg.matmul {memplan.rows = {number = 2 : i64, loops = array<i64: 64, 8, 64>, split = [array<i64: 0, 1, 0, 64>], operands = array<i64: 0, 1, 2>,
      buffers = array<i64: 0, -4, -3>, indices = [#first, #second, #sum]}}
      ins(%a, %w : memref<1x64xf32>, memref<64x8xf32>) outs(%result : memref<1x8xf32, strided<[8, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 64 : i64,
    memplan.chain = {number = 0 : i64, seed = 2 : i64, loops = array<i64: 0>, extents = array<i64: 64>, rows = array<i64: 1>,
      strips = array<i64: 64>, executions = 192 : i64, copied = 0 : i64, before = 16384 : i64, after = 256 : i64}}
  return %b : memref<64x8xf32>
}",
    },
    options: &[
        OptionDeclaration {
            name: "forms",
            description: "Forms of the function that are tried: plain, lower, equal and none (copies elided with this \
            guard), reordered",
            kind: OptionKind::List {
                default: "plain,lower,equal,none,reordered",
                placeholder: "FORM",
            },
        },
        OptionDeclaration {
            name: "below",
            description: "What the plan with strips has to be smaller than: the plan of the function as it is (given), \
            or that of each form without strips (forms)",
            kind: OptionKind::Choice {
                default: "given",
                choices: &["given", "forms"],
            },
        },
        OptionDeclaration {
            name: "max-strips",
            description: "Most strips of an outer dimension; with 1, each chain is split along one dimension",
            kind: OptionKind::Integer {
                default: 30,
                min: 1,
                max: 1 << 30,
                power_of_two: false,
            },
        },
        OptionDeclaration {
            name: "max-copy",
            description: "Most bytes that a chain copies between strips in one call, in percent of those that its \
            operations write",
            kind: OptionKind::Integer {
                default: 100,
                min: 0,
                max: 1 << 30,
                power_of_two: false,
            },
        },
        OptionDeclaration {
            name: "max-recompute",
            description: "Most iterations of operations that strips repeat in place of keeping rows, in percent of those of \
            each block; 0 keeps all rows",
            kind: OptionKind::Integer {
                default: 0,
                min: 0,
                max: 1 << 30,
                power_of_two: false,
            },
        },
        OptionDeclaration {
            name: "strip-cost",
            description: "What limits the time of strips: the model of time, by which a function may take 1.03 times as long as \
            without, 1.1 times below 1 ms (model), or nothing (none)",
            kind: OptionKind::Choice {
                default: "model",
                choices: &["model", "none"],
            },
        },
        OptionDeclaration {
            name: "split-parallel",
            description: "Split chains in bodies of parallel loops, too: the loops over strips run in each thread",
            kind: OptionKind::Flag(false),
        },
        OptionDeclaration {
            name: "max-code-growth",
            description: "Most operations of the function afterwards, as a multiple of those before",
            kind: OptionKind::Text {
                default: "3.5",
                placeholder: "TIMES",
            },
        },
        OptionDeclaration {
            name: "effort",
            description: "Effort of the search; a number counts operations of chains that are computed for a block",
            kind: OptionKind::ChoiceOrInteger {
                default: "normal",
                choices: &["quick", "normal", "thorough"],
            },
        },
        OptionDeclaration {
            name: "results",
            description: "Count results, too: nothing is split where arenas and results together would take more (on), or \
            count arenas only (off)",
            kind: OptionKind::Choice {
                default: "on",
                choices: &["on", "off", "arena"],
            },
        },
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each chain, and at the operation that keeps the peak",
            kind: OptionKind::Flag(false),
        },
        BUDGET,
        MACHINE,
        PROMOTE,
        merge_alloc::CALLS,
        ALIGNMENT,
        IN_PLACE,
        MIN_SIZE,
        MAX_SIZE,
        STATISTICS,
    ],
    statistics: &[
        StatisticDeclaration {
            name: "chains",
            description: "Chains of operations that were split",
        },
        StatisticDeclaration {
            name: "bytes",
            description: "Fewer bytes in the plan",
        },
    ],
    codes: &[codes::ALL],
    dialects: &["arith", "linalg", "memref", "scf"],
    module_only: false,
};
