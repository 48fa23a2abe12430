//! Isolates one operation of a sample in a function: the operands are the arguments, and the results are returned.

use memplan_mlir::{
    ir::{
        Op, Origin, Val, block_parent, blocks, operands, ops, origin, regions, results,
        symbol_name, type_of,
    },
    melior::ir::operation::{OperationLike, OperationPrintingFlags},
};

/// The name of the function.
pub const NAME: &str = "isolated";

/// An operand that is an argument of the function, or a constant in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The operand; `None` if only the regions of the operation use the value.
    pub operands: Vec<usize>,
    /// Its type, as text.
    pub r#type: String,
}

/// A function that executes one operation.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
    /// The types of the results of the operation.
    pub results: Vec<String>,
    /// The names of the arguments, and the lines of the function before its return.
    names: Vec<String>,
    body: String,
    result_names: Vec<String>,
    /// The symbols that the operation refers to, which are defined next to the function.
    pub symbols: String,
}

/// The values that these operations define are created in the function, too.
const CONSTANTS: [&str; 4] = [
    "arith.constant",
    "llvm.mlir.constant",
    "mpi.comm_world",
    "vector.step",
];

pub fn name_of(op: Op<'_>) -> String {
    let name = op.name();
    name.as_string_ref().as_str().unwrap_or_default().to_owned()
}

/// The dialect of an operation name.
pub fn dialect_of(name: &str) -> &str {
    name.split_once('.').map_or(name, |(dialect, _)| dialect)
}

/// Collects an operation and all operations nested in it.
pub fn collect<'c>(op: Op<'c>, found: &mut Vec<Op<'c>>) {
    found.push(op);
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        collect(nested, found);
    }
}

fn generic(op: Op<'_>) -> Option<String> {
    let flags = OperationPrintingFlags::new().print_generic_operation_form();
    op.to_string_with_flags(flags).ok()
}

/// The names of the results and of the operands in the text of an operation.
fn names(text: &str, name: &str) -> Option<(Vec<String>, Vec<String>)> {
    let start = text.find(&format!("\"{name}\"("))?;
    let results = match text[..start].trim().strip_suffix('=') {
        None => Vec::new(),
        Some(left) => match left.trim().split_once(':') {
            None => vec![left.trim().to_owned()],
            Some((stem, count)) => (0..count.parse::<usize>().ok()?)
                .map(|number| format!("{stem}#{number}"))
                .collect(),
        },
    };
    let rest = &text[start + name.len() + 3..];
    let listed = &rest[..rest.find(')')?];
    let operands = listed.split(", ").filter(|one| !one.is_empty());
    Some((results, operands.map(str::to_owned).collect()))
}

/// Whether an argument can have this name; `%3#1` is not possible.
fn plain(name: &str) -> String {
    format!("%v_{}", name[1..].replace('#', "_of_"))
}

/// Replaces a name in `text`, except if it is the start of a longer name.
fn rename(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let after = &rest[at + from.len()..];
        let is_asynchronous =
            after.starts_with(|next: char| next.is_ascii_alphanumeric() || "_$.-#".contains(next));
        out.push_str(&rest[..at]);
        out.push_str(if is_asynchronous { from } else { to });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A value that an operation or a nested operation uses.
struct Use<'c> {
    name: String,
    value: Val<'c>,
    /// The number of the operand, for operands of the operation itself.
    operand: Option<usize>,
}

/// All values defined outside, in the order of their uses.
fn uses<'c>(op: Op<'c>) -> Option<Vec<Use<'c>>> {
    let mut inside = Vec::new();
    collect(op, &mut inside);
    // Samples are small, so a linear search for each value is fast enough.
    let is_inside = |value: Val<'_>| match origin(value) {
        Some(Origin::Result(by, _)) => by != op && inside.contains(&by),
        Some(Origin::Argument(block, _)) => {
            block_parent(block).is_some_and(|by| inside.contains(&by))
        }
        None => false,
    };
    let mut all = Vec::new();
    for one in &inside {
        let (_, names) = names(&generic(*one)?, &name_of(*one))?;
        for (at, (value, name)) in operands(*one).zip(names).enumerate() {
            if !is_inside(value) {
                let operand = (*one == op).then_some(at);
                all.push(Use {
                    name,
                    value,
                    operand,
                });
            }
        }
    }
    Some(all)
}

/// The operation that creates a constant.
fn constant(value: Val<'_>) -> Option<Op<'_>> {
    match origin(value) {
        Some(Origin::Result(by, _)) if CONSTANTS.contains(&name_of(by).as_str()) => Some(by),
        _ => None,
    }
}

/// The function for `op`, which is an operation of a function in `module`; `None` if the text of the operation cannot
/// be isolated.
pub fn isolate(module: Op<'_>, op: Op<'_>) -> Option<Isolated> {
    if op.successor_count() > 0 {
        return None;
    }
    let text = generic(op)?;
    let (result_names, _) = names(&text, &name_of(op))?;
    let mut arguments: Vec<(String, Argument)> = Vec::new();
    let mut constants = String::new();
    for Use {
        name,
        value,
        operand,
    } in uses(op)?
    {
        if let Some(by) = constant(value) {
            let line = format!("{}\n", generic(by)?);
            if !constants.contains(&line) {
                constants.push_str(&line);
            }
            continue;
        }
        match arguments.iter_mut().find(|(known, _)| *known == name) {
            Some((_, argument)) => argument.operands.extend(operand),
            None => {
                let argument = Argument {
                    operands: operand.into_iter().collect(),
                    r#type: type_of(value).to_string(),
                };
                arguments.push((name, argument));
            }
        }
    }
    let mut body = format!("{constants}{text}\n");
    for (name, _) in &arguments {
        body = rename(&body, name, &plain(name));
    }
    let mut symbols = String::new();
    for one in regions(module).flat_map(blocks).flat_map(ops) {
        let symbol = symbol_name(one);
        if !symbol.is_empty() && text.contains(&format!("@{symbol}")) {
            symbols.push_str(&generic(one)?);
            symbols.push('\n');
        }
    }
    let (names, arguments) = arguments
        .into_iter()
        .map(|(name, argument)| (plain(&name), argument))
        .unzip();
    Some(Isolated {
        arguments,
        results: results(op)
            .map(|result| type_of(result).to_string())
            .collect(),
        names,
        body,
        result_names,
        symbols,
    })
}

impl Isolated {
    /// The function, returning these of its results.
    pub fn function(&self, name: &str, returned: &[usize]) -> String {
        let arguments: Vec<_> = self
            .names
            .iter()
            .zip(&self.arguments)
            .map(|(name, argument)| format!("{name}: {}", argument.r#type))
            .collect();
        let types: Vec<_> = returned
            .iter()
            .map(|at| self.results[*at].as_str())
            .collect();
        let types = types.join(", ");
        let values: Vec<_> = returned
            .iter()
            .map(|at| self.result_names[*at].as_str())
            .collect();
        let back = match values.is_empty() {
            true => "return".to_owned(),
            false => format!("return {} : {types}", values.join(", ")),
        };
        format!(
            "func.func @{name}({}) -> ({types}) {{\n{}{back}\n}}\n",
            arguments.join(", "),
            self.body
        )
    }

    /// A module with the function, which returns these of its results.
    pub fn module(&self, returned: &[usize]) -> String {
        let text = format!(
            "module attributes {{gpu.container_module}} {{\n{}{}}}\n",
            self.symbols,
            self.function(NAME, returned)
        );
        // Lowerings require memory spaces of devices as numbers.
        text.replace("#gpu.address_space<workgroup>", "3")
            .replace("#gpu.address_space<global>", "1")
            .replace("#gpu.address_space<private>", "5")
    }
}
