//! `memplan-verify`: an independent check of planned programs.
//!
//! The pass runs each planned function on an abstract machine. The machine knows arenas, slices of arenas and
//! references to slices, but not how the plan was made. It shares no code with the planner or the lifetime
//! analysis.
//!
//! # The program
//!
//! `read` flattens a function into a graph of nodes (`program`): sequences of actions, with edges that follow the
//! region and branch interfaces. A loop runs any number of iterations, unless its constant bounds say none or one.
//! Regions of unknown order, and bodies that run in parallel, may run any number of times in any order. A slice is
//! the buffer with one number in one arena. Each execution of its `memref.view` is the birth of a new instance.
//!
//! # The lattice
//!
//! A state (`state`) maps each slice to its possible contents, each live value to the instances that it may refer
//! to, and each arena to whether it may be freed.
//!
//! * Contents: *unborn* < *undefined* (not written since its birth) < *intact* (the bytes written last are still
//!   there) < *clobbered* (another slice may have overwritten it). A slice has two contents: one for its latest
//!   instance, and one for all older instances whose slots were spared.
//! * A reference to a slice is a set of ages. *Latest* is the instance born last. *Older* is an earlier instance
//!   whose slot every later birth has spared. *Stale* is an earlier instance whose bytes a later birth may have
//!   taken.
//!
//! States are joined pointwise: contents by the order above, ages and freed arenas by union. A value without later
//! uses drops out of the state, and a slice drops out with its last reference. So a state is as large as the number
//! of live values, and the lattice is finite.
//!
//! # The transfer functions
//!
//! `machine` has the transfer function of each kind of action:
//!
//! * *Birth* of a slice. References to its latest and older instances become older if the choice of the slot spares
//!   them, else stale. The contents of older instances are joined with those of the latest one where references to
//!   it were spared. The new latest instance is undefined, and the view refers to it alone.
//! * *Alias*: a value refers to the instances that its sources refer to.
//! * *Write*. Each instance that a written value may refer to goes from undefined to intact. A clobbered one stays
//!   clobbered, unless the operation certainly writes all of it: the element-wise facts of the operation say so,
//!   and the value is a view of exactly as many bytes that refers to nothing else. Then every intact slice of the
//!   arena that shares bytes with a written one, in any slot, becomes clobbered. Undefined slices stay undefined:
//!   their bytes have no meaning yet. A write through a stale reference also clobbers the slice's own instances.
//! * *Read*. It is an error if the reference may be stale (the birth came too early), or if the instance may be
//!   clobbered. Reading undefined bytes, such as padding, is no error. The reads of an operation that writes are
//!   checked before and after its writes, since it may do them in any order. They are not checked after the writes
//!   if it reads element by element in step with its writes, and both are the same bytes.
//! * *Move*. All of a buffer is read at one place and written at another; both are born as slices of their own
//!   (`read::moves` has the patterns). References to the old place become stale, and even writes through them are
//!   errors.
//! * *Allocation* of an arena makes references to its slices stale; *freeing* it makes any use of them an error.
//! * An asynchronous operation is *pending* on the slices that it uses, until a wait proves that it has completed
//!   (`pending`). Meanwhile it is an error to use another slice in the same bytes, to execute the birth of one of
//!   these again, or to free or leave their arena. It may use no stale reference: it would be pending on both instances.
//! * *Escape*, *deallocation*, a promise of *distinct* memory: errors if a slice is concerned. The address of a
//!   *pinned* slice (`memplan.pinned`) may be taken. The slice then counts as written, and as read at each exit of
//!   the function, unless it has ended before (`memplan.ended`). The address itself is not followed.
//!
//! # Rotating slices
//!
//! A buffer has several slots if older instances are still needed at its next birth; the shift of its view is then
//! computed. The reader accepts only one form of this computation, and only that form says which values' slots are
//! spared. A reference is spared if it is one of these values, a view of one, the source of such a view, or a
//! selection among such values.
//!
//! # Arenas of dynamic size
//!
//! A buffer may start at a sum of sizes that are computed. `read` checks that the sums form a chain, that each
//! buffer ends before the next sum, and that all end within the arena. For the machine, buffers that start at the
//! same sum share bytes, and others do not. `read::dynamic` has the patterns.
//!
//! `solve` runs the nodes until no state grows, and then once more to collect the faults.
//!
//! # Banks
//!
//! An arena may say where the banks of its memory space are (`memplan.banks`). Slices are in one bank, or in those of their
//! attributes, and some must not share one: `banks`.
//!
//! # Strips
//!
//! `strips` checks the loops that `memplan-split` wrote, whether they are planned or not. It has a machine of its own, which
//! runs the loops on their numbers and follows rows through memory.
//!
//! # Workgroup memory
//!
//! `workgroup` checks buffers that share bytes in the workgroup memory of GPU kernels, by paths between barriers. The
//! machine does not see them.
//!
//! # Deallocations under flags
//!
//! A value that may be a buffer may be freed under a flag that holds only where it is none: `guarded_frees` proves that.
//!
//! # Callees
//!
//! A result of a call may be any of its memref arguments. If the pass runs on a module, functions with faults are
//! checked again, with the facts that the bodies of their callees show (`callees`).

mod bank_layout;
mod banks;
mod callees;
mod descriptors;
mod fault;
#[cfg(test)]
mod fuzz;
mod guarded_frees;
mod interval_tree;
mod live;
mod machine;
mod passed_arenas;
mod pending;
mod persistent_map;
mod program;
mod proofs;
mod read;
mod solve;
mod state;
mod strips;
mod workgroup;

use callees::Callees;
use fault::Fault;
use memplan_declarations::verify::codes;
use memplan_mlir::{
    ir::{Identity, Op, context_of},
    parallel,
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_semantics::{Semantics, functions};
use read::{Reading, StateGlobals};
use rustc_hash::FxHashSet;
use std::sync::{Mutex, PoisonError};
use strips::StripFault;
use workgroup::WorkgroupFault;

/// The pass `memplan-verify`.
pub struct Verify;

impl Pass for Verify {
    const DECLARATION: &'static Declaration = &memplan_declarations::verify::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        run.preserve_all();
        check_all(run.op)
    }
}

/// Checks the functions at or below an operation, none of which may change meanwhile. Continues after a failure.
pub fn check_all(root: Op<'_>) -> Result<(), Failed> {
    // Other functions may be changing at this moment.
    if Semantics::default().info(root).is_function() {
        return functions::visit_all(root, check);
    }
    let mut semantics = Semantics::default();
    let groups = functions::groups(root);
    let all = || groups.iter().flatten().copied();
    let globals = StateGlobals::of(all());
    let called = workgroup::read_callees(all(), &mut semantics);
    let wrong = Mutex::new(FxHashSet::default());
    parallel::for_each_group(context_of(root), &groups, |function| {
        let planned = read::read(function, Some(&globals));
        if planned.is_some_and(|reading| !faults(&reading).is_empty())
            || !strips::faults(function).is_empty()
            || !workgroup::faults(function, &called).is_empty()
        {
            let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
            wrong.insert(function.key());
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The bodies of callees may show that some of these functions are correct. They are read on one thread: constants
    // are folded in copies of operations, and a copy is a user of the function's values.
    let mut callees = Callees::of(all());
    let mut failed = false;
    for function in all().filter(|function| wrong.contains(&function.key())) {
        if let Some(mut reading) = read::read(function, Some(&globals)) {
            callees.narrow(&mut reading);
            guarded_frees::remove_proven(function, &mut reading, &mut callees);
            failed |= report(reading);
        }
        failed |= report_strips(function);
        failed |= report_workgroup(function, &called);
    }
    failed |= passed_arenas::report(all());
    if failed { Err(Failed) } else { Ok(()) }
}

/// Checks one function without its nested functions, and reports its faults. Nothing is known about its callees.
pub fn check(function: Op<'_>) -> Result<(), Failed> {
    let is_wrong = read::read(function, None).is_some_and(|mut reading| {
        guarded_frees::remove_proven(function, &mut reading, &mut Callees::of([]));
        report(reading)
    });
    let is_wrong = is_wrong | report_strips(function);
    match is_wrong | report_workgroup(function, &workgroup::Callees::default()) {
        true => Err(Failed),
        false => Ok(()),
    }
}

/// The faults of a function.
fn faults(reading: &Reading<'_>) -> Vec<Fault> {
    let live = live::live(&reading.program);
    let mut faults = reading.faults.clone();
    faults.extend(banks::faults(&reading.program));
    faults.extend(solve::solve(&reading.program, &live));
    faults
}

/// Reports the faults of the strips of a function. Returns true if there are any.
fn report_strips(function: Op<'_>) -> bool {
    let faults = strips::faults(function);
    faults.iter().for_each(StripFault::emit);
    !faults.is_empty()
}

/// Reports the faults in workgroup memory of a function. Returns true if there are any.
fn report_workgroup(function: Op<'_>, called: &workgroup::Callees) -> bool {
    let faults = workgroup::faults(function, called);
    faults.iter().for_each(WorkgroupFault::emit);
    !faults.is_empty()
}

/// Reports the faults of a function. Returns true if there are any.
fn report(reading: Reading<'_>) -> bool {
    let faults = faults(&reading);
    fault::emit(faults, &reading.program, &reading.ops)
}
