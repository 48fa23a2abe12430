//! Functions of MLIR's runtime library for sparse tensors, as `--sparse-tensor-conversion` and `--sparsifier` declare
//! them.
//!
//! Their declarations do not describe the memory that they return. Source:
//! `mlir/ExecutionEngine/SparseTensorRuntime.h`.

use memplan_mlir::{
    calls::{callee, callee_symbol, flat_name, function_body},
    ir::Op,
    melior::ir::operation::OperationLike,
    symbols,
};

/// Functions that return direct access to an array of the tensor that they receive. The name of the element type
/// follows each of these names.
const ACCESSES: [&str; 4] = [
    "sparseValues",
    "sparsePositions",
    "sparseCoordinates",
    "sparseCoordinatesBuffer",
];
/// The names of element types: of values, and of positions and coordinates, where `0` is `index`.
const ELEMENTS: [&str; 15] = [
    "F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "C64", "C32", "0", "64", "32", "16",
    "8",
];
/// Returns direct access to an array of a reader.
const READER_SIZES: &str = "getSparseTensorReaderDimSizes";
/// Functions that receive an object and memrefs. They copy elements, and do not keep the addresses of the memrefs in
/// the object. All names except one end in the element types.
const COPIES: [&str; 4] = [
    "lexInsert",
    "expInsert",
    "outSparseTensorWriterNext",
    "getSparseTensorReaderReadToBuffers",
];
/// Copies the sizes.
const WRITER_SIZES: &str = "outSparseTensorWriterMetaData";
/// Functions that return a new object, which keeps no reference to the memrefs that they receive.
const MAKE_OBJECTS: [&str; 2] = ["newSparseTensor", "createCheckedSparseTensorReader"];
/// The attribute of functions that use the calling convention of C.
const C_INTERFACE: &str = "llvm.emit_c_interface";

/// Does this declaration belong to a runtime function that returns memory of the object that it receives? The object
/// frees that memory together with itself.
pub fn returns_borrowed(function: Op<'_>) -> bool {
    is_declaration(function)
        && symbols::text(function, "sym_name").is_some_and(|name| is_access(&name))
        && is_access_type(&symbols::function_type_text(function))
}

/// Is this a call of a runtime function that captures none of its memref operands?
pub fn captures_nothing(call: Op<'_>) -> bool {
    calls(call, |name| is_copy(name) || MAKE_OBJECTS.contains(&name))
}

/// Is this a call of a runtime function that returns a new object without references to its memref operands?
pub fn makes_object(call: Op<'_>) -> bool {
    calls(call, |name| MAKE_OBJECTS.contains(&name))
}

/// Is the callee a declaration whose name satisfies `is_such`?
fn calls(call: Op<'_>, is_such: impl Fn(&str) -> bool) -> bool {
    callee_symbol(call)
        .and_then(flat_name)
        .is_some_and(|name| is_such(&name))
        && callee(call).is_some_and(is_declaration)
}

fn is_declaration(function: Op<'_>) -> bool {
    function.has_attribute(C_INTERFACE) && function_body(function).is_none()
}

fn is_access(name: &str) -> bool {
    name == READER_SIZES || ACCESSES.iter().any(|access| is_of_elements(name, access))
}

fn is_copy(name: &str) -> bool {
    name == WRITER_SIZES || COPIES.iter().any(|copy| is_of_elements(name, copy))
}

/// Is this name `before` followed by one element type, or by the types of coordinates and values?
fn is_of_elements(name: &str, before: &str) -> bool {
    name.strip_prefix(before).is_some_and(|elements| {
        ELEMENTS.iter().any(|first| {
            let second = elements.strip_prefix(first);
            second.is_some_and(|second| second.is_empty() || ELEMENTS.contains(&second))
        })
    })
}

/// Is this the type of a function that receives an object by address, optionally also a level, and returns one
/// memref?
fn is_access_type(text: &str) -> bool {
    let returned = ["(!llvm.ptr) -> ", "(!llvm.ptr, index) -> "]
        .iter()
        .find_map(|received| text.strip_prefix(received));
    returned.is_some_and(|returned| returned.starts_with("memref<"))
}
