//! The functions of a module and their calls.

use crate::targets::{Resolver, Target, Targets, functions_around};
use memplan_flow::{Components, Graph, ids};
use memplan_mlir::{
    ir::{Identity, Key, Op, blocks, has_mark, ops, regions, symbol_name},
    symbols,
};
use memplan_semantics::{
    RegionOrder, Semantics,
    attributes::NO_CALLBACK,
    names::{Names, OpKind},
};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

ids! {
    /// A function with a body, by index; one more node represents unknown code.
    pub FunctionId,
}

/// A call.
#[derive(Clone, Copy)]
pub struct Call<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The callee.
    pub target: Target,
    /// Whether the call is in a parallel or asynchronous body.
    pub in_parallel: bool,
}

/// The functions of a module and their calls.
pub struct CallGraph<'c> {
    root: Op<'c>,
    /// Functions with a body, in program order.
    pub functions: Vec<Op<'c>>,
    /// Functions without a body that these call, if their symbols are found.
    pub declarations: Vec<Op<'c>>,
    /// For each function, its calls, and its operations of unknown effects, which may call anything.
    pub calls: Vec<Vec<Call<'c>>>,
    /// For each function, its callers, ascending.
    pub callers: Vec<Vec<usize>>,
    /// For each function, whether known calls may call it while it is active.
    pub recursive: Vec<bool>,
    /// All functions, callees before callers except for recursion. Functions of a component are adjacent.
    pub order: Vec<usize>,
    /// For each function, the index of its component of mutually recursive functions.
    pub component: Vec<usize>,
    targets: Targets,
    named: OnceCell<FxHashMap<String, Op<'c>>>,
    references: OnceCell<Vec<Option<Op<'c>>>>,
}

impl<'c> CallGraph<'c> {
    /// Builds the graph of `functions`, which are all functions with a body at or below `root`.
    pub fn of(root: Op<'c>, functions: Vec<Op<'c>>) -> Self {
        let mut semantics = Semantics::default();
        let places = places(&functions);
        let mut resolver = Resolver::new(&places);
        let count = functions.len();
        let mut calls: Vec<Vec<Call<'c>>> = Vec::with_capacity(count);
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (caller, function) in functions.iter().enumerate() {
            let known = semantics.info(*function).kind;
            let on_device = matches!(known, OpKind::GpuFunction | OpKind::AsyncFunction);
            let mut found = Vec::new();
            collect(*function, on_device, &mut semantics, &mut found);
            let found = found.into_iter().map(|(op, in_parallel)| Call {
                op,
                target: resolver.target(op, semantics.names()),
                in_parallel,
            });
            let found: Vec<Call<'c>> = found.collect();
            for callee in found.iter().filter_map(|call| call.target.function()) {
                if callers[callee].last() != Some(&caller) {
                    callers[callee].push(caller);
                }
            }
            calls.push(found);
        }
        let (targets, declarations) = (resolver.targets, resolver.declarations);
        let direct = Graph::new(count, |caller: FunctionId| callees(&calls[caller.index()]));
        let components = Components::of(&direct);
        let all = direct.nodes();
        let recursive = all.clone().map(|at| components.is_cyclic(at)).collect();
        let component: Vec<usize> = all.map(|at| components.component(at).index()).collect();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|index| (component[*index], *index));
        Self {
            root,
            declarations,
            calls,
            callers,
            recursive,
            order,
            component,
            targets,
            named: OnceCell::new(),
            references: OnceCell::new(),
            functions,
        }
    }

    /// The callee of a call.
    pub fn target(&self, call: Op<'_>) -> Target {
        self.targets.of(call)
    }

    /// Moves the targets out, for users that need no graph.
    pub fn take_targets(&mut self) -> Targets {
        std::mem::take(&mut self.targets)
    }

    /// Components of mutually recursive functions, callees before callers.
    pub fn components(&self) -> impl Iterator<Item = &[usize]> {
        self.order
            .chunk_by(|one, other| self.component[*one] == self.component[*other])
    }

    /// For each function, an operation that refers to it other than by `func.call` from a function. The first
    /// query visits all attributes below the root, so the module must not have changed since the graph was
    /// built.
    pub fn references(&self) -> &[Option<Op<'c>>] {
        self.references.get_or_init(|| {
            let found = self.named();
            let all = self.functions.iter();
            let mut references: Vec<Option<Op<'c>>> = all
                .map(|function| found.get(&symbol_name(*function)).copied())
                .collect();
            self.stray_calls(&mut references);
            references
        })
    }

    /// Functions, with or without a body, that an indirect call may call: those with a reference other than
    /// by `func.call`.
    pub fn values(&self) -> Vec<Op<'c>> {
        let all = functions_around(self.functions.iter().copied(), &mut Names::default());
        let named = |function: &Op<'c>| self.named().contains_key(&symbol_name(*function));
        all.into_iter().filter(named).collect()
    }

    fn named(&self) -> &FxHashMap<String, Op<'c>> {
        self.named
            .get_or_init(|| symbols::other_references(self.root))
    }

    /// An operation that refers to a function other than by `func.call` from a function.
    pub fn referrer(&self, function: usize) -> Option<Op<'c>> {
        self.references()[function]
    }

    /// A call outside of functions cannot be rewritten, so its callee counts as referenced.
    fn stray_calls(&self, references: &mut [Option<Op<'c>>]) {
        let mut names = Names::default();
        let places = places(&self.functions);
        let mut resolver = Resolver::new(&places);
        let mut open = vec![self.root];
        while let Some(op) = open.pop() {
            for nested in regions(op).flat_map(blocks).flat_map(ops) {
                if names.info(nested).is_call() {
                    if let Target::Function(callee) = resolver.target(nested, &mut names) {
                        references[callee].get_or_insert(nested);
                    }
                } else if !places.contains_key(&nested.key()) {
                    open.push(nested);
                }
            }
        }
    }
}

fn places(functions: &[Op<'_>]) -> FxHashMap<Key, usize> {
    let keys = functions.iter().map(Identity::key);
    keys.zip(0..).collect()
}

/// Callees with a body.
pub(crate) fn callees(calls: &[Call<'_>]) -> impl Iterator<Item = FunctionId> {
    let places = calls.iter().filter_map(|call| call.target.function());
    places.map(FunctionId::new)
}

/// Calls below `op`, without those in nested functions. An operation of unknown effects may call anything,
/// unless it is marked otherwise.
fn collect<'c>(
    op: Op<'c>,
    in_parallel: bool,
    semantics: &mut Semantics,
    found: &mut Vec<(Op<'c>, bool)>,
) {
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        let info = semantics.info(nested);
        if info.is_call() || (!info.is_registered() && !has_mark(nested, NO_CALLBACK)) {
            found.push((nested, in_parallel));
        }
        if !info.is_function() && regions(nested).next().is_some() {
            let in_parallel =
                in_parallel || semantics.region_order(nested) != RegionOrder::Sequential;
            collect(nested, in_parallel, semantics, found);
        }
    }
}
