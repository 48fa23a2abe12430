//! Registration of passes with MLIR: the C descriptor of a pass, and its callbacks.

use super::{
    interface::{Failed, InitError, Pass},
    run::Run,
    statistics,
    values::OptionValues,
};
use crate::{
    catch_panic,
    codes::{INTERNAL, OPTION, REPORT},
    diagnostics::{Diagnostic, known_location},
    ffi,
    ir::{ContextHandle, op_from_raw},
    run_cache,
    string_ref::borrow,
};
use melior::ir::operation::OperationLike;
use memplan_interface::{OptionDeclaration, OptionKind};
use mlir_sys::{MlirContext, MlirOperation, MlirStringRef};
use std::{
    any::Any,
    cell::RefCell,
    collections::BTreeMap,
    ffi::{CString, c_char, c_void},
    fmt::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError, RwLock},
};

/// Leaks a C string: MLIR keeps passes, and so their names, for the life of the process.
pub(crate) fn leak_c_string(text: &str) -> *const c_char {
    CString::new(text)
        .unwrap_or_default()
        .into_raw()
        .cast_const()
}

/// Options as the shim expects them.
pub(crate) fn option_descriptors<'d>(
    options: impl IntoIterator<Item = &'d OptionDeclaration>,
) -> Vec<ffi::MemplanOption> {
    let options = options.into_iter().map(|option| {
        let default = option.kind.default_text();
        let shown = option.kind.default_shown();
        ffi::MemplanOption {
            name: leak_c_string(option.name),
            description: leak_c_string(&format!("{} (default: {shown})", option.description)),
            placeholder: leak_c_string(&option.kind.placeholder()),
            default_value: leak_c_string(&default),
            flag: matches!(option.kind, OptionKind::Flag(_)),
        }
    });
    options.collect()
}

/// The note that follows the error about an unknown option: the options that exist.
pub(crate) fn usage_text<'d>(
    argument: &str,
    options: impl IntoIterator<Item = &'d OptionDeclaration>,
) -> *const c_char {
    let mut text = String::new();
    for option in options {
        let _ = write!(text, " {}={}", option.name, option.kind.placeholder());
    }
    let text = match text.is_empty() {
        true => format!("{argument} takes no options"),
        false => format!("{argument} takes:{text}"),
    };
    leak_c_string(&format!("{}\n", OPTION.message(text)))
}

/// A descriptor that was passed to MLIR. It lives as long as the process.
#[derive(Clone, Copy)]
struct Descriptor(&'static ffi::MemplanPassDescriptor);

// SAFETY: the descriptor is never changed, and any thread may call its functions.
unsafe impl Send for Descriptor {}
// SAFETY: as above.
unsafe impl Sync for Descriptor {}

/// The descriptors of registered passes, by argument.
static DESCRIPTORS: RwLock<BTreeMap<&'static str, Descriptor>> = RwLock::new(BTreeMap::new());

/// The descriptor of a registered pass.
pub(crate) fn descriptor(argument: &str) -> Option<&'static ffi::MemplanPassDescriptor> {
    let all = DESCRIPTORS.read().unwrap_or_else(PoisonError::into_inner);
    all.get(argument).map(|descriptor| descriptor.0)
}

/// Registers a pass with MLIR. May be called repeatedly.
pub fn register<P: Pass>() {
    let declaration = P::DECLARATION;
    let mut all = DESCRIPTORS.write().unwrap_or_else(PoisonError::into_inner);
    let descriptor = *all
        .entry(declaration.argument)
        .or_insert_with(|| Descriptor(describe_pass::<P>()));
    // SAFETY: the descriptor, with all that it points to, lives as long as the process.
    unsafe { ffi::memplanRegisterPass(descriptor.0) }
}

fn describe_pass<P: Pass>() -> &'static ffi::MemplanPassDescriptor {
    let declaration = P::DECLARATION;
    let options = option_descriptors(declaration.options);
    let statistics: Vec<ffi::MemplanStatistic> = declaration
        .statistics
        .iter()
        .map(|statistic| ffi::MemplanStatistic {
            name: leak_c_string(statistic.name),
            description: leak_c_string(statistic.description),
        })
        .collect();
    let dialects: Vec<*const c_char> = declaration
        .dialects
        .iter()
        .map(|name| leak_c_string(name))
        .collect();
    Box::leak(Box::new(ffi::MemplanPassDescriptor {
        argument: leak_c_string(declaration.argument),
        summary: leak_c_string(declaration.summary),
        option_count: options.len() as isize,
        options: options.leak().as_ptr(),
        usage: usage_text(declaration.argument, declaration.options),
        statistic_count: statistics.len() as isize,
        statistics: statistics.leak().as_ptr(),
        dialect_count: dialects.len() as isize,
        dialects: dialects.leak().as_ptr(),
        module_only: declaration.module_only,
        user: std::ptr::null(),
        state_new: Some(state_new::<P>),
        state_clone: Some(state_clone::<P>),
        state_drop: Some(state_drop::<P>),
        check_options: Some(check_options::<P>),
        initialize: Some(initialize::<P>),
        run: Some(run::<P>),
    }))
}

/// The message for a panic in a pass or a pipeline.
pub(crate) fn internal_error(argument: &str, panic: &(dyn Any + Send)) -> String {
    format!(
        "{argument}: internal error: {}",
        catch_panic::panic_text(panic)
    )
}

unsafe extern "C" fn state_new<P: Pass>(_user: *const c_void) -> *mut c_void {
    catch_unwind(|| Arc::into_raw(Arc::new(P::new())).cast_mut().cast())
        .unwrap_or(std::ptr::null_mut())
}

unsafe extern "C" fn state_clone<P: Pass>(state: *mut c_void) -> *mut c_void {
    if !state.is_null() {
        // SAFETY: a reference that `state_new` or this function returned.
        unsafe { Arc::increment_strong_count(state.cast::<P>()) };
    }
    state
}

unsafe extern "C" fn state_drop<P: Pass>(state: *mut c_void) {
    if !state.is_null() {
        // SAFETY: as above; the shim drops each reference once. A panic in a destructor is caught.
        let _ = catch_unwind(AssertUnwindSafe(|| unsafe {
            drop(Arc::from_raw(state.cast_const().cast::<P>()));
        }));
    }
}

/// The values of all options.
///
/// # Safety
/// `texts` has one valid entry for each declared option.
unsafe fn values<P: Pass>(texts: *const MlirStringRef) -> OptionValues {
    let texts = (0..P::DECLARATION.options.len())
        // SAFETY: the caller's promise.
        .map(|index| unsafe { crate::string_ref::copy(*texts.add(index)) });
    OptionValues::given(P::DECLARATION, texts.collect())
}

unsafe extern "C" fn check_options<P: Pass>(
    _user: *const c_void,
    texts: *const MlirStringRef,
    error: Option<unsafe extern "C" fn(MlirStringRef, *mut c_void)>,
    error_user: *mut c_void,
) -> bool {
    let result = catch_unwind(|| {
        // SAFETY: the shim passes all options.
        let values = unsafe { values::<P>(texts) };
        values.check().and_then(|()| P::check(&values))
    });
    let message = match result {
        Ok(Ok(())) => return true,
        Ok(Err(why)) => OPTION.message(why),
        Err(panic) => INTERNAL.message(internal_error(P::DECLARATION.argument, &*panic)),
    };
    if let Some(error) = error {
        // SAFETY: the shim's own callback and its argument.
        unsafe { error(borrow(&format!("{message}\n")), error_user) };
    }
    false
}

unsafe extern "C" fn initialize<P: Pass>(
    _user: *const c_void,
    state: *mut c_void,
    context: MlirContext,
    texts: *const MlirStringRef,
) -> bool {
    let result = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: created by `state_new`, and alive while the pass is.
        let pass = unsafe { state.cast::<P>().as_ref() }.expect("a state");
        // SAFETY: the shim passes all options.
        let values = unsafe { values::<P>(texts) };
        statistics::check(&values).map_err(|message| InitError {
            code: REPORT,
            message,
        })?;
        pass.initialize(&values)
    }));
    let argument = P::DECLARATION.argument;
    let (code, message) = match result {
        Ok(Ok(())) => return true,
        Ok(Err(InitError { code, message })) => (code, format!("{argument}: {message}")),
        Err(panic) => (INTERNAL, internal_error(argument, &*panic)),
    };
    let location = ContextHandle::from_raw(context).unknown_location();
    Diagnostic::new(code, location, message).emit();
    false
}

unsafe extern "C" fn run<P: Pass>(
    _user: *const c_void,
    state: *mut c_void,
    op: MlirOperation,
    texts: *const MlirStringRef,
    raw: *mut ffi::MemplanRun,
) -> bool {
    let Some(op) = op_from_raw(op) else {
        return false;
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: created by `state_new`, and alive while the pass is.
        let pass = unsafe { state.cast::<P>().as_ref() }.expect("a state");
        let run = Run {
            op,
            // SAFETY: the shim passes all options.
            values: unsafe { values::<P>(texts) },
            raw,
            counted: RefCell::new(vec![0; P::DECLARATION.statistics.len()]),
        };
        let instance = state.addr();
        statistics::begin(P::DECLARATION, instance, &run.values, op);
        let result = run_cache::within(Some(run.run_cache()), || pass.run(&run));
        let counted = run.counted.borrow();
        let written = statistics::end(P::DECLARATION, instance, &run.values, op, &counted);
        result.and_then(|()| {
            written.map_err(|message| {
                Diagnostic::new(REPORT, known_location(op), message).emit();
                Failed
            })
        })
    }));
    match result {
        Ok(result) => result.is_ok(),
        Err(panic) if panic.is::<catch_panic::AlreadyReported>() => false,
        Err(panic) => {
            let message = internal_error(P::DECLARATION.argument, &*panic);
            Diagnostic::new(INTERNAL, op.location(), message).emit();
            false
        }
    }
}
