//! Functions that call each other, and what each of them leaves to the others.
//!
//! An arena is there while its function is active, so that arenas of callers and callees add up. Functions are assigned callees
//! first. What callees need then is taken from the limits of their callers, and what callers need at least, whatever the
//! assignment, from those of their callees. One activation of a recursive function counts, as in `memplan-merge-alloc`.

use super::{around::Around, limits::least, read::Reading, settings::Settings};
use crate::merge_alloc::Bytes;
use memplan_lifetimes::{Callees, program::ScopeId};
use memplan_mlir::ir::{Identity, Key};
use memplan_semantics::Readings;
use memplan_summaries::{CallGraph, Target};
use rustc_hash::FxHashMap;

/// The functions of a module, with what each of them needs.
pub struct Module<'c> {
    pub graph: CallGraph<'c>,
    /// For each function, what its callers need at least, in each space.
    reserved: Vec<Vec<u64>>,
    /// For each function that was assigned, what it needs, with its callees.
    pub needs: Vec<Bytes>,
}

impl<'c> Module<'c> {
    /// The functions of a module that has calls of them; `None` if there are no such calls, or no limits.
    pub fn of(
        graph: CallGraph<'c>,
        settings: &Settings,
        readings: &Readings,
        callees: &dyn Callees,
    ) -> Option<Self> {
        let count = graph.functions.len();
        let is_called = graph.callers.iter().any(|callers| !callers.is_empty());
        let is_limited = settings.spaces.iter().any(|space| space.limit.is_some());
        if !is_called || !is_limited {
            return None;
        }
        let mut reserved = vec![vec![0_u64; settings.spaces.len()]; count];
        // Callers first.
        for caller in graph.order.iter().rev().copied() {
            let is_other = |callee: &usize| graph.component[*callee] != graph.component[caller];
            let called = graph.calls[caller].iter();
            let mut called = called.filter_map(|call| call.target.function());
            if !called.any(|callee| is_other(&callee)) {
                continue;
            }
            let function = graph.functions[caller];
            let (own, inner) = readings.with(function, |semantics| {
                let analysis = settings.how.analyse(function, semantics, callees);
                let in_place = settings.how.in_place;
                let alone = Around::default();
                let reading = Reading::of(&analysis, semantics, settings, &alone, in_place);
                let calls = analysis.program.calls.iter().zip(&analysis.handles.calls);
                let scopes = calls.map(|(call, op)| (op.key(), call.scope));
                let scopes: FxHashMap<Key, ScopeId> = scopes.collect();
                let own = least(&reading.problem, &analysis, settings);
                (own, scopes)
            });
            for call in &graph.calls[caller] {
                let Some(callee) = call.target.function().filter(&is_other) else {
                    continue;
                };
                let scope = inner.get(&call.op.key()).copied();
                let scope = scope.unwrap_or_else(|| ScopeId::new(0));
                for space in 0..settings.spaces.len() {
                    let bytes = reserved[caller][space].saturating_add(own[scope.index()][space]);
                    reserved[callee][space] = reserved[callee][space].max(bytes);
                }
            }
        }
        Some(Self {
            reserved,
            needs: vec![Bytes::default(); count],
            graph,
        })
    }

    /// What else is in the spaces while a function runs.
    pub fn around(&self, function: usize) -> Around {
        let calls = self.graph.calls[function].iter();
        let callees = calls.filter_map(|call| match call.target {
            Target::Function(callee) => Some((call.op.key(), self.needs[callee].clone())),
            _ => None,
        });
        Around {
            callers: self.reserved[function].clone(),
            callees: callees.collect(),
        }
    }
}
