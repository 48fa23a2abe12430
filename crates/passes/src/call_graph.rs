//! Who calls whom in a module.

use memplan_mlir::{
    calls::{callee_symbol, flat_name, function_body},
    ir::{Identity, Key, Op, blocks, ops, parent, regions, symbol_name},
    melior::ir::operation::OperationLike,
    names::{Known, Names},
    symbols,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// On a function without a body: it never calls back into the module.
pub const NO_CALLBACK: &str = "memplan.nocallback";

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A function with a body, by its place.
    Function(usize),
    /// A function without a body or one that is a value: it may call what is public or has its
    /// address taken.
    Outside,
    /// A function without a body that promises not to call back.
    Leaf,
}

/// A call.
#[derive(Clone, Copy)]
pub struct Call<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// What it calls.
    pub target: Target,
    /// It stands in a body that runs in parallel or asynchronously.
    pub in_parallel: bool,
}

/// The functions of a module and their calls.
pub struct CallGraph<'c> {
    /// Functions with a body, in the order of the text.
    pub functions: Vec<Op<'c>>,
    /// For each, its calls.
    pub calls: Vec<Vec<Call<'c>>>,
    /// For each, who refers to it other than by `func.call` from a function.
    pub taken: Vec<Option<Op<'c>>>,
    /// For each, it may be called while it runs, by calls that are seen.
    pub recursive: Vec<bool>,
    /// All functions, callees before callers but for recursion; those that call each other in a circle
    /// stand together.
    pub order: Vec<usize>,
    /// The circle that each function is in, by its number.
    pub circle: Vec<usize>,
    /// What each call of a function calls, by the operation.
    targets: FxHashMap<Key, Target>,
    /// The component of each function where calls from outside count.
    component: Vec<usize>,
    /// How many functions each component has.
    members: Vec<usize>,
    /// For each, a call in a parallel body that it may run under.
    parallel: Vec<Option<Op<'c>>>,
}

impl<'c> CallGraph<'c> {
    /// Of `functions`, which are all those with a body at or below `root`.
    pub fn of(root: Op<'c>, functions: Vec<Op<'c>>) -> Self {
        let mut names = Names::default();
        let places: FxHashMap<Key, usize> = functions
            .iter()
            .enumerate()
            .map(|(place, function)| (function.key(), place))
            .collect();
        let references = symbols::other_references(root);
        let taken = functions
            .iter()
            .map(|function| references.get(&symbol_name(*function)).copied())
            .collect();
        let count = functions.len();
        let mut graph = Self {
            calls: vec![Vec::new(); count],
            taken,
            recursive: vec![false; count],
            order: Vec::new(),
            circle: Vec::new(),
            targets: FxHashMap::default(),
            component: Vec::new(),
            members: Vec::new(),
            parallel: vec![None; count],
            functions,
        };
        let mut tables = Tables::default();
        for caller in 0..count {
            let function = graph.functions[caller];
            let known = names.info(function).known;
            let on_device = matches!(known, Known::GpuFunction | Known::AsyncFunction);
            let mut found = Vec::new();
            collect(function, on_device, &mut names, &mut found);
            for (op, in_parallel) in found {
                let target = tables.target(op, &places, &mut names);
                graph.targets.insert(op.key(), target);
                graph.calls[caller].push(Call {
                    op,
                    target,
                    in_parallel,
                });
            }
        }
        graph.taken_by_strays(root, &places, &mut tables, &mut names);
        graph.solve();
        graph
    }

    /// What a call calls.
    pub fn target(&self, call: Op<'_>) -> Option<Target> {
        self.targets.get(&call.key()).copied()
    }

    /// Calls outside of any function with a body cannot be rewritten: what they call counts as
    /// referred to.
    fn taken_by_strays(
        &mut self,
        root: Op<'c>,
        places: &FxHashMap<Key, usize>,
        tables: &mut Tables<'c>,
        names: &mut Names,
    ) {
        let mut open = vec![root];
        while let Some(op) = open.pop() {
            for nested in regions(op).flat_map(blocks).flat_map(ops) {
                if names.info(nested).is_call() {
                    if let Target::Function(callee) = tables.target(nested, places, names) {
                        self.taken[callee].get_or_insert(nested);
                    }
                } else if !places.contains_key(&nested.key()) {
                    open.push(nested);
                }
            }
        }
    }

    fn solve(&mut self) {
        let count = self.functions.len();
        let direct: Vec<Vec<usize>> = self
            .calls
            .iter()
            .map(|calls| calls.iter().filter_map(Call::function).collect())
            .collect();
        let (component, members) = components(&direct);
        for (index, edges) in direct.iter().enumerate() {
            self.recursive[index] = members[component[index]] > 1 || edges.contains(&index);
        }
        self.order = (0..count).collect();
        self.order.sort_by_key(|index| (component[*index], *index));
        self.circle = component;

        // One more node stands for all that is not seen.
        let mut edges = direct;
        let open = (0..count).filter(|index| {
            self.taken[*index].is_some() || !symbols::is_private(self.functions[*index])
        });
        edges.push(open.collect());
        for (from, calls) in edges.iter_mut().zip(&self.calls) {
            if calls.iter().any(|call| call.target == Target::Outside) {
                from.push(count);
            }
        }
        (self.component, self.members) = components(&edges);

        let mut work: Vec<(usize, Op<'c>)> = Vec::new();
        for calls in self.calls.iter().rev() {
            for call in calls.iter().rev().filter(|call| call.in_parallel) {
                work.extend(call.function().map(|callee| (callee, call.op)));
            }
        }
        while let Some((function, because)) = work.pop() {
            if self.parallel[function].is_none() {
                self.parallel[function] = Some(because);
                let callees = self.calls[function].iter().filter_map(Call::function);
                work.extend(callees.map(|callee| (callee, because)));
            }
        }
    }

    /// Why two runs of a function may overlap, and where that comes from.
    pub fn overlaps_itself(&self, function: usize) -> Option<(&'static str, Op<'c>)> {
        if let Some(call) = self.parallel[function] {
            return Some(("it is called in a body that runs in parallel", call));
        }
        let component = self.component[function];
        let outside = self.functions.len();
        let inside = |call: &Call<'c>| {
            let to = match call.target {
                Target::Function(callee) => callee,
                Target::Outside => outside,
                Target::Leaf => return false,
            };
            self.component[to] == component && (to != function || self.recursive[function])
        };
        if self.members[component] == 1 && !self.recursive[function] {
            return None;
        }
        let call = self.calls[function].iter().find(|call| inside(call))?;
        let why = if self.recursive[function] {
            "it is recursive"
        } else {
            "a function that cannot be looked into may call it again; mark that memplan.nocallback \
             if it does not"
        };
        Some((why, call.op))
    }
}

impl Call<'_> {
    /// The function with a body that is called.
    pub const fn function(&self) -> Option<usize> {
        match self.target {
            Target::Function(index) => Some(index),
            _ => None,
        }
    }
}

/// Calls below `op`, but not in functions nested in it. What nothing is known of may call anything, as
/// far as it does not say that it does not.
fn collect<'c>(op: Op<'c>, in_parallel: bool, names: &mut Names, found: &mut Vec<(Op<'c>, bool)>) {
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        let info = names.info(nested);
        if info.is_call() || (!info.is_registered() && !nested.has_attribute(NO_CALLBACK)) {
            found.push((nested, in_parallel));
        }
        if !info.is_function() && regions(nested).next().is_some() {
            let in_parallel = in_parallel || names.runs_in_parallel(nested);
            collect(nested, in_parallel, names, found);
        }
    }
}

/// The symbols of each symbol table that was asked for.
#[derive(Default)]
struct Tables<'c>(FxHashMap<Key, FxHashMap<String, Op<'c>>>);

impl<'c> Tables<'c> {
    fn target(
        &mut self,
        call: Op<'c>,
        places: &FxHashMap<Key, usize>,
        names: &mut Names,
    ) -> Target {
        let Some(symbol) = callee_symbol(call) else {
            return Target::Outside;
        };
        let callee = match flat_name(symbol) {
            Some(name) => self.look_up(call, &name, names),
            None => memplan_mlir::calls::callee(call),
        };
        let Some(callee) = callee else {
            return Target::Outside;
        };
        match places.get(&callee.key()) {
            Some(place) => Target::Function(*place),
            None if function_body(callee).is_none() && callee.has_attribute(NO_CALLBACK) => {
                Target::Leaf
            }
            None => Target::Outside,
        }
    }

    fn look_up(&mut self, call: Op<'c>, name: &str, names: &mut Names) -> Option<Op<'c>> {
        let mut table = parent(call)?;
        while !names.info(table).is_symbol_table() {
            table = parent(table)?;
        }
        let symbols = self.0.entry(table.key()).or_insert_with(|| {
            let symbols = regions(table).flat_map(blocks).flat_map(ops);
            symbols.map(|op| (symbol_name(op), op)).collect()
        });
        symbols.get(name).copied()
    }
}

/// The strongly connected components of a graph (Tarjan): that of each node, numbered so that
/// edges go to lower numbers, and the size of each. Without recursion: call chains may be long.
pub fn components(edges: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    const NONE: usize = usize::MAX;
    let count = edges.len();
    let (mut number, mut low) = (vec![NONE; count], vec![NONE; count]);
    let (mut component, mut sizes) = (vec![NONE; count], Vec::new());
    let (mut stack, mut next) = (Vec::new(), 0);
    for root in 0..count {
        if number[root] != NONE {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            if *at == 0 {
                (number[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
            }
            if let Some(to) = edges[node].get(*at).copied() {
                *at += 1;
                if number[to] == NONE {
                    path.push((to, 0));
                } else if component[to] == NONE {
                    low[node] = low[node].min(number[to]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[node]);
            }
            if low[node] == number[node] {
                let mut size = 0;
                while let Some(member) = stack.pop() {
                    component[member] = sizes.len();
                    size += 1;
                    if member == node {
                        break;
                    }
                }
                sizes.push(size);
            }
        }
    }
    (component, sizes)
}

/// Names that no symbol of a table has yet.
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

    /// `name`, or `name_0`, `name_1` and so on, beside `function`.
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

    /// Takes a name; false if it is taken.
    pub fn take(&mut self, function: Op<'_>, name: &str) -> bool {
        self.of(function)
            .is_none_or(|known| known.insert(name.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn callees_are_numbered_before_callers_and_cycles_are_one_component() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3; 4 alone, 5 calls itself.
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![], vec![], vec![5]];
        let (component, sizes) = components(&edges);
        assert_eq!(component[1], component[2]);
        assert_eq!(sizes[component[1]], 2);
        assert!(component[3] < component[2] && component[1] < component[0]);
        assert_eq!(sizes[component[5]], 1);
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_calls_needs_no_stack() {
        let edges: Vec<Vec<usize>> = (0..100_000)
            .map(|index| {
                if index == 99_999 {
                    vec![]
                } else {
                    vec![index + 1]
                }
            })
            .collect();
        let (component, _) = components(&edges);
        assert!(component.windows(2).all(|pair| pair[0] > pair[1]));
    }
}
