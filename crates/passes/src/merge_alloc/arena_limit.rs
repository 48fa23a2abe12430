//! Arenas of at most so many bytes each: what does not fit below the limit goes to the next arena.

use super::{
    decide_error::DecideError,
    plan::{Arena, Slice},
};

/// An arena with the copies that it makes redundant.
type Solved = (Arena, Vec<u32>);

/// Plans the contents of an arena in as many arenas as it takes; fails if one slice is larger than the limit, or has to end
/// above it. `solve` plans one arena.
pub fn within(
    limit: u64,
    arena: Solved,
    solve: impl Fn(&Arena) -> Result<Solved, DecideError>,
) -> Result<Vec<Solved>, DecideError> {
    let mut arenas = Vec::new();
    let mut next = arena;
    loop {
        // Each cut leaves less, and at least one slice.
        let mut rest = Arena::empty(next.0.scope, next.0.memory_space.clone());
        while next.0.size > limit {
            let mut over = cut(&mut next.0, limit)?;
            if next.0.slices.is_empty() {
                next.0
                    .slices
                    .push(first_alone(&mut over, &rest, limit, &solve)?);
            }
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

/// Takes the first of these slices for an arena, after it is certain that each fits into one alone: it may have a given
/// offset, or the addresses at the start are excluded.
fn first_alone(
    slices: &mut Vec<Slice>,
    like: &Arena,
    limit: u64,
    solve: impl Fn(&Arena) -> Result<Solved, DecideError>,
) -> Result<Slice, DecideError> {
    for slice in &*slices {
        let mut alone = Arena::empty(like.scope, like.memory_space.clone());
        alone.slices.push(Slice { host: 0, ..*slice });
        let end = solve(&alone)?.0.size;
        if end > limit {
            let slice = slice.plannable;
            return Err(DecideError::EndsAboveLimit { slice, end, limit });
        }
    }
    Ok(Slice {
        host: 0,
        ..slices.remove(0)
    })
}

/// Removes the slices that end above the limit, with those that share their bytes in place.
fn cut(arena: &mut Arena, limit: u64) -> Result<Vec<Slice>, DecideError> {
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
