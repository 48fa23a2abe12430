//! Checks whether a move or a view is legal, and makes it.

use super::state::{State, Undo};
use crate::elide_copies::{
    Refusal,
    buffer_part::BufferPart,
    read::{Fact, Move, Touch, early},
    types::{ALIGNMENT, DEEPEST, is_used_as_vectors, speaks_of_address},
};
use memplan_lifetimes::program::{BufferId, Position};
use memplan_mlir::{
    ir::{Identity, Origin, Type, Val, operands, origin, results, type_of, uses},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Retyped;

/// Largest number of touches of a buffer that are visited for one move.
const MOST_TOUCHES: usize = 4096;
/// Largest depth of buffers in buffers: each one is visited for each of the others.
const MOST_NESTED: u32 = 128;

impl<'c> State<'_, 'c> {
    /// Makes a move, if it is legal.
    pub(super) fn make(&mut self, place: usize) -> Result<(), Refusal> {
        let facts = self.facts;
        let one = &facts.moves[place];
        let is_view = |buffer: BufferId| self.view_of[buffer.index()].is_some();
        if self.root(one.into) == one.from
            || is_view(one.from)
            || is_view(one.into)
            || !self.views[one.from.index()].is_empty()
        {
            return Err(Refusal::Touched);
        }
        let occupants = &self.occupants[one.from.index()];
        if occupants
            .iter()
            .any(|occupant| facts.moves[*occupant].end > one.end_of_parts())
        {
            return Err(Refusal::Touched);
        }
        self.nest(one.from, one.into)?;
        let from = self.first[one.from.index()];
        self.claim(one.into, one, from, None)?;
        // Its type as a part, and whether all users accept that.
        let form = match self.form[one.into.index()] {
            None => type_of(one.view),
            Some(whole) => self
                .form_of_view(one.view, facts.buffers[one.into.index()].value, whole, 0)
                .ok_or(Refusal::Strides)?,
        };
        self.undo.push(Undo::Moved(one.from, None));
        self.moved[one.from.index()] = Some(place);
        self.occupants[one.into.index()].push(place);
        self.undo.push(Undo::Occupied(one.into));
        self.at.entry(one.view.key()).or_default().push(one.from);
        self.undo.push(Undo::At(one.view.key()));
        self.reform(one.from, form)
    }

    /// Replaces a copy by a view, if that is legal.
    pub(super) fn make_view(&mut self, place: usize) -> Result<(), Refusal> {
        let one = &self.facts.view_candidates[place];
        let to = one.to.index();
        if self.moved[to].is_some() || !self.occupants[to].is_empty() || !self.views[to].is_empty()
        {
            return Err(Refusal::Touched);
        }
        if let Some(buffer) = one.buffer {
            let at = buffer.index();
            if self.moved[at].is_some() || self.view_of[at].is_some() {
                return Err(Refusal::Touched);
            }
            let touches = &self.facts.buffers[at].touches;
            let start = touches.partition_point(|touch| touch.position <= one.position);
            let count = touches[start..].partition_point(|touch| touch.position < one.end);
            let overwritten = |touch: &Touch| touch.writes && !touch.place.is_apart(&one.place);
            let is_taken = |occupant: &usize| {
                let other = &self.facts.moves[*occupant];
                self.first[other.from.index()] < one.end && one.position <= other.position
            };
            if count > MOST_TOUCHES
                || touches[start..start + count].iter().any(overwritten)
                || self.occupants[at].iter().any(is_taken)
                || self.freed[at] < one.end
            {
                return Err(Refusal::Touched);
            }
            self.views[at].push(place);
            self.undo.push(Undo::AddedView(buffer));
        }
        self.undo.push(Undo::BecameView(one.to));
        self.view_of[to] = Some(place);
        self.reform(one.to, one.form)
    }

    /// Makes a buffer part of another one, unless the nesting is too deep.
    fn nest(&mut self, from: BufferId, into: BufferId) -> Result<(), Refusal> {
        let (mut depth, mut around) = (self.nested[from.index()], Some(into));
        while let Some(buffer) = around {
            depth += 1;
            if depth > MOST_NESTED {
                return Err(Refusal::Strides);
            }
            let was = self.nested[buffer.index()];
            if depth > was {
                self.undo.push(Undo::Nested(buffer, was));
                self.nested[buffer.index()] = depth;
            }
            around = self.moved[buffer.index()].map(|place| self.facts.moves[place].into);
        }
        Ok(())
    }

    /// Reserves the part of a buffer that a move needs from a position on, and of the buffers that contain it.
    /// `own`: the move, if it is made already.
    fn claim(
        &mut self,
        buffer: BufferId,
        one: &Move<'c>,
        from: Position,
        own: Option<usize>,
    ) -> Result<(), Refusal> {
        let fact = &self.facts.buffers[buffer.index()];
        let (place, to) = (&one.place, one.position);
        if one.ready >= from || fact.ready >= from {
            return Err(Refusal::Late);
        }
        // Parts of the buffer that is moved may be written before that.
        let begin = one
            .begin
            .map(|begin| begin.position)
            .filter(|_| from == self.facts.buffers[one.from.index()].first_user);
        self.is_free(buffer, fact, place, (from, to), begin)?;
        if self.freed[buffer.index()] < one.end || is_written(fact, place, to, one.end)? {
            return Err(Refusal::Touched);
        }
        for at in 0..self.occupants[buffer.index()].len() {
            let occupant = self.occupants[buffer.index()][at];
            if Some(occupant) == own {
                continue;
            }
            let other = &self.facts.moves[occupant];
            let since = self.first[other.from.index()];
            if since < one.end && from < other.end && !other.place.is_apart(place) {
                return Err(Refusal::Touched);
            }
        }
        for view in &self.views[buffer.index()] {
            let view = &self.facts.view_candidates[*view];
            if from < view.end && view.position <= to {
                return Err(Refusal::Touched);
            }
        }
        let outer = self.moved[buffer.index()];
        if outer.is_some_and(|outer| self.facts.moves[outer].end_of_parts() < one.end) {
            return Err(Refusal::Touched);
        }
        let was = self.first[buffer.index()];
        if from < was {
            if let Some(outer) = outer {
                let around = &self.facts.moves[outer];
                self.claim(around.into, around, from, Some(outer))?;
            }
            self.undo.push(Undo::First(buffer, was));
            self.first[buffer.index()] = from;
        }
        Ok(())
    }

    /// Whether no operation touches a part, except those that can execute earlier, and those that read it up to the
    /// position `begin`, where the part gets new contents from its old ones.
    fn is_free(
        &mut self,
        buffer: BufferId,
        fact: &Fact<'c>,
        place: &BufferPart,
        (from, to): (Position, Position),
        begin: Option<Position>,
    ) -> Result<(), Refusal> {
        let start = fact.touches.partition_point(|touch| touch.position < from);
        let between = fact.touches[start..].partition_point(|touch| touch.position < to);
        if between > MOST_TOUCHES {
            return Err(Refusal::Touched);
        }
        let between = &fact.touches[start..start + between];
        for (at, touch) in between.iter().enumerate() {
            let is_before = begin.is_some_and(|begin| touch.position <= begin);
            if touch.place.is_apart(place) || is_before && !touch.writes {
                continue;
            }
            match self.early(buffer, touch.position) {
                Some(after) if after < from => {}
                Some(_) => return Err(Refusal::Late),
                None => return Err(Refusal::Touched),
            }
            // It moves past the touches before it.
            let passes = between[..at].iter().all(|before| {
                before.place.is_apart(&touch.place)
                    || self
                        .early(buffer, before.position)
                        .is_some_and(|after| after < from)
                        && !before.place.is_apart(place)
            });
            if !passes {
                return Err(Refusal::Touched);
            }
        }
        Ok(())
    }

    fn early(&mut self, buffer: BufferId, position: Position) -> Option<Position> {
        if let Some(known) = self.known.early.get(&position) {
            return *known;
        }
        let fact = &self.facts.buffers[buffer.index()];
        let found = early(
            self.analysis,
            fact,
            position,
            self.positions,
            self.semantics,
        );
        self.known.early.insert(position, found);
        found
    }

    /// Sets the type of a moved buffer, if all users accept it.
    fn reform(&mut self, buffer: BufferId, form: Type<'c>) -> Result<(), Refusal> {
        self.undo
            .push(Undo::Form(buffer, self.form[buffer.index()]));
        self.form[buffer.index()] = Some(form);
        let value = self.facts.buffers[buffer.index()].value;
        if self.relies_on_alignment(buffer, value) {
            return Err(Refusal::Aligned);
        }
        if type_of(value) == form {
            return match speaks_of_address(value, 0) {
                true => Err(Refusal::Strides),
                false => Ok(()),
            };
        }
        if !self.occupants[buffer.index()].is_empty() {
            return self.fits(value, form, 0);
        }
        let key = (buffer, form.key());
        let known = self.known.fits.get(&key).copied();
        let fits = known.unwrap_or_else(|| self.fits(value, form, 0).is_ok());
        self.known.fits.insert(key, fits);
        if fits { Ok(()) } else { Err(Refusal::Strides) }
    }

    /// Whether vector operations use a buffer whose allocation specifies an alignment: some are compiled for
    /// that alignment.
    fn relies_on_alignment(&mut self, buffer: BufferId, value: Val<'c>) -> bool {
        let Some(Origin::Result(alloc, _)) = origin(value) else {
            return true;
        };
        if !alloc.has_attribute(ALIGNMENT) {
            return false;
        }
        if let Some(known) = self.known.relies.get(&buffer) {
            return *known;
        }
        let relies = is_used_as_vectors(value, self.semantics, 0);
        self.known.relies.insert(buffer, relies);
        relies
    }

    fn fits(&mut self, value: Val<'c>, form: Type<'c>, depth: usize) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::Strides);
        }
        for (op, operand) in uses(value) {
            if self.semantics.is_deallocation(op) {
                continue;
            }
            match self.semantics.retyped(op, operand, form) {
                Retyped::Takes => {}
                Retyped::Refuses => return Err(Refusal::Strides),
                Retyped::Views(view) => {
                    for result in results(op) {
                        self.fits(result, view, depth + 1)?;
                    }
                }
            }
        }
        let there = self.at.get(&value.key()).cloned().unwrap_or_default();
        for buffer in there {
            self.reform(buffer, form)?;
        }
        Ok(())
    }

    /// Type of a view of a buffer whose type changed.
    fn form_of_view(
        &mut self,
        view: Val<'c>,
        buffer: Val<'c>,
        whole: Type<'c>,
        depth: usize,
    ) -> Option<Type<'c>> {
        if view == buffer {
            return Some(whole);
        }
        let Some(Origin::Result(op, 0)) = origin(view) else {
            return None;
        };
        if depth > DEEPEST {
            return None;
        }
        let source = operands(op).next()?;
        let source = self.form_of_view(source, buffer, whole, depth + 1)?;
        match self.semantics.retyped(op, 0, source) {
            Retyped::Views(form) => Some(form),
            _ => None,
        }
    }
}

/// Whether a part of a buffer is written after one position, and before another one.
fn is_written(
    fact: &Fact<'_>,
    place: &BufferPart,
    after: Position,
    end: Position,
) -> Result<bool, Refusal> {
    let start = fact
        .touches
        .partition_point(|touch| touch.position <= after);
    let count = fact.touches[start..].partition_point(|touch| touch.position < end);
    if count > MOST_TOUCHES {
        return Err(Refusal::Touched);
    }
    let mut touches = fact.touches[start..start + count].iter();
    Ok(touches.any(|touch| touch.writes && !touch.place.is_apart(place)))
}
