//! Runs the loops over strips: each memory has tags that say what is in it.

use super::{
    body::{Access, Action, Body, Move},
    buffers::{are_equal, rows_of},
    fault::{Stop, StripFault},
    memory::{Memory, Tag, Writers},
    numbers::Values,
    sum::Sum,
};
use smallvec::SmallVec;

/// Most steps: actions, and rows times columns that are read, written or copied.
const MOST_STEPS: u64 = 1 << 28;

/// What a run was.
#[derive(Clone, Copy, Debug)]
pub struct Ran {
    /// Most strips between one that writes a row and one that reads it.
    pub oldest: i64,
    /// Steps that it took.
    pub steps: u64,
}

/// Runs the loops over strips of a chain.
pub fn run<'c>(body: &Body<'c>) -> Result<Ran, StripFault<'c>> {
    let mut machine = Machine {
        body,
        values: Values::new(body.places),
        memories: body.roots.iter().map(|_| None).collect(),
        done: vec![0; body.pieces.len()],
        oldest: 0,
        steps: 0,
    };
    let fault = |stop| StripFault { op: body.op, stop };
    machine.begin().map_err(fault)?;
    machine.actions(&body.actions)?;
    machine.finish()?;
    Ok(Ran {
        oldest: machine.oldest,
        steps: machine.steps,
    })
}

/// The state of an execution.
pub struct Machine<'b, 'c> {
    pub body: &'b Body<'c>,
    pub values: Values,
    /// What is in memory, if rows were written there.
    pub memories: Vec<Option<Memory>>,
    /// Iterations of split loops that each piece has done.
    pub done: Vec<i64>,
    /// Most strips between one that writes a row and one that reads it.
    pub oldest: i64,
    steps: u64,
}

impl<'b, 'c> Machine<'b, 'c> {
    /// Nothing is written yet in memory that is whole, and that the strips write.
    fn begin(&mut self) -> Result<(), Stop> {
        let roots = self.body.roots.iter().zip(&self.body.chains);
        for ((root, chain), memory) in roots.zip(&mut self.memories) {
            if let Some(dimensions) = root.dimensions {
                *memory = Some(Memory::new(dimensions, &chain.shape)?);
            }
        }
        Ok(())
    }

    fn actions(&mut self, actions: &'b [Action<'c>]) -> Result<(), StripFault<'c>> {
        for action in actions {
            match action {
                Action::Number(op, place, compute) => {
                    let number = self.values.compute(compute);
                    let number = number.map_err(|stop| StripFault { op: *op, stop })?;
                    self.values.set(*place, number);
                }
                Action::Loop(op, place, bounds, inside) => {
                    let [lower, upper, step] = bounds.map(|bound| self.values.get(bound));
                    let at_op = |stop| StripFault { op: *op, stop };
                    if step < 1 {
                        return Err(at_op(Stop::NotFollowed("a loop has no positive step")));
                    }
                    let mut at = lower;
                    while at < upper {
                        self.spend(1).map_err(at_op)?;
                        self.values.set(*place, at);
                        self.actions(inside)?;
                        at = at.checked_add(step).ok_or_else(|| at_op(Stop::Number))?;
                    }
                }
                Action::Choice(flag, bodies) => {
                    let chosen = usize::from(self.values.get(*flag) == 0);
                    if let Some(body) = bodies.get(chosen) {
                        self.actions(body)?;
                    }
                }
                Action::New(root) => self.memories[*root] = None,
                Action::Piece(number) => {
                    let op = self.body.pieces[*number].op;
                    self.piece(*number)
                        .map_err(|stop| StripFault { op, stop })?;
                }
                Action::Move(one) => {
                    let op = one.op;
                    self.copy(one).map_err(|stop| StripFault { op, stop })?;
                }
            }
        }
        Ok(())
    }

    /// Counts steps.
    pub fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        self.steps += steps as u64 + 1;
        match self.steps > MOST_STEPS {
            true => Err(Stop::TooMuch),
            false => Ok(()),
        }
    }

    /// Copies rows: what is in them is as before.
    fn copy(&mut self, one: &Move<'c>) -> Result<(), Stop> {
        const PART: &str = "a copy in the strips that has parts of rows";
        let (body, values) = (self.body, &self.values);
        let ((source, from), (target, to)) = (&one.from, &one.to);
        let (source, target) = (*source, *target);
        if !body.roots[source].is_private || !body.roots[target].is_private {
            let what = "a copy uses memory from outside of the strips";
            return Err(Stop::NotFollowed(what));
        }
        let dimensions = [source, target].map(|root| {
            let memory = self.memories[root].as_ref();
            memory.map(|memory| memory.dimensions)
        });
        let dimensions = match dimensions {
            // Nothing was written.
            [None, None] => return Ok(()),
            [Some(one), Some(other)] if one != other => {
                return Err(Stop::NotFollowed("a copy in the strips changes dimensions"));
            }
            [Some(one), _] | [None, Some(one)] => one,
        };
        let (from_seen, to_seen) = (from.seen(values)?, to.seen(values)?);
        let extents = from_seen.shape();
        if extents != to_seen.shape() {
            return Err(Stop::Wrong(
                "a copy has sides of different sizes".to_owned(),
            ));
        }
        let own = (0..extents.len())
            .map(|number| Sum::of_loop(number as u32, extents))
            .collect();
        let read = from_seen.indices(&own, extents)?;
        let written = to_seen.indices(&own, extents)?;
        if read.len() != written.len() {
            return Err(Stop::NotFollowed(PART));
        }
        let mut rows = [None, None];
        for (at, (read, written)) in read.iter().zip(&written).enumerate() {
            if let Some(which) = dimensions.iter().position(|one| *one == Some(at)) {
                rows[which] = Some(rows_of(read, written, extents)?);
                continue;
            }
            let is_all = |index: &Sum, size: i64| {
                index
                    .range(extents)
                    .is_ok_and(|range| range == (0, size - 1))
            };
            if !are_equal(read, written, extents)?
                || !is_all(read, from.shape[at])
                || !is_all(written, to.shape[at])
            {
                return Err(Stop::NotFollowed(PART));
            }
        }
        let [rows, columns] =
            rows.map(|rows| rows.unwrap_or_else(|| SmallVec::from_slice(&[(0, 0)])));
        self.spend(rows.len() * columns.len())?;
        if source == target {
            let overlaps = |rows: &[(i64, i64)]| {
                rows.iter()
                    .any(|(_, to)| rows.iter().any(|(from, _)| from == to))
            };
            if overlaps(&rows) && overlaps(&columns) {
                return Err(Stop::Wrong("a copy overlaps itself".to_owned()));
            }
        }
        let mut tags: SmallVec<[Tag; 16]> = SmallVec::new();
        for (row, _) in &rows {
            for (column, _) in &columns {
                tags.push(match &mut self.memories[source] {
                    Some(memory) => *memory.at((*row, *column))?,
                    None => Tag::NONE,
                });
            }
        }
        let memory = match &mut self.memories[target] {
            Some(memory) => memory,
            none => none.insert(Memory::new(dimensions, &to.shape)?),
        };
        let mut tags = tags.into_iter();
        for (_, row) in &rows {
            for (_, column) in &columns {
                *memory.at((*row, *column))? = tags.next().unwrap_or(Tag::NONE);
            }
        }
        Ok(())
    }

    /// Whether all is done that the operations did.
    fn finish(&mut self) -> Result<(), StripFault<'c>> {
        let body = self.body;
        for (number, piece) in body.pieces.iter().enumerate() {
            let wrong = |text: String| StripFault {
                op: piece.op,
                stop: Stop::Wrong(text),
            };
            let splits = piece.claim.splits.iter();
            let all = splits.map(|split| piece.claim.extents[split.number as usize]);
            let all = all.fold(1_i64, i64::saturating_mul);
            let mut accesses = piece.accesses.iter();
            let has_sum = accesses.clone().any(|access| access.is_sum);
            let is_counted = has_sum || !accesses.any(|access| access.writes);
            if is_counted && self.done[number] != all {
                let done = self.done[number];
                return Err(wrong(format!(
                    "all strips have {done} of {all} iterations of it"
                )));
            }
            for access in &piece.accesses {
                if !access.writes || access.is_sum || access.is_between {
                    continue;
                }
                let at_op = |stop| StripFault { op: piece.op, stop };
                self.finished(access).map_err(at_op)?;
            }
        }
        Ok(())
    }

    /// Whether all rows are in memory that an operand wrote.
    fn finished(&mut self, access: &Access<'c>) -> Result<(), Stop> {
        let (buffer, root) = (access.buffer, access.root);
        let facts = &self.body.buffers[buffer];
        let mine: Writers = 1 << access.writer;
        let [rows, columns] = facts.sizes();
        self.spend(rows * columns)?;
        let memory = self.memories[root].as_mut().ok_or(Stop::Number)?;
        for row in 0..rows as i64 {
            for column in 0..columns as i64 {
                let writers = facts.writers((row, column));
                if writers & mine == 0 {
                    continue;
                }
                let tag = memory.at((row, column))?;
                if tag.writers & mine == 0 || !tag.is_of(buffer, (row, column)) {
                    let place = place((row, column), columns > 1);
                    return Err(Stop::Wrong(format!(
                        "no strip writes {place} of its result"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// A row and column in words.
pub fn place((row, column): (i64, i64), has_columns: bool) -> String {
    match has_columns {
        true => format!("row {row}, column {column}"),
        false => format!("row {row}"),
    }
}
