//! Writes a function anew, path by path.

use crate::bounded::sized::sized;
use memplan_mlir::{
    build::{BuildError, Builder},
    copy::{Body, copy_to_end, substitute},
    flow::branch_operands,
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, erase, next_in_block, operands,
        ops, regions, results, successors,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Form, Semantics,
    constants::{evaluate, nothing},
    control::{Choice, Chosen},
};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Writes the function anew; returns how many paths it has.
pub fn treeify<'c>(
    function: Op<'c>,
    body: Region<'c>,
    semantics: &mut Semantics,
) -> Result<u64, BuildError> {
    let Some(entry) = blocks(body).next() else {
        return Ok(0);
    };
    let fresh = Body::new();
    let root = fresh.block(&Body::like(entry, function.location()));
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

/// An operation that the path is inside of.
struct Frame<'c> {
    op: Op<'c>,
    around: Option<usize>,
}

/// The rest of a path, or of several that share a beginning.
struct Task<'c> {
    /// Where it is written.
    into: Block<'c>,
    /// The block stands in the body already.
    is_open: bool,
    /// What was known where it begins.
    mark: usize,
    /// What is known besides.
    bound: Vec<(Val<'c>, Val<'c>)>,
    /// What comes next.
    at: Option<Op<'c>>,
    frame: Option<usize>,
}

struct Writer<'c, 'n> {
    function: Op<'c>,
    semantics: &'n mut Semantics,
    fresh: Body<'c>,
    /// What stands for each value on this path.
    map: FxHashMap<Key, Val<'c>>,
    /// What stood for values before, last change last.
    trail: Vec<(Key, Option<Val<'c>>)>,
    /// Operations that some path is inside of; a stack that paths share.
    frames: Vec<Frame<'c>>,
    tasks: Vec<Task<'c>>,
    paths: u64,
}

/// An arm of a choice.
struct Arm<'c> {
    /// Where it begins.
    at: Option<Op<'c>>,
    /// What it is handed.
    bound: Vec<(Val<'c>, Val<'c>)>,
    frame: Option<usize>,
}

/// What follows an operation on a path.
enum Next<'c> {
    /// More of the same path.
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
                    return Err(BuildError::signature());
                };
                let map = &self.map;
                substitute(copy, &mut |value| map.get(&value.key()).copied());
                let builder = self.builder(copy, into);
                // Sizes that follow from constants become part of the type.
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

    /// Where a choice may go on: in its regions, or after it where one of them is not there, or at its successors.
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

    /// Blocks for the arms of a choice, to be written later in their order.
    fn fork(&mut self, arms: Vec<Arm<'c>>) -> Vec<Block<'c>> {
        let mark = self.trail.len();
        let tasks = arms.into_iter().map(|arm| Task {
            into: self.fresh.block_apart(),
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

    /// A choice among regions or successors.
    fn choose(
        &mut self,
        op: Op<'c>,
        choice: &Choice<'c>,
        into: Block<'c>,
        frame: Option<usize>,
    ) -> Result<Next<'c>, BuildError> {
        const BITS: u32 = 64;
        let flag = choice.flag.ok_or_else(BuildError::signature)?;
        let flag = self.now(flag);
        let has_regions = regions(op).next().is_some();
        let arms = self.arms(op, frame);
        let constant = evaluate(flag, self.semantics, &nothing);
        if let Some(taken) = constant.and_then(|flag| choice.chosen(flag)) {
            let arm = arms.into_iter().nth(taken);
            let arm = arm.ok_or_else(BuildError::signature)?;
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
                let cases = cases.as_deref().ok_or_else(BuildError::signature)?;
                let (number, cases) = match cases.iter().min() {
                    // MLIR prints cases below zero in a way that it cannot read.
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
            // Nothing is written for what has to be lowered first.
            _ => return Err(BuildError::signature()),
        };
        Ok(Next::End)
    }
}
