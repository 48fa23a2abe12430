//! Buffers that live in other memory while nothing needs that: in a result before it is written, in a donated argument after its
//! last read.

use crate::{
    elide_copies::{accepts_same_type, can_be_anywhere, forget},
    load::Load,
    shapes::{Product, Shapes},
};
use memplan_lifetimes::{
    Analysis,
    live::{Ranges, contains},
    program::{BufferId, ScopeId},
};
use memplan_mlir::{
    build::BuildError,
    codes::Code,
    diagnostics::{Diagnostic, Outcome, collects_remarks, optimization_remark},
    ir::{Op, Type, Val, element_of, erase, replace_all_uses, results, symbol_name, type_of},
    layout::{element_count, has_identity_layout, memory_space},
    melior::ir::operation::OperationLike,
    strides::{leading_view, reshaped_view},
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashSet;
use std::{cmp::Reverse, fmt::Display};

/// Memory in which buffers of the same element type may live.
pub struct Host<'c> {
    /// Its memref type.
    pub form: Type<'c>,
    /// What its address is a multiple of, in bytes; 1 if only its type says that.
    pub alignment: u64,
    /// Where it is needed for something else.
    pub needed: Ranges,
    /// Its dynamic dimensions.
    pub dimensions: Vec<Product>,
}

/// A buffer that may live in some of the hosts.
struct Candidate<'a> {
    buffer: BufferId,
    size: u64,
    live: &'a Ranges,
    /// The hosts with room for it, the smallest first.
    hosts: Vec<usize>,
}

/// Largest number of buffers that are compared with each other.
const MOST_GUESTS: usize = 256;

/// For each host, the buffers that live in it, other than those in `taken`. Those that are live where most bytes are live come
/// first, then the largest.
pub fn guests<'c>(
    analysis: &Analysis<'c>,
    hosts: &[Host<'c>],
    taken: &FxHashSet<BufferId>,
    (shapes, semantics): (&mut Shapes, &mut Semantics),
) -> Vec<Vec<BufferId>> {
    let mut all = candidates(analysis, hosts, taken, (shapes, semantics));
    let mut rooms = Rooms {
        analysis,
        lodged: hosts.iter().map(|_| Vec::new()).collect(),
    };
    let mut load = Load::of(analysis, taken);
    while !all.is_empty() {
        let peak = load.peak().at;
        let mut at_peak = all.iter().enumerate();
        let found = at_peak.find_map(|(place, one)| {
            let host = contains(one.live, peak).then(|| rooms.find(one))??;
            Some((place, host))
        });
        let Some((place, host)) = found else {
            break;
        };
        let one = all.remove(place);
        load.remove(one.buffer, one.live);
        rooms.lodged[host].push(one);
    }
    for one in all {
        if let Some(host) = rooms.find(&one) {
            rooms.lodged[host].push(one);
        }
    }
    let all = rooms.lodged.into_iter();
    all.map(|guests| guests.into_iter().map(|one| one.buffer).collect())
        .collect()
}

/// The buffers that fit into a host, the largest first.
fn candidates<'a, 'c>(
    analysis: &'a Analysis<'c>,
    hosts: &[Host<'c>],
    taken: &FxHashSet<BufferId>,
    (shapes, semantics): (&mut Shapes, &mut Semantics),
) -> Vec<Candidate<'a>> {
    let program = &analysis.program;
    let mut sizes: Vec<(u64, usize)> = hosts
        .iter()
        .enumerate()
        .filter(|(_, host)| has_identity_layout(host.form))
        .filter_map(|(place, host)| Some((element_count(host.form)? as u64, place)))
        .collect();
    sizes.sort_unstable();
    let dynamic: Vec<usize> = (0..hosts.len())
        .filter(|place| !hosts[*place].dimensions.is_empty())
        .collect();
    let mut all = Vec::new();
    if sizes.is_empty() && dynamic.is_empty() {
        return all;
    }
    let can_be_anywhere = can_be_anywhere(analysis);
    for plannable in &analysis.plannable {
        let (buffer, fact) = (plannable.buffer, &program.buffers[plannable.buffer.index()]);
        let value = analysis.handles.values[fact.value.index()];
        let form = type_of(value);
        let count = element_count(form);
        let is_free = can_be_anywhere[buffer.index()]
            && !taken.contains(&buffer)
            && fact.scope == ScopeId::new(0)
            && has_identity_layout(form);
        if !is_free || count == Some(0) {
            continue;
        }
        let own = fact.alignment.max(plannable.alignment);
        let roomy: Vec<usize> = match count {
            Some(count) => {
                let roomy = sizes.iter().filter(|(room, _)| *room >= count as u64);
                roomy.map(|(_, place)| *place).collect()
            }
            // Of dynamic size: in one of the same shape.
            None => {
                let of_type = dynamic.iter().filter(|place| hosts[**place].form == form);
                let of_type: Vec<usize> = of_type.copied().collect();
                let own = match of_type.is_empty() {
                    true => Vec::new(),
                    false => shapes.dimensions(value, semantics),
                };
                let same = of_type.into_iter();
                same.filter(|place| hosts[*place].dimensions == own)
                    .collect()
            }
        };
        let mut fits = |host: &Host<'c>| {
            (host.alignment >= own || accepts_same_type(value, semantics))
                && element_of(form) == element_of(host.form)
                && memory_space(form) == memory_space(host.form)
                && are_apart(&plannable.live, &host.needed)
        };
        let roomy = roomy.into_iter();
        let hosts: Vec<usize> = roomy.filter(|place| fits(&hosts[*place])).collect();
        if !hosts.is_empty() {
            all.push(Candidate {
                buffer,
                size: fact.size,
                live: &plannable.live,
                hosts,
            });
        }
    }
    all.sort_by_key(|one| (Reverse(one.size), one.buffer));
    all.truncate(MOST_GUESTS);
    all
}

/// The hosts with their guests.
struct Rooms<'a, 'c> {
    analysis: &'a Analysis<'c>,
    lodged: Vec<Vec<Candidate<'a>>>,
}

impl Rooms<'_, '_> {
    /// The smallest host whose guests leave room for a buffer.
    fn find(&self, one: &Candidate<'_>) -> Option<usize> {
        let mut hosts = one.hosts.iter().copied();
        hosts.find(|host| {
            let mut guests = self.lodged[*host].iter();
            guests.all(|other| {
                are_apart(one.live, other.live)
                    || self.hands_over(one, other)
                    || self.hands_over(other, one)
            })
        })
    }

    /// Whether one buffer reuses the bytes of another where their live ranges meet, and they have no other position in common.
    fn hands_over(&self, from: &Candidate<'_>, to: &Candidate<'_>) -> bool {
        let takeovers = &self.analysis.takeovers;
        let mut between = takeovers
            .iter()
            .filter(|one| one.copy.is_none() && (one.from, one.to) == (from.buffer, to.buffer));
        let Some(position) = between.next().map(|one| one.position) else {
            return false;
        };
        let mut both = from.live.iter().flat_map(|(first, end)| {
            let shared = to.live.iter();
            shared.map(move |(start, last)| (*first.max(start), *end.min(last)))
        });
        both.all(|(first, end)| first >= end || (first, end) == (position, position + 1))
    }
}

/// Whether two live ranges have no position in common.
fn are_apart(one: &Ranges, other: &Ranges) -> bool {
    one.iter().all(|(first, end)| {
        let mut others = other.iter();
        others.all(|(start, last)| end <= start || last <= first)
    })
}

/// Says of a buffer of a function where it lives, in remarks: as diagnostics if requested, and to MLIR's remark engine.
pub fn tell(
    pass: &str,
    code: &'static Code,
    function: Op<'_>,
    alloc: Op<'_>,
    host: impl Display,
    as_diagnostics: bool,
) {
    let text = || format!("not allocated: it lives in the memory of {host}");
    let place = alloc.location();
    if collects_remarks(function, pass) {
        let name = symbol_name(function);
        optimization_remark(code, Outcome::Passed, place, pass, "reused", &name, text);
    }
    if as_diagnostics {
        Diagnostic::new(code, place, text()).emit();
    }
}

/// Lets a buffer live in the first bytes of a host.
pub fn write<'c>(
    alloc: Op<'c>,
    host: Val<'c>,
    semantics: &mut Semantics,
) -> Result<(), BuildError> {
    let value = results(alloc).next().ok_or_else(BuildError::unexpected)?;
    let (form, has) = (type_of(value), type_of(host));
    forget(value, semantics);
    let view = match () {
        () if form == has => host,
        () if element_count(form) == element_count(has) => reshaped_view(alloc, host, form),
        () => leading_view(alloc, host, form).ok_or_else(BuildError::unexpected)?,
    };
    replace_all_uses(value, view);
    erase(alloc);
    Ok(())
}
