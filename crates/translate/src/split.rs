//! Splits a module into one module for each partition.

use crate::{
    partition::{Partition, Ties, everywhere, partition_symbols},
    symbol_origin::SymbolOrigins,
};
use memplan_mlir::{
    build::remove_attribute,
    ir::{Op, location_text},
    melior::ir::{Module, operation::OperationLike},
    split::{
        Symbol, SymbolKind, bytecode, copy_to, declare, make_external, module_like, move_to, op_of,
        operations, symbol,
    },
};
use rustc_hash::FxHashSet;

/// The module of a partition, in a form that threads can exchange.
#[derive(Clone, Debug)]
pub struct SerializedPartition {
    /// The name of its first function, or of the first symbol that it defines. Messages and shards use this name.
    pub name: String,
    /// The location of that function, as MLIR prints it; `unknown` if there is none.
    pub location: String,
    /// The module, as bytecode.
    pub bytecode: Vec<u8>,
    /// The origins of its symbols.
    pub names: SymbolOrigins,
    /// The number of operations.
    pub ops: usize,
    /// The number of independent groups in it.
    pub groups: usize,
}

impl SerializedPartition {
    /// The name and the location, for messages.
    pub fn first(&self) -> (&str, &str) {
        (&self.name, &self.location)
    }
}

/// The attribute for module-level assembly, which goes to one partition.
const ASSEMBLY: &str = "llvm.module_asm";

/// A partitioned module, from which the partitions are taken one by one.
pub struct PartitionedModule<'c> {
    module: Module<'c>,
    names: SymbolOrigins,
    symbols: Vec<Symbol>,
    ops: Vec<Op<'c>>,
    partitions: Vec<Partition>,
    /// Positions of operations that are copied into every partition.
    everywhere: Vec<usize>,
    /// The index of the partition that has the module-level assembly.
    assembly_partition: usize,
    /// Declarations of symbols that partitions refer to across, in a module that holds them.
    declarations: Declarations<'c>,
}

/// Declarations, by the position of the declared operation.
struct Declarations<'c> {
    ops: Vec<Option<Op<'c>>>,
    /// The module that holds the declarations.
    _module: Module<'c>,
}

impl<'c> Declarations<'c> {
    fn new(
        module: &Module<'c>,
        ops: &[Op<'c>],
        symbols: &[Symbol],
        partitions: &[Partition],
    ) -> Self {
        let kept = module_like(module);
        let mut positions: Vec<usize> = partitions
            .iter()
            .flat_map(|partition| partition.declared.iter().copied())
            .collect();
        positions.sort_unstable();
        positions.dedup();
        for at in &positions {
            match symbols[*at].kind {
                SymbolKind::Declared => copy_to(ops[*at], &kept),
                _ => declare(ops[*at], &kept),
            }
        }
        let mut all = vec![None; ops.len()];
        for (at, op) in positions.iter().zip(operations(&kept)) {
            all[*at] = Some(op);
        }
        Self {
            ops: all,
            _module: kept,
        }
    }
}

/// Positions of declarations whose names the module-level assembly contains.
fn assembly_symbols(module: &Module<'_>, symbols: &[Symbol]) -> FxHashSet<usize> {
    let assembly = op_of(module).and_then(|op| op.attribute(ASSEMBLY).ok());
    let Some(assembly) = assembly.map(|assembly| assembly.to_string()) else {
        return FxHashSet::default();
    };
    let is_part = |one: char| one.is_alphanumeric() || "_.$".contains(one);
    let words: FxHashSet<&str> = assembly.split(|one| !is_part(one)).collect();
    let symbols = symbols.iter().enumerate();
    symbols
        .filter(|(_, symbol)| symbol.kind == SymbolKind::Declared && words.contains(&*symbol.name))
        .map(|(at, _)| at)
        .collect()
}

impl<'c> PartitionedModule<'c> {
    /// Partitions a module. `names` has the origins of its symbols.
    pub fn new(module: Module<'c>, names: SymbolOrigins, ties: Ties, volume: usize) -> Self {
        let ops: Vec<Op<'c>> = operations(&module).collect();
        let mut symbols: Vec<Symbol> = ops.iter().map(|op| symbol(*op)).collect();
        // Assembly may define a symbol for its own partition only.
        let assembled = assembly_symbols(&module, &symbols);
        for at in &assembled {
            symbols[*at].kind = SymbolKind::Other;
        }
        let partitions = partition_symbols(&symbols, ties, volume);
        let has_assembled =
            |partition: &Partition| partition.members.iter().any(|at| assembled.contains(at));
        let assembly_partition = partitions.iter().position(has_assembled).unwrap_or(0);
        // Symbols must be visible to the partitions that refer to them.
        for (op, symbol) in ops.iter().zip(&symbols) {
            if matches!(symbol.kind, SymbolKind::Function | SymbolKind::Data) {
                make_external(*op);
            }
        }
        let declarations = Declarations::new(&module, &ops, &symbols, &partitions);
        let everywhere = everywhere(&symbols).collect();
        // The partitions record the references.
        for symbol in &mut symbols {
            (symbol.calls, symbol.uses) = (Vec::new(), Vec::new());
        }
        Self {
            module,
            names,
            symbols,
            ops,
            partitions,
            everywhere,
            assembly_partition,
            declarations,
        }
    }

    /// The number of partitions.
    pub fn count(&self) -> usize {
        self.partitions.len()
    }

    /// The position of a partition's first function, or else of its first symbol.
    fn first(&self, number: usize) -> Option<usize> {
        let members = &self.partitions[number].members;
        let function = members
            .iter()
            .find(|at| self.symbols[**at].kind == SymbolKind::Function);
        function.or(members.first()).copied()
    }

    /// The name of a partition.
    pub fn name(&self, number: usize) -> &str {
        self.first(number).map_or("", |at| &self.symbols[at].name)
    }

    /// The number of operations in a partition.
    pub fn ops(&self, number: usize) -> usize {
        self.partitions[number].ops
    }

    /// Moves the operations of a partition out of the module. Each partition can be taken once.
    pub fn take(&self, number: usize) -> SerializedPartition {
        let partition = &self.partitions[number];
        let first = self.first(number).map(|at| self.ops[at].location());
        let location = first.map_or_else(|| "unknown".to_owned(), location_text);
        let module = module_like(&self.module);
        if number != self.assembly_partition
            && let Some(op) = op_of(&module)
        {
            remove_attribute(op, ASSEMBLY);
        }
        for at in &self.everywhere {
            copy_to(self.ops[*at], &module);
        }
        for at in &partition.members {
            move_to(self.ops[*at], &module);
        }
        for op in partition
            .declared
            .iter()
            .filter_map(|at| self.declarations.ops[*at])
        {
            copy_to(op, &module);
        }
        let symbols = |positions: &'_ [usize]| {
            let positions = positions.to_vec();
            positions.into_iter().map(|at| &self.symbols[at])
        };
        SerializedPartition {
            name: self.name(number).to_owned(),
            location,
            bytecode: bytecode(&module),
            names: self
                .names
                .of_partition(symbols(&partition.members), symbols(&partition.declared)),
            ops: partition.ops,
            groups: partition.groups,
        }
    }
}
