//! Passes that are declared in Rust and run by MLIR's pass manager.
//!
//! A pass has one declaration: argument, summary, description, example, options, statistics. Its `--help`, its manual
//! page and its errors are made from it. One C++ class, constructed from that declaration, implements all passes.
//! Every callback catches panics and turns them into a diagnostic and a failed pass.

use crate::{
    catch_panic,
    codes::{Code, INTERNAL, OPTION},
    diagnostics::Diagnostic,
    ffi,
    ir::{ContextHandle, Op, op_from_raw},
    run_cache::{self, RunCache},
    string_ref::borrow,
};
use melior::ir::operation::OperationLike;
use mlir_sys::{MlirContext, MlirOperation, MlirStringRef};
use std::{
    any::Any,
    collections::BTreeMap,
    ffi::{CString, c_char, c_void},
    fmt::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError, RwLock},
};

/// The declaration of a pass.
#[derive(Debug)]
pub struct Declaration {
    /// The name in a pipeline.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The description in Markdown, for the manual.
    pub description: &'static str,
    /// IR before and after.
    pub example: Example,
    /// Options, in the order in which they are printed.
    pub options: &'static [OptionDeclaration],
    /// Statistics.
    pub statistics: &'static [StatisticDeclaration],
    /// The kinds of diagnostics that the pass may emit: its own first, then those of the passes that it runs itself.
    /// Those of every pass ([`codes::ALL`](crate::codes::ALL)) are not included.
    pub codes: &'static [&'static [&'static Code]],
    /// Dialects of the operations that the pass creates.
    pub dialects: &'static [&'static str],
    /// The pass runs on `builtin.module` only, not on functions.
    pub module_only: bool,
}

/// IR before and after a pass.
#[derive(Debug)]
pub struct Example {
    /// Input.
    pub before: &'static str,
    /// Output.
    pub after: &'static str,
}

/// The declaration of an option.
#[derive(Debug)]
pub struct OptionDeclaration {
    /// The name before the `=`.
    pub name: &'static str,
    /// The description in one line.
    pub description: &'static str,
    /// The accepted values, and the default.
    pub kind: OptionKind,
}

/// The accepted values of an option, and its default.
#[derive(Debug)]
pub enum OptionKind {
    /// `true` or `false`; the name alone means `true`.
    Flag(bool),
    /// A whole number from `min` to `max`.
    Integer {
        /// Value if the option is not given.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// Only powers of two are accepted.
        power_of_two: bool,
    },
    /// A number of bytes from `min` to `max`; a power of two if so asked. `i64::MAX` as the default means no limit.
    Bytes {
        /// If not given.
        default: i64,
        /// The least.
        min: i64,
        /// The largest.
        max: i64,
        /// Powers of two only.
        power_of_two: bool,
    },
    /// Any text.
    Text {
        /// Value if the option is not given.
        default: &'static str,
        /// Placeholder of the text in `--help`, in capitals.
        placeholder: &'static str,
    },
    /// One of some words.
    Choice {
        /// Value if the option is not given.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
    },
    /// One of some words; more can be registered while the process runs.
    DynamicChoice {
        /// Value if the option is not given.
        default: &'static str,
        /// The words at present.
        choices: fn() -> Vec<&'static str>,
    },
    /// One of some words, or an integer from 0 to 2^64 - 1.
    ChoiceOrInteger {
        /// Value if the option is not given.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
    },
    /// Texts separated by commas.
    List {
        /// Value if the option is not given.
        default: &'static str,
        /// Placeholder of an entry in `--help`, in capitals.
        placeholder: &'static str,
    },
}

impl OptionKind {
    /// The default, as text.
    pub fn default_text(&self) -> String {
        match self {
            Self::Flag(default) => default.to_string(),
            Self::Integer { default, .. } | Self::Bytes { default, .. } => default.to_string(),
            Self::Text { default, .. }
            | Self::Choice { default, .. }
            | Self::DynamicChoice { default, .. }
            | Self::ChoiceOrInteger { default, .. }
            | Self::List { default, .. } => (*default).to_string(),
        }
    }

    /// The default for readers: bytes in their largest unit, "none" where there is none.
    pub fn default_shown(&self) -> String {
        match self {
            Self::Integer { default, .. } | Self::Bytes { default, .. } if *default == i64::MAX => {
                "none".into()
            }
            Self::Bytes { default, .. } => bytes_shown(*default),
            kind => match kind.default_text() {
                text if text.is_empty() => "none".into(),
                text => text,
            },
        }
    }

    /// Placeholder of the value in `--help`.
    pub fn placeholder(&self) -> String {
        match self {
            Self::Flag(_) => "true|false".into(),
            Self::Integer { .. } => "N".into(),
            Self::Bytes { .. } => "BYTES".into(),
            Self::Text { placeholder, .. } => (*placeholder).into(),
            Self::Choice { choices, .. } => choices.join("|"),
            Self::DynamicChoice { choices, .. } => choices().join("|"),
            Self::ChoiceOrInteger { choices, .. } => format!("{}|N", choices.join("|")),
            Self::List { placeholder, .. } => format!("{placeholder},…"),
        }
    }

    /// The accepted values, in words.
    pub fn takes(&self) -> String {
        match self {
            Self::Flag(_) => "true or false".into(),
            Self::Integer {
                min,
                max,
                power_of_two,
                ..
            } => {
                let what = if *power_of_two {
                    "a power of two"
                } else {
                    "an integer"
                };
                within(what, *min, *max, |number| number.to_string())
            }
            Self::Bytes {
                min,
                max,
                power_of_two,
                ..
            } => {
                let what = if *power_of_two {
                    "a power of two in bytes"
                } else {
                    "a number of bytes"
                };
                within(what, *min, *max, bytes_shown)
            }
            Self::Text { placeholder, .. } => format!("text ({placeholder})"),
            Self::Choice { choices, .. } => format!("one of {}", choices.join(", ")),
            Self::DynamicChoice { choices, .. } => format!("one of {}", choices().join(", ")),
            Self::ChoiceOrInteger { choices, .. } => {
                format!("one of {}, or an integer", choices.join(", "))
            }
            Self::List { placeholder, .. } => format!("a comma-separated list ({placeholder})"),
        }
    }

    pub(crate) fn accepts(&self, text: &str) -> bool {
        match self {
            Self::Flag(_) => matches!(text, "true" | "false" | "1" | "0"),
            Self::Integer {
                min,
                max,
                power_of_two,
                ..
            }
            | Self::Bytes {
                min,
                max,
                power_of_two,
                ..
            } => text.parse::<i64>().is_ok_and(|value| {
                (*min..=*max).contains(&value)
                    && (!power_of_two || (value > 0 && value & (value - 1) == 0))
            }),
            Self::Choice { choices, .. } => choices.contains(&text),
            Self::DynamicChoice { choices, .. } => choices().contains(&text),
            Self::ChoiceOrInteger { choices, .. } => {
                choices.contains(&text) || text.parse::<u64>().is_ok()
            }
            Self::Text { .. } | Self::List { .. } => true,
        }
    }
}

/// A range of numbers in words; `i64::MAX` is no limit.
fn within(what: &str, min: i64, max: i64, shown: impl Fn(i64) -> String) -> String {
    match max {
        i64::MAX => format!("{what}, at least {}", shown(min)),
        max => format!("{what} from {} to {}", shown(min), shown(max)),
    }
}

/// A number of bytes in the largest unit that divides it: `64 KiB`.
fn bytes_shown(bytes: i64) -> String {
    const UNITS: [(i64, &str); 4] = [
        (1 << 30, "GiB"),
        (1 << 20, "MiB"),
        (1 << 10, "KiB"),
        (1, "B"),
    ];
    let unit = UNITS
        .iter()
        .find(|(size, _)| bytes != 0 && bytes % size == 0);
    unit.map_or_else(
        || "0".into(),
        |(size, name)| format!("{} {name}", bytes / size),
    )
}

/// Whether a flag with this value is set.
pub(crate) fn is_set(value: &str) -> bool {
    matches!(value, "true" | "1")
}

/// The declaration of a statistic.
#[derive(Debug)]
pub struct StatisticDeclaration {
    /// Name.
    pub name: &'static str,
    /// The counted events.
    pub description: &'static str,
}

/// The values of a pass's options, given or default. They are checked before any pass runs.
#[derive(Clone, Debug)]
pub struct OptionValues {
    declaration: &'static Declaration,
    texts: Vec<String>,
}

impl OptionValues {
    /// The defaults, for callers that do the work of a pass without a pass manager.
    pub fn defaults(declaration: &'static Declaration) -> Self {
        Self {
            declaration,
            texts: declaration
                .options
                .iter()
                .map(|option| option.kind.default_text())
                .collect(),
        }
    }

    fn check(&self) -> Result<(), String> {
        for (option, text) in self.declaration.options.iter().zip(&self.texts) {
            if !option.kind.accepts(text) {
                return Err(format!(
                    "{}: option '{}' takes {}, not '{text}'",
                    self.declaration.argument,
                    option.name,
                    option.kind.takes()
                ));
            }
        }
        Ok(())
    }

    /// The value of an option, as text. An undeclared option is a bug of the pass.
    pub fn text(&self, name: &str) -> &str {
        let index = self
            .declaration
            .options
            .iter()
            .position(|option| option.name == name)
            .unwrap_or_else(|| panic!("option '{name}' is not declared"));
        &self.texts[index]
    }

    /// The value of a flag.
    pub fn flag(&self, name: &str) -> bool {
        is_set(self.text(name))
    }

    /// The value of an integer option.
    pub fn integer(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap_or_default()
    }

    /// The entries of a list.
    pub fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        self.text(name)
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
    }
}

/// The pass failed, after it reported an error.
#[derive(Debug, thiserror::Error)]
#[error("the pass failed")]
pub struct Failed;

/// An error that keeps a pass from starting.
#[derive(Debug)]
pub struct InitError {
    /// The kind of the error.
    pub code: &'static Code,
    /// In words.
    pub message: String,
}

/// One run of a pass on one operation.
pub struct Run<'c> {
    /// The operation that the pass runs on.
    pub op: Op<'c>,
    /// The options.
    pub values: OptionValues,
    raw: *mut ffi::MemplanRun,
}

impl<'c> Run<'c> {
    /// Adds to a statistic, given by its index in the declaration.
    pub fn count(&self, statistic: usize, amount: u64) {
        // SAFETY: `raw` is the pass that is running; the index is below the declaration's count.
        unsafe { ffi::memplanRunAddStatistic(self.raw, statistic as isize, amount) }
    }

    /// Preserves all analyses, as nothing was changed.
    pub fn preserve_all(&self) {
        // SAFETY: as above.
        unsafe { ffi::memplanRunPreserveAll(self.raw) }
    }

    /// Takes the value of this type that an earlier pass cached for `op`, which is the operation of the run or nested
    /// in it.
    pub fn take_cached<T: Send + 'static>(&self, op: Op<'c>) -> Option<T> {
        // SAFETY: as above; a live operation.
        let slot = CachedAnalysis(unsafe { ffi::memplanRunCachedAnalysis(self.raw, op.to_raw()) });
        let taken = slot.take()?;
        taken.downcast().ok().map(|value| *value)
    }

    /// Caches a value for `op`, which is the operation of the run or nested in it. It stays until a pass runs that
    /// does not preserve it.
    pub fn cache<T: Send + 'static>(&self, op: Op<'c>, value: T) {
        // SAFETY: as above; a live operation.
        let slot = CachedAnalysis(unsafe { ffi::memplanRunCachedAnalysis(self.raw, op.to_raw()) });
        slot.put(Box::new(value));
    }

    /// Preserves the cached values. Not for passes that create or erase operations with cached values.
    pub fn preserve_cached(&self) {
        // SAFETY: as above.
        unsafe { ffi::memplanRunPreserveCachedAnalysis(self.raw) }
    }

    /// The cache that passes on this operation share while the pass manager runs.
    fn run_cache(&self) -> RunCache {
        // SAFETY: as above.
        CachedAnalysis(unsafe { ffi::memplanRunSharedCache(self.raw) })
            .get_or_insert_with(|| RunCache::new(self.op))
    }
}

/// The slot of an MLIR analysis that holds a cached value.
struct CachedAnalysis(*mut ffi::MemplanCachedAnalysis);

/// The pointee of a slot's value: a thin pointer to a fat one.
type CachedValue = Box<dyn Any + Send>;

unsafe extern "C" fn drop_cached(value: *mut c_void) {
    // SAFETY: allocated by `put`, and dropped once. A panic in a destructor is caught.
    let _ = catch_unwind(AssertUnwindSafe(|| unsafe {
        drop(Box::from_raw(value.cast::<CachedValue>()));
    }));
}

impl CachedAnalysis {
    fn take(&self) -> Option<CachedValue> {
        // SAFETY: the analysis lives as long as the run, and only one thread uses it.
        let slot = unsafe { &mut *self.0 };
        let value = std::mem::replace(&mut slot.value, std::ptr::null_mut());
        // SAFETY: allocated by `put`, and taken once.
        (!value.is_null()).then(|| *unsafe { Box::from_raw(value.cast::<CachedValue>()) })
    }

    fn put(&self, value: CachedValue) {
        drop(self.take());
        // SAFETY: as in `take`.
        let slot = unsafe { &mut *self.0 };
        slot.value = Box::into_raw(Box::new(value)).cast();
        slot.drop = Some(drop_cached);
    }

    /// A clone of the cached value; `make` computes it if there is none.
    fn get_or_insert_with<T: Clone + Send + 'static>(&self, make: impl FnOnce() -> T) -> T {
        let known: Option<Box<T>> = self.take().and_then(|value| value.downcast().ok());
        let value = known.map_or_else(make, |value| *value);
        self.put(Box::new(value.clone()));
        value
    }
}

/// A pass. `Self` is the state that all clones of the pass share.
pub trait Pass: Send + Sync + Sized + 'static {
    /// The declaration of the pass.
    const DECLARATION: &'static Declaration;

    /// New state, for a new pass of a pipeline.
    fn new() -> Self;

    /// Checks combinations of options.
    ///
    /// # Errors
    ///
    /// The message for the user.
    fn check(_values: &OptionValues) -> Result<(), String> {
        Ok(())
    }

    /// Runs before any run of the pass, without IR.
    fn initialize(&self, _values: &OptionValues) -> Result<(), InitError> {
        Ok(())
    }

    /// Runs the pass on one operation.
    fn run(&self, run: &Run<'_>) -> Result<(), Failed>;
}

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
    OptionValues {
        declaration: P::DECLARATION,
        texts: (0..P::DECLARATION.options.len())
            // SAFETY: the caller's promise.
            .map(|index| unsafe { crate::string_ref::copy(*texts.add(index)) })
            .collect(),
    }
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
        pass.initialize(&unsafe { values::<P>(texts) })
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
        };
        run_cache::within(Some(run.run_cache()), || pass.run(&run))
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

#[cfg(test)]
mod tests {
    use super::*;

    static DECLARATION: Declaration = Declaration {
        argument: "test-pass",
        summary: "",
        description: "",
        example: Example {
            before: "",
            after: "",
        },
        options: &[
            OptionDeclaration {
                name: "flag",
                description: "",
                kind: OptionKind::Flag(true),
            },
            OptionDeclaration {
                name: "size",
                description: "",
                kind: OptionKind::Integer {
                    default: 64,
                    min: 1,
                    max: 128,
                    power_of_two: true,
                },
            },
            OptionDeclaration {
                name: "mode",
                description: "",
                kind: OptionKind::Choice {
                    default: "one",
                    choices: &["one", "other"],
                },
            },
            OptionDeclaration {
                name: "pace",
                description: "",
                kind: OptionKind::ChoiceOrInteger {
                    default: "slow",
                    choices: &["slow", "fast"],
                },
            },
            OptionDeclaration {
                name: "names",
                description: "",
                kind: OptionKind::List {
                    default: "a, b,,c",
                    placeholder: "NAME",
                },
            },
        ],
        statistics: &[],
        codes: &[],
        dialects: &[],
        module_only: false,
    };

    fn with(texts: [&str; 5]) -> OptionValues {
        OptionValues {
            declaration: &DECLARATION,
            texts: texts.map(str::to_owned).to_vec(),
        }
    }

    #[test]
    fn defaults_are_accepted_and_read_by_kind() {
        let values = OptionValues::defaults(&DECLARATION);
        assert_eq!(values.check(), Ok(()));
        assert!(values.flag("flag"));
        assert_eq!(values.integer("size"), 64);
        assert_eq!(values.text("mode"), "one");
        assert_eq!(values.text("pace"), "slow");
        assert_eq!(values.list("names").collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn numbers_are_shown_with_units_and_without_limits_that_are_none() {
        let bytes = |default, max| OptionKind::Bytes {
            default,
            min: 0,
            max,
            power_of_two: false,
        };
        assert_eq!(bytes(65536, 1 << 30).default_shown(), "64 KiB");
        assert_eq!(bytes(65537, 1 << 30).default_shown(), "65537 B");
        assert_eq!(bytes(i64::MAX, i64::MAX).default_shown(), "none");
        assert_eq!(bytes(0, i64::MAX).takes(), "a number of bytes, at least 0");
        assert_eq!(
            bytes(0, 1 << 30).takes(),
            "a number of bytes from 0 to 1 GiB"
        );
        assert!(bytes(0, 8).accepts("8") && !bytes(0, 8).accepts("9"));
    }

    #[test]
    fn the_error_of_a_bad_value_lists_the_accepted_ones() {
        let error_of = |texts| with(texts).check().unwrap_err();
        assert_eq!(
            error_of(["maybe", "1", "one", "slow", ""]),
            "test-pass: option 'flag' takes true or false, not 'maybe'"
        );
        for size in ["3", "0", "256", "-2", "x", ""] {
            assert_eq!(
                error_of(["true", size, "one", "slow", ""]),
                format!(
                    "test-pass: option 'size' takes a power of two from 1 to 128, not '{size}'"
                )
            );
        }
        assert_eq!(
            error_of(["true", "1", "One", "slow", ""]),
            "test-pass: option 'mode' takes one of one, other, not 'One'"
        );
        for pace in ["Slow", "-1", "1.5", "18446744073709551616", ""] {
            assert_eq!(
                error_of(["true", "1", "one", pace, ""]),
                format!(
                    "test-pass: option 'pace' takes one of slow, fast, or an integer, not '{pace}'"
                )
            );
        }
        assert_eq!(with(["true", "1", "one", "17", ""]).check(), Ok(()));
    }
}
