//! Size of a program after loops are expanded and code after branches is duplicated.
//!
//! Each operation of a straight line counts once for each path that leads to it. A branch adds the paths of
//! its arms. A loop of n iterations whose body has p paths has p^n paths, and its body occurs 1 + p + … +
//! p^(n-1) times. So one walk computes numbers of any size, with a logarithmic number of products for each
//! loop.

use super::MOVE;
use crate::block_graph::BlockGraph;
use memplan_bounded::Count;
use memplan_flow::{Event, depth_first};
use memplan_mlir::{
    copy,
    ir::{
        Block, Identity, Key, Op, Region, Val, blocks, is_unused, ops, regions, successors,
        terminator, type_of,
    },
    melior::ir::{TypeLike, operation::OperationLike},
};
use memplan_semantics::{
    Form, Loop, Semantics,
    constants::evaluate,
    control::{Choice, Chosen},
    loops::NotConstant,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Sizes of a piece of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// Operations after loops are expanded.
    pub flat: Count,
    /// Operations after code that follows branches is duplicated, too.
    pub tree: Count,
    /// Number of paths.
    pub paths: Count,
}

impl Size {
    fn empty() -> Self {
        Self {
            flat: Count::zero(),
            tree: Count::zero(),
            paths: Count::one(),
        }
    }

    fn plain(ops: u64) -> Self {
        Self {
            flat: Count::from(ops),
            tree: Count::from(ops),
            paths: Count::one(),
        }
    }

    fn then(&self, next: &Self) -> Self {
        Self {
            flat: self.flat.plus(&next.flat),
            tree: self.tree.plus(&self.paths.times(&next.tree)),
            paths: self.paths.times(&next.paths),
        }
    }

    fn repeated(&self, times: u64) -> Self {
        let (paths, sum) = self.paths.powers(times);
        Self {
            flat: self.flat.times(&Count::from(times)),
            tree: self.tree.times(&sum),
            paths,
        }
    }
}

/// Reason why a piece of code has no finite size.
#[derive(Clone, Copy)]
pub enum Unbounded<'c> {
    /// A loop has no constant trip count.
    Loop(Op<'c>, NotConstant),
    /// Blocks form a loop by this branch.
    BackEdge(Op<'c>),
}

/// Largest number of iterations that are evaluated one by one, if bounds of inner loops depend on the
/// induction variable.
const MOST_ITERATIONS: u64 = 1 << 20;

/// Computes sizes.
pub struct Sizes<'c, 'n> {
    semantics: &'n mut Semantics,
    env: FxHashMap<Key, i64>,
    budget: u64,
    /// Whether loops without constant trip count stay, and count as one operation with their bodies.
    keeps_loops: bool,
    /// Loops in order of their first visit, with their trip counts; `None` if that depends on an outer loop.
    pub loops: Vec<(Op<'c>, Option<u64>)>,
    seen: FxHashMap<Key, usize>,
    /// Visited loops: some are visited in each iteration of an outer loop.
    known: FxHashMap<Key, Option<Rc<Loop<'c>>>>,
}

impl<'c, 'n> Sizes<'c, 'n> {
    /// With `keeps_loops`, loops without constant trip count stay; otherwise they are an error.
    pub fn new(semantics: &'n mut Semantics, keeps_loops: bool) -> Self {
        Self {
            semantics,
            env: FxHashMap::default(),
            budget: MOST_ITERATIONS,
            keeps_loops,
            loops: Vec::new(),
            seen: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// Size of a body.
    pub fn region(&mut self, region: Region<'c>) -> Result<Size, Unbounded<'c>> {
        let graph = BlockGraph::of(region);
        match graph.entry() {
            Some(only) if graph.blocks.len() == 1 => self.block(graph.blocks[only], true),
            Some(entry) => self.blocks(&graph, graph.blocks[entry]),
            None => Ok(Size::empty()),
        }
    }

    /// Size of blocks that branch to each other, the last ones first.
    fn blocks(&mut self, graph: &BlockGraph<'c>, entry: Block<'c>) -> Result<Size, Unbounded<'c>> {
        let mut flat = Count::zero();
        let mut after: FxHashMap<Key, Size> = FxHashMap::default();
        for block in last_first(graph)? {
            let mut size = self.block(block, false)?;
            flat = flat.plus(&size.flat);
            if let Some(end) = terminator(block) {
                let mut arms: Option<Size> = None;
                let choice = self.semantics.choice(end);
                let taken = choice.and_then(|choice| self.chosen(&choice));
                let all = successors(end).enumerate();
                for (_, target) in all.filter(|(at, _)| taken.is_none_or(|taken| taken == *at)) {
                    if let Some(size) = after.get(&target.key()) {
                        arms = Some(match arms {
                            None => size.clone(),
                            Some(arms) => beside(&arms, size),
                        });
                    }
                }
                let goes_on = taken.is_some() || self.semantics.form(end) == Form::Jump;
                let branch = Size::plain(u64::from(!goes_on));
                flat = flat.plus(&Count::one());
                size = size.then(&branch).then(&arms.unwrap_or_else(Size::empty));
            }
            after.insert(block.key(), size);
        }
        let whole = after.remove(&entry.key()).unwrap_or_else(Size::empty);
        Ok(Size { flat, ..whole })
    }

    /// Size of the operations of a block, with its terminator if `with_end`.
    fn block(&mut self, block: Block<'c>, with_end: bool) -> Result<Size, Unbounded<'c>> {
        let end = terminator(block);
        let mut size = Size::empty();
        let mut plain = 0_u64;
        for op in ops(block) {
            let is_end = end.is_some_and(|end| end.key() == op.key());
            if is_end && !with_end {
                continue;
            }
            if regions(op).next().is_none() {
                if is_end && self.semantics.is_yield(op) {
                    // It exists until branches are duplicated.
                    size.flat = size.flat.plus(&Count::one());
                } else {
                    plain += 1;
                }
                continue;
            }
            size = size.then(&Size::plain(std::mem::take(&mut plain)));
            let inner = self.op(op)?;
            size = size.then(&inner);
        }
        Ok(size.then(&Size::plain(plain)))
    }

    /// Size of an operation.
    pub fn operation(&mut self, op: Op<'c>) -> Result<Size, Unbounded<'c>> {
        self.op(op)
    }

    fn op(&mut self, op: Op<'c>) -> Result<Size, Unbounded<'c>> {
        match self.semantics.form(op) {
            Form::Counted if !op.has_attribute(MOVE) => self.counted(op),
            Form::Choice => {
                let mut arms = Vec::new();
                for region in regions(op) {
                    arms.push(self.region(region)?);
                }
                // The operation itself stays when loops are expanded.
                let flat = arms
                    .iter()
                    .fold(Count::one(), |sum, arm| sum.plus(&arm.flat));
                let whole = self.choice(op, arms);
                Ok(Size { flat, ..whole })
            }
            Form::Once => {
                let mut size = Size::empty();
                for region in regions(op) {
                    size = size.then(&self.region(region)?);
                }
                let flat = size.flat.plus(&Count::one());
                Ok(Size { flat, ..size })
            }
            _ => {
                // It stays, except for the loops in it.
                let mut sum = Count::one();
                for block in regions(op).flat_map(blocks) {
                    sum = sum.plus(&self.block(block, true)?.flat);
                }
                Ok(Size {
                    flat: sum.clone(),
                    tree: sum,
                    paths: Count::one(),
                })
            }
        }
    }

    /// Size of a choice among arms, as a branch in the tree.
    fn choice(&mut self, op: Op<'c>, mut arms: Vec<Size>) -> Size {
        let choice = self.semantics.choice(op);
        let taken = choice.as_ref().and_then(|choice| self.chosen(choice));
        if let Some(taken) = taken.filter(|taken| *taken < arms.len()) {
            return arms.swap_remove(taken);
        }
        // A number is converted first.
        let is_number = choice.is_some_and(|choice| has_number(&choice));
        let branch = Size::plain(if is_number { 2 } else { 1 });
        let all = arms.into_iter().reduce(|arms, arm| beside(&arms, &arm));
        branch.then(&all.unwrap_or_else(Size::empty))
    }

    /// The region or successor that is always taken.
    fn chosen(&mut self, choice: &Choice<'c>) -> Option<usize> {
        let flag = self.number(choice.flag?)?;
        choice.chosen(flag)
    }

    fn number(&mut self, value: Val<'c>) -> Option<i64> {
        let env = &self.env;
        evaluate(value, self.semantics, &|value| {
            env.get(&value.key()).copied()
        })
    }

    fn counted(&mut self, op: Op<'c>) -> Result<Size, Unbounded<'c>> {
        let semantics = &mut *self.semantics;
        let known = self.known.entry(op.key());
        let known = known.or_insert_with(|| Loop::of(op, semantics).map(Rc::new));
        let Some(around) = known.clone() else {
            return Ok(Size::plain(copy::op_count(op)));
        };
        let env = &self.env;
        let found = around.counted(self.semantics, &|value| env.get(&value.key()).copied());
        let iterations = match found {
            Ok(iterations) => iterations,
            Err(_) if self.keeps_loops => return Ok(Size::plain(copy::op_count(op))),
            Err(reason) => return Err(Unbounded::Loop(op, reason)),
        };
        self.note(op, iterations.count);
        // A loop without iterations is removed.
        if iterations.count == 0 {
            return Ok(Size::empty());
        }
        let only = around.only_dimension().map(|only| only.induction);
        let (Some(induction), Some(body)) = (only, around.body()) else {
            return Ok(Size::plain(copy::op_count(op)));
        };
        let constant = Size::plain(u64::from(!is_unused(induction)));
        let keeps = std::mem::replace(&mut self.keeps_loops, false);
        let whole = self.body(body);
        let size = match whole {
            Ok(whole) => Ok(constant.then(&whole).repeated(iterations.count)),
            // Inner bounds depend on the induction variable.
            Err(Unbounded::Loop(inner, reason)) if iterations.count <= self.budget => {
                let mut size = Ok(Size::empty());
                for iteration in 0..iterations.count {
                    if self.budget == 0 {
                        size = Err(Unbounded::Loop(inner, reason));
                        break;
                    }
                    self.budget -= 1;
                    self.env.insert(induction.key(), iterations.at(iteration));
                    match self.body(body) {
                        Ok(whole) => {
                            size = size.map(|size| size.then(&constant).then(&whole));
                        }
                        Err(reason) => {
                            size = Err(reason);
                            break;
                        }
                    }
                }
                self.env.remove(&induction.key());
                size
            }
            Err(reason) => Err(reason),
        };
        self.keeps_loops = keeps;
        match size {
            Err(Unbounded::Loop(..)) if keeps => {
                // An inner loop that stays is copied.
                let inner = self.body(body)?;
                Ok(constant.then(&inner).repeated(iterations.count))
            }
            other => other,
        }
    }

    /// Size of an iteration: the operations of a body without its terminator.
    fn body(&mut self, body: Block<'c>) -> Result<Size, Unbounded<'c>> {
        self.block(body, false)
    }

    fn note(&mut self, op: Op<'c>, count: u64) {
        match self.seen.get(&op.key()) {
            None => {
                self.seen.insert(op.key(), self.loops.len());
                self.loops.push((op, Some(count)));
            }
            Some(at) => {
                let known = &mut self.loops[*at].1;
                *known = known.filter(|known| *known == count);
            }
        }
    }
}

/// Whether the condition of a choice is a number, not a truth value.
fn has_number(choice: &Choice<'_>) -> bool {
    matches!(choice.by, Chosen::Cases(_))
        && choice.flag.is_some_and(|flag| type_of(flag).is_index())
}

fn beside(one: &Size, other: &Size) -> Size {
    Size {
        flat: one.flat.plus(&other.flat),
        tree: one.tree.plus(&other.tree),
        paths: one.paths.plus(&other.paths),
    }
}

/// Reachable blocks in postorder.
fn last_first<'c>(graph: &BlockGraph<'c>) -> Result<Vec<Block<'c>>, Unbounded<'c>> {
    let mut order = Vec::new();
    for event in depth_first(&graph.edges, graph.entry()) {
        match event {
            Event::Leave { node, .. } => order.push(graph.blocks[node]),
            Event::Visited {
                from,
                is_back_edge: true,
                ..
            } => {
                if let Some(end) = terminator(graph.blocks[from]) {
                    return Err(Unbounded::BackEdge(end));
                }
            }
            Event::Enter { .. } | Event::Visited { .. } => {}
        }
    }
    Ok(order)
}
