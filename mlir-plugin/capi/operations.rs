//! `memplan-c/Extend.h`: memory behavior of operations.

use super::{UserData, callback_error, copy, fill_in, passes::report_error};
use memplan_semantics::{
    Description, RegisterError, op_memory::DataStart, register, register_allocator,
    register_override, register_token_type,
};
use mlir_sys::{MlirLogicalResult, MlirOperation, MlirStringCallback, MlirStringRef};
use std::{
    ffi::{c_char, c_void},
    panic::catch_unwind,
};

/// The description of an operation.
#[derive(Default)]
pub struct MemplanOperation {
    description: Description,
    /// The first number that cannot be that of an operand or result.
    invalid_number: Option<isize>,
}

/// Describes an operation. Returns null, or the problem with the operation.
type Describe =
    unsafe extern "C" fn(MlirOperation, *mut MemplanOperation, *mut c_void) -> *const c_char;

/// Start of a view's data.
pub type MemplanStart = u32;
/// The data starts where that of the source does.
const SAME: MemplanStart = 0;

const fn success(is_success: bool) -> MlirLogicalResult {
    MlirLogicalResult {
        value: is_success as i8,
    }
}

/// Registers `describe` for operations of this name.
///
/// # Safety
///
/// The name is as long as it says. Any thread may call `describe` with `user`, for as long as the process lives.
/// `error` is null, or accepts a text and `error_user`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRegisterOperation(
    name: MlirStringRef,
    describe: Option<Describe>,
    user: *mut c_void,
    error: MlirStringCallback,
    error_user: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller's promise.
    let name = unsafe { copy(name) };
    let user = UserData(user);
    // SAFETY: as above.
    unsafe {
        add(describe, error, error_user, |describe| {
            register(name, description_of(describe, user))
        })
    }
}

/// Registers `describe` for operations of this name, even if memplan knows them.
///
/// # Safety
///
/// As for [`memplanRegisterOperation`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanOverrideOperation(
    name: MlirStringRef,
    describe: Option<Describe>,
    user: *mut c_void,
    error: MlirStringCallback,
    error_user: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: the caller's promise.
    let name = unsafe { copy(name) };
    let user = UserData(user);
    // SAFETY: as above.
    unsafe {
        add(describe, error, error_user, |describe| {
            register_override(name, description_of(describe, user))
        })
    }
}

/// Registers a function, and reports an error.
///
/// # Safety
///
/// `error` is null, or accepts a text and `error_user`.
unsafe fn add(
    describe: Option<Describe>,
    error: MlirStringCallback,
    error_user: *mut c_void,
    add: impl FnOnce(Describe) -> Result<(), RegisterError> + std::panic::UnwindSafe,
) -> MlirLogicalResult {
    let done = match describe {
        // Only running out of memory panics in it.
        Some(describe) => catch_unwind(move || add(describe).map_err(|error| error.to_string()))
            .unwrap_or_else(|_| Err("out of memory".to_owned())),
        None => Err("no function describes it".to_owned()),
    };
    if let Err(why) = &done {
        // SAFETY: the caller's promise.
        unsafe { report_error(why, error, error_user) };
    }
    success(done.is_ok())
}

/// A description by a C function.
fn description_of(
    describe: Describe,
    user: UserData,
) -> impl Fn(memplan_mlir::ir::Op<'_>, &mut Description) -> Result<(), String> + Send + Sync + 'static
{
    move |op, description| {
        let mut operation = MemplanOperation::default();
        // SAFETY: a live operation; the description that it fills in outlives the call.
        let wrong = unsafe { describe(op.to_raw(), &raw mut operation, user.pointer()) };
        // SAFETY: the header requires null or a string.
        unsafe { callback_error(wrong) }?;
        if let Some(number) = operation.invalid_number {
            return Err(format!(
                "{number} is not the number of an operand or result"
            ));
        }
        *description = operation.description;
        Ok(())
    }
}

/// Registers an allocator, which descriptions may name.
///
/// # Safety
///
/// The strings are as long as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRegisterAllocator(
    name: MlirStringRef,
    free: MlirStringRef,
) -> MlirLogicalResult {
    // SAFETY: the caller's promise.
    let (name, free) = unsafe { (copy(name), copy(free)) };
    let register = move || {
        let free = (!free.is_empty()).then_some(free.as_str());
        register_allocator(name, free).is_ok()
    };
    success(catch_unwind(register).unwrap_or(false))
}

/// Registers the type with this textual form as a token type.
///
/// # Safety
///
/// The string is as long as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRegisterTokenType(r#type: MlirStringRef) {
    // SAFETY: the caller's promise.
    let text = unsafe { copy(r#type) };
    let _ = catch_unwind(move || register_token_type(text));
}

/// Adds a statement about operands and results, given by their numbers.
///
/// # Safety
///
/// The operation is null, or the one passed to a function that describes it, while that function runs.
unsafe fn state<const COUNT: usize>(
    operation: *mut MemplanOperation,
    numbers: [isize; COUNT],
    state: impl FnOnce(&mut Description, [u32; COUNT]),
) {
    let mut all = [0; COUNT];
    let mut invalid = None;
    for (number, into) in numbers.iter().zip(&mut all) {
        match u32::try_from(*number) {
            Ok(number) => *into = number,
            Err(_) => invalid = invalid.or(Some(*number)),
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        fill_in(operation, |operation| match invalid {
            Some(_) => operation.invalid_number = operation.invalid_number.or(invalid),
            None => state(&mut operation.description, all),
        });
    }
}

macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident($($number:ident),*): $method:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            ///
            /// The operation is what a function that describes was given, while it runs.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(operation: *mut MemplanOperation $(, $number: isize)*) {
                // SAFETY: the caller's promise.
                unsafe {
                    state(operation, [$($number),*], |description, [$($number),*]| {
                        description.$method($($number),*);
                    });
                }
            }
        )*
    };
}

statements! {
    /// Uses sizes, strides or the address of this operand, and no byte.
    memplanOperationDescriptor(operand): descriptor;
    /// Reads this operand.
    memplanOperationReads(operand): reads;
    /// Writes this operand.
    memplanOperationWrites(operand): writes;
    /// Writes each element of this operand, and reads none through it.
    memplanOperationOverwrites(operand): overwrites;
    /// Copies all elements of `from` to `to`.
    memplanOperationCopies(from, to): copies;
    /// Reads each element of `read` before it writes the element of `written` at the same index.
    memplanOperationInStep(read, written): in_step;
    /// Takes ownership of this operand.
    memplanOperationTakes(operand): takes;
    /// May capture the address of this operand.
    memplanOperationCaptures(operand): captures;
    /// Stores this operand in the memory of another one.
    memplanOperationStoresInto(operand, memory): stores_into;
    /// Behaves the same if this operand is in another memory space.
    memplanOperationTakesAnySpace(operand): takes_any_space;
    /// Behaves the same if this operand has other strides.
    memplanOperationTakesAnyStrides(operand): takes_any_strides;
    /// This result is an element of the operand.
    memplanOperationLoads(result, operand): loads;
    /// This result is owned by somebody else.
    memplanOperationBorrowed(result): borrowed;
    /// This result holds the address of the operand.
    memplanOperationAddressOf(result, operand): address_of;
    /// Asynchronous until this token has been waited for.
    memplanOperationStarts(token): starts;
    /// Its tokens are done no earlier than this one.
    memplanOperationAfter(token): after;
    /// Waits for its token operands.
    memplanOperationWaits(): waits;
    /// No operation may be moved across it.
    memplanOperationFence(): fence;
    /// May be executed speculatively.
    memplanOperationSpeculatable(): speculatable;
    /// The interfaces of the operation describe it, and nothing else does.
    memplanOperationByInterfaces(): by_interfaces;
}

/// Frees the memory of this operand.
///
/// # Safety
///
/// As above; the name is as long as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanOperationFrees(
    operation: *mut MemplanOperation,
    operand: isize,
    allocator: MlirStringRef,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let allocator = copy(allocator);
        state(operation, [operand], |description, [operand]| {
            description.frees(operand, allocator);
        });
    }
}

/// This result is new memory.
///
/// # Safety
///
/// As for [`memplanOperationFrees`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanOperationAllocates(
    operation: *mut MemplanOperation,
    result: isize,
    allocator: MlirStringRef,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let allocator = copy(allocator);
        state(operation, [result], |description, [result]| {
            description.allocates(result, allocator);
        });
    }
}

/// This result is a view of the operand.
///
/// # Safety
///
/// As for [`memplanOperationFrees`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanOperationViews(
    operation: *mut MemplanOperation,
    result: isize,
    operand: isize,
    start: MemplanStart,
) {
    let start = match start {
        SAME => DataStart::Same,
        _ => DataStart::Unknown,
    };
    // SAFETY: the caller's promise.
    unsafe {
        state(operation, [result, operand], |description, [result, of]| {
            description.views(result, of, start);
        });
    }
}

/// This result is a view of the operand. Its data starts later by the number of bytes in operand `bytes`.
///
/// # Safety
///
/// As for [`memplanOperationFrees`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanOperationViewsShifted(
    operation: *mut MemplanOperation,
    result: isize,
    operand: isize,
    bytes: isize,
) {
    let numbers = [result, operand, bytes];
    // SAFETY: the caller's promise.
    unsafe {
        state(operation, numbers, |description, [result, of, bytes]| {
            description.views(result, of, DataStart::ShiftedBy(bytes));
        });
    }
}

/// This result is the memory of one of these operands.
///
/// # Safety
///
/// As for [`memplanOperationFrees`]; `operands` has `count` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanOperationAnyOf(
    operation: *mut MemplanOperation,
    result: isize,
    count: isize,
    operands: *const isize,
) {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the caller's promise.
    let given = (0..count).map(|at| unsafe { *operands.add(at) });
    let mut all = Vec::with_capacity(count);
    for number in given {
        match u32::try_from(number) {
            Ok(number) => all.push(number),
            // SAFETY: as above.
            Err(_) => return unsafe { state(operation, [number], |_, _| {}) },
        }
    }
    // SAFETY: as above.
    unsafe {
        state(operation, [result], |description, [result]| {
            description.any_of(result, &all);
        });
    }
}
