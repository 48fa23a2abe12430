//! Registration of pipelines with MLIR.

use crate::{
    codes::{INTERNAL, OPTION},
    ffi,
    ir::Op,
    pass::{internal_error, leak_c_string, option_descriptors, usage_text},
    string_ref::borrow,
};
use memplan_interface::pipeline::Pipeline;
use mlir_sys::MlirStringRef;
use std::{
    collections::BTreeMap,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{PoisonError, RwLock},
};

/// Registers the pass `memplan-where` with MLIR, which runs the passes of a step
/// [`IfPresent`](memplan_interface::pipeline::PipelineStep::IfPresent). May be called repeatedly.
pub fn register_where() {
    // SAFETY: the text lives as long as the process.
    unsafe { ffi::memplanRegisterWhere(leak_c_string(&OPTION.message(""))) }
}

/// Checks that a text is one of passes.
///
/// # Errors
///
/// What MLIR, or a pass of memplan, says of it.
pub fn check(passes: &str) -> Result<(), String> {
    let mut said = String::new();
    // SAFETY: a text that outlives the call, a callback that appends to the text that it gets.
    let is_valid =
        unsafe { ffi::memplanCheckPasses(borrow(passes), Some(append), (&raw mut said).cast()) };
    match is_valid {
        true => Ok(()),
        false => Err(said.trim().to_owned()),
    }
}

unsafe extern "C" fn append(text: MlirStringRef, said: *mut c_void) {
    // SAFETY: what `check` passed; the text lives as long as the call.
    let (said, text) = unsafe { (&mut *said.cast::<String>(), crate::string_ref::copy(text)) };
    said.push_str(&text);
}

/// Runs passes, as in a textual pipeline, on a copy of a module, which is then dropped, and so are its diagnostics. Returns
/// whether they succeeded.
pub fn run_on_copy(module: Op<'_>, passes: &str) -> bool {
    // SAFETY: a live operation, and a text that outlives the call.
    unsafe { ffi::memplanRunOnCopy(module.to_raw(), borrow(passes)) }
}

/// A descriptor that was passed to MLIR. It lives as long as the process.
#[derive(Clone, Copy)]
struct Descriptor(&'static ffi::MemplanPipelineDescriptor);

// SAFETY: the descriptor is never changed, and any thread may call its function.
unsafe impl Send for Descriptor {}
// SAFETY: as above.
unsafe impl Sync for Descriptor {}

/// The descriptors of registered pipelines, by argument.
static DESCRIPTORS: RwLock<BTreeMap<&'static str, Descriptor>> = RwLock::new(BTreeMap::new());

/// The descriptor of a registered pipeline.
pub(crate) fn descriptor(argument: &str) -> Option<&'static ffi::MemplanPipelineDescriptor> {
    let all = DESCRIPTORS.read().unwrap_or_else(PoisonError::into_inner);
    all.get(argument).map(|descriptor| descriptor.0)
}

/// Registers MLIR's passes that pipelines use. May be called repeatedly.
pub fn register_upstream() {
    // SAFETY: has no arguments.
    unsafe { ffi::memplanRegisterUpstreamPasses() }
}

/// Registers a pipeline with MLIR. May be called repeatedly.
pub fn register(pipeline: &'static Pipeline) {
    let mut all = DESCRIPTORS.write().unwrap_or_else(PoisonError::into_inner);
    let descriptor = *all
        .entry(pipeline.argument)
        .or_insert_with(|| Descriptor(describe_pipeline(pipeline)));
    // SAFETY: the descriptor, with all that it points to, lives as long as the process.
    unsafe { ffi::memplanRegisterPipeline(descriptor.0) }
}

fn describe_pipeline(pipeline: &'static Pipeline) -> &'static ffi::MemplanPipelineDescriptor {
    let options = option_descriptors(pipeline.options());
    Box::leak(Box::new(ffi::MemplanPipelineDescriptor {
        argument: leak_c_string(pipeline.argument),
        summary: leak_c_string(pipeline.summary),
        option_count: options.len() as isize,
        options: options.leak().as_ptr(),
        usage: usage_text(pipeline.argument, pipeline.options()),
        user: std::ptr::from_ref(pipeline).cast(),
        passes: Some(passes),
    }))
}

unsafe extern "C" fn passes(
    user: *const c_void,
    values: *const MlirStringRef,
    text: ffi::MemplanTextCallback,
    text_user: *mut c_void,
) -> bool {
    // SAFETY: the pipeline that `register` passed, which lives as long as the process.
    let pipeline = unsafe { &*user.cast::<Pipeline>() };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let count = pipeline.options().count();
        // SAFETY: the shim passes all options.
        let values = (0..count).map(|index| unsafe { crate::string_ref::copy(*values.add(index)) });
        pipeline.passes(&values.collect::<Vec<_>>())
    }));
    let (is_good, text_or_error) = match result {
        Ok(Ok(passes)) => (true, passes),
        Ok(Err(why)) => (false, OPTION.message(why)),
        Err(panic) => (
            false,
            INTERNAL.message(internal_error(pipeline.argument, &*panic)),
        ),
    };
    if let Some(text) = text {
        // SAFETY: the shim's own callback and its argument.
        unsafe { text(borrow(&text_or_error), text_user) };
    }
    is_good
}
