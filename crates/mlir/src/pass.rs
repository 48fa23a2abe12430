//! Passes that are declared in Rust and run by MLIR's pass manager.
//!
//! A pass says once what it is: argument, summary, description, example, options, statistics. Its
//! `--help` and its errors come from there. One C++ class, fed by that declaration, serves them
//! all; every callback catches panics and turns them into a diagnostic and a failed pass.

use crate::{
    codes::{Code, INTERNAL, OPTION},
    contained,
    diagnostics::Diagnostic,
    ffi,
    ir::{ContextHandle, Op, op_from_raw},
    shared::{self, Shared},
    text::borrow,
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

/// What a pass says of itself.
#[derive(Debug)]
pub struct Declaration {
    /// The name in a pipeline.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// What it does, in Markdown, for the manual.
    pub description: &'static str,
    /// IR before and after.
    pub example: Example,
    /// Options, in the order in which they are printed.
    pub options: &'static [OptionDeclaration],
    /// Counters.
    pub statistics: &'static [StatisticDeclaration],
    /// What it may say: its own kinds of diagnostics first, then those of what it runs itself; what every pass may say
    /// ([`codes::ALL`](crate::codes::ALL)) is not among them.
    pub codes: &'static [&'static [&'static Code]],
    /// Dialects of the operations that it makes.
    pub dialects: &'static [&'static str],
    /// Runs on `builtin.module` alone, not on functions.
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

/// An option of a pass.
#[derive(Debug)]
pub struct OptionDeclaration {
    /// The name before the `=`.
    pub name: &'static str,
    /// What it does, in a line.
    pub description: &'static str,
    /// What it takes, and the default.
    pub kind: OptionKind,
}

/// What an option takes, and its default.
#[derive(Debug)]
pub enum OptionKind {
    /// `true` or `false`; alone, it means `true`.
    Flag(bool),
    /// A whole number from `min` to `max`; a power of two if so asked.
    Integer {
        /// If not given.
        default: i64,
        /// The least.
        min: i64,
        /// The largest.
        max: i64,
        /// Powers of two only.
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
        /// If not given.
        default: &'static str,
        /// What the text stands for, in capitals.
        stands_for: &'static str,
    },
    /// One of some words.
    Choice {
        /// If not given.
        default: &'static str,
        /// The words.
        of: &'static [&'static str],
    },
    /// One of some words, to which others may be added while the process runs.
    Named {
        /// If not given.
        default: &'static str,
        /// The words that there are now.
        of: fn() -> Vec<&'static str>,
    },
    /// One of some words, or a whole number from 0 to 2^64 - 1.
    Level {
        /// If not given.
        default: &'static str,
        /// The words.
        of: &'static [&'static str],
    },
    /// Texts with commas between them.
    List {
        /// If not given.
        default: &'static str,
        /// What an entry stands for, in capitals.
        stands_for: &'static str,
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
            | Self::Named { default, .. }
            | Self::Level { default, .. }
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

    /// What stands for the value in `--help`.
    pub fn stands_for(&self) -> String {
        match self {
            Self::Flag(_) => "true|false".into(),
            Self::Integer { .. } => "N".into(),
            Self::Bytes { .. } => "BYTES".into(),
            Self::Text { stands_for, .. } => (*stands_for).into(),
            Self::Choice { of, .. } => of.join("|"),
            Self::Named { of, .. } => of().join("|"),
            Self::Level { of, .. } => format!("{}|N", of.join("|")),
            Self::List { stands_for, .. } => format!("{stands_for},…"),
        }
    }

    /// What the option takes, in words.
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
                    "a whole number"
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
            Self::Text { stands_for, .. } => format!("a text ({stands_for})"),
            Self::Choice { of, .. } => format!("one of {}", of.join(", ")),
            Self::Named { of, .. } => format!("one of {}", of().join(", ")),
            Self::Level { of, .. } => {
                format!("one of {}, or a whole number", of.join(", "))
            }
            Self::List { stands_for, .. } => format!("texts with commas between ({stands_for})"),
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
            Self::Choice { of, .. } => of.contains(&text),
            Self::Named { of, .. } => of().contains(&text),
            Self::Level { of, .. } => of.contains(&text) || text.parse::<u64>().is_ok(),
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

/// A counter of a pass.
#[derive(Debug)]
pub struct StatisticDeclaration {
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub description: &'static str,
}

/// The values of a pass's options: given, or default. Checked before any pass runs.
#[derive(Clone, Debug)]
pub struct Values {
    declaration: &'static Declaration,
    texts: Vec<String>,
}

impl Values {
    /// The defaults, for callers that run a pass's work without a pass manager.
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

    /// The value of an option, as text. An option that is not declared is a mistake in the pass.
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

    /// The value of a number.
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

/// The pass has failed, and has said why in a diagnostic.
#[derive(Debug, thiserror::Error)]
#[error("the pass failed")]
pub struct Failed;

/// Why a pass does not start.
#[derive(Debug)]
pub struct Refusal {
    /// What kind of error that is.
    pub code: &'static Code,
    /// In words.
    pub why: String,
}

/// One run of a pass on one operation.
pub struct Run<'c> {
    /// What it runs on.
    pub op: Op<'c>,
    /// The options.
    pub values: Values,
    raw: *mut ffi::MemplanRun,
}

impl<'c> Run<'c> {
    /// Adds to a counter, by its place in the declaration.
    pub fn count(&self, statistic: usize, amount: u64) {
        // SAFETY: `raw` is the pass that runs; the index is one of the declaration's.
        unsafe { ffi::memplanRunAddStatistic(self.raw, statistic as isize, amount) }
    }

    /// Nothing was changed: analyses stay valid.
    pub fn preserve_all(&self) {
        // SAFETY: as above.
        unsafe { ffi::memplanRunPreserveAll(self.raw) }
    }

    /// Takes what an earlier pass left of `op`, which is that of the run or below it, if it is of this type.
    pub fn take<T: Send + 'static>(&self, op: Op<'c>) -> Option<T> {
        // SAFETY: as above; a live operation.
        let held = Held(unsafe { ffi::memplanRunHeld(self.raw, op.to_raw()) });
        let taken = held.take()?;
        taken.downcast().ok().map(|value| *value)
    }

    /// Leaves something of `op`, which is that of the run or below it, for a later pass: until one runs that does not
    /// preserve it.
    pub fn leave<T: Send + 'static>(&self, op: Op<'c>, value: T) {
        // SAFETY: as above; a live operation.
        let held = Held(unsafe { ffi::memplanRunHeld(self.raw, op.to_raw()) });
        held.put(Box::new(value));
    }

    /// Keeps what was left of operations. Not for a pass that makes or erases any that something is left of.
    pub fn preserve_left(&self) {
        // SAFETY: as above.
        unsafe { ffi::memplanRunPreserveHeld(self.raw) }
    }

    /// What passes on this operation share as long as the pass manager runs.
    fn shared(&self) -> Shared {
        // SAFETY: as above.
        Held(unsafe { ffi::memplanRunShared(self.raw) }).shared(|| Shared::new(self.op))
    }
}

/// Where an analysis of MLIR's holds a value.
struct Held(*mut ffi::MemplanHeld);

/// What it points to: a pointer without metadata to one with.
type HeldValue = Box<dyn Any + Send>;

unsafe extern "C" fn drop_held(value: *mut c_void) {
    // SAFETY: made by `put`, and dropped once. A panic in a destructor goes no further.
    let _ = catch_unwind(AssertUnwindSafe(|| unsafe {
        drop(Box::from_raw(value.cast::<HeldValue>()));
    }));
}

impl Held {
    fn take(&self) -> Option<HeldValue> {
        // SAFETY: the analysis lives as long as the run, and only one thread asks for it.
        let held = unsafe { &mut *self.0 };
        let value = std::mem::replace(&mut held.value, std::ptr::null_mut());
        // SAFETY: made by `put`, and taken once.
        (!value.is_null()).then(|| *unsafe { Box::from_raw(value.cast::<HeldValue>()) })
    }

    fn put(&self, value: HeldValue) {
        drop(self.take());
        // SAFETY: as in `take`.
        let held = unsafe { &mut *self.0 };
        held.value = Box::into_raw(Box::new(value)).cast();
        held.drop = Some(drop_held);
    }

    /// What it holds, which is made if it holds nothing.
    fn shared<T: Clone + Send + 'static>(&self, make: impl FnOnce() -> T) -> T {
        let known: Option<Box<T>> = self.take().and_then(|value| value.downcast().ok());
        let value = known.map_or_else(make, |value| *value);
        self.put(Box::new(value.clone()));
        value
    }
}

/// A pass. `Self` is the state that all clones of one pass share.
pub trait Pass: Send + Sync + Sized + 'static {
    /// What it says of itself.
    const DECLARATION: &'static Declaration;

    /// Fresh state, made when a pipeline is.
    fn new() -> Self;

    /// Checks what no single option's kind can.
    fn check(_values: &Values) -> Result<(), String> {
        Ok(())
    }

    /// Before any run, without IR.
    fn initialize(&self, _values: &Values) -> Result<(), Refusal> {
        Ok(())
    }

    /// Runs on one operation.
    fn run(&self, run: &Run<'_>) -> Result<(), Failed>;
}

/// MLIR keeps passes for the life of the process, and so are their names.
pub(crate) fn keep(text: &str) -> *const c_char {
    CString::new(text)
        .unwrap_or_default()
        .into_raw()
        .cast_const()
}

/// Options as the shim takes them.
pub(crate) fn describe<'d>(
    options: impl IntoIterator<Item = &'d OptionDeclaration>,
) -> Vec<ffi::MemplanOption> {
    let options = options.into_iter().map(|option| {
        let default = option.kind.default_text();
        let shown = option.kind.default_shown();
        ffi::MemplanOption {
            name: keep(option.name),
            description: keep(&format!("{} (default: {shown})", option.description)),
            value: keep(&option.kind.stands_for()),
            default_value: keep(&default),
            flag: matches!(option.kind, OptionKind::Flag(_)),
        }
    });
    options.collect()
}

/// What an option that is not known is answered with: those that there are.
pub(crate) fn describe_takes<'d>(
    argument: &str,
    options: impl IntoIterator<Item = &'d OptionDeclaration>,
) -> *const c_char {
    let mut text = String::new();
    for option in options {
        let _ = write!(text, " {}={}", option.name, option.kind.stands_for());
    }
    let text = match text.is_empty() {
        true => format!("{argument} takes no options"),
        false => format!("{argument} takes:{text}"),
    };
    keep(&format!("{}\n", OPTION.message(text)))
}

/// What was handed to MLIR, which lives as long as the process.
#[derive(Clone, Copy)]
struct Descriptor(&'static ffi::MemplanPassDescriptor);

// SAFETY: it is never changed, and its functions may be called by any thread.
unsafe impl Send for Descriptor {}
// SAFETY: as above.
unsafe impl Sync for Descriptor {}

/// By argument.
static DESCRIPTORS: RwLock<BTreeMap<&'static str, Descriptor>> = RwLock::new(BTreeMap::new());

/// The passes that have been registered.
pub(crate) fn descriptor(argument: &str) -> Option<&'static ffi::MemplanPassDescriptor> {
    let all = DESCRIPTORS.read().unwrap_or_else(PoisonError::into_inner);
    all.get(argument).map(|descriptor| descriptor.0)
}

/// Makes a pass known to MLIR. Again is no harm.
pub fn register<P: Pass>() {
    let declaration = P::DECLARATION;
    let mut all = DESCRIPTORS.write().unwrap_or_else(PoisonError::into_inner);
    let descriptor = *all
        .entry(declaration.argument)
        .or_insert_with(|| Descriptor(describe_pass::<P>()));
    // SAFETY: the descriptor and all that it points to live as long as the process.
    unsafe { ffi::memplanRegisterPass(descriptor.0) }
}

fn describe_pass<P: Pass>() -> &'static ffi::MemplanPassDescriptor {
    let declaration = P::DECLARATION;
    let options = describe(declaration.options);
    let statistics: Vec<ffi::MemplanStatistic> = declaration
        .statistics
        .iter()
        .map(|statistic| ffi::MemplanStatistic {
            name: keep(statistic.name),
            description: keep(statistic.description),
        })
        .collect();
    let dialects: Vec<*const c_char> = declaration.dialects.iter().map(|name| keep(name)).collect();
    Box::leak(Box::new(ffi::MemplanPassDescriptor {
        argument: keep(declaration.argument),
        summary: keep(declaration.summary),
        option_count: options.len() as isize,
        options: options.leak().as_ptr(),
        takes: describe_takes(declaration.argument, declaration.options),
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

/// What is said of a panic in a pass or a pipeline.
pub(crate) fn internal(argument: &str, panic: &(dyn Any + Send)) -> String {
    format!(
        "{argument}: internal error: {}",
        contained::panic_text(panic)
    )
}

unsafe extern "C" fn state_new<P: Pass>(_user: *const c_void) -> *mut c_void {
    catch_unwind(|| Arc::into_raw(Arc::new(P::new())).cast_mut().cast())
        .unwrap_or(std::ptr::null_mut())
}

unsafe extern "C" fn state_clone<P: Pass>(state: *mut c_void) -> *mut c_void {
    if !state.is_null() {
        // SAFETY: a count that `state_new` or this function gave out.
        unsafe { Arc::increment_strong_count(state.cast::<P>()) };
    }
    state
}

unsafe extern "C" fn state_drop<P: Pass>(state: *mut c_void) {
    if !state.is_null() {
        // SAFETY: as above; the shim drops each count once. A panic in a destructor goes no further.
        let _ = catch_unwind(AssertUnwindSafe(|| unsafe {
            drop(Arc::from_raw(state.cast_const().cast::<P>()));
        }));
    }
}

/// # Safety
/// `texts` has one valid entry for each declared option.
unsafe fn values<P: Pass>(texts: *const MlirStringRef) -> Values {
    Values {
        declaration: P::DECLARATION,
        texts: (0..P::DECLARATION.options.len())
            // SAFETY: the caller's promise.
            .map(|index| unsafe { crate::text::copy(*texts.add(index)) })
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
        // SAFETY: the shim hands over all options.
        let values = unsafe { values::<P>(texts) };
        values.check().and_then(|()| P::check(&values))
    });
    let message = match result {
        Ok(Ok(())) => return true,
        Ok(Err(why)) => OPTION.message(why),
        Err(panic) => INTERNAL.message(internal(P::DECLARATION.argument, &*panic)),
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
        // SAFETY: made by `state_new`, alive while the pass is.
        let pass = unsafe { state.cast::<P>().as_ref() }.expect("a state");
        // SAFETY: the shim hands over all options.
        pass.initialize(&unsafe { values::<P>(texts) })
    }));
    let argument = P::DECLARATION.argument;
    let (code, message) = match result {
        Ok(Ok(())) => return true,
        Ok(Err(Refusal { code, why })) => (code, format!("{argument}: {why}")),
        Err(panic) => (INTERNAL, internal(argument, &*panic)),
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
        // SAFETY: made by `state_new`, alive while the pass is.
        let pass = unsafe { state.cast::<P>().as_ref() }.expect("a state");
        let run = Run {
            op,
            // SAFETY: the shim hands over all options.
            values: unsafe { values::<P>(texts) },
            raw,
        };
        shared::within(Some(run.shared()), || pass.run(&run))
    }));
    match result {
        Ok(result) => result.is_ok(),
        Err(panic) if panic.is::<contained::Told>() => false,
        Err(panic) => {
            let message = internal(P::DECLARATION.argument, &*panic);
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
                name: "way",
                description: "",
                kind: OptionKind::Choice {
                    default: "one",
                    of: &["one", "other"],
                },
            },
            OptionDeclaration {
                name: "pace",
                description: "",
                kind: OptionKind::Level {
                    default: "slow",
                    of: &["slow", "fast"],
                },
            },
            OptionDeclaration {
                name: "names",
                description: "",
                kind: OptionKind::List {
                    default: "a, b,,c",
                    stands_for: "NAME",
                },
            },
        ],
        statistics: &[],
        codes: &[],
        dialects: &[],
        module_only: false,
    };

    fn with(texts: [&str; 5]) -> Values {
        Values {
            declaration: &DECLARATION,
            texts: texts.map(str::to_owned).to_vec(),
        }
    }

    #[test]
    fn defaults_are_accepted_and_read_by_kind() {
        let values = Values::defaults(&DECLARATION);
        assert_eq!(values.check(), Ok(()));
        assert!(values.flag("flag"));
        assert_eq!(values.integer("size"), 64);
        assert_eq!(values.text("way"), "one");
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
    fn a_bad_value_is_refused_with_what_the_option_takes() {
        let refused = |texts| with(texts).check().unwrap_err();
        assert_eq!(
            refused(["maybe", "1", "one", "slow", ""]),
            "test-pass: option 'flag' takes true or false, not 'maybe'"
        );
        for size in ["3", "0", "256", "-2", "x", ""] {
            assert_eq!(
                refused(["true", size, "one", "slow", ""]),
                format!(
                    "test-pass: option 'size' takes a power of two from 1 to 128, not '{size}'"
                )
            );
        }
        assert_eq!(
            refused(["true", "1", "One", "slow", ""]),
            "test-pass: option 'way' takes one of one, other, not 'One'"
        );
        for pace in ["Slow", "-1", "1.5", "18446744073709551616", ""] {
            assert_eq!(
                refused(["true", "1", "one", pace, ""]),
                format!(
                    "test-pass: option 'pace' takes one of slow, fast, or a whole number, not '{pace}'"
                )
            );
        }
        assert_eq!(with(["true", "1", "one", "17", ""]).check(), Ok(()));
    }
}
