//! How large a program becomes when loops are written out and what follows a branch is duplicated.
//!
//! Of operations in a row, each counts once for each path that leads to it. A branch adds the paths of its
//! arms; a loop of n turns whose body has p paths has p^n, and its body is there 1 + p + … + p^(n-1) times.
//! So numbers of any size are found in one walk, with a logarithm of products for each loop.

use super::{
    MOVE, branches,
    constants::evaluate,
    loops::{self, NotConstant, is_counted, parts},
};
use crate::block_graph::BlockGraph;
use memplan_bounded::Count;
use memplan_flow::{Event, depth_first};
use memplan_mlir::{
    copy,
    ir::{
        Block, Identity, Key, Op, Region, Val, blocks, is_unused, operands, ops, regions,
        successors, terminator,
    },
    melior::ir::operation::OperationLike,
    names::{Known, Names},
};
use rustc_hash::FxHashMap;

/// The sizes of a piece of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// Operations when loops are written out.
    pub flat: Count,
    /// Operations when what follows a branch is duplicated, too.
    pub tree: Count,
    /// Paths through it.
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

/// Why a piece of code has no size.
#[derive(Clone, Copy)]
pub enum Unbounded<'c> {
    /// The turns of a loop cannot be counted.
    Loop(Op<'c>, NotConstant),
    /// Blocks lead back to each other by this branch.
    BackEdge(Op<'c>),
}

/// So many turns are looked at one by one, where inner bounds depend on an induction variable.
const MOST_TURNS: u64 = 1 << 20;

/// Works out sizes.
pub struct Sizes<'c, 'n> {
    names: &'n mut Names,
    env: FxHashMap<Key, i64>,
    turns: u64,
    /// Loops whose turns cannot be counted stay, and count as one operation with what they hold.
    keeps_loops: bool,
    /// Loops met first, with how often each of them turns; `None` where that depends on a loop around.
    pub loops: Vec<(Op<'c>, Option<u64>)>,
    seen: FxHashMap<Key, usize>,
}

impl<'c, 'n> Sizes<'c, 'n> {
    /// With loops that cannot be counted as they are, or as an error.
    pub fn new(names: &'n mut Names, keeps_loops: bool) -> Self {
        Self {
            names,
            env: FxHashMap::default(),
            turns: MOST_TURNS,
            keeps_loops,
            loops: Vec::new(),
            seen: FxHashMap::default(),
        }
    }

    /// The size of a body.
    pub fn region(&mut self, region: Region<'c>) -> Result<Size, Unbounded<'c>> {
        let graph = BlockGraph::of(region);
        match graph.entry() {
            Some(only) if graph.blocks.len() == 1 => self.block(graph.blocks[only], true),
            Some(entry) => self.blocks(&graph, graph.blocks[entry]),
            None => Ok(Size::empty()),
        }
    }

    /// Blocks that branch to each other, the last ones first.
    fn blocks(&mut self, graph: &BlockGraph<'c>, entry: Block<'c>) -> Result<Size, Unbounded<'c>> {
        let mut flat = Count::zero();
        let mut behind: FxHashMap<Key, Size> = FxHashMap::default();
        for block in last_first(graph)? {
            let mut size = self.block(block, false)?;
            flat = flat.plus(&size.flat);
            if let Some(end) = terminator(block) {
                let mut arms: Option<Size> = None;
                let taken = self.taken(end);
                let all = successors(end).enumerate();
                for (_, target) in all.filter(|(at, _)| taken.is_none_or(|taken| taken == *at)) {
                    if let Some(size) = behind.get(&target.key()) {
                        arms = Some(match arms {
                            None => size.clone(),
                            Some(arms) => beside(&arms, size),
                        });
                    }
                }
                let goes_on = taken.is_some() || self.names.info(end).known == Known::Branch;
                let branch = Size::plain(u64::from(!goes_on));
                flat = flat.plus(&Count::one());
                size = size.then(&branch).then(&arms.unwrap_or_else(Size::empty));
            }
            behind.insert(block.key(), size);
        }
        let whole = behind.remove(&entry.key()).unwrap_or_else(Size::empty);
        Ok(Size { flat, ..whole })
    }

    /// The operations of a block, with its terminator where that is asked for.
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
                let is_yield = matches!(
                    self.names.info(op).known,
                    Known::ScfYield | Known::AffineYield
                );
                if is_yield {
                    // It is there until branches are duplicated.
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

    /// The size of an operation.
    pub fn operation(&mut self, op: Op<'c>) -> Result<Size, Unbounded<'c>> {
        self.op(op)
    }

    fn op(&mut self, op: Op<'c>) -> Result<Size, Unbounded<'c>> {
        let known = self.names.info(op).known;
        if is_counted(known) && !op.has_attribute(MOVE) {
            return self.counted(op);
        }
        match known {
            Known::ScfIf | Known::AffineIf => {
                let condition = operands(op).next().filter(|_| known == Known::ScfIf);
                let constant = condition.and_then(|value| self.number(value));
                let mut arms = Vec::new();
                for region in regions(op) {
                    arms.push(self.region(region)?);
                }
                // Written out, the operation stays; in the tree it is a branch.
                let flat = arms
                    .iter()
                    .fold(Count::one(), |sum, arm| sum.plus(&arm.flat));
                let both = match (constant, arms.as_slice()) {
                    (Some(condition), [yes, no]) => {
                        let taken = if condition != 0 { yes } else { no };
                        taken.clone()
                    }
                    (_, [yes, no]) => Size::plain(1).then(&beside(yes, no)),
                    _ => Size::plain(1),
                };
                Ok(Size { flat, ..both })
            }
            Known::ScfIndexSwitch => {
                let mut all = Vec::new();
                for region in regions(op) {
                    all.push(self.region(region)?);
                }
                let flag = operands(op).next().and_then(|flag| self.number(flag));
                let taken = flag.zip(branches::cases(op));
                let taken = taken.and_then(|(flag, cases)| all.get(branches::place(&cases, flag)));
                let taken = taken.cloned();
                let arms = all.into_iter().reduce(|arms, arm| beside(&arms, &arm));
                let arms = arms.unwrap_or_else(Size::empty);
                let flat = arms.flat.plus(&Count::one());
                // A conversion of the number, and a branch.
                let whole = taken.unwrap_or_else(|| Size::plain(2).then(&arms));
                Ok(Size { flat, ..whole })
            }
            Known::ScfExecuteRegion => {
                let mut size = Size::empty();
                for region in regions(op) {
                    size = size.then(&self.region(region)?);
                }
                let flat = size.flat.plus(&Count::one());
                Ok(Size { flat, ..size })
            }
            _ => {
                // It stays as it is, but for loops in it.
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

    /// The successor that is always taken.
    fn taken(&mut self, branch: Op<'c>) -> Option<usize> {
        let known = self.names.info(branch).known;
        if !matches!(known, Known::CondBranch | Known::Switch) {
            return None;
        }
        let flag = self.number(operands(branch).next()?)?;
        branches::successor(branch, known, flag)
    }

    fn number(&mut self, value: Val<'c>) -> Option<i64> {
        let env = &self.env;
        evaluate(value, self.names, &|value| env.get(&value.key()).copied())
    }

    fn counted(&mut self, op: Op<'c>) -> Result<Size, Unbounded<'c>> {
        let env = std::mem::take(&mut self.env);
        let turns = loops::turns(op, self.names, &|value| env.get(&value.key()).copied());
        self.env = env;
        let turns = match turns {
            Ok(turns) => turns,
            Err(_) if self.keeps_loops => return Ok(Size::plain(copy::size(op))),
            Err(reason) => return Err(Unbounded::Loop(op, reason)),
        };
        self.note(op, turns.count);
        // What never turns is gone, with all in it.
        if turns.count == 0 {
            return Ok(Size::empty());
        }
        let Some(parts) = parts(op) else {
            return Ok(Size::plain(copy::size(op)));
        };
        let constant = Size::plain(u64::from(!is_unused(parts.induction)));
        let keeps = std::mem::replace(&mut self.keeps_loops, false);
        let body = self.body(parts.body);
        let size = match body {
            Ok(body) => Ok(constant.then(&body).repeated(turns.count)),
            // Inner bounds depend on the induction variable.
            Err(Unbounded::Loop(inner, reason)) if turns.count <= self.turns => {
                let mut size = Ok(Size::empty());
                for turn in 0..turns.count {
                    if self.turns == 0 {
                        size = Err(Unbounded::Loop(inner, reason));
                        break;
                    }
                    self.turns -= 1;
                    self.env.insert(parts.induction.key(), turns.at(turn));
                    match self.body(parts.body) {
                        Ok(body) => {
                            size = size.map(|size| size.then(&constant).then(&body));
                        }
                        Err(reason) => {
                            size = Err(reason);
                            break;
                        }
                    }
                }
                self.env.remove(&parts.induction.key());
                size
            }
            Err(reason) => Err(reason),
        };
        self.keeps_loops = keeps;
        match size {
            Err(Unbounded::Loop(..)) if keeps => {
                // An inner loop stays; it is copied as it is.
                let inner = self.body(parts.body)?;
                Ok(constant.then(&inner).repeated(turns.count))
            }
            other => other,
        }
    }

    /// A turn: the operations of a body without what hands values on.
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

fn beside(one: &Size, other: &Size) -> Size {
    Size {
        flat: one.flat.plus(&other.flat),
        tree: one.tree.plus(&other.tree),
        paths: one.paths.plus(&other.paths),
    }
}

/// The blocks that can be reached, each behind all that it leads to.
fn last_first<'c>(graph: &BlockGraph<'c>) -> Result<Vec<Block<'c>>, Unbounded<'c>> {
    let mut order = Vec::new();
    for event in depth_first(&graph.edges, graph.entry()) {
        match event {
            Event::Leave { node, .. } => order.push(graph.blocks[node]),
            Event::Known {
                from,
                is_back_edge: true,
                ..
            } => {
                if let Some(end) = terminator(graph.blocks[from]) {
                    return Err(Unbounded::BackEdge(end));
                }
            }
            Event::Enter { .. } | Event::Known { .. } => {}
        }
    }
    Ok(order)
}
