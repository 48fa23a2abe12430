//! `memplan-c/Extend.h`: what operations do with memory.

use super::{User, change, complaint, copy};
use memplan_mlir::rules::{self, Rules};
use mlir_sys::{MlirOperation, MlirStringRef};
use std::{
    ffi::{c_char, c_void},
    panic::catch_unwind,
};

/// What is said of an operation.
#[derive(Default)]
pub struct MemplanRules {
    rules: Rules,
    by_interfaces: bool,
}

/// Says what an operation does; null, or what is wrong with it.
type Collect = unsafe extern "C" fn(MlirOperation, *mut MemplanRules, *mut c_void) -> *const c_char;

/// From now on, `collect` is asked about operations of this name.
///
/// # Safety
///
/// The name is as long as it says; any thread may call `collect` with `user`, for as long as the process lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRegisterRules(
    name: MlirStringRef,
    collect: Option<Collect>,
    user: *mut c_void,
) {
    // SAFETY: the caller's promise.
    let name = unsafe { copy(name) };
    let user = User(user);
    let Some(collect) = collect else { return };
    let register = move || {
        rules::register(name, move |op| {
            let mut said = MemplanRules::default();
            // SAFETY: a live operation; what it writes to outlives the call.
            let wrong = unsafe { collect(op.to_raw(), &raw mut said, user.pointer()) };
            // SAFETY: the header asks for null or a text.
            unsafe { complaint(wrong) }?;
            Ok((!said.by_interfaces).then_some(said.rules))
        });
    };
    // Nothing in it panics but what runs out of memory; nobody is told.
    let _ = catch_unwind(register);
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
    let _ = catch_unwind(move || rules::register_token(text));
}

macro_rules! numbered {
    ($($(#[$doc:meta])* $name:ident: $field:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            ///
            /// The rules are those that a collector was given, while it runs.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(rules: *mut MemplanRules, number: isize) {
                // SAFETY: the caller's promise.
                unsafe { change(rules, |said| said.rules.$field.push(number as usize)) }
            }
        )*
    };
}

numbered! {
    /// It reads this operand.
    memplanRulesReads: reads;
    /// It writes this operand.
    memplanRulesWrites: writes;
    /// It writes each element of this operand, and reads none through it.
    memplanRulesOverwrites: overwrites;
    /// It gives back the memory of this operand.
    memplanRulesFrees: frees;
    /// It may keep this operand.
    memplanRulesKeeps: keeps;
    /// This result is new memory.
    memplanRulesMakes: makes;
}

/// It reads `read` element by element, each before it writes the one at its place of `written`.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRulesInStep(rules: *mut MemplanRules, read: isize, written: isize) {
    let pair = (read as usize, written as usize);
    // SAFETY: the caller's promise.
    unsafe { change(rules, |said| said.rules.in_step.push(pair)) }
}

/// All memref results are views of this operand.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRulesViews(rules: *mut MemplanRules, operand: isize) {
    // SAFETY: the caller's promise.
    unsafe { change(rules, |said| said.rules.views = Some(operand as usize)) }
}

/// It goes on until its tokens have been waited for.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRulesGoesOn(rules: *mut MemplanRules) {
    // SAFETY: the caller's promise.
    unsafe { change(rules, |said| said.rules.goes_on = true) }
}

/// It waits for its tokens.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRulesWaits(rules: *mut MemplanRules) {
    // SAFETY: the caller's promise.
    unsafe { change(rules, |said| said.rules.waits = true) }
}

/// What the operation's interfaces say holds, and nothing else.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memplanRulesByInterfaces(rules: *mut MemplanRules) {
    // SAFETY: the caller's promise.
    unsafe { change(rules, |said| said.by_interfaces = true) }
}
