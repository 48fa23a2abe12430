//! What a scope has beside the buffers of its arena: see [`apart`](super::super::apart).

use super::{
    super::{
        apart::{Around, Separate},
        facts::{SiteId, Size},
        sources::Factors,
    },
    DEEPEST, Learnt, SlotReader,
};
use crate::merge_alloc::split::{bodies, calls, others};
use memplan_lifetimes::{
    Analysis,
    program::{Position, ScopeId},
};
use memplan_mlir::ir::{Identity, operands};
use rustc_hash::FxHashMap;

/// Reads the entry block of a scope, which is a site, and the allocations of a memory space. `None` if an operation of the site
/// has no position.
pub fn around<'c>(
    analysis: &Analysis<'c>,
    learnt: &mut Learnt<'c>,
    (scope, space): (ScopeId, &str),
    site: SiteId,
) -> Option<Around> {
    let spans = spans(analysis, learnt, scope, site)?;
    let program = &analysis.program;
    let (first, end) = (spans.first()?.0, spans.last()?.1);
    let mut reader = SlotReader {
        analysis,
        learnt,
        merges: FxHashMap::default(),
    };
    let separate = others(analysis, scope, Some(space)).into_iter().map(|one| {
        let fact = &program.buffers[one.buffer.index()];
        let size = one.bytes.map(Size::fixed).unwrap_or_else(|| {
            let mut factors = Factors::of(fact.dynamic.unwrap_or(0));
            for operand in operands(analysis.handles.buffers[one.buffer.index()]) {
                reader.multiply(operand, site, &mut factors, DEEPEST);
            }
            factors.dims.sort_unstable();
            Size {
                bytes: factors.constant,
                dims: factors.dims,
            }
        });
        let is_certain = (first..end).contains(&one.first)
            && spans
                .binary_search_by_key(&one.first, |span| span.0)
                .is_ok();
        Separate {
            first: one.first,
            certain: is_certain.then_some(one.certain),
            end: one.end,
            size,
            alignment: one.alignment,
        }
    });
    let separate = separate.collect();
    let inner = analysis.plannable.iter();
    let inner = inner.map(|one| program.buffers[one.buffer.index()].scope);
    let mut beside = calls(analysis, scope);
    beside.extend(bodies(analysis, scope, inner));
    Some(Around {
        spans,
        separate,
        beside,
    })
}

/// The positions of each operation of a site, half-open.
fn spans(
    analysis: &Analysis<'_>,
    learnt: &Learnt<'_>,
    scope: ScopeId,
    site: SiteId,
) -> Option<Vec<(Position, Position)>> {
    let program = &analysis.program;
    let body = program.scopes[scope.index()].body;
    let entry = program.nodes[body.index()].blocks.first()?;
    let places = &learnt.sources.sites[site.0 as usize].places;
    let mut starts: Vec<Option<Position>> = vec![None; places.len()];
    for (position, op) in &analysis.handles.ops {
        if let Some(place) = places.get(&op.key()) {
            starts[*place as usize] = Some(*position);
        }
    }
    let starts: Vec<Position> = starts.into_iter().collect::<Option<_>>()?;
    let end = program.blocks[entry.index()].end;
    let ends = starts.iter().skip(1).copied().chain([end]);
    let spans: Vec<_> = starts.iter().copied().zip(ends).collect();
    spans
        .iter()
        .all(|(first, end)| first < end)
        .then_some(spans)
}
