//! `memplan-c/Extend.h`: planners.

use super::{User, complaint, copy};
use memplan_planner::{Problem, custom};
use mlir_sys::{MlirLogicalResult, MlirStringRef};
use std::{
    ffi::{c_char, c_void},
    panic::catch_unwind,
};

/// From `start` up to `end`, not among it.
#[repr(C)]
pub struct MemplanLiveRange {
    start: u64,
    end: u64,
}

/// Memory that is wanted for some time.
#[repr(C)]
pub struct MemplanBuffer {
    id: u64,
    size: u64,
    alignment: u64,
    fixed: i64,
    range_count: isize,
    ranges: *const MemplanLiveRange,
}

/// What is to be planned.
#[repr(C)]
pub struct MemplanProblem {
    buffer_count: isize,
    buffers: *const MemplanBuffer,
    capacity: i64,
}

/// Writes an offset for each buffer; null, or why there is none.
type Plan = unsafe extern "C" fn(*const MemplanProblem, *mut u64, *mut c_void) -> *const c_char;

/// A number, or -1 where there is none.
fn or_none(number: Option<u64>) -> i64 {
    number.map_or(-1, |number| i64::try_from(number).unwrap_or(i64::MAX))
}

/// Asks a planner in C.
fn ask(plan: Plan, user: User, problem: &Problem) -> Result<Vec<u64>, String> {
    let live = problem.buffers.iter().map(|buffer| {
        let ranges = buffer.live.iter();
        let ranges = ranges.map(|range| MemplanLiveRange {
            start: range.start,
            end: range.end,
        });
        ranges.collect::<Vec<_>>()
    });
    let live: Vec<Vec<MemplanLiveRange>> = live.collect();
    let buffers = problem.buffers.iter().zip(&live);
    let buffers = buffers.map(|(buffer, ranges)| MemplanBuffer {
        id: buffer.id,
        size: buffer.size,
        alignment: buffer.alignment,
        fixed: or_none(buffer.fixed_offset),
        range_count: ranges.len() as isize,
        ranges: ranges.as_ptr(),
    });
    let buffers: Vec<MemplanBuffer> = buffers.collect();
    let asked = MemplanProblem {
        buffer_count: buffers.len() as isize,
        buffers: buffers.as_ptr(),
        capacity: or_none(problem.capacity),
    };
    let mut offsets = vec![0; buffers.len()];
    // SAFETY: all that it points to outlives the call; there is room for one offset for each buffer.
    let said = unsafe { plan(&raw const asked, offsets.as_mut_ptr(), user.pointer()) };
    // SAFETY: the header asks for null or a text.
    unsafe { complaint(said) }.map(|()| offsets)
}

/// From now on, the option `planner` takes this name.
///
/// # Safety
///
/// The name is as long as it says; any thread may call `plan` with `user`, for as long as the process lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRegisterPlanner(
    name: MlirStringRef,
    plan: Option<Plan>,
    user: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller's promise.
    let name = unsafe { copy(name) };
    let user = User(user);
    let registered = plan.is_some_and(|plan| {
        let register =
            move || custom::register(&name, move |problem| ask(plan, user, problem)).is_ok();
        catch_unwind(register).unwrap_or(false)
    });
    MlirLogicalResult {
        value: i8::from(registered),
    }
}
