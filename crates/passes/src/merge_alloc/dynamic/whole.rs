//! One arena for all buffers of a scope, where slots would leave some of them out.
//!
//! Slots keep the rule for the peak by their sizes alone: those that count were all held at one moment. Buffers that come one after
//! another, with sizes that cannot be compared, are then left alone. A plan of all buffers knows which sizes add up. It
//! is compared with what the program held at each moment: it takes at most 1.1 times as much, at a thousand values.

use super::{
    PlanOptions,
    decide::{Part, Slot, Slots},
    facts::{Bounds, Candidate, DimId, Extents, Names, Size, SlotProblem, TO_THE_END, Term},
    groups::Known,
    multiples,
    polynomial::{Largest, Polynomial},
    samples::samples,
    stack::{self, Limit, MOST_ABOVE, MOST_GROUPS},
};
use memplan_lifetimes::program::{BufferId, Position};
use std::collections::BTreeMap;

/// The arena of a scope and memory space; `None` if there is no such plan.
pub fn plan(
    known: &Known<'_, '_>,
    bounds: &Bounds,
    company: &SlotProblem,
    options: &PlanOptions,
) -> Option<Slots> {
    let first = company.candidates.first()?;
    let all = &company.candidates;
    // An arena further inside has no static part.
    let first_static = company.first_static.filter(|_| first.range.1 == TO_THE_END);
    let at = all.iter().map(|one| one.at).chain(first_static);
    let place = at.min()?;
    let counted: Vec<&Candidate> = all.iter().filter(|one| one.counts(place)).collect();
    let all_samples = samples(counted.iter().map(|one| &one.size), bounds);
    let sample = all_samples.first()?;
    let mut planned: Vec<(&Candidate, Term)> = Vec::new();
    for candidate in all {
        if candidate.site != first.site || candidate.ready > place {
            return None;
        }
        let term = match candidate.counts(place) {
            true => candidate.term(),
            false => {
                // The least that is large enough wherever it exists.
                let terms = counted.iter().map(|one| one.term());
                let large = terms.filter(|term| bounds.covers(term, candidate));
                large.min_by_key(|term| sample.bytes(&term.size))?
            }
        };
        planned.push((candidate, term));
    }
    let is_shared = planned.len() > 1 || planned.iter().any(|(one, _)| one.repeats);
    let is_used = planned
        .iter()
        .any(|(one, _)| one.certain && one.guards.is_empty());
    let is_wanted = first_static.is_some() || (is_shared && is_used);
    if !is_wanted || planned.is_empty() || counted.len() > MOST_GROUPS {
        return None;
    }
    let mut members: Vec<(BufferId, Term)> = planned
        .iter()
        .map(|(one, term)| (one.buffer, term.clone()))
        .collect();
    members.sort_unstable_by_key(|(member, _)| *member);
    let moments = moments(&counted, company.alone);
    let slot = match dimensions(&planned) {
        Some(dims) => multiple(known, &members, &dims, &moments, options),
        None => stack::Question {
            known,
            bounds,
            members,
            limit: Limit::Moments(moments.into_iter().map(|moment| moment.bytes).collect()),
            options,
        }
        .slot(None),
    }?;
    let is_after_static = first_static.is_some();
    Some(Slots {
        scope: company.scope?,
        space: company.space.clone(),
        parts: vec![Part {
            site: first.site,
            range: first.range,
            place,
            end: None,
            is_after_static,
            is_given: is_after_static && company.is_given,
            lower_bound: Largest::default(),
            names: Names::default(),
            extents: Extents::default(),
            slots: vec![slot],
        }],
        left: Vec::new(),
    })
}

/// The dimensions of all sizes, if these are the same and nothing else decides.
fn dimensions(planned: &[(&Candidate, Term)]) -> Option<Vec<DimId>> {
    let (first, _) = planned.first()?;
    let dims = &first.size.dims;
    let are_alike = planned.iter().all(|(one, term)| {
        one.size == term.size
            && one.size.dims == *dims
            && one.size.bytes > 0
            && term.guards.is_empty()
    });
    (are_alike && !dims.is_empty()).then(|| dims.to_vec())
}

/// One slot with buffers whose sizes are multiples of the same dimensions.
fn multiple(
    known: &Known<'_, '_>,
    members: &[(BufferId, Term)],
    dims: &[DimId],
    moments: &[Moment],
    options: &PlanOptions,
) -> Option<Slot> {
    let one = Size {
        bytes: 1,
        dims: dims.into(),
    };
    let most = moments
        .iter()
        .map(|moment| (moment.bytes.bytes(&one), moment.buffers));
    let (bytes, buffers) = most.max()?;
    let bytes = u64::try_from(bytes * (MOST_ABOVE + 1) / MOST_ABOVE).ok()?;
    let limit = multiples::Limit {
        bytes: bytes.checked_add(1)?,
        paddings: buffers,
        is_alone: true,
    };
    let members = members.iter().map(|(member, _)| *member).collect();
    multiples::Question { known, options }.slot_below(members, dims, &limit)
}

/// What the program certainly holds at one moment.
struct Moment {
    bytes: Polynomial,
    buffers: u64,
}

/// The moments at which most is held beside all that is allocated alone.
fn moments(counted: &[&Candidate], alone: (Position, Position)) -> Vec<Moment> {
    // An end comes before a start at the same position.
    let mut events: BTreeMap<(Position, bool), Vec<&Candidate>> = BTreeMap::new();
    for candidate in counted {
        let (start, end) = candidate.held;
        let (start, end) = (start.max(alone.0), end.min(alone.1));
        if start < end {
            events.entry((start, true)).or_default().push(candidate);
            events.entry((end, false)).or_default().push(candidate);
        }
    }
    let mut moments = Vec::new();
    let mut held = Moment {
        bytes: Polynomial::default(),
        buffers: 0,
    };
    let mut has_grown = false;
    for ((_, starts), candidates) in events {
        if !starts && has_grown {
            moments.push(Moment {
                bytes: held.bytes.clone(),
                ..held
            });
        }
        has_grown = starts;
        for candidate in candidates {
            if starts {
                held.bytes.add(&candidate.term());
                held.buffers += 1;
            } else {
                held.bytes.remove(&candidate.term());
                held.buffers -= 1;
            }
        }
    }
    moments
}
