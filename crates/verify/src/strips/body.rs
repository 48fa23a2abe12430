//! The loops over strips as a list of actions.

use super::{
    buffers::Buffer,
    chain::{Chain, follow},
    claim::Claim,
    fault::{Stop, StripFault},
    memory::Dimensions,
    numbers::{Compute, Number, Places},
    sum::Sum,
};
use memplan_mlir::{
    ir::{
        Block, Identity, Key, Op, Origin, Val, ancestor_in, blocks, operands, ops, origin,
        parent_block, regions, results, terminator, users,
    },
    melior::ir::operation::OperationLike,
    structured_ops::LinearIndex,
};
use memplan_semantics::{
    Form, Loop, Semantics,
    attributes::{BUFFER, ROWS},
    declared::is_effect_free,
    loops::Bound,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What the loops do.
pub enum Action<'c> {
    /// Computes the number at a place.
    Number(Op<'c>, u32, Compute),
    /// Runs actions for each number from the first bound to the second by the third, at a place.
    Loop(Op<'c>, u32, [Number; 3], Vec<Self>),
    /// Runs one of these, by a number.
    Choice(Number, Vec<Vec<Self>>),
    /// Memory is new.
    New(usize),
    /// An operation of the program runs on a strip.
    Piece(usize),
    /// Rows are copied.
    Move(Box<Move<'c>>),
}

/// A copy of rows.
pub struct Move<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// From where.
    pub from: (usize, Chain<'c>),
    /// To where.
    pub to: (usize, Chain<'c>),
}

/// An operand of a piece.
pub struct Access<'c> {
    /// Its number.
    pub operand: u32,
    /// What it sees.
    pub chain: Chain<'c>,
    /// The memory.
    pub root: usize,
    /// The buffer that it was.
    pub buffer: usize,
    /// Whether that only exists in strips.
    pub is_between: bool,
    pub reads: bool,
    pub writes: bool,
    /// Whether the operation adds up there, over the strips.
    pub is_sum: bool,
    /// The number of its write among those of the buffer, once these are known.
    pub writer: usize,
    /// The indices in the operand.
    pub own: Vec<LinearIndex>,
    /// The indices in the buffer.
    pub original: Vec<Sum>,
}

/// An operation of the program, which runs on rows.
pub struct Piece<'c> {
    pub op: Op<'c>,
    pub claim: Claim,
    pub accesses: Vec<Access<'c>>,
    /// The places of the strips' numbers, the innermost first.
    pub strips: SmallVec<[u32; 2]>,
    /// For each loop, accesses and their dimensions that have its extent.
    pub sizes: Vec<SmallVec<[(usize, usize); 3]>>,
    /// For each loop that is an operation, a number, which is its extent plus the second one.
    pub extents: SmallVec<[(Number, i64); 4]>,
    /// Numbers that are added to iterations of split loops, with the number of the split.
    pub shifts: Vec<(usize, Number)>,
    /// Whether each iteration writes other elements.
    pub is_parallel: bool,
}

/// Memory.
#[derive(Default)]
pub struct Root {
    /// Whether it only exists in one iteration.
    pub is_inside: bool,
    /// Whether an operand sees it as whole.
    pub is_whole: bool,
    /// Whether it has rows of what only exists in strips.
    pub is_of_strips: bool,
    /// Whether nothing outside of the strips uses it.
    pub is_private: bool,
    /// The split dimensions, if it is whole and written row by row.
    pub dimensions: Option<Dimensions>,
}

/// The loops over strips of a chain.
pub struct Body<'c> {
    pub op: Op<'c>,
    pub actions: Vec<Action<'c>>,
    pub pieces: Vec<Piece<'c>>,
    pub buffers: Vec<Buffer>,
    pub roots: Vec<Root>,
    /// A chain to each root.
    pub chains: Vec<Chain<'c>>,
    /// Operations with memory that their regions read.
    pub seen: Vec<(Op<'c>, usize)>,
    pub places: u32,
}

pub(super) type Result<'c, T> = std::result::Result<T, StripFault<'c>>;

/// Reads the loops over strips of a chain; `places` may take numbers for others.
pub fn read<'c>(
    op: Op<'c>,
    places: Places<'_, 'c>,
    semantics: &mut Semantics,
) -> Result<'c, Body<'c>> {
    let mut reader = Reader {
        body: Body {
            op,
            actions: Vec::new(),
            pieces: Vec::new(),
            buffers: Vec::new(),
            roots: Vec::new(),
            chains: Vec::new(),
            seen: Vec::new(),
            places: 0,
        },
        places,
        known_roots: FxHashMap::default(),
        known_buffers: FxHashMap::default(),
        strips: Vec::new(),
        semantics,
    };
    let mut actions = Vec::new();
    reader.op(op, &mut actions)?;
    reader.body.actions = actions;
    reader.body.places = reader.places.count;
    Ok(reader.body)
}

pub(super) struct Reader<'r, 'c> {
    pub(super) body: Body<'c>,
    pub(super) places: Places<'r, 'c>,
    known_roots: FxHashMap<Key, usize>,
    known_buffers: FxHashMap<i64, usize>,
    /// Places of the strips around, the outermost first.
    pub(super) strips: Vec<u32>,
    pub(super) semantics: &'r mut Semantics,
}

pub(super) const fn stop<T>(op: Op<'_>, stop: Stop) -> Result<'_, T> {
    Err(StripFault { op, stop })
}

pub(super) const fn not_followed<'c, T>(op: Op<'c>, what: &'static str) -> Result<'c, T> {
    stop(op, Stop::NotFollowed(what))
}

/// Whether an operation is in another one, or is that.
fn is_inside<'c>(op: Op<'c>, outermost: Op<'c>) -> bool {
    let around = parent_block(outermost);
    let top = around.and_then(|around| ancestor_in(op, around));
    top.is_some_and(|top| top.key() == outermost.key())
}

impl<'c> Reader<'_, 'c> {
    fn block(&mut self, block: Block<'c>) -> Result<'c, Vec<Action<'c>>> {
        let end = terminator(block).map(|end| end.key());
        let mut actions = Vec::new();
        for op in ops(block).filter(|op| Some(op.key()) != end) {
            self.op(op, &mut actions)?;
        }
        Ok(actions)
    }

    fn op(&mut self, op: Op<'c>, actions: &mut Vec<Action<'c>>) -> Result<'c, ()> {
        if op.has_attribute(ROWS) {
            actions.push(Action::Piece(self.piece(op)?));
            return Ok(());
        }
        match self.semantics.form(op) {
            Form::Counted => return self.counted(op, actions),
            Form::Choice => {
                let choice = self.semantics.choice(op);
                let flag = choice.filter(|choice| choice.chosen(0) == Some(1));
                let flag = flag.and_then(|choice| choice.flag);
                let flag = flag.and_then(|flag| self.places.number(flag, self.semantics));
                let Some(flag) = flag.filter(|_| results(op).next().is_none()) else {
                    return not_followed(op, "a condition is not known");
                };
                let mut bodies = Vec::new();
                for body in regions(op) {
                    let body = blocks(body).next().map(|block| self.block(block));
                    bodies.push(body.transpose()?.unwrap_or_default());
                }
                actions.push(Action::Choice(flag, bodies));
                return Ok(());
            }
            _ => {}
        }
        if let Some(value) = results(op).next() {
            if let Some(compute) = self.places.compute(value, self.semantics) {
                let place = self.places.place(value);
                actions.push(Action::Number(op, place, compute));
                return Ok(());
            }
            if self.is_new(op) {
                if let Some(chain) = self.chain(value) {
                    actions.push(Action::New(self.root(chain)));
                }
                return Ok(());
            }
            if self.semantics.view_step(op).is_some() {
                return Ok(());
            }
        }
        if let Some(copy) = self.semantics.copy(op).filter(|copy| copy.order.is_none()) {
            let [from, to] = [copy.from, copy.to].map(|at| operands(op).nth(at as usize));
            let sides = [from, to].map(|value| self.chain(value?));
            let [Some(from), Some(to)] = sides else {
                return not_followed(op, "a copy of memory that is not known");
            };
            let [from, to] = [from, to].map(|chain| (self.root(chain.clone()), chain));
            for root in [from.0, to.0] {
                self.body.roots[root].is_of_strips = true;
            }
            actions.push(Action::Move(Box::new(Move { op, from, to })));
            return Ok(());
        }
        let is_plain = regions(op).next().is_none() && is_effect_free(op);
        if is_plain || self.semantics.is_deallocation(op) {
            return Ok(());
        }
        not_followed(
            op,
            "an operation in the strips does not say which rows it has (`memplan.rows`)",
        )
    }

    fn counted(&mut self, op: Op<'c>, actions: &mut Vec<Action<'c>>) -> Result<'c, ()> {
        let counts = Loop::of(op, self.semantics).filter(|counts| counts.carried.is_empty());
        let dimension = counts.as_ref().and_then(|counts| counts.only_dimension());
        let body = counts.as_ref().and_then(Loop::body);
        let (Some(dimension), Some(body)) = (dimension, body) else {
            return not_followed(op, "a loop is not followed");
        };
        let bounds = [&dimension.lower, &dimension.upper, &dimension.step];
        let bounds = bounds.map(|bound| match bound {
            Bound::Constant(number) => Some(Number::Constant(*number)),
            Bound::Value(value) => self.places.number(*value, self.semantics),
            Bound::Map { .. } => None,
        });
        let [Some(lower), Some(upper), Some(step)] = bounds else {
            return not_followed(op, "a bound of a loop is not known");
        };
        let place = self.places.place(dimension.induction);
        self.strips.push(place);
        let inside = self.block(body);
        self.strips.pop();
        actions.push(Action::Loop(op, place, [lower, upper, step], inside?));
        Ok(())
    }

    /// The memory of a value.
    pub(super) fn chain(&mut self, value: Val<'c>) -> Option<Chain<'c>> {
        let outermost = self.body.op;
        let is_inside = |op: Op<'c>| is_inside(op, outermost);
        follow(value, &is_inside, &mut self.places, self.semantics)
    }

    /// Whether memory outside of the strips is allocated for them alone.
    fn is_private(&mut self, root: Val<'c>) -> bool {
        let Some(Origin::Result(op, 0)) = origin(root) else {
            return false;
        };
        self.is_new(op)
            && users(root)
                .all(|user| is_inside(user, self.body.op) || self.semantics.is_deallocation(user))
    }

    /// Whether an operation allocates memory, or a part of an arena.
    fn is_new(&mut self, op: Op<'c>) -> bool {
        let is_slice = op.has_attribute(BUFFER) && self.semantics.byte_view(op).is_some();
        is_slice || self.semantics.of(op).plain_allocation().is_some()
    }

    pub(super) fn root(&mut self, chain: Chain<'c>) -> usize {
        let next = self.body.roots.len();
        let root = *self.known_roots.entry(chain.root.key()).or_insert(next);
        if root == next {
            let is_private = chain.is_inside || self.is_private(chain.root);
            self.body.roots.push(Root {
                is_inside: chain.is_inside,
                is_private,
                ..Root::default()
            });
            self.body.chains.push(chain);
        }
        root
    }

    pub(super) fn buffer(&mut self, number: i64) -> usize {
        let next = self.body.buffers.len();
        let buffer = *self.known_buffers.entry(number).or_insert(next);
        if buffer == next {
            self.body.buffers.push(Buffer::new(number));
        }
        buffer
    }
}
