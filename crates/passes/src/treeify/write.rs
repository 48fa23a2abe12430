//! Rewrites a function, path by path.

use crate::bounded::sized::sized;
use memplan_mlir::{
    build::{BuildError, Builder},
    control_flow::branch_operands,
    copy::{NewBody, copy_to_end, substitute},
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, erase, next_in_block, operands,
        ops, regions, results, successors,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Form, Semantics,
    constants::{evaluate, no_known_values},
    control::{Choice, Chosen},
};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Rewrites the function; returns the number of paths.
pub fn treeify<'c>(
    function: Op<'c>,
    body: Region<'c>,
    semantics: &mut Semantics,
) -> Result<u64, BuildError> {
    let Some(entry) = blocks(body).next() else {
        return Ok(0);
    };
    let fresh = NewBody::new();
    let root = fresh.block(&NewBody::argument_types(entry, function.location()));
    let mut writer = Writer {
        function,
        semantics,
        fresh,
        map: FxHashMap::default(),
        trail: Vec::new(),
        frames: Vec::new(),
        tasks: Vec::new(),
        paths: 0,
    };
    let start = arguments(entry).zip(arguments(root)).collect();
    writer.tasks.push(Task {
        into: root,
        is_open: true,
        mark: 0,
        bound: start,
        at: ops(entry).next(),
        frame: None,
    });
    while let Some(task) = writer.tasks.pop() {
        writer.run(task)?;
    }
    let Writer { fresh, paths, .. } = writer;
    fresh.replace(body);
    Ok(paths)
}

/// An operation that contains the current point of a path.
struct Frame<'c> {
    op: Op<'c>,
    around: Option<usize>,
}

/// The rest of a path, or of several that share a prefix.
struct Task<'c> {
    /// The block to write to.
    into: Block<'c>,
    /// Whether the block is already in the body.
    is_open: bool,
    /// Length of the trail at its start.
    mark: usize,
    /// Additional values of its start.
    bound: Vec<(Val<'c>, Val<'c>)>,
    /// The next operation.
    at: Option<Op<'c>>,
    frame: Option<usize>,
}

struct Writer<'c, 'n> {
    function: Op<'c>,
    semantics: &'n mut Semantics,
    fresh: NewBody<'c>,
    /// The new value of each old value on this path.
    map: FxHashMap<Key, Val<'c>>,
    /// Previous values, last change last.
    trail: Vec<(Key, Option<Val<'c>>)>,
    /// Operations that contain the point of some path: a stack that paths share.
    frames: Vec<Frame<'c>>,
    tasks: Vec<Task<'c>>,
    paths: u64,
}

/// An arm of a choice.
struct Arm<'c> {
    /// Its first operation.
    at: Option<Op<'c>>,
    /// The values that it receives.
    bound: Vec<(Val<'c>, Val<'c>)>,
    frame: Option<usize>,
}

/// Continuation of a path after an operation.
enum Next<'c> {
    /// The next operation of the same path.
    Op(Option<Op<'c>>, Option<usize>),
    /// Other tasks, or a return.
    End,
}

impl<'c> Writer<'c, '_> {
    fn bind(&mut self, from: Val<'c>, to: Val<'c>) {
        let before = self.map.insert(from.key(), to);
        self.trail.push((from.key(), before));
    }

    fn now(&self, value: Val<'c>) -> Val<'c> {
        self.map.get(&value.key()).copied().unwrap_or(value)
    }

    fn run(&mut self, task: Task<'c>) -> Result<(), BuildError> {
        while self.trail.len() > task.mark {
            if let Some((key, before)) = self.trail.pop() {
                match before {
                    Some(value) => self.map.insert(key, value),
                    None => self.map.remove(&key),
                };
            }
        }
        for (from, to) in task.bound {
            self.bind(from, to);
        }
        if !task.is_open {
            self.fresh.append(task.into);
        }
        let (mut at, mut frame) = (task.at, task.frame);
        while let Some(op) = at {
            match self.op(op, task.into, frame)? {
                Next::Op(next, within) => (at, frame) = (next, within),
                Next::End => return Ok(()),
            }
        }
        self.paths += 1;
        Ok(())
    }

    fn op(
        &mut self,
        op: Op<'c>,
        into: Block<'c>,
        frame: Option<usize>,
    ) -> Result<Next<'c>, BuildError> {
        let form = self.semantics.form(op);
        if form == Form::Choice
            && let Some(choice) = self.semantics.choice(op)
        {
            return self.choose(op, &choice, into, frame);
        }
        match form {
            Form::Once => {
                let at = regions(op).next().and_then(|region| blocks(region).next());
                let inner = self.enter(op, frame);
                Ok(Next::Op(
                    at.and_then(|block| ops(block).next()),
                    Some(inner),
                ))
            }
            _ if self.semantics.is_yield(op) => {
                let Some(frame) = frame else {
                    return Ok(Next::End);
                };
                let Frame {
                    op: around,
                    around: outer,
                } = self.frames[frame];
                let given: Vec<Val<'c>> = operands(op).map(|value| self.now(value)).collect();
                for (result, value) in results(around).zip(given) {
                    self.bind(result, value);
                }
                Ok(Next::Op(next_in_block(around), outer))
            }
            Form::Jump => {
                let Some(target) = successors(op).next() else {
                    return Ok(Next::End);
                };
                for (from, to) in self.handed_on(op, 0, target) {
                    self.bind(from, to);
                }
                Ok(Next::Op(ops(target).next(), frame))
            }
            _ => {
                let Some(copy) = copy_to_end(op, into) else {
                    return Err(BuildError::unexpected());
                };
                let map = &self.map;
                substitute(copy, &mut |value| map.get(&value.key()).copied());
                let builder = self.builder(copy, into);
                // A constant size becomes part of the type.
                if let Some(made) = sized(copy, &builder, self.semantics)? {
                    for result in results(op) {
                        self.bind(result, made);
                    }
                    erase(copy);
                } else {
                    for (from, to) in results(op).zip(results(copy)) {
                        self.bind(from, to);
                    }
                }
                Ok(Next::Op(next_in_block(op), frame))
            }
        }
    }

    fn enter(&mut self, op: Op<'c>, around: Option<usize>) -> usize {
        self.frames.push(Frame { op, around });
        self.frames.len() - 1
    }

    fn handed_on(
        &mut self,
        op: Op<'c>,
        successor: usize,
        target: Block<'c>,
    ) -> Vec<(Val<'c>, Val<'c>)> {
        let given = branch_operands(op, successor).map(|given| given.forwarded);
        let given = given.into_iter().flatten().map(|value| self.now(value));
        arguments(target).zip(given).collect()
    }

    /// Destinations of a choice: its regions, the operation after it if a region is missing, or its
    /// successors.
    fn arms(&mut self, op: Op<'c>, frame: Option<usize>) -> Vec<Arm<'c>> {
        if regions(op).next().is_none() {
            let targets = successors(op).enumerate();
            let arms = targets.map(|(at, target)| Arm {
                at: ops(target).next(),
                bound: self.handed_on(op, at, target),
                frame,
            });
            return arms.collect();
        }
        let inner = self.enter(op, frame);
        let arms = regions(op).map(|region| {
            let first = blocks(region).next().and_then(|block| ops(block).next());
            Arm {
                at: first.or_else(|| next_in_block(op)),
                bound: Vec::new(),
                frame: first.map_or(frame, |_| Some(inner)),
            }
        });
        arms.collect()
    }

    /// Blocks for the arms of a choice, to be written later in order.
    fn fork(&mut self, arms: Vec<Arm<'c>>) -> Vec<Block<'c>> {
        let mark = self.trail.len();
        let tasks = arms.into_iter().map(|arm| Task {
            into: self.fresh.detached_block(),
            is_open: false,
            mark,
            bound: arm.bound,
            at: arm.at,
            frame: arm.frame,
        });
        let tasks: Vec<Task<'c>> = tasks.collect();
        let blocks = tasks.iter().map(|task| task.into).collect();
        self.tasks.extend(tasks.into_iter().rev());
        blocks
    }

    fn builder(&self, op: Op<'c>, into: Block<'c>) -> Builder<'c> {
        Builder::at_end(into, self.function, op.location())
    }

    /// Writes a choice among regions or successors.
    fn choose(
        &mut self,
        op: Op<'c>,
        choice: &Choice<'c>,
        into: Block<'c>,
        frame: Option<usize>,
    ) -> Result<Next<'c>, BuildError> {
        const BITS: u32 = 64;
        let flag = choice.flag.ok_or_else(BuildError::unexpected)?;
        let flag = self.now(flag);
        let has_regions = regions(op).next().is_some();
        let arms = self.arms(op, frame);
        let constant = evaluate(flag, self.semantics, &no_known_values);
        if let Some(taken) = constant.and_then(|flag| choice.chosen(flag)) {
            let arm = arms.into_iter().nth(taken);
            let arm = arm.ok_or_else(BuildError::unexpected)?;
            for (from, to) in arm.bound {
                self.bind(from, to);
            }
            return Ok(Next::Op(arm.at, arm.frame));
        }
        let builder = self.builder(op, into);
        let blocks = self.fork(arms);
        match (&choice.by, blocks.as_slice()) {
            (Chosen::Truth, [yes, no]) => builder.cond_branch(flag, [*yes, *no])?,
            (Chosen::Cases(cases), [default, others @ ..]) if has_regions => {
                let number = builder.index_cast(flag, builder.integer_type(BITS))?;
                let cases = cases.as_deref().ok_or_else(BuildError::unexpected)?;
                let (number, cases) = match cases.iter().min() {
                    // MLIR prints negative cases in a form that it cannot parse.
                    Some(least @ ..=-1) => {
                        let start = builder.constant(*least, builder.integer_type(BITS))?;
                        let from_zero = cases.iter().map(|case| case.wrapping_sub(*least));
                        let from_zero = Cow::Owned(from_zero.collect());
                        (builder.subtract(number, start)?, from_zero)
                    }
                    _ => (number, Cow::Borrowed(cases)),
                };
                builder.switch(number, builder.cases(BITS, &cases)?, *default, others)?
            }
            (Chosen::Cases(_), [default, others @ ..]) => {
                let values = op.attribute("case_values").ok();
                builder.switch(flag, values, *default, others)?
            }
            // Operations that have to be lowered first are not written.
            _ => return Err(BuildError::unexpected()),
        };
        Ok(Next::End)
    }
}
