//! Which functions are translated together: decided on names alone, by the input alone.
//!
//! Functions that call each other are planned together, since what a callee frees or keeps decides what its callers do. So are
//! all functions that somebody refers to as values, with all that call values. Small groups in a row share a unit, so that each
//! unit is worth its while. Data that nothing is tied to has units of its own in front, sorted by name. Where planning is done,
//! functions do without each other, and data goes where it is used first.

use memplan_flow::{UnionFind, ids};
use memplan_mlir::units::{Kind, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

ids! {
    /// The number of a symbol; one more stands for all functions that are values.
    SymbolId,
}

/// What belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Who calls, and who is called.
    Calls,
    /// All functions.
    All,
    /// Only what cannot be told apart: planning is done.
    None,
}

/// Operations of a module, by their places in it, that are translated together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// What it defines, in the order of the module.
    pub members: Vec<usize>,
    /// What it refers to and does not define, sorted by name.
    pub declared: Vec<usize>,
    /// Operations that its members hold.
    pub ops: usize,
    /// Groups among its members that nothing ties to each other.
    pub groups: usize,
}

/// Globals that share a unit.
const DATA: usize = 256;

/// Cuts a module of these operations. Groups are added to a unit until it holds `volume` operations.
pub fn cut(symbols: &[Symbol], ties: Ties, volume: usize) -> Vec<Unit> {
    let graph = Graph::new(symbols);
    let (groups, mut data) = graph.groups(ties);
    let mut units = Vec::new();
    if ties != Ties::None {
        data.sort_by(|one, other| symbols[*one].name.cmp(&symbols[*other].name));
        units.extend(
            data.chunks(DATA)
                .map(|members| graph.unit(members, members.len())),
        );
    }
    units.extend(graph.pack(groups, volume));
    // Of nothing, too, code is made: the module has attributes, and a form.
    if units.is_empty() {
        units.push(Unit::default());
    }
    if ties == Ties::None {
        graph.house(&data, &mut units);
    }
    for unit in &mut units {
        unit.declared = graph.declared(&unit.members);
    }
    units
}

/// Places of what is in every unit: it has no name and refers to nothing.
pub fn everywhere(symbols: &[Symbol]) -> impl Iterator<Item = usize> {
    let all = symbols.iter().enumerate();
    all.filter(|(_, symbol)| is_everywhere(symbol))
        .map(|(at, _)| at)
}

fn is_everywhere(symbol: &Symbol) -> bool {
    symbol.kind == Kind::Other
        && symbol.name.is_empty()
        && symbol.calls.is_empty()
        && symbol.uses.is_empty()
}

/// Who refers to whom.
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

    fn places(&self, names: &[String]) -> impl Iterator<Item = usize> {
        names
            .iter()
            .filter_map(|name| self.by_name.get(name.as_str()).copied())
    }

    /// All that an operation refers to.
    fn targets(&self, at: usize) -> impl Iterator<Item = usize> {
        let symbol = &self.symbols[at];
        self.places(&symbol.calls).chain(self.places(&symbol.uses))
    }

    /// Whether an operation belongs to what it refers to: data to functions while somebody looks at these.
    fn is_tied_to(&self, at: usize, target: usize, ties: Ties) -> bool {
        match (self.symbols[at].kind, self.symbols[target].kind) {
            (_, Kind::Declared) | (Kind::Declared, _) => false,
            (Kind::Other, _) | (_, Kind::Other) => true,
            (Kind::Data, Kind::Function) => ties != Ties::None,
            (Kind::Data | Kind::Function, _) => false,
        }
    }

    fn is_tied(&self, at: usize, ties: Ties) -> bool {
        match self.symbols[at].kind {
            Kind::Function => true,
            Kind::Other => !is_everywhere(&self.symbols[at]),
            Kind::Declared => false,
            Kind::Data => self
                .targets(at)
                .any(|target| self.is_tied_to(at, target, ties)),
        }
    }

    /// What is tied, each group and all of them in the order of the module, and the data that is in none.
    fn groups(&self, ties: Ties) -> (Vec<Vec<usize>>, Vec<usize>) {
        let count = self.symbols.len();
        let mut sets = UnionFind::with_capacity(count + 1);
        let mut join = |one: usize, other: usize| {
            sets.unite(SymbolId::new(one), SymbolId::new(other));
        };
        // Stands for all functions that are values, and those that call values.
        let values = count;
        let is_function = |at: usize| self.symbols[at].kind == Kind::Function;
        for (at, symbol) in self.symbols.iter().enumerate() {
            self.targets(at)
                .filter(|target| self.is_tied_to(at, *target, ties))
                .for_each(|target| join(at, target));
            if !is_function(at) {
                let held = self
                    .places(&symbol.uses)
                    .filter(|target| is_function(*target));
                if ties == Ties::Calls {
                    held.for_each(|target| join(values, target));
                }
                continue;
            }
            match ties {
                Ties::None => {}
                Ties::All => join(at, values),
                Ties::Calls => {
                    let called = self.places(&symbol.calls);
                    called
                        .filter(|target| is_function(*target))
                        .for_each(|target| join(at, target));
                    let held = self.places(&symbol.uses);
                    held.filter(|target| is_function(*target))
                        .for_each(|target| join(values, target));
                    if symbol.calls_values {
                        join(values, at);
                    }
                }
            }
        }
        // Data is in a group only with something that is no data.
        let roots: FxHashSet<SymbolId> = (0..count)
            .filter(|at| self.is_tied(*at, ties))
            .map(|at| sets.find(SymbolId::new(at)))
            .collect();
        let mut numbers: FxHashMap<SymbolId, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut free = Vec::new();
        for (at, symbol) in self.symbols.iter().enumerate() {
            let root = sets.find(SymbolId::new(at));
            if symbol.kind == Kind::Declared || is_everywhere(symbol) {
                continue;
            }
            if symbol.kind == Kind::Data && !roots.contains(&root) {
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

    fn unit(&self, members: &[usize], groups: usize) -> Unit {
        Unit {
            members: members.to_vec(),
            declared: Vec::new(),
            ops: members.iter().map(|at| self.symbols[*at].ops).sum(),
            groups,
        }
    }

    /// Groups in a row, together until there is enough.
    fn pack(&self, groups: Vec<Vec<usize>>, volume: usize) -> Vec<Unit> {
        let mut units: Vec<Unit> = Vec::new();
        for group in groups {
            let one = self.unit(&group, 1);
            match units.last_mut().filter(|last| last.ops + one.ops <= volume) {
                Some(last) => {
                    last.members.extend(group);
                    last.ops += one.ops;
                    last.groups += 1;
                }
                None => units.push(one),
            }
        }
        for unit in &mut units {
            unit.members.sort_unstable();
        }
        units
    }

    /// Puts data where it is referred to first.
    fn house(&self, data: &[usize], units: &mut Vec<Unit>) {
        let mut homes: FxHashMap<usize, usize> = FxHashMap::default();
        for (number, unit) in units.iter().enumerate() {
            for at in unit.members.iter().flat_map(|at| self.targets(*at)) {
                homes.entry(at).or_insert(number);
            }
        }
        for at in data {
            let home = homes.get(at).copied().unwrap_or_default();
            units[home].members.push(*at);
        }
        for unit in units {
            unit.members.sort_unstable();
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

    fn symbol(kind: Kind, name: &str, calls: &[&str], uses: &[&str]) -> Symbol {
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
        symbol(Kind::Function, name, calls, uses)
    }

    fn members(units: &[Unit]) -> Vec<Vec<usize>> {
        units.iter().map(|unit| unit.members.clone()).collect()
    }

    #[test]
    fn who_calls_and_who_is_called_share_a_unit() {
        let symbols = [
            function("a", &["c"], &[]),
            function("b", &[], &[]),
            function("c", &["print"], &[]),
            symbol(Kind::Declared, "print", &[], &[]),
        ];
        let units = cut(&symbols, Ties::Calls, 0);
        assert_eq!(members(&units), [vec![0, 2], vec![1]]);
        assert_eq!(units[0].declared, [3]);
        assert_eq!(units[1].declared, [0usize; 0]);
    }

    #[test]
    fn small_groups_in_a_row_share_a_unit() {
        let symbols: Vec<Symbol> = (0..5)
            .map(|at| function(&format!("f{at}"), &[], &[]))
            .collect();
        let units = cut(&symbols, Ties::Calls, 20);
        assert_eq!(members(&units), [vec![0, 1], vec![2, 3], vec![4]]);
        assert_eq!(units[0].groups, 2);
    }

    #[test]
    fn functions_that_are_values_go_with_who_calls_values() {
        let mut caller = function("caller", &[], &[]);
        caller.calls_values = true;
        let symbols = [
            function("taken", &[], &[]),
            caller,
            function("other", &[], &[]),
            function("taker", &[], &["taken"]),
        ];
        assert_eq!(
            members(&cut(&symbols, Ties::Calls, 0)),
            [vec![0, 1], vec![2], vec![3]]
        );
    }

    #[test]
    fn data_has_units_of_its_own_sorted_by_name() {
        let symbols = [
            symbol(Kind::Data, "z", &[], &[]),
            function("f", &[], &["a", "z"]),
            symbol(Kind::Data, "a", &[], &[]),
        ];
        let units = cut(&symbols, Ties::Calls, 100);
        assert_eq!(members(&units), [vec![2, 0], vec![1]]);
        assert_eq!(units[1].declared, [2, 0]);
    }

    #[test]
    fn data_that_refers_to_data_of_its_unit_declares_none() {
        let symbols = [
            symbol(Kind::Data, "c", &[], &[]),
            symbol(Kind::Data, "b", &[], &[]),
            symbol(Kind::Data, "a", &[], &["c"]),
        ];
        let units = cut(&symbols, Ties::Calls, 100);
        assert_eq!(members(&units), [vec![2, 1, 0]]);
        assert_eq!(units[0].declared, [0usize; 0]);
    }

    #[test]
    fn data_that_refers_to_functions_stays_with_them_while_they_are_planned() {
        let symbols = [
            symbol(Kind::Data, "table", &[], &["f"]),
            function("f", &[], &[]),
            function("g", &[], &["table"]),
        ];
        assert_eq!(
            members(&cut(&symbols, Ties::Calls, 0)),
            [vec![0, 1], vec![2]]
        );
        assert_eq!(
            members(&cut(&symbols, Ties::None, 0)),
            [vec![1], vec![0, 2]]
        );
    }

    #[test]
    fn what_is_neither_function_nor_data_stays_with_its_users() {
        let symbols = [
            function("f", &[], &["kernels"]),
            symbol(Kind::Other, "kernels", &[], &["d"]),
            symbol(Kind::Data, "d", &[], &[]),
            symbol(Kind::Other, "", &[], &[]),
            function("g", &[], &[]),
        ];
        for ties in [Ties::Calls, Ties::None] {
            assert_eq!(members(&cut(&symbols, ties, 0)), [vec![0, 1, 2], vec![4]]);
        }
        assert_eq!(everywhere(&symbols).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn data_stays_with_what_is_neither_and_what_else_refers_to_that() {
        let symbols = [
            symbol(Kind::Other, "comdats", &[], &[]),
            symbol(Kind::Data, "d", &[], &["comdats"]),
            function("f", &[], &["comdats"]),
            function("g", &[], &["d"]),
        ];
        for ties in [Ties::Calls, Ties::None] {
            assert_eq!(members(&cut(&symbols, ties, 0)), [vec![0, 1, 2], vec![3]]);
        }
    }

    #[test]
    fn where_planning_is_done_data_goes_to_its_first_user() {
        let symbols = [
            symbol(Kind::Data, "d", &[], &[]),
            function("f", &["g"], &[]),
            function("g", &[], &["d"]),
        ];
        let units = cut(&symbols, Ties::None, 0);
        assert_eq!(members(&units), [vec![1], vec![0, 2]]);
        assert_eq!(units[0].declared, [2]);
    }

    #[test]
    fn nothing_is_one_unit() {
        assert_eq!(cut(&[], Ties::Calls, 100), [Unit::default()]);
        assert_eq!(cut(&[], Ties::None, 100), [Unit::default()]);
    }
}
