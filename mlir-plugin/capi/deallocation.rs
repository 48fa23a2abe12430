//! `memplan-c/Extend.h`: who gives memory back.

use super::{User, change, complaint, copy};
use memplan_passes::ownership_dealloc::handlers::{self, Behavior, Given};
use mlir_sys::{MlirOperation, MlirStringRef};
use std::{
    collections::BTreeSet,
    ffi::{c_char, c_void},
    panic::catch_unwind,
    sync::{Mutex, PoisonError},
};

/// What is said of an operation.
#[derive(Default)]
pub struct MemplanDeallocation {
    behavior: Behavior,
    by_interfaces: bool,
}

/// Says what an operation does; null, or what is wrong with it.
type Handle =
    unsafe extern "C" fn(MlirOperation, *mut MemplanDeallocation, *mut c_void) -> *const c_char;

/// Names live as long as the process, each once.
fn keep(name: String) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name.as_str()) {
        return known;
    }
    let name = Box::leak(name.into_boxed_str());
    names.insert(name);
    name
}

/// From now on, `handle` is asked about operations of this name.
///
/// # Safety
///
/// The name is as long as it says; any thread may call `handle` with `user`, for as long as the process lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRegisterDeallocation(
    name: MlirStringRef,
    handle: Option<Handle>,
    user: *mut c_void,
) {
    // SAFETY: the caller's promise.
    let name = unsafe { copy(name) };
    let user = User(user);
    let Some(handle) = handle else { return };
    let register = move || {
        handlers::register(name, move |op| {
            let mut said = MemplanDeallocation::default();
            // SAFETY: a live operation; what it writes to outlives the call.
            let wrong = unsafe { handle(op.to_raw(), &raw mut said, user.pointer()) };
            // SAFETY: the header asks for null or a text.
            unsafe { complaint(wrong) }?;
            Ok((!said.by_interfaces).then_some(said.behavior))
        });
    };
    // Nothing in it panics but what runs out of memory; nobody is told.
    let _ = catch_unwind(register);
}

/// The next memref result is new memory, given back by an operation of this name, or by `memref.dealloc`.
///
/// # Safety
///
/// What a handler was given, while it runs; the name is as long as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanDeallocationGivesNew(
    deallocation: *mut MemplanDeallocation,
    freed_by: MlirStringRef,
) {
    // SAFETY: the caller's promise.
    let name = unsafe { copy(freed_by) };
    let freed_by = (!name.is_empty()).then(|| keep(name));
    let given = Given::New { freed_by };
    // SAFETY: the caller's promise.
    unsafe { change(deallocation, |said| said.behavior.gives.push(given)) }
}

/// The next memref result is the memory of any of these operands.
///
/// # Safety
///
/// As above; there are as many operands as `count` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanDeallocationGivesOperands(
    deallocation: *mut MemplanDeallocation,
    count: isize,
    operands: *const isize,
) {
    let count = usize::try_from(count).unwrap_or(0);
    let all = (0..count).map(|at| {
        // SAFETY: the caller's promise.
        unsafe { *operands.add(at) as usize }
    });
    let given = Given::Operands(all.collect());
    // SAFETY: the caller's promise.
    unsafe { change(deallocation, |said| said.behavior.gives.push(given)) }
}

/// The next memref result is memory of someone else.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanDeallocationGivesForeign(deallocation: *mut MemplanDeallocation) {
    // SAFETY: the caller's promise.
    unsafe {
        change(deallocation, |said| {
            said.behavior.gives.push(Given::Foreign)
        })
    }
}

/// It takes the memory of this operand.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanDeallocationTakes(
    deallocation: *mut MemplanDeallocation,
    operand: isize,
) {
    let operand = operand as usize;
    // SAFETY: the caller's promise.
    unsafe { change(deallocation, |said| said.behavior.takes.push(operand)) }
}

/// What the operation's interfaces say holds, and nothing else.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanDeallocationByInterfaces(deallocation: *mut MemplanDeallocation) {
    // SAFETY: the caller's promise.
    unsafe { change(deallocation, |said| said.by_interfaces = true) }
}
