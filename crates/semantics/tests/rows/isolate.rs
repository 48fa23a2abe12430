//! One operation of a sample as a function of its own: its operands are the arguments, its results are returned.

use memplan_mlir::{
    ir::{
        Op, Origin, Val, block_parent, blocks, operands, ops, origin, regions, results,
        symbol_name, type_of,
    },
    melior::ir::operation::{OperationLike, OperationPrintingFlags},
};

/// What the function is called.
pub const NAME: &str = "isolated";

/// An operand that is an argument of the function, or a constant in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The operand, or none where only the operation's regions use the value.
    pub operands: Vec<usize>,
    /// Its type, as text.
    pub r#type: String,
}

/// A function that does what one operation does.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
    /// The types of the results of the operation.
    pub results: Vec<String>,
    /// The arguments' names, and the lines of the function up to its return.
    names: Vec<String>,
    body: String,
    result_names: Vec<String>,
    /// What stands beside the function: symbols that the operation refers to.
    pub beside: String,
}

/// Values that are made by these are made in the function, too.
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

/// The dialect of an operation's name.
pub fn dialect_of(name: &str) -> &str {
    name.split_once('.').map_or(name, |(dialect, _)| dialect)
}

/// An operation and all that is in it.
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

/// The names of the results and of the operands of an operation, as its text has them.
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

/// A name that an argument can have: `%3#1` is none.
fn plain(name: &str) -> String {
    format!("%v_{}", name[1..].replace('#', "_of_"))
}

/// `text` with a name replaced, where it is not the start of a longer one.
fn rename(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let after = &rest[at + from.len()..];
        let goes_on =
            after.starts_with(|next: char| next.is_ascii_alphanumeric() || "_$.-#".contains(next));
        out.push_str(&rest[..at]);
        out.push_str(if goes_on { from } else { to });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A value that an operation uses, or an operation in it.
struct Use<'c> {
    name: String,
    value: Val<'c>,
    /// The number of the operand, of the operation itself.
    operand: Option<usize>,
}

/// All values that come from outside, in the order of their uses.
fn uses<'c>(op: Op<'c>) -> Option<Vec<Use<'c>>> {
    let mut inside = Vec::new();
    collect(op, &mut inside);
    // Samples are small: it is looked through for each value.
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

/// The operation that makes a constant.
fn constant(value: Val<'_>) -> Option<Op<'_>> {
    match origin(value) {
        Some(Origin::Result(by, _)) if CONSTANTS.contains(&name_of(by).as_str()) => Some(by),
        _ => None,
    }
}

/// The function for `op`, which is an operation of a function in `module`; none where it has no text of its own.
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
    let mut beside = String::new();
    for one in regions(module).flat_map(blocks).flat_map(ops) {
        let symbol = symbol_name(one);
        if !symbol.is_empty() && text.contains(&format!("@{symbol}")) {
            beside.push_str(&generic(one)?);
            beside.push('\n');
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
        beside,
    })
}

impl Isolated {
    /// The function, with these of its results returned.
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

    /// A module of the function, which returns these of its results.
    pub fn module(&self, returned: &[usize]) -> String {
        let text = format!(
            "module attributes {{gpu.container_module}} {{\n{}{}}}\n",
            self.beside,
            self.function(NAME, returned)
        );
        // Lowerings know the spaces of devices by their numbers.
        text.replace("#gpu.address_space<workgroup>", "3")
            .replace("#gpu.address_space<global>", "1")
            .replace("#gpu.address_space<private>", "5")
    }
}
