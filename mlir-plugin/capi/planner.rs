//! `memplan-c/Extend.h`: planners.

use super::{UserData, callback_error, copy};
use memplan_planner::{Problem, custom};
use mlir_sys::{MlirLogicalResult, MlirStringRef};
use std::{
    ffi::{c_char, c_void},
    panic::catch_unwind,
};

/// A half-open range of time.
#[repr(C)]
pub struct MemplanLiveRange {
    start: u64,
    end: u64,
}

/// A buffer: memory that is needed for some time.
#[repr(C)]
pub struct MemplanBuffer {
    id: u64,
    size: u64,
    alignment: u64,
    fixed: i64,
    range_count: isize,
    ranges: *const MemplanLiveRange,
}

/// A planning problem.
#[repr(C)]
pub struct MemplanProblem {
    buffer_count: isize,
    buffers: *const MemplanBuffer,
    capacity: i64,
}

/// Writes an offset for each buffer and returns null, or returns the reason why it does not.
type Plan = unsafe extern "C" fn(*const MemplanProblem, *mut u64, *mut c_void) -> *const c_char;

/// The number, or -1 for `None`.
fn or_none(number: Option<u64>) -> i64 {
    number.map_or(-1, |number| i64::try_from(number).unwrap_or(i64::MAX))
}

/// Calls a planner written in C.
fn call_planner(plan: Plan, user: UserData, problem: &Problem) -> Result<Vec<u64>, String> {
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
    let raw_problem = MemplanProblem {
        buffer_count: buffers.len() as isize,
        buffers: buffers.as_ptr(),
        capacity: or_none(problem.capacity),
    };
    let mut offsets = vec![0; buffers.len()];
    // SAFETY: everything that `raw_problem` points to outlives the call; `offsets` has an entry for each buffer.
    let error = unsafe { plan(&raw const raw_problem, offsets.as_mut_ptr(), user.pointer()) };
    // SAFETY: the header requires null or a string.
    unsafe { callback_error(error) }.map(|()| offsets)
}

/// Registers a planner, which the option `planner` then accepts by this name.
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
    let user = UserData(user);
    let registered = plan.is_some_and(|plan| {
        let register = move || {
            custom::register(&name, move |problem| call_planner(plan, user, problem)).is_ok()
        };
        catch_unwind(register).unwrap_or(false)
    });
    MlirLogicalResult {
        value: i8::from(registered),
    }
}
