//! Partitioning of a module: which functions are compiled together. Depends on symbol names and the input only.
//!
//! Functions that call each other are planned together, since a callee's deallocations and captures decide the
//! plans of its callers. So are all functions that are used as values, with all functions that call values.
//! Consecutive small groups share a partition, so that each partition is worth the overhead. Data without ties has
//! partitions of its own at the start, sorted by name. After planning, functions no longer depend on each other,
//! and data goes to the partition that uses it first.

use memplan_flow::{UnionFind, ids};
use memplan_mlir::split::{Symbol, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

ids! {
    /// The number of a symbol; one more number stands for all functions that are used as values.
    SymbolId,
}

/// The kinds of references that keep symbols together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Calls: callers and callees stay together.
    Calls,
    /// All functions stay together.
    All,
    /// Only symbols that cannot be separated at all, after planning.
    None,
}

/// Operations of a module that are compiled together, by their positions in the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// The operations that the partition defines, in the order of the module.
    pub members: Vec<usize>,
    /// The symbols that it refers to and does not define, sorted by name.
    pub declared: Vec<usize>,
    /// The number of operations in its members, nested ones included.
    pub ops: usize,
    /// The number of independent groups among its members.
    pub groups: usize,
}

/// The number of globals in a partition of data.
const DATA_GLOBALS: usize = 256;

/// Partitions a module. Groups are added to a partition until it has `volume` operations.
pub fn partition_symbols(symbols: &[Symbol], ties: Ties, volume: usize) -> Vec<Partition> {
    let graph = Graph::new(symbols);
    let (groups, mut data) = graph.groups(ties);
    let mut partitions = Vec::new();
    if ties != Ties::None {
        data.sort_by(|one, other| symbols[*one].name.cmp(&symbols[*other].name));
        partitions.extend(
            data.chunks(DATA_GLOBALS)
                .map(|members| graph.new_partition(members, members.len())),
        );
    }
    partitions.extend(graph.pack(groups, volume));
    // An empty module is compiled too: it has attributes and an output format.
    if partitions.is_empty() {
        partitions.push(Partition::default());
    }
    if ties == Ties::None {
        graph.add_data(&data, &mut partitions);
    }
    for partition in &mut partitions {
        partition.declared = graph.declared(&partition.members);
    }
    partitions
}

/// The positions of operations that are copied into every partition: they have no name and refer to nothing.
pub fn everywhere(symbols: &[Symbol]) -> impl Iterator<Item = usize> {
    let all = symbols.iter().enumerate();
    all.filter(|(_, symbol)| is_everywhere(symbol))
        .map(|(at, _)| at)
}

fn is_everywhere(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Other
        && symbol.name.is_empty()
        && symbol.calls.is_empty()
        && symbol.uses.is_empty()
}

/// The references between symbols.
struct Graph<'a> {
    symbols: &'a [Symbol],
    by_name: FxHashMap<&'a str, usize>,
}

impl<'a> Graph<'a> {
    fn new(symbols: &'a [Symbol]) -> Self {
        let named = symbols.iter().enumerate();
        let named = named.filter(|(_, symbol)| !symbol.name.is_empty());
        Self {
            symbols,
            by_name: named
                .map(|(at, symbol)| (symbol.name.as_str(), at))
                .collect(),
        }
    }

    fn positions(&self, names: &[String]) -> impl Iterator<Item = usize> {
        names
            .iter()
            .filter_map(|name| self.by_name.get(name.as_str()).copied())
    }

    /// All symbols that an operation refers to.
    fn targets(&self, at: usize) -> impl Iterator<Item = usize> {
        let symbol = &self.symbols[at];
        self.positions(&symbol.calls)
            .chain(self.positions(&symbol.uses))
    }

    /// Whether an operation must stay with a symbol that it refers to. Data stays with functions until these are
    /// planned.
    fn is_tied_to(&self, at: usize, target: usize, ties: Ties) -> bool {
        match (self.symbols[at].kind, self.symbols[target].kind) {
            (_, SymbolKind::Declared) | (SymbolKind::Declared, _) => false,
            (SymbolKind::Other, _) | (_, SymbolKind::Other) => true,
            (SymbolKind::Data, SymbolKind::Function) => ties != Ties::None,
            (SymbolKind::Data | SymbolKind::Function, _) => false,
        }
    }

    fn is_tied(&self, at: usize, ties: Ties) -> bool {
        match self.symbols[at].kind {
            SymbolKind::Function => true,
            SymbolKind::Other => !is_everywhere(&self.symbols[at]),
            SymbolKind::Declared => false,
            SymbolKind::Data => self
                .targets(at)
                .any(|target| self.is_tied_to(at, target, ties)),
        }
    }

    /// The groups of tied operations, in the order of the module, and the data that is in no group.
    fn groups(&self, ties: Ties) -> (Vec<Vec<usize>>, Vec<usize>) {
        let count = self.symbols.len();
        let mut sets = UnionFind::with_capacity(count + 1);
        let mut join = |one: usize, other: usize| {
            sets.unite(SymbolId::new(one), SymbolId::new(other));
        };
        // A node for all functions that are used as values, and the functions that call values.
        let values = count;
        let is_function = |at: usize| self.symbols[at].kind == SymbolKind::Function;
        for (at, symbol) in self.symbols.iter().enumerate() {
            self.targets(at)
                .filter(|target| self.is_tied_to(at, *target, ties))
                .for_each(|target| join(at, target));
            if !is_function(at) {
                let used = self
                    .positions(&symbol.uses)
                    .filter(|target| is_function(*target));
                if ties == Ties::Calls {
                    used.for_each(|target| join(values, target));
                }
                continue;
            }
            match ties {
                Ties::None => {}
                Ties::All => join(at, values),
                Ties::Calls => {
                    let called = self.positions(&symbol.calls);
                    called
                        .filter(|target| is_function(*target))
                        .for_each(|target| join(at, target));
                    let used = self.positions(&symbol.uses);
                    used.filter(|target| is_function(*target))
                        .for_each(|target| join(values, target));
                    if symbol.calls_values {
                        join(values, at);
                    }
                }
            }
        }
        // Data is in a group only together with an operation that is no data.
        let roots: FxHashSet<SymbolId> = (0..count)
            .filter(|at| self.is_tied(*at, ties))
            .map(|at| sets.find(SymbolId::new(at)))
            .collect();
        let mut numbers: FxHashMap<SymbolId, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut free = Vec::new();
        for (at, symbol) in self.symbols.iter().enumerate() {
            let root = sets.find(SymbolId::new(at));
            if symbol.kind == SymbolKind::Declared || is_everywhere(symbol) {
                continue;
            }
            if symbol.kind == SymbolKind::Data && !roots.contains(&root) {
                free.push(at);
                continue;
            }
            let number = *numbers.entry(root).or_insert(groups.len());
            if number == groups.len() {
                groups.push(Vec::new());
            }
            groups[number].push(at);
        }
        (groups, free)
    }

    fn new_partition(&self, members: &[usize], groups: usize) -> Partition {
        Partition {
            members: members.to_vec(),
            declared: Vec::new(),
            ops: members.iter().map(|at| self.symbols[*at].ops).sum(),
            groups,
        }
    }

    /// Packs consecutive groups into partitions of up to `volume` operations.
    fn pack(&self, groups: Vec<Vec<usize>>, volume: usize) -> Vec<Partition> {
        let mut partitions: Vec<Partition> = Vec::new();
        for group in groups {
            let one = self.new_partition(&group, 1);
            match partitions
                .last_mut()
                .filter(|last| last.ops + one.ops <= volume)
            {
                Some(last) => {
                    last.members.extend(group);
                    last.ops += one.ops;
                    last.groups += 1;
                }
                None => partitions.push(one),
            }
        }
        for partition in &mut partitions {
            partition.members.sort_unstable();
        }
        partitions
    }

    /// Adds data to the partition that refers to it first.
    fn add_data(&self, data: &[usize], partitions: &mut Vec<Partition>) {
        let mut partition_of: FxHashMap<usize, usize> = FxHashMap::default();
        for (number, partition) in partitions.iter().enumerate() {
            for at in partition.members.iter().flat_map(|at| self.targets(*at)) {
                partition_of.entry(at).or_insert(number);
            }
        }
        for at in data {
            let partition = partition_of.get(at).copied().unwrap_or_default();
            partitions[partition].members.push(*at);
        }
        for partition in partitions {
            partition.members.sort_unstable();
        }
    }

    fn declared(&self, members: &[usize]) -> Vec<usize> {
        let mut declared: Vec<usize> = members.iter().flat_map(|at| self.targets(*at)).collect();
        declared.sort_unstable();
        declared.dedup();
        let own: FxHashSet<usize> = members.iter().copied().collect();
        declared.retain(|at| !own.contains(at));
        declared.sort_by(|one, other| self.symbols[*one].name.cmp(&self.symbols[*other].name));
        declared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(kind: SymbolKind, name: &str, calls: &[&str], uses: &[&str]) -> Symbol {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Symbol {
            kind,
            name: name.to_owned(),
            is_local: false,
            is_constant: false,
            calls_values: false,
            ops: 10,
            calls: texts(calls),
            uses: texts(uses),
        }
    }

    fn function(name: &str, calls: &[&str], uses: &[&str]) -> Symbol {
        symbol(SymbolKind::Function, name, calls, uses)
    }

    fn members(partitions: &[Partition]) -> Vec<Vec<usize>> {
        partitions
            .iter()
            .map(|partition| partition.members.clone())
            .collect()
    }

    #[test]
    fn callers_and_callees_share_a_partition() {
        let symbols = [
            function("a", &["c"], &[]),
            function("b", &[], &[]),
            function("c", &["print"], &[]),
            symbol(SymbolKind::Declared, "print", &[], &[]),
        ];
        let partitions = partition_symbols(&symbols, Ties::Calls, 0);
        assert_eq!(members(&partitions), [vec![0, 2], vec![1]]);
        assert_eq!(partitions[0].declared, [3]);
        assert_eq!(partitions[1].declared, [0usize; 0]);
    }

    #[test]
    fn consecutive_small_groups_share_a_partition() {
        let symbols: Vec<Symbol> = (0..5)
            .map(|at| function(&format!("f{at}"), &[], &[]))
            .collect();
        let partitions = partition_symbols(&symbols, Ties::Calls, 20);
        assert_eq!(members(&partitions), [vec![0, 1], vec![2, 3], vec![4]]);
        assert_eq!(partitions[0].groups, 2);
    }

    #[test]
    fn functions_used_as_values_stay_with_callers_of_values() {
        let mut caller = function("caller", &[], &[]);
        caller.calls_values = true;
        let symbols = [
            function("taken", &[], &[]),
            caller,
            function("other", &[], &[]),
            function("taker", &[], &["taken"]),
        ];
        assert_eq!(
            members(&partition_symbols(&symbols, Ties::Calls, 0)),
            [vec![0, 1], vec![2], vec![3]]
        );
    }

    #[test]
    fn data_has_partitions_of_its_own_sorted_by_name() {
        let symbols = [
            symbol(SymbolKind::Data, "z", &[], &[]),
            function("f", &[], &["a", "z"]),
            symbol(SymbolKind::Data, "a", &[], &[]),
        ];
        let partitions = partition_symbols(&symbols, Ties::Calls, 100);
        assert_eq!(members(&partitions), [vec![2, 0], vec![1]]);
        assert_eq!(partitions[1].declared, [2, 0]);
    }

    #[test]
    fn data_in_one_partition_needs_no_declarations() {
        let symbols = [
            symbol(SymbolKind::Data, "c", &[], &[]),
            symbol(SymbolKind::Data, "b", &[], &[]),
            symbol(SymbolKind::Data, "a", &[], &["c"]),
        ];
        let partitions = partition_symbols(&symbols, Ties::Calls, 100);
        assert_eq!(members(&partitions), [vec![2, 1, 0]]);
        assert_eq!(partitions[0].declared, [0usize; 0]);
    }

    #[test]
    fn data_that_refers_to_functions_stays_with_them_until_they_are_planned() {
        let symbols = [
            symbol(SymbolKind::Data, "table", &[], &["f"]),
            function("f", &[], &[]),
            function("g", &[], &["table"]),
        ];
        assert_eq!(
            members(&partition_symbols(&symbols, Ties::Calls, 0)),
            [vec![0, 1], vec![2]]
        );
        assert_eq!(
            members(&partition_symbols(&symbols, Ties::None, 0)),
            [vec![1], vec![0, 2]]
        );
    }

    #[test]
    fn other_symbols_stay_with_their_users() {
        let symbols = [
            function("f", &[], &["kernels"]),
            symbol(SymbolKind::Other, "kernels", &[], &["d"]),
            symbol(SymbolKind::Data, "d", &[], &[]),
            symbol(SymbolKind::Other, "", &[], &[]),
            function("g", &[], &[]),
        ];
        for ties in [Ties::Calls, Ties::None] {
            assert_eq!(
                members(&partition_symbols(&symbols, ties, 0)),
                [vec![0, 1, 2], vec![4]]
            );
        }
        assert_eq!(everywhere(&symbols).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn data_stays_with_other_symbols_and_their_users() {
        let symbols = [
            symbol(SymbolKind::Other, "comdats", &[], &[]),
            symbol(SymbolKind::Data, "d", &[], &["comdats"]),
            function("f", &[], &["comdats"]),
            function("g", &[], &["d"]),
        ];
        for ties in [Ties::Calls, Ties::None] {
            assert_eq!(
                members(&partition_symbols(&symbols, ties, 0)),
                [vec![0, 1, 2], vec![3]]
            );
        }
    }

    #[test]
    fn after_planning_data_goes_to_its_first_user() {
        let symbols = [
            symbol(SymbolKind::Data, "d", &[], &[]),
            function("f", &["g"], &[]),
            function("g", &[], &["d"]),
        ];
        let partitions = partition_symbols(&symbols, Ties::None, 0);
        assert_eq!(members(&partitions), [vec![1], vec![0, 2]]);
        assert_eq!(partitions[0].declared, [2]);
    }

    #[test]
    fn an_empty_module_is_one_partition() {
        assert_eq!(
            partition_symbols(&[], Ties::Calls, 100),
            [Partition::default()]
        );
        assert_eq!(
            partition_symbols(&[], Ties::None, 100),
            [Partition::default()]
        );
    }
}
