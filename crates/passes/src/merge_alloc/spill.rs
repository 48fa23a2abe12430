//! Moves buffers out of a memory space that exceeds its capacity.
//!
//! Of the buffers that are live at the peak, those go first whose uses cost least: the product of bytes and uses, or of what the
//! machine says that reading and writing a byte costs more in the other space. A use
//! in a loop counts once for each iteration, or ten times if the trip count is unknown. A buffer moves only if
//! every operation that uses it, or a view of it, accepts any memory space. If the space to which it moved exceeds
//! its capacity, too, it may move on.

use super::{codes, decide_error::DecideError, given::Given, settings::Settings};
use crate::memory_spaces::{
    names::short_space,
    uses::{Uses, moved_type, weighted_uses},
};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    diagnostics::Diagnostic,
    ir::{Type, results, type_of},
    layout::memory_space,
    melior::ir::operation::OperationLike,
    pass::Failed,
};
use memplan_semantics::{Semantics, attributes::has_banks};
use rustc_hash::FxHashMap;

/// New types of buffers that move, by index in [`Analysis::plannable`].
pub type Moved<'c> = FxHashMap<usize, Type<'c>>;

/// The types of buffers whose memory spaces are given. A buffer that cannot move is an error at it.
pub fn given<'c>(
    analysis: &Analysis<'c>,
    spaces: &FxHashMap<usize, String>,
    semantics: &mut Semantics,
) -> Result<Moved<'c>, Failed> {
    let mut places: Vec<usize> = spaces.keys().copied().collect();
    places.sort_unstable();
    let mut moved = Moved::default();
    for place in places {
        let space = &spaces[&place];
        let op = analysis.handles.buffers[analysis.plannable[place].buffer.index()];
        let error = |why: &str| {
            let space = match space.as_str() {
                "" => "the default memory space".to_string(),
                space => format!("memory space {}", short_space(space)),
            };
            let message = format!("the given plan moves it to {space}{why}");
            Diagnostic::new(codes::MISFIT, op.location(), message)
        };
        if let Err(user) = weighted_uses(op, semantics) {
            error("")
                .note(user.location(), "this operation requires its memory space")
                .emit();
            return Err(Failed);
        }
        let Some(r#type) = moved_type(op, space) else {
            error(", which is none").emit();
            return Err(Failed);
        };
        moved.insert(place, r#type);
    }
    Ok(moved)
}

/// The memory spaces in which each moved buffer was, by index in [`Analysis::plannable`], the first one first.
pub type Paths = FxHashMap<usize, Vec<String>>;

/// Chooses buffers to move on to the next memory space so that a function fits; false if there are none. A buffer is
/// never moved to a space in which it was.
pub fn choose<'c>(
    analysis: &Analysis<'c>,
    error: &DecideError,
    settings: &Settings,
    given: &Given,
    (moved, paths): (&mut Moved<'c>, &mut Paths),
    semantics: &mut Semantics,
) -> bool {
    let (memory_space, room, peak) = match error {
        DecideError::OverCapacity {
            memory_space,
            capacity,
            inside,
            beside,
            peak,
            ..
        } => {
            let taken = inside.saturating_add(*beside);
            (memory_space, capacity.saturating_sub(taken), peak)
        }
        // One buffer less may be enough.
        DecideError::Banks {
            memory_space, peak, ..
        } => (memory_space, u64::MAX, peak),
        _ => return false,
    };
    let from = short_space(memory_space);
    let Some((_, to)) = settings.spill.iter().find(|(space, _)| space == from) else {
        return false;
    };
    let price = Price::of(settings, from, to);
    let was_there = |place: &usize| paths.get(place).is_some_and(|path| path.contains(to));
    let mut candidates: Vec<(u64, usize, u64)> = peak
        .iter()
        .filter(|(place, _)| !was_there(place) && !given.slices.contains_key(place))
        .filter_map(|(place, size)| {
            let cost = cost(analysis, *place, *size, price, semantics)?;
            Some((cost, *place, *size))
        })
        .collect();
    candidates.sort_unstable();
    let load: u64 = peak.iter().map(|(_, size)| size).sum();
    // A plan may exceed the capacity although the load does not.
    let excess = load.saturating_sub(room).max(1);
    let mut freed: u64 = 0;
    let enough = candidates.iter().position(|(_, _, size)| {
        freed = freed.saturating_add(*size);
        freed >= excess
    });
    candidates.truncate(enough.map_or(candidates.len(), |last| last + 1));
    // With a large one, smaller ones before it may not be needed any more.
    for index in (0..candidates.len()).rev() {
        let (_, _, size) = candidates[index];
        if freed - size >= excess {
            freed -= size;
            candidates.remove(index);
        }
    }
    let mut any = false;
    for (_, place, _) in candidates {
        let op = analysis.handles.buffers[analysis.plannable[place].buffer.index()];
        let Some(r#type) = moved_type(op, to) else {
            return false;
        };
        moved.insert(place, r#type);
        paths.entry(place).or_default().push(from.to_string());
        any = true;
    }
    any
}

/// What a byte costs more in one memory space than in another.
#[derive(Clone, Copy)]
enum Price {
    /// Each operation that uses it costs the same.
    Use,
    /// In thousandths of the unit of the machine.
    Access { read: u64, write: u64 },
}

impl Price {
    fn of(settings: &Settings, from: &str, to: &str) -> Self {
        let find = |space| settings.machine.as_ref()?.machine.of_memory_space(space);
        match (find(from), find(to)) {
            (Some(from), Some(to)) => Self::Access {
                read: to.read.0.saturating_sub(from.read.0),
                write: to.write.0.saturating_sub(from.write.0),
            },
            _ => Self::Use,
        }
    }

    fn of_uses(self, uses: Uses) -> u64 {
        match self {
            Self::Use => uses.all,
            Self::Access { read, write } => {
                let reads = uses.reads.saturating_mul(read);
                reads.saturating_add(uses.writes.saturating_mul(write))
            }
        }
    }
}

/// The product of the bytes of a buffer and what its uses cost; `None` if it cannot move.
fn cost(
    analysis: &Analysis<'_>,
    place: usize,
    size: u64,
    price: Price,
    semantics: &mut Semantics,
) -> Option<u64> {
    let buffer = analysis.plannable.get(place)?.buffer;
    let op = analysis.handles.buffers[buffer.index()];
    // Its banks are those of its own memory space.
    if has_banks(op) {
        return None;
    }
    let uses = weighted_uses(op, semantics).ok()?;
    Some(size.saturating_mul(price.of_uses(uses)))
}

/// The most plans that are made to move buffers back.
const MOST_ATTEMPTS: usize = 32;

/// Moves buffers back, the most expensive first, where `fits` says that there is a plan without the move: other buffers
/// that moved later may have made room.
pub fn move_back<'c>(
    analysis: &Analysis<'c>,
    settings: &Settings,
    (moved, paths): (&mut Moved<'c>, &Paths),
    semantics: &mut Semantics,
    mut fits: impl FnMut(&Moved<'c>) -> bool,
) {
    let mut places: Vec<(u64, usize)> = paths
        .iter()
        .filter_map(|(place, path)| {
            let buffer = analysis.plannable.get(*place)?.buffer;
            let size = analysis.program.buffers[buffer.index()].size;
            let now = memory_space(*moved.get(place)?);
            let price = Price::of(settings, path.first()?, short_space(&now));
            Some((cost(analysis, *place, size, price, semantics)?, *place))
        })
        .collect();
    places.sort_unstable_by_key(|(cost, place)| (std::cmp::Reverse(*cost), *place));
    let mut attempts = 0;
    for (_, place) in places {
        let op = analysis.handles.buffers[analysis.plannable[place].buffer.index()];
        for (number, space) in paths[&place].iter().enumerate() {
            attempts += 1;
            if attempts > MOST_ATTEMPTS {
                return;
            }
            let mut fewer = moved.clone();
            match moved_type(op, space) {
                Some(r#type) if number > 0 => fewer.insert(place, r#type),
                _ => fewer.remove(&place),
            };
            if fits(&fewer) {
                *moved = fewer;
                break;
            }
        }
    }
}

/// Emits a remark for each moved buffer.
pub fn tell<'c>(analysis: &Analysis<'c>, moved: &Moved<'c>) {
    let mut places: Vec<usize> = moved.keys().copied().collect();
    places.sort_unstable();
    for place in places {
        let buffer = analysis.plannable[place].buffer;
        let op = analysis.handles.buffers[buffer.index()];
        let space = |r#type| match memory_space(r#type) {
            space if space.is_empty() => "the default memory space".to_string(),
            space => format!("memory space {}", short_space(&space)),
        };
        let old = results(op).next().map(type_of);
        let (from, to) = (old.map(space).unwrap_or_default(), space(moved[&place]));
        let text = format!("moved from {from} to {to}");
        Diagnostic::new(codes::SPILLED, op.location(), text).emit();
    }
}
