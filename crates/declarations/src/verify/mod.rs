//! `memplan-verify`.

pub mod codes;

use memplan_interface::{Declaration, Example};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-verify",
    summary: "Check that no planned program reads bytes that another buffer overwrote",
    description: "\
Runs each planned function on an abstract machine that shares no code with the planner. Every buffer of an \
arena is undefined since its `memref.view` was executed, intact once it was written, or clobbered when a \
buffer with common bytes was written.

These are errors, each with a note at the other operation that has a part in it:

* a buffer is read after, or while, another one overwrites its bytes;
* a buffer is born again while an older instance of it may still be read, and its slots do not rotate so \
that the older one keeps its bytes;
* a buffer is used after its arena was freed;
* a buffer is used, or born again, while an asynchronous operation that no wait has covered may use its bytes;
* an arena is freed, or its function left, while such an operation may use a buffer in it;
* a buffer escapes (returned, stored, cast to something that is no memref, or its pointer taken) or is deallocated; one \
marked `memplan.pinned` may have its address taken, and keeps its bytes until the function is left, or up to an operation \
that says that it has ended (`memplan.ended`);
* a buffer leaves its arena, is not aligned, or starts at a byte that cannot be verified;
* a buffer is moved (`memplan.move`) by less than a copy of all of it that reads each byte before it is overwritten, \
or is used where it was before;
* a buffer is read after a call to which it was donated (`memplan.donated`), or such a call passes its bytes twice; on a \
module only;
* an arena is used other than by views with `memplan.buffer`, deallocation, and the choice of a slot;
* a buffer has bytes of the state in its arena (`memplan.state`), or what refers to state may use other bytes;
* a call passes an arena that is smaller than its callee takes, or a size function says less; on a module only;
* two buffers share bytes of the workgroup memory of a kernel, and no barrier separates their accesses;
* an operation in strips (`memplan.strips`) reads or writes other rows than it did before it was split, as \
`memplan.rows` says.

Reading bytes that were never written, such as padding, is no error. A function without an arena and without strips has nothing to \
check. The pass changes nothing. Scheduled on a module, it looks into callees: a result of a call is none of the arguments that \
the callee's body does not return; otherwise it may be any of them. It is meant to run right after the plan was written. When views of arenas have been \
moved out of loops, they are executed less often than their buffers are needed, and the check may refuse a good \
program.",
    example: Example {
        before: codes::OVERWRITES,
        after: "\
error: buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]
note: overwritten here",
    },
    options: &[],
    statistics: &[],
    codes: &[codes::ALL],
    dialects: &[],
    module_only: false,
};
