//! `memplan-elide-copies`.

pub mod codes;
mod refusal;

use crate::{
    merge_alloc,
    packing_options::{ALIGNMENT, IN_PLACE, MAX_SIZE, MIN_SIZE},
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, OptionKind, STATISTICS, StatisticDeclaration,
};

pub use refusal::Refusal;

/// Which arguments are donated.
pub const DONATED: OptionDeclaration = OptionDeclaration {
    name: "donated",
    description: "Donated arguments: those that are marked, or all memrefs that public functions do \
    not write, if no function of the module calls these",
    kind: OptionKind::Choice {
        default: "marked",
        choices: &["marked", "all"],
    },
};

/// Whether memory of the caller is used before it has its last contents.
pub const RESULTS: OptionDeclaration = OptionDeclaration {
    name: "results",
    description: "Compute what is copied to memory of the caller there (on, or arena), or copy it \
    (off)",
    kind: OptionKind::Choice {
        default: "on",
        choices: &["on", "off", "arena"],
    },
};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-elide-copies",
    summary: "Compute the contents of parts of buffers in place: pads, concatenations, \
    insertions",
    description: "\
The pass removes copies to a part of a larger buffer. Suppose an operation writes the contents \
of a buffer to a part of a larger one, element by element, and the buffer is dead afterwards. \
After a copy, it may also be read, as a residual is after a pad. \
Then the buffer becomes that part: its contents are computed there, and the copy is removed. \
Buffers from which it was computed in place, element by element, follow. The larger buffer is \
allocated earlier, and other writes to it, such as the fill of a padded buffer, are done \
earlier. The part has strides. So every operation that uses the buffer has to accept these: \
linalg operations, loads, stores, copies, vector transfers, and views that can be views of the \
part.

No other operation may use that part of the larger buffer before the copy. Parts of a \
concatenation are disjoint if their offsets and sizes are constant. A buffer that is returned \
can contain others, which then need no bytes in an arena.

As the larger buffer is live for longer, an elision may cost more than it saves. With \
`guard=lower`, the pass keeps an elision only if fewer bytes are live at once in the arenas \
that `memplan-merge-alloc` plans afterwards. `guard=equal` also keeps it if the number stays \
the same, to save the copies. `guard=none` keeps every possible one.

A buffer may be overwritten completely when its contents are dead, as CSE makes one buffer of \
several. If the program does not free it, the pass splits it into one buffer for each live \
range. The plan may give them the same bytes again. With `guard=none`, buffers that no elision \
uses are joined again.

The bytes are those of a plan with the same `alignment`, `in-place`, `min-size` and `max-size`, \
in the arenas of the function itself. Arenas of callees and of parallel bodies do not count, \
although `scope=module` and `hoist-parallel` place them in these; a plan may then need more. \
The product of the dynamic dimensions of a buffer counts as 16. At run time, more bytes may be \
live if a larger buffer is much larger than the part that is computed in it.

A copy of a buffer that one `linalg.fill` fills, and nothing else writes, becomes a fill. CSE \
makes one such buffer of several, and it would be live through the whole function.

Copies, transpositions, broadcasts and fills may also be written as linalg.generic or linalg.map. \
The result of a copy, a `linalg.transpose` or a `linalg.broadcast` becomes a view if nothing else \
writes it, and nothing writes the source while the result is read. Reads of a view are strided, so \
this is done only if it lowers the number of live bytes. What is copied from such a result is \
transposed or broadcast again. A second copy of the same contents may become the first one.

A buffer that is copied to an argument, or from which one is computed element by element, is \
computed there, unless `results=off`. Between its first write and the copy, no operation may use \
memory that may be the argument's: that of other arguments, of globals, or what calls use. \
`memplan.noalias` or `llvm.noalias` on an argument, or `memref.distinct_objects`, excludes that. A \
buffer that starts as a copy of an argument with `memplan.donated`, or is computed from one element \
by element, is that argument, if nothing uses the argument later. So is a result of the same size, if \
nothing needs the argument when it is written. `donated=all` donates all arguments that public functions \
do not write. A result that is \
always such an argument is marked `memplan.borrowed`: the caller does not free it.

A buffer that nothing reads goes, with the operations that only write it. Each iteration \
of a loop may allocate a buffer, write it and hand it on to the next one. They all write the \
buffer that the loop starts with if its old contents are not needed any more then, or element by \
element, or in other parts. The loop then carries nothing: a cache or a state is updated in \
place. A part of a buffer from outside the loop may be computed from that same part.

A pass on a module also reads constant globals. A copy of one that is only read becomes the global. If \
its elements are equal, and the copy is written, it becomes a `linalg.fill`; a function without \
operations of linalg gets none.",
    example: Example {
        before: "\
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<10xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<10xf32>)
  %part = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %a, %part : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
  %first = memref.subview %b[0] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1]>>
  memref.copy %first, %y : memref<8xf32, strided<[1]>> to memref<8xf32>
  return
}",
        after: "\
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<10xf32>
  %part = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.fill ins(%zero : f32) outs(%b : memref<10xf32>)
  linalg.exp ins(%x : memref<8xf32>) outs(%part : memref<8xf32, strided<[1], offset: 1>>)
  %first = memref.subview %b[0] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1]>>
  memref.copy %first, %y : memref<8xf32, strided<[1]>> to memref<8xf32>
  return
}",
    },
    options: &[
        merge_alloc::CALLS,
        ALIGNMENT,
        IN_PLACE,
        MIN_SIZE,
        MAX_SIZE,
        OptionDeclaration {
            name: "guard",
            description: "Which elisions to keep: those that lower the most bytes live at \
            once (lower), also those that leave it equal (equal), or all (none)",
            kind: OptionKind::Choice {
                default: "lower",
                choices: &["lower", "equal", "none"],
            },
        },
        RESULTS,
        DONATED,
        OptionDeclaration {
            name: "remarks",
            description: "Emit a remark at each operation that copies a buffer's contents: \
            what was done, or why not",
            kind: OptionKind::Flag(false),
        },
        STATISTICS,
    ],
    statistics: &[
        StatisticDeclaration {
            name: "elided",
            description: "Buffers that became parts of others",
        },
        StatisticDeclaration {
            name: "bytes",
            description: "Fewer bytes live at once",
        },
    ],
    codes: &[codes::ALL],
    dialects: &[],
    module_only: false,
};
