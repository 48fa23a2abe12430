//! References to symbols, and changes of signatures.

use crate::{
    ffi,
    ir::{
        Identity, Key, Op, Val, blocks, changes, context_of, op_from_raw, operands, ops, parent,
        regions, symbol_name,
    },
    string_ref::{borrow, copy},
};
use melior::ir::{
    Attribute, AttributeLike, Location, Type, TypeLike, ValueLike,
    attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::FunctionType,
};
use mlir_sys::{MlirOperation, MlirStringRef, MlirValue};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::c_void;

/// The names of all symbols that `root` and nested operations refer to, except as callees of `func.call`, each with
/// the first operation that refers to it.
pub fn other_references<'c>(root: Op<'c>) -> FxHashMap<String, Op<'c>> {
    references_of(root, |_| true)
}

/// The same for references of some operations.
pub fn references_of<'c>(
    root: Op<'c>,
    mut is_wanted: impl FnMut(Op<'c>) -> bool,
) -> FxHashMap<String, Op<'c>> {
    struct Found<'c, 'w> {
        is_wanted: &'w mut dyn FnMut(Op<'c>) -> bool,
        found: FxHashMap<String, Op<'c>>,
    }
    unsafe extern "C" fn collect(user: MlirOperation, name: MlirStringRef, data: *mut c_void) {
        // SAFETY: the shim passes a live operation, a valid text, and the struct given below.
        unsafe {
            let all = &mut *data.cast::<Found<'static, 'static>>();
            if let Some(user) = crate::ir::op_from_raw(user).filter(|user| (all.is_wanted)(*user)) {
                all.found.entry(copy(name)).or_insert(user);
            }
        }
    }
    let mut all = Found {
        is_wanted: &mut is_wanted,
        found: FxHashMap::default(),
    };
    // SAFETY: `collect` receives `all`, which outlives the call, and does not unwind.
    unsafe {
        ffi::memplanReferences(
            root.to_raw(),
            Some(collect),
            (&raw mut all).cast::<c_void>(),
        );
    }
    all.found
}

/// Is the symbol private: invisible outside of its symbol table?
pub fn is_private(op: Op<'_>) -> bool {
    text(op, "sym_visibility").is_some_and(|visibility| visibility == "private")
}

/// The value of a string attribute.
pub fn text(op: Op<'_>, name: &str) -> Option<String> {
    let text = StringAttribute::try_from(op.attribute(name).ok()?).ok()?;
    // An empty text has no address, which a slice needs.
    // SAFETY: the attribute is a string, and its context holds the text.
    Some(unsafe { copy(mlir_sys::mlirStringAttrGetValue(text.to_raw())) })
}

/// Appends an argument with attributes to a function. False if the function cannot have it.
pub fn append_argument<'c>(
    function: Op<'c>,
    r#type: Type<'c>,
    attributes: &[(&str, Attribute<'c>)],
    location: Location<'c>,
) -> bool {
    changes::all();
    let attributes = context_of(function).dictionary(attributes);
    // SAFETY: live handles.
    unsafe {
        ffi::memplanFunctionAppendArgument(
            function.to_raw(),
            r#type.to_raw(),
            attributes.to_raw(),
            location.to_raw(),
        )
    }
}

/// Appends a result to the type of a function. False if the function cannot have it.
pub fn append_result<'c>(function: Op<'c>, r#type: Type<'c>) -> bool {
    changes::all();
    // SAFETY: live handles.
    unsafe { ffi::memplanFunctionAppendResult(function.to_raw(), r#type.to_raw()) }
}

/// Removes results from the type of a function, with their attributes. False if the function cannot be without them.
pub fn drop_results(function: Op<'_>, numbers: &[usize]) -> bool {
    changes::all();
    let numbers: Vec<isize> = numbers.iter().map(|number| *number as isize).collect();
    // SAFETY: a live operation; the array has the length given, and the shim checks its numbers.
    unsafe {
        ffi::memplanFunctionDropResults(function.to_raw(), numbers.len() as isize, numbers.as_ptr())
    }
}

/// Removes an argument, which must be unused, of a function. False if the function cannot be without it.
pub fn drop_argument(function: Op<'_>, number: usize) -> bool {
    changes::all();
    // SAFETY: a live operation; the shim checks the number.
    unsafe { ffi::memplanFunctionDropArgument(function.to_raw(), number as isize) }
}

/// Removes operands of an operation without operand segments, by number. If it has attributes for each argument, those of
/// the others stay.
pub fn drop_operands<'c>(op: Op<'c>, numbers: &[usize]) {
    if let Some(each) = argument_attributes(op).filter(|each| each.len() == operands(op).count()) {
        let kept = each.into_iter().enumerate();
        let kept = kept.filter(|(number, _)| !numbers.contains(number));
        let kept: Vec<Attribute<'c>> = kept.map(|(_, attributes)| attributes).collect();
        set_inherent(op, ARGUMENTS, context_of(op).array(&kept));
    }
    changes::operation(op);
    let kept = operands(op)
        .enumerate()
        .filter(|(number, _)| !numbers.contains(number));
    let kept: Vec<MlirValue> = kept.map(|(_, value)| value.to_raw()).collect();
    // SAFETY: live handles; the array has the length given.
    unsafe { mlir_sys::mlirOperationSetOperands(op.to_raw(), kept.len() as isize, kept.as_ptr()) }
}

/// Sets a unit attribute of a function result. False if there is no such result.
pub fn mark_result(function: Op<'_>, result: usize, name: &str) -> bool {
    changes::attribute(function);
    // SAFETY: a live operation; the name is copied, and the shim checks the result number.
    unsafe { ffi::memplanFunctionMarkResult(function.to_raw(), result as isize, borrow(name)) }
}

/// Has a function result an attribute of this name that is not `false`?
pub fn has_result_mark(function: Op<'_>, result: usize, name: &str) -> bool {
    // SAFETY: as above.
    unsafe { ffi::memplanFunctionResultHas(function.to_raw(), result as isize, borrow(name)) }
}

/// Sets a unit attribute of a function argument. False if there is no such argument.
pub fn mark_argument(function: Op<'_>, argument: usize, name: &str) -> bool {
    changes::attribute(function);
    // SAFETY: a live operation; the name is copied, and the shim checks the argument number.
    unsafe { ffi::memplanFunctionMarkArgument(function.to_raw(), argument as isize, borrow(name)) }
}

/// Has a function argument an attribute of another name than this?
pub fn has_other_attribute(function: Op<'_>, argument: usize, name: &str) -> bool {
    // SAFETY: a live operation; the shim checks the argument number.
    unsafe {
        ffi::memplanFunctionArgumentHasOther(function.to_raw(), argument as isize, borrow(name))
    }
}

/// Has a call attributes for its arguments?
pub fn has_argument_attributes(call: Op<'_>) -> bool {
    argument_attributes(call).is_some()
}

/// An integer attribute of a function argument.
pub fn argument_integer(function: Op<'_>, argument: usize, name: &str) -> Option<i64> {
    let mut value = 0;
    // SAFETY: a live operation, and an integer to write; the shim checks the argument number.
    let is_known = unsafe {
        ffi::memplanFunctionArgumentInteger(
            function.to_raw(),
            argument as isize,
            borrow(name),
            &raw mut value,
        )
    };
    is_known.then_some(value)
}

/// An attribute of a function argument.
pub fn argument_attribute<'c>(
    function: Op<'c>,
    argument: usize,
    name: &str,
) -> Option<Attribute<'c>> {
    let all = argument_attributes(function)?;
    let dictionary = all.get(argument)?.to_raw();
    // SAFETY: a live attribute, whose kind is checked first; the name is copied, and null is excluded.
    unsafe {
        if !mlir_sys::mlirAttributeIsADictionary(dictionary) {
            return None;
        }
        let raw = mlir_sys::mlirDictionaryAttrGetElementByName(dictionary, borrow(name));
        Attribute::from_option_raw(raw)
    }
}

/// Sets an attribute of a function argument, of the function type's inputs, or removes it.
pub fn set_argument_attribute<'c>(
    function: Op<'c>,
    argument: usize,
    name: &str,
    attribute: Option<Attribute<'c>>,
) {
    let Some(count) = function_type(function).map(|r#type| r#type.input_count()) else {
        return;
    };
    let context = context_of(function);
    let empty = || vec![context.dictionary(&[]); count];
    let mut all = argument_attributes(function).unwrap_or_else(empty);
    let Some(own) = all.get_mut(argument) else {
        return;
    };
    let raw = own.to_raw();
    // SAFETY: a live attribute, whose kind is checked first; indices are below its number of elements.
    let known: Vec<(String, Attribute<'c>)> = unsafe {
        let is_dictionary = mlir_sys::mlirAttributeIsADictionary(raw);
        let count = match is_dictionary {
            true => mlir_sys::mlirDictionaryAttrGetNumElements(raw),
            false => 0,
        };
        let entries = (0..count).map(|at| {
            let entry = mlir_sys::mlirDictionaryAttrGetElement(raw, at);
            let name = crate::melior::ir::Identifier::from_raw(entry.name);
            let name = name.as_string_ref().as_str().unwrap_or_default().to_owned();
            (name, Attribute::from_raw(entry.attribute))
        });
        entries.collect()
    };
    let others = known.iter().filter(|(other, _)| other != name);
    let others = others.map(|(name, attribute)| (name.as_str(), *attribute));
    let new = attribute.map(|attribute| (name, attribute));
    let entries: Vec<(&str, Attribute<'c>)> = others.chain(new).collect();
    *own = context.dictionary(&entries);
    changes::attribute(function);
    set_inherent(function, ARGUMENTS, context.array(&all));
}

/// Has a function argument an attribute of this name that is not `false`?
pub fn has_argument_mark(function: Op<'_>, argument: usize, name: &str) -> bool {
    // SAFETY: as above.
    unsafe { ffi::memplanFunctionArgumentHas(function.to_raw(), argument as isize, borrow(name)) }
}

/// Appends operands to an operation without operand segments. If it has attributes for each argument, the new ones
/// have none.
pub fn append_operands<'c>(op: Op<'c>, values: &[Val<'c>]) {
    if let Some(mut each) = argument_attributes(op) {
        let context = context_of(op);
        each.extend(values.iter().map(|_| context.dictionary(&[])));
        set_inherent(op, ARGUMENTS, context.array(&each));
    }
    changes::operation(op);
    let all: Vec<MlirValue> = operands(op)
        .chain(values.iter().copied())
        .map(|value| value.to_raw())
        .collect();
    // SAFETY: live handles; the array has the length given.
    unsafe { mlir_sys::mlirOperationSetOperands(op.to_raw(), all.len() as isize, all.as_ptr()) }
}

/// The attributes of each argument of a call.
fn argument_attributes<'c>(op: Op<'c>) -> Option<Vec<Attribute<'c>>> {
    // SAFETY: a live operation; the name is copied, and null is excluded.
    let attributes = unsafe {
        let known =
            mlir_sys::mlirOperationHasInherentAttributeByName(op.to_raw(), borrow(ARGUMENTS));
        let raw = mlir_sys::mlirOperationGetInherentAttributeByName(op.to_raw(), borrow(ARGUMENTS));
        Attribute::from_option_raw(raw).filter(|_| known)
    };
    let all = ArrayAttribute::try_from(attributes?).ok()?;
    let each = (0..all.len()).filter_map(|at| all.element(at).ok());
    Some(each.collect())
}

/// The attribute of a call for the attributes of each argument.
const ARGUMENTS: &str = "arg_attrs";

/// The type of a function; `None` if it is no function type of the builtin dialect.
pub fn function_type<'c>(function: Op<'c>) -> Option<FunctionType<'c>> {
    let r#type = function.attribute("function_type").ok()?;
    FunctionType::try_from(TypeAttribute::try_from(r#type).ok()?.value()).ok()
}

/// The type of a function, as text; empty if it has none.
pub fn function_type_text(function: Op<'_>) -> String {
    let r#type = function.attribute("function_type");
    r#type.map(|r#type| r#type.to_string()).unwrap_or_default()
}

/// Copies a function to after itself, as private and under another name. The copy has no C interface.
pub fn copy_function<'c>(function: Op<'c>, name: &str) -> Option<Op<'c>> {
    let block = crate::ir::parent_block(function)?;
    changes::all();
    // SAFETY: a live operation; its block takes over the copy, which nothing else refers to.
    let copied = unsafe {
        let copied = mlir_sys::mlirOperationClone(function.to_raw());
        mlir_sys::mlirBlockInsertOwnedOperationAfter(block.to_raw(), function.to_raw(), copied);
        op_from_raw(copied)
    }?;
    let context = context_of(function);
    set_inherent(copied, "sym_name", context.text(name));
    set_inherent(copied, "sym_visibility", context.text("private"));
    crate::build::remove_attribute(copied, "llvm.emit_c_interface");
    Some(copied)
}

/// Sets the callee of a `func.call`, a function of the same symbol table.
pub fn set_callee<'c>(call: Op<'c>, name: &str) {
    set_inherent(call, "callee", context_of(call).symbol(name));
}

fn set_inherent<'c>(op: Op<'c>, name: &str, value: Attribute<'c>) {
    changes::attribute(op);
    // SAFETY: live handles; the name is copied.
    unsafe {
        mlir_sys::mlirOperationSetInherentAttributeByName(
            op.to_raw(),
            borrow(name),
            value.to_raw(),
        );
    }
}

/// The names in symbol tables, to choose unused ones.
#[derive(Default)]
pub struct FreshNames(FxHashMap<Key, FxHashSet<String>>);

impl FreshNames {
    fn of(&mut self, function: Op<'_>) -> Option<&mut FxHashSet<String>> {
        let table = parent(function)?;
        Some(self.0.entry(table.key()).or_insert_with(|| {
            let symbols = regions(table).flat_map(blocks).flat_map(ops);
            symbols.map(symbol_name).collect()
        }))
    }

    /// The first unused one of `name`, `name_0`, `name_1` and so on, in the symbol table of `function`.
    pub fn fresh(&mut self, function: Op<'_>, name: &str) -> String {
        let Some(known) = self.of(function) else {
            return name.to_string();
        };
        let mut fresh = name.to_string();
        let mut number = 0;
        while !known.insert(fresh.clone()) {
            fresh = format!("{name}_{number}");
            number += 1;
        }
        fresh
    }

    /// Reserves a name. False if it is in use.
    pub fn take(&mut self, function: Op<'_>, name: &str) -> bool {
        self.of(function)
            .is_none_or(|known| known.insert(name.to_string()))
    }
}
