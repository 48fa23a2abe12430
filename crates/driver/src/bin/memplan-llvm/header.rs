//! `memplan header`: C declarations of the functions that say how large arenas are.

use anyhow::{Context as _, Result, bail};
use memplan_driver::{files, header::Arguments};
use memplan_mlir::{
    ir::{Op, symbol_name},
    layout::DataLayout,
    melior::{
        Context,
        dialect::DialectRegistry,
        ir::{
            Type, TypeLike,
            attribute::DenseI64ArrayAttribute,
            operation::OperationLike,
            r#type::{FunctionType, IntegerType},
        },
        utility::register_all_dialects,
    },
    split::{operations, parse},
    symbols::{argument_integer, function_type, is_private},
};
use memplan_semantics::{
    attributes::{ARENA, DIMENSIONS},
    bounds::{Dimension, dimensions},
};
use std::{collections::HashMap, fmt::Write, path::Path};

/// What follows the name of a function in that of the function that says how large its arena is.
const SUFFIX: &str = "_arena_size";

/// A function that says how large an arena is.
#[derive(Debug, PartialEq, Eq)]
struct SizeFunction {
    /// The function with the arena.
    of: String,
    /// The end of the name, for another memory space than the default one.
    space: String,
    /// The parameters, or why C has no such function.
    parameters: Result<Vec<Parameter>, String>,
}

/// A parameter of such a function.
#[derive(Debug, PartialEq, Eq)]
struct Parameter {
    ty: &'static str,
    name: String,
    /// What it is.
    meaning: String,
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<()> {
    let name = files::name(&arguments.input);
    files::check_output(&arguments.output, &arguments.input)?;
    let text = files::read(&arguments.input)?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.set_allow_unregistered_dialects(arguments.allow_unregistered_dialect);
    let module =
        parse(&context, &text, &name).with_context(|| format!("{name} is not a module"))?;
    let ops: Vec<Op<'_>> = operations(&module).collect();
    let functions = size_functions(&ops)?;
    if functions.is_empty() {
        bail!(
            "{name} has no function @NAME{SUFFIX}: plan it with memplan{{arena=arg}}, and do not lower it before"
        );
    }
    let file = match files::is_dash(&arguments.output) {
        true => &arguments.input,
        false => &arguments.output,
    };
    files::write(
        &arguments.output,
        header(&guard(file), &functions).as_bytes(),
    )
}

/// The functions of a module that say how large arenas are, in order.
fn size_functions(ops: &[Op<'_>]) -> Result<Vec<SizeFunction>> {
    let named: HashMap<String, Op<'_>> = ops.iter().map(|op| (symbol_name(*op), *op)).collect();
    let mut all = Vec::new();
    for op in ops {
        let name = symbol_name(*op);
        let Some((of, space)) = name.rsplit_once(SUFFIX) else {
            continue;
        };
        let Some((function, form)) = named.get(of).zip(function_type(*op)) else {
            continue;
        };
        let arenas = function_type(*function).map_or(0, |form| form.input_count());
        let mut arenas = 0..arenas;
        let has_arena = arenas.any(|at| argument_integer(*function, at, ARENA).is_some());
        if is_private(*op) || !has_arena || !is_pair(&form) {
            continue;
        }
        if DataLayout::at(*op)
            .scalar(form.result(0)?)
            .map(|one| one.size)
            != Some(8)
        {
            bail!("@{name}: an index has other than 64 bits, for which C has no such struct");
        }
        all.push(SizeFunction {
            of: of.to_owned(),
            space: space.to_owned(),
            parameters: parameters(*op, &form, *function, &name),
        });
    }
    Ok(all)
}

/// Whether a function returns two indices.
fn is_pair(form: &FunctionType<'_>) -> bool {
    let is_index = |at| form.result(at).is_ok_and(|result| result.is_index());
    form.result_count() == 2 && is_index(0) && is_index(1)
}

/// The parameters, or why C has no such function.
fn parameters(
    op: Op<'_>,
    form: &FunctionType<'_>,
    function: Op<'_>,
    name: &str,
) -> Result<Vec<Parameter>, String> {
    let is_name = name
        .bytes()
        .all(|one| one.is_ascii_alphanumeric() || one == b'_');
    if !is_name || name.starts_with(|one: char| one.is_ascii_digit()) {
        return Err("C has no such name".to_owned());
    }
    let numbers = op.attribute(DIMENSIONS).ok();
    let numbers = numbers.and_then(|numbers| DenseI64ArrayAttribute::try_from(numbers).ok());
    let number = |at| numbers.and_then(|numbers| numbers.element(at).ok());
    let own = dimensions(function);
    let parameters = (0..form.input_count()).map(|at| {
        let pair = number(2 * at).zip(number(2 * at + 1));
        let (argument, dimension) =
            pair.ok_or("`memplan.dimensions` does not say what parameters are")?;
        let wanted = Dimension {
            argument: usize::try_from(argument).unwrap_or(usize::MAX),
            dimension: usize::try_from(dimension).ok(),
        };
        let place = own.iter().position(|one| *one == wanted);
        let r#type = form.input(at).map_err(|error| error.to_string())?;
        let ty = c_type(r#type).ok_or_else(|| format!("C has no type {type}"))?;
        Ok(match place {
            Some(place) => Parameter {
                ty,
                name: format!("d{place}"),
                meaning: format!("dimension {dimension} of argument {argument}"),
            },
            None if dimension < 0 => Parameter {
                ty,
                name: format!("arg{argument}"),
                meaning: format!("argument {argument}"),
            },
            None => Parameter {
                ty,
                name: format!("arg{argument}_{dimension}"),
                meaning: format!("dimension {dimension} of argument {argument}"),
            },
        })
    });
    parameters.collect()
}

/// The type of a number in C.
fn c_type(r#type: Type<'_>) -> Option<&'static str> {
    if r#type.is_index() {
        return Some("int64_t");
    }
    Some(match IntegerType::try_from(r#type).ok()?.width() {
        1 => "bool",
        8 => "int8_t",
        16 => "int16_t",
        32 => "int32_t",
        64 => "int64_t",
        _ => return None,
    })
}

/// The include guard of a file.
fn guard(path: &Path) -> String {
    let stem = path.file_stem().filter(|_| !files::is_dash(path));
    let stem = stem.map_or("arenas".into(), |stem| stem.to_string_lossy());
    let letters = stem.chars().map(|one| match one.is_ascii_alphanumeric() {
        true => one.to_ascii_uppercase(),
        false => '_',
    });
    format!("MEMPLAN_{}_H", letters.collect::<String>())
}

/// The text of the header.
fn header(guard: &str, functions: &[SizeFunction]) -> String {
    let mut text = format!(
        "/* The sizes of arenas. Written by memplan header. */\n#ifndef {guard}\n#define {guard}\n\n\
         #include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
         #ifndef MEMPLAN_ARENA\n#define MEMPLAN_ARENA\n/* The bytes of an arena, and the alignment of its start. */\n\
         typedef struct {{\n  int64_t size, alignment;\n}} memplan_arena;\n#endif\n"
    );
    for function in functions {
        // No name ends a comment.
        let of = function.of.replace("*/", "* /");
        let name = format!("{of}{SUFFIX}{}", function.space);
        _ = write!(text, "\n/* The arena of @{of}");
        if let Some(space) = function.space.strip_prefix('_') {
            _ = write!(text, " in memory space {space}");
        }
        let parameters = match &function.parameters {
            Ok(parameters) => parameters,
            Err(error) => {
                _ = writeln!(text, ". No prototype of @{name}: {error}. */");
                continue;
            }
        };
        for parameter in parameters {
            _ = write!(text, ". {}: {}", parameter.name, parameter.meaning);
        }
        let list: Vec<String> = parameters
            .iter()
            .map(|parameter| format!("{} {}", parameter.ty, parameter.name))
            .collect();
        let list = match list.is_empty() {
            true => "void".to_owned(),
            false => list.join(", "),
        };
        _ = writeln!(text, ". */\nmemplan_arena {name}({list});");
    }
    text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_is_a_name() {
        assert_eq!(guard(Path::new("-")), "MEMPLAN_ARENAS_H");
        assert_eq!(guard(Path::new("a/b-c.1.h")), "MEMPLAN_B_C_1_H");
    }

    #[test]
    fn a_prototype_says_what_its_parameters_are() {
        let parameter = |ty, name: &str, meaning: &str| Parameter {
            ty,
            name: name.into(),
            meaning: meaning.into(),
        };
        let function = |of: &str, space: &str, parameters| SizeFunction {
            of: of.into(),
            space: space.into(),
            parameters,
        };
        let text = header(
            "G",
            &[
                function(
                    "work",
                    "",
                    Ok(vec![
                        parameter("int64_t", "d0", "dimension 0 of argument 1"),
                        parameter("int32_t", "arg2", "argument 2"),
                    ]),
                ),
                function("work", "_1", Ok(Vec::new())),
                function("a.b", "", Err("C has no such name".into())),
            ],
        );
        for part in [
            "/* The arena of @work. d0: dimension 0 of argument 1. arg2: argument 2. */\n\
             memplan_arena work_arena_size(int64_t d0, int32_t arg2);\n",
            "/* The arena of @work in memory space 1. */\nmemplan_arena work_arena_size_1(void);\n",
            "/* The arena of @a.b. No prototype of @a.b_arena_size: C has no such name. */\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
