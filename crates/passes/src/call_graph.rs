//! Who calls whom in a module.

use memplan_flow::{Components, Graph, ids};
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

ids! {
    /// A function with a body, by its place; one more stands for all code that is not seen.
    pub FunctionId,
}

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
    /// The circles where calls from outside count, too.
    with_outside: Components<FunctionId>,
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
            with_outside: Components::default(),
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
        let callees = |caller: usize| {
            let calls = self.calls[caller].iter();
            calls.filter_map(Call::function).map(FunctionId::new)
        };
        let direct = Graph::new(count, |caller: FunctionId| callees(caller.index()));
        let components = Components::of(&direct);
        let all = direct.nodes();
        self.recursive = all.clone().map(|at| components.is_cyclic(at)).collect();
        self.circle = all.map(|at| components.component(at).index()).collect();
        self.order = (0..count).collect();
        self.order
            .sort_by_key(|index| (self.circle[*index], *index));

        // One more node stands for all that is not seen.
        let outside = FunctionId::new(count);
        let with_outside = Graph::new(count + 1, |caller: FunctionId| -> Vec<FunctionId> {
            if caller == outside {
                let open = (0..count).filter(|index| {
                    self.taken[*index].is_some() || !symbols::is_private(self.functions[*index])
                });
                return open.map(FunctionId::new).collect();
            }
            let calls = &self.calls[caller.index()];
            let leaves = calls.iter().any(|call| call.target == Target::Outside);
            callees(caller.index())
                .chain(leaves.then_some(outside))
                .collect()
        });
        self.with_outside = Components::of(&with_outside);

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
        let component = |at: usize| self.with_outside.component(FunctionId::new(at));
        let circle = component(function);
        let outside = self.functions.len();
        let inside = |call: &Call<'c>| {
            let to = match call.target {
                Target::Function(callee) => callee,
                Target::Outside => outside,
                Target::Leaf => return false,
            };
            component(to) == circle && (to != function || self.recursive[function])
        };
        if self.with_outside.members(circle).len() == 1 && !self.recursive[function] {
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
