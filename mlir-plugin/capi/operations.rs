//! `memplan-c/Extend.h`: what operations do to memory.

use super::{User, change, complaint, copy, passes::tell};
use memplan_semantics::{
    Description, RegisterError, op_memory::DataStart, register, register_allocator,
    register_override, register_token_type,
};
use mlir_sys::{MlirLogicalResult, MlirOperation, MlirStringCallback, MlirStringRef};
use std::{
    ffi::{c_char, c_void},
    panic::catch_unwind,
};

/// What is said of an operation.
#[derive(Default)]
pub struct MemplanOperation {
    description: Description,
    /// The first number that no operand or result can have.
    wrong: Option<isize>,
}

/// Says what an operation does; null, or what is wrong with it.
type Describe =
    unsafe extern "C" fn(MlirOperation, *mut MemplanOperation, *mut c_void) -> *const c_char;

/// Where the data of a view starts.
pub type MemplanStart = u32;
/// Where that of what it is a view of does.
const SAME: MemplanStart = 0;

const fn success(is_success: bool) -> MlirLogicalResult {
    MlirLogicalResult {
        value: is_success as i8,
    }
}

/// From now on, `describe` is asked about operations of this name.
///
/// # Safety
///
/// The name is as long as it says; any thread may call `describe` with `user`, for as long as the process lives; `error` is
/// null, or takes a text and `error_user`.
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
    let user = User(user);
    // SAFETY: as above.
    unsafe {
        add(describe, error, error_user, |describe| {
            register(name, by(describe, user))
        })
    }
}

/// The same, also for an operation that memplan knows.
///
/// # Safety
///
/// As above.
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
    let user = User(user);
    // SAFETY: as above.
    unsafe {
        add(describe, error, error_user, |describe| {
            register_override(name, by(describe, user))
        })
    }
}

/// Registers, and says what is wrong.
///
/// # Safety
///
/// `error` is null, or takes a text and `error_user`.
unsafe fn add(
    describe: Option<Describe>,
    error: MlirStringCallback,
    error_user: *mut c_void,
    add: impl FnOnce(Describe) -> Result<(), RegisterError> + std::panic::UnwindSafe,
) -> MlirLogicalResult {
    let done = match describe {
        // Nothing in it panics but what runs out of memory.
        Some(describe) => catch_unwind(move || add(describe).map_err(|error| error.to_string()))
            .unwrap_or_else(|_| Err("out of memory".to_owned())),
        None => Err("there is no function that describes it".to_owned()),
    };
    if let Err(why) = &done {
        // SAFETY: the caller's promise.
        unsafe { tell(why, error, error_user) };
    }
    success(done.is_ok())
}

/// What a function in C says.
fn by(
    describe: Describe,
    user: User,
) -> impl Fn(memplan_mlir::ir::Op<'_>, &mut Description) -> Result<(), String> + Send + Sync + 'static
{
    move |op, description| {
        let mut said = MemplanOperation::default();
        // SAFETY: a live operation; what it writes to outlives the call.
        let wrong = unsafe { describe(op.to_raw(), &raw mut said, user.pointer()) };
        // SAFETY: the header asks for null or a text.
        unsafe { complaint(wrong) }?;
        if let Some(wrong) = said.wrong {
            return Err(format!("{wrong} is not the number of an operand or result"));
        }
        *description = said.description;
        Ok(())
    }
}

/// From now on, operations may say that this allocator allocates or frees.
///
/// # Safety
///
/// Texts are as long as they say.
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

/// From now on, values of the type that prints so are tokens.
///
/// # Safety
///
/// The text is as long as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRegisterTokenType(r#type: MlirStringRef) {
    // SAFETY: the caller's promise.
    let text = unsafe { copy(r#type) };
    let _ = catch_unwind(move || register_token_type(text));
}

/// Says something of operands and results by their numbers.
///
/// # Safety
///
/// The operation is null, or what a function that describes was given, while it runs.
unsafe fn say<const COUNT: usize>(
    operation: *mut MemplanOperation,
    numbers: [isize; COUNT],
    say: impl FnOnce(&mut Description, [u32; COUNT]),
) {
    let mut all = [0; COUNT];
    let mut wrong = None;
    for (number, into) in numbers.iter().zip(&mut all) {
        match u32::try_from(*number) {
            Ok(number) => *into = number,
            Err(_) => wrong = wrong.or(Some(*number)),
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        change(operation, |said| match wrong {
            Some(_) => said.wrong = said.wrong.or(wrong),
            None => say(&mut said.description, all),
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
                    say(operation, [$($number),*], |description, [$($number),*]| {
                        description.$method($($number),*);
                    });
                }
            }
        )*
    };
}

statements! {
    /// It uses sizes, strides or the address of this operand, and no byte.
    memplanOperationDescriptor(operand): descriptor;
    /// It reads this operand.
    memplanOperationReads(operand): reads;
    /// It writes this operand.
    memplanOperationWrites(operand): writes;
    /// It writes each element of this operand, and reads none through it.
    memplanOperationOverwrites(operand): overwrites;
    /// It copies all elements of `from` to `to`.
    memplanOperationCopies(from, to): copies;
    /// It reads each element of `read` before it writes the one at its place of `written`.
    memplanOperationInStep(read, written): in_step;
    /// It takes ownership of this operand.
    memplanOperationTakes(operand): takes;
    /// It may keep the address of this operand.
    memplanOperationCaptures(operand): captures;
    /// It stores this operand in the memory of another one.
    memplanOperationStoresInto(operand, memory): stores_into;
    /// It does the same where this operand is in another memory space.
    memplanOperationTakesAnySpace(operand): takes_any_space;
    /// It does the same where this operand has other strides.
    memplanOperationTakesAnyStrides(operand): takes_any_strides;
    /// This result is an element of the operand.
    memplanOperationLoads(result, operand): loads;
    /// This result is somebody else's.
    memplanOperationBorrowed(result): borrowed;
    /// This result holds the address of the operand.
    memplanOperationAddressOf(result, operand): address_of;
    /// It goes on until this token has been waited for.
    memplanOperationStarts(token): starts;
    /// Its tokens are done no earlier than this one.
    memplanOperationAfter(token): after;
    /// It waits for its token operands.
    memplanOperationWaits(): waits;
    /// Nothing changes places with it.
    memplanOperationFence(): fence;
    /// It may run where it would not have run.
    memplanOperationSpeculatable(): speculatable;
    /// What its interfaces say holds, and nothing else.
    memplanOperationByInterfaces(): by_interfaces;
}

/// It frees the memory of this operand.
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
        say(operation, [operand], |description, [operand]| {
            description.frees(operand, allocator);
        });
    }
}

/// This result is new memory.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanOperationAllocates(
    operation: *mut MemplanOperation,
    result: isize,
    allocator: MlirStringRef,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let allocator = copy(allocator);
        say(operation, [result], |description, [result]| {
            description.allocates(result, allocator);
        });
    }
}

/// This result is a view of the operand.
///
/// # Safety
///
/// As above.
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
        say(operation, [result, operand], |description, [result, of]| {
            description.views(result, of, start);
        });
    }
}

/// The same, whose data starts so many bytes later as `bytes` says.
///
/// # Safety
///
/// As above.
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
        say(operation, numbers, |description, [result, of, bytes]| {
            description.views(result, of, DataStart::ShiftedBy(bytes));
        });
    }
}

/// This result is the memory of one of these operands.
///
/// # Safety
///
/// As above; there are as many operands as `count` says.
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
            Err(_) => return unsafe { say(operation, [number], |_, _| {}) },
        }
    }
    // SAFETY: as above.
    unsafe {
        say(operation, [result], |description, [result]| {
            description.any_of(result, &all);
        });
    }
}
