//! Errors, warnings and remarks at locations, with notes.

use crate::{
    codes::{Code, Severity},
    ffi,
    ir::{Op, context_of, parent},
    string_ref::borrow,
};
use melior::ir::{Location, operation::OperationLike};
use mlir_sys::{MlirLocation, MlirStringRef};
use std::{
    any::Any,
    ffi::c_void,
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// A diagnostic that has not been emitted yet.
#[must_use]
pub struct Diagnostic<'c> {
    severity: Severity,
    location: Location<'c>,
    message: String,
    notes: Vec<(Location<'c>, String)>,
}

impl<'c> Diagnostic<'c> {
    /// A diagnostic of a kind at a location. The id of the kind is appended to the message.
    pub fn new(code: &Code, location: Location<'c>, message: impl Display) -> Self {
        Self {
            severity: code.severity(),
            location,
            message: code.message(message),
            notes: Vec::new(),
        }
    }

    /// Adds a note at another location.
    pub fn note(mut self, location: Location<'c>, text: impl Into<String>) -> Self {
        self.notes.push((location, text.into()));
        self
    }

    /// Emits the diagnostic through MLIR.
    pub fn emit(self) {
        let locations: Vec<MlirLocation> = self.notes.iter().map(|(at, _)| at.to_raw()).collect();
        let texts: Vec<MlirStringRef> = self.notes.iter().map(|(_, text)| borrow(text)).collect();
        let severity = match self.severity {
            Severity::Error => ffi::MEMPLAN_ERROR,
            Severity::Warning => ffi::MEMPLAN_WARNING,
            Severity::Remark => ffi::MEMPLAN_REMARK,
        };
        // SAFETY: all texts outlive the call; the arrays have the length given.
        unsafe {
            ffi::memplanEmit(
                severity,
                self.location.to_raw(),
                borrow(&self.message),
                texts.len() as isize,
                locations.as_ptr(),
                texts.as_ptr(),
            );
        }
    }
}

/// The location of an operation, or of the innermost enclosing operation with a known location. Operations that MLIR
/// creates itself, such as the body of `linalg.copy`, have unknown locations.
pub fn known_location<'c>(op: Op<'c>) -> Location<'c> {
    let unknown = context_of(op).unknown_location();
    std::iter::successors(Some(op), |op| parent(*op))
        .map(|op| op.location())
        .find(|location| *location != unknown)
        .unwrap_or(unknown)
}

/// Runs `work`, and suppresses diagnostics that repeat an earlier one of it: same text, notes and known location. For
/// passes that process two versions of one function, which have the same faults.
pub fn deduplicated<T>(op: Op<'_>, work: impl FnOnce() -> T) -> T {
    struct Task<F, T> {
        work: Option<F>,
        result: Option<Result<T, Box<dyn Any + Send>>>,
    }
    unsafe extern "C" fn call<F: FnOnce() -> T, T>(user: *mut c_void) {
        // SAFETY: `user` is the task below, which outlives the call.
        let task = unsafe { &mut *user.cast::<Task<F, T>>() };
        // A panic must not cross into C++.
        task.result = task
            .work
            .take()
            .map(|work| catch_unwind(AssertUnwindSafe(work)));
    }
    fn caller<F: FnOnce() -> T, T>(_: &Task<F, T>) -> unsafe extern "C" fn(*mut c_void) {
        call::<F, T>
    }

    let mut task = Task {
        work: Some(work),
        result: None,
    };
    // SAFETY: a live context; `task` outlives the call, which calls back once.
    unsafe {
        ffi::memplanDeduplicateDiagnostics(
            context_of(op).raw,
            Some(caller(&task)),
            (&raw mut task).cast(),
        );
    }
    match task.result {
        Some(Ok(result)) => result,
        Some(Err(panic)) => resume_unwind(panic),
        None => unreachable!("the shim calls back before it returns"),
    }
}

/// Does the context of `op` collect optimization remarks of a category, which is a pass? `mlir-opt` always has an engine for
/// them, which wants those that `--remarks-filter` names.
pub fn collects_remarks(op: Op<'_>, category: &str) -> bool {
    // SAFETY: a live context, and a text that outlives the call.
    unsafe { ffi::memplanWantsRemarks(context_of(op).raw, borrow(category)) }
}

/// The outcome of an optimization that a remark reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The optimization was done.
    Passed,
    /// The optimization was not done.
    Missed,
}

/// Emits an optimization remark of a kind through MLIR's remark engine, which filters by `category`, the pass. The
/// text is only computed if the engine wants the remark; the id of the kind is appended. Returns false if the engine
/// wants no remark of that category and outcome.
pub fn optimization_remark(
    code: &Code,
    outcome: Outcome,
    location: Location<'_>,
    category: &str,
    name: &str,
    function: &str,
    text: impl FnOnce() -> String,
) -> bool {
    struct Lazy<F> {
        make: Option<F>,
        text: String,
    }
    unsafe extern "C" fn ask<F: FnOnce() -> String>(user: *mut c_void) -> MlirStringRef {
        // SAFETY: `user` is the struct below, which outlives the call.
        let lazy = unsafe { &mut *user.cast::<Lazy<F>>() };
        if let Some(make) = lazy.make.take() {
            // A panic must not cross into C++.
            lazy.text = catch_unwind(AssertUnwindSafe(make)).unwrap_or_default();
        }
        borrow(&lazy.text)
    }
    fn asker<F: FnOnce() -> String>(
        _: &Lazy<F>,
    ) -> unsafe extern "C" fn(*mut c_void) -> MlirStringRef {
        ask::<F>
    }

    let mut lazy = Lazy {
        make: Some(|| code.message(text())),
        text: String::new(),
    };
    // SAFETY: all texts and `lazy` outlive the call.
    unsafe {
        ffi::memplanOptimizationRemark(
            outcome == Outcome::Passed,
            location.to_raw(),
            borrow(category),
            borrow(name),
            borrow(function),
            Some(asker(&lazy)),
            (&raw mut lazy).cast(),
        )
    }
}
