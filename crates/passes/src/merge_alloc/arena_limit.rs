//! Arenas of at most so many bytes each: what does not fit below the limit goes to the next arena.

use super::{decide_error::DecideError, plan::Arena};

/// An arena with the copies that it makes redundant.
type Solved = (Arena, Vec<u32>);

/// Plans the contents of an arena in as many arenas as it takes; fails if one slice is larger than the limit. `solve` plans
/// one arena.
pub fn within(
    limit: u64,
    arena: Solved,
    solve: impl Fn(&Arena) -> Result<Solved, DecideError>,
) -> Result<Vec<Solved>, DecideError> {
    let mut arenas = Vec::new();
    let mut next = arena;
    loop {
        // Each cut leaves less, and at least what is at the start.
        let mut rest = Arena::empty(next.0.scope, next.0.memory_space.clone());
        while next.0.size > limit {
            let over = cut(&mut next.0, limit)?;
            rest.slices.extend(over);
            next = solve(&next.0)?;
        }
        arenas.push(next);
        if rest.slices.is_empty() {
            return Ok(arenas);
        }
        next = solve(&rest)?;
    }
}

/// Removes the slices that end above the limit, with those that share their bytes in place.
fn cut(arena: &mut Arena, limit: u64) -> Result<Vec<super::plan::Slice>, DecideError> {
    if let Some(slice) = arena.slices.iter().find(|slice| slice.size > limit) {
        return Err(DecideError::OverLimit {
            slice: Some(slice.plannable),
            size: slice.size,
            limit,
        });
    }
    let ends = arena.slices.iter();
    let over: Vec<bool> = ends
        .map(|slice| {
            let host = &arena.slices[slice.host];
            host.offset + host.size > limit || slice.offset + slice.size > limit
        })
        .collect();
    let (mut kept, mut gone) = (Vec::new(), Vec::new());
    for (slice, over) in arena.slices.drain(..).zip(over) {
        if over {
            gone.push(slice)
        } else {
            kept.push(slice)
        }
    }
    for (place, slice) in kept.iter_mut().enumerate() {
        slice.host = place;
    }
    for (place, slice) in gone.iter_mut().enumerate() {
        slice.host = place;
    }
    arena.slices = kept;
    Ok(gone)
}
