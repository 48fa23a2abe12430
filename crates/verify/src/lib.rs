//! `memplan-verify`: an independent check of planned programs.
//!
//! The pass runs a planned function on an abstract machine that knows arenas, slices of them and
//! references to slices, and nothing of how the plan was made. It shares no code with the planner
//! or the lifetime analysis.
//!
//! # What is run
//!
//! `read` flattens a function into a graph of nodes (`program`): runs of steps with edges
//! between them, which follow the region and branch interfaces. A loop turns any number of times, but for
//! one whose constant bounds say never or once. Regions of which no order is known,
//! and bodies that run in parallel, may run any number of times in any order. A slice is a buffer
//! number of an arena; executing its `memref.view` is the birth of an instance of it.
//!
//! # The lattice
//!
//! A state (`state`) says of each slice what its contents may be, of each live value which
//! instances of which slices it may refer to, and of each arena whether it may be freed.
//!
//! * Contents: *unborn* < *undefined* (nothing written since its birth) < *intact* (what was
//!   written is still there) < *clobbered* (another slice may have overwritten it). A slice has two
//!   contents: one for its latest instance and one for all older ones whose slots were spared.
//! * A reference to a slice is a set of ages. *Latest*: the instance that was born last. *Older*: one
//!   from before, whose slot every birth since has spared. *Stale*: one from before, whose bytes a
//!   birth may have taken.
//!
//! States are joined point by point: contents by the order above, ages and freed arenas by union.
//! A value that nothing uses any more drops out, and with its last reference the slice; so a
//! state is as large as what is live, and the lattice is finite.
//!
//! # The transfer functions
//!
//! `machine` has one for each kind of step:
//!
//! * *Birth* of a slice. References to its latest and older instances become older if the choice of
//!   the slot spares them, else stale. The contents that older instances have are joined with those
//!   of the latest where references to it were spared. The latest instance is undefined, and the
//!   view refers to it alone.
//! * *Alias*: a value refers to what its sources refer to.
//! * *Write*. Each instance that a written value may refer to goes from undefined to intact; a clobbered
//!   one stays clobbered, unless the operation writes all of it for certain: what it says of its
//!   elements is asked, and the value must be a view of just as many bytes that refers to nothing else.
//!   Then every intact slice of the arena that shares bytes with a written one,
//!   in any slot, becomes clobbered. Undefined slices stay so: their bytes mean nothing yet. A write
//!   through a stale reference also clobbers the slice's own instances.
//! * *Read*. An error if the reference may be stale (the birth came too early), or if the instance may
//!   be clobbered. Reading undefined bytes, such as padding, is none. An operation that writes is
//!   checked for its reads before and after its writes, for it may do them in any order; after them
//!   not for what it reads element by element in step with what it writes, if both are the same bytes.
//! * *Move*. All of a buffer is read at one place and written at another, both born as slices of their own
//!   (`read::moves` says what is recognised). References to the place that it left become stale, and
//!   are not even written through.
//! * *Allocation* of an arena makes references to its slices stale; *freeing* it makes any use
//!   of them an error.
//! * What goes on when control has passed it is *pending* on the slices that it uses until something is
//!   waited for that proves it done (`pending`). Meanwhile it is an error to use another slice in the
//!   same bytes, to let one of these be born again, or to free or leave their arena.
//! * *Escape*, *deallocation*, a promise of *distinct* memory: errors if a slice is concerned. A *pinned* slice
//!   (`memplan.pinned`) may have its address taken; it is then written, and read where the function is left,
//!   unless it has ended before (`memplan.ended`). What becomes of the address itself is not followed.
//!
//! # Rotating slices
//!
//! A buffer of which older instances are still needed when it is born again has several slots, and the
//! shift of its view is computed. The computation has to be of one form that the reader matches,
//! and that form alone says which values' slots are spared. A reference is spared if it is one of
//! these values, a view of one, what one is a view of, or a selection among such.
//!
//! # Arenas of a size that only the run knows
//!
//! A buffer may start at a sum of sizes that are computed. `read` checks that the sums form a chain,
//! that each buffer ends before the next sum, and within the arena; for the run, buffers that start
//! at the same sum share bytes, and others do not. `read::dynamic` says what is recognised.
//!
//! `solve` runs the nodes until no state grows, then once more to collect the faults.
//!
//! # Callees
//!
//! A result of a call may be any of its memref arguments. Where the pass runs on a module, functions that are wrong by that are
//! looked at again, with what the bodies of their callees show (`callees`).

mod bytes;
mod callees;
pub mod codes;
mod fault;
#[cfg(test)]
mod fuzz;
mod live;
mod machine;
mod pending;
mod program;
mod read;
mod shared;
mod solve;
mod starts;
mod state;

use callees::Callees;
use fault::Fault;
use memplan_mlir::{
    ir::{Identity, Op, context_of},
    parallel,
    pass::{Declaration, Example, Failed, Pass, Run},
};
use memplan_semantics::{Semantics, functions};
use read::Reading;
use rustc_hash::FxHashSet;
use std::sync::{Mutex, PoisonError};

/// The pass.
pub struct Verify;

impl Pass for Verify {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-verify",
        summary: "Check that no planned program reads bytes that another buffer overwrote",
        description: "\
Runs each planned function on an abstract machine that shares no code with the planner: every buffer of an \
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
* an arena is used other than by views with `memplan.buffer`, deallocation, and the choice of a slot.

Reading bytes that were never written, such as padding, is no error. A function without an arena has nothing to \
check. The pass changes nothing. Scheduled on a module, it looks into callees: a result of a call is none of the arguments that \
the callee's body does not return; otherwise it may be any of them. It is meant to run right after the plan was written: when views of arenas have been \
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

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        run.preserve_all();
        check_all(run.op)
    }
}

/// Checks the functions at or below an operation, none of which changes meanwhile; goes on after a failure.
pub fn check_all(root: Op<'_>) -> Result<(), Failed> {
    // Others may be changing at this moment.
    if Semantics::default().info(root).is_function() {
        return functions::visit_all(root, check);
    }
    let groups = functions::groups(root);
    let wrong = Mutex::new(FxHashSet::default());
    parallel::for_each_group(context_of(root), &groups, |function| {
        if read::read(function).is_some_and(|reading| !faults(&reading).is_empty()) {
            let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
            wrong.insert(function.key());
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Bodies of callees show that some of these are right. They are read on one thread: constants are folded in copies of
    // operations, and a copy is a user of values of the function.
    let all = || groups.iter().flatten().copied();
    let mut callees = Callees::of(all());
    let mut failed = false;
    for function in all().filter(|function| wrong.contains(&function.key())) {
        if let Some(mut reading) = read::read(function) {
            callees.narrow(&mut reading);
            failed |= tell(reading);
        }
    }
    if failed { Err(Failed) } else { Ok(()) }
}

/// Checks one function and tells what is wrong with it; the functions nested in it are not its own. Nothing is known of its
/// callees.
pub fn check(function: Op<'_>) -> Result<(), Failed> {
    match read::read(function).is_some_and(tell) {
        true => Err(Failed),
        false => Ok(()),
    }
}

/// What is wrong with a function.
fn faults(reading: &Reading<'_>) -> Vec<Fault> {
    let live = live::live(&reading.program);
    let mut faults = reading.faults.clone();
    faults.extend(solve::solve(&reading.program, &live));
    faults
}

/// Tells what is wrong with a function; is something?
fn tell(reading: Reading<'_>) -> bool {
    let faults = faults(&reading);
    fault::emit(faults, &reading.program, &reading.ops)
}
