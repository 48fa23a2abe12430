//! Which allocations each value may refer to, and which allocations escape.
//!
//! A view refers to the same memory as its source: both have the same *base*, the nearest
//! allocation, argument, merge or unknown memory that they are derived from. The roots of a base are
//! the allocations and arguments that it may be, propagated from sources to merges to a fixpoint.
//! Sets are small in practice. All allocations that reach a value of more than [`WIDE`] roots are
//! skipped, and so are those of further merges once [`MOST_ROOTS`] are stored.

use crate::{
    Reason,
    program::{BufferId, Program, ValueId, ValueKind},
};
use memplan_flow::{Components, Graph};
use smallvec::SmallVec;

/// Largest number of roots of a value. The roots of a value with more are skipped.
pub const WIDE: usize = 1024;

/// Largest number of roots that all values of a function have together. It bounds time and memory where
/// many values may be any of many allocations.
pub const MOST_ROOTS: usize = 1 << 22;

/// Memory that a value may refer to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// An allocation of the function.
    Buffer(BufferId),
    /// A memref argument of the function.
    Argument(u32),
}

/// The roots of each value.
#[derive(Clone, Debug)]
pub struct Aliases {
    base: Vec<ValueId>,
    roots: Vec<SmallVec<[Root; 2]>>,
    external: Vec<bool>,
    wide: Vec<bool>,
}

impl Aliases {
    /// Resolves the values of a program. The values of a strongly connected component of merges have the same
    /// roots, so each component is visited once, after the components of its sources.
    pub fn of(program: &Program) -> Self {
        let base = bases(program);
        let count = program.values.len();
        let sources = Graph::new(count, |value: ValueId| {
            let fact = &program.values[value.index()];
            let is_merge = fact.kind == ValueKind::Merge && base[value.index()] == value;
            let sources = fact.sources.iter().filter(move |_| is_merge);
            sources.map(|source| base[source.index()])
        });
        let components = Components::of(&sources);
        let mut aliases = Self {
            // `vec!` would clone each.
            roots: std::iter::repeat_with(SmallVec::new).take(count).collect(),
            external: vec![false; count],
            wide: vec![false; count],
            base,
        };
        let mut total = 0;
        for component in components.iter() {
            aliases.component(program, components.members(component), &sources, &mut total);
        }
        aliases
    }

    /// Resolves the values of a component, whose sources are resolved. `total` counts the roots of all merges.
    fn component(
        &mut self,
        program: &Program,
        members: &[ValueId],
        sources: &Graph<ValueId>,
        total: &mut usize,
    ) {
        let (mut roots, mut external, mut wide) = (SmallVec::new(), false, false);
        let mut merges = 0;
        for member in members {
            let fact = &program.values[member.index()];
            if self.base[member.index()] != *member {
                continue;
            }
            external |= fact.external;
            match fact.kind {
                ValueKind::Alloc(buffer) => roots.push(Root::Buffer(buffer)),
                ValueKind::Argument(number) => roots.push(Root::Argument(number)),
                ValueKind::Unknown | ValueKind::View => external = true,
                ValueKind::Merge => {
                    external |= fact.sources.is_empty();
                    merges += 1;
                }
            }
            // Sources in this component have no roots yet.
            for source in sources.successors(*member) {
                external |= self.external[source.index()];
                wide |= self.wide[source.index()];
                if !wide {
                    roots.extend_from_slice(&self.roots[source.index()]);
                }
            }
            // Members with the same sources need no more memory than one.
            if roots.len() > 2 * WIDE {
                wide |= sort(&mut roots);
            }
        }
        wide |= sort(&mut roots);
        *total += merges * roots.len();
        wide |= merges > 0 && *total > MOST_ROOTS;
        for member in members {
            self.external[member.index()] = external;
            self.wide[member.index()] = wide;
            self.roots[member.index()].clone_from(&roots);
        }
    }

    /// The allocation, argument, merge or unknown memory that a value is derived from.
    pub fn base(&self, value: ValueId) -> ValueId {
        self.base[value.index()]
    }

    /// Roots of a value, sorted.
    pub fn roots(&self, value: ValueId) -> &[Root] {
        &self.roots[self.base(value).index()]
    }

    /// Allocations that a value may refer to.
    pub fn buffers(&self, value: ValueId) -> impl Iterator<Item = BufferId> + '_ {
        self.roots(value).iter().filter_map(|root| match root {
            Root::Buffer(buffer) => Some(*buffer),
            Root::Argument(_) => None,
        })
    }

    /// Whether a value may refer to memory that the function does not allocate.
    pub fn is_external(&self, value: ValueId) -> bool {
        let base = self.base(value).index();
        self.external[base]
            || self.wide[base]
            || self.roots[base]
                .iter()
                .any(|root| matches!(root, Root::Argument(_)))
    }

    /// Whether a value may refer to memory that is neither an allocation of the function nor derived from an argument that
    /// is among its roots.
    pub fn is_unknown(&self, value: ValueId) -> bool {
        let base = self.base(value).index();
        self.external[base] || self.wide[base]
    }

    /// Whether a value has so many roots that they are not listed.
    pub fn is_wide(&self, value: ValueId) -> bool {
        self.wide[self.base(value).index()]
    }

    /// Calls `visit` for each allocation and argument that may reach `value`, without a limit. Values marked
    /// in `seen` are not visited again, also not in later calls.
    pub fn visit_origins(
        &self,
        program: &Program,
        value: ValueId,
        seen: &mut [bool],
        mut visit: impl FnMut(Root),
    ) {
        let mut work = vec![self.base(value)];
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            let fact = &program.values[value.index()];
            match fact.kind {
                ValueKind::Alloc(buffer) => visit(Root::Buffer(buffer)),
                ValueKind::Argument(number) => visit(Root::Argument(number)),
                _ => work.extend(fact.sources.iter().map(|source| self.base(*source))),
            }
        }
    }

    /// For each allocation and each argument, the reason why it escapes, if it does: the first in program order
    /// for which `counts` holds.
    pub fn escapes(
        &self,
        program: &Program,
        counts: impl Fn(Reason) -> bool,
    ) -> (Vec<Option<Reason>>, Vec<Option<Reason>>) {
        let mut buffers = vec![None; program.buffers.len()];
        let mut arguments = vec![None; program.arguments as usize];
        let mut seen = vec![false; program.values.len()];
        let wide = (0..program.values.len())
            .filter(|index| self.wide[*index])
            .map(|index| (ValueId::new(index), Reason::TooManyAliases));
        let escapes = program.escapes.iter().copied().chain(wide);
        for (value, reason) in escapes.filter(|(_, reason)| counts(*reason)) {
            self.visit_origins(program, value, &mut seen, |root| match root {
                Root::Buffer(buffer) => {
                    buffers[buffer.index()].get_or_insert(reason);
                }
                Root::Argument(number) => {
                    arguments[number as usize].get_or_insert(reason);
                }
            });
        }
        (buffers, arguments)
    }
}

/// The base of each value. A view whose chain of sources is a cycle, as unreachable code may have, is its own
/// base.
fn bases(program: &Program) -> Vec<ValueId> {
    let mut base: Vec<Option<ValueId>> = vec![None; program.values.len()];
    let mut path: Vec<ValueId> = Vec::new();
    for index in 0..program.values.len() {
        let mut at = ValueId::new(index);
        let found = loop {
            if let Some(found) = base[at.index()] {
                break found;
            }
            let fact = &program.values[at.index()];
            match (fact.kind, fact.sources.first()) {
                (ValueKind::View, Some(source)) if !path.contains(&at) => {
                    path.push(at);
                    at = *source;
                }
                _ => break at,
            }
        };
        base[found.index()] = Some(found);
        for value in path.drain(..) {
            base[value.index()] = Some(found);
        }
    }
    (0..base.len())
        .map(|index| base[index].unwrap_or(ValueId::new(index)))
        .collect()
}

/// Sorts and deduplicates roots, and truncates them to one more than [`WIDE`]. Whether there are more than that.
fn sort(roots: &mut SmallVec<[Root; 2]>) -> bool {
    roots.sort_unstable();
    roots.dedup();
    let is_wide = roots.len() > WIDE;
    roots.truncate(WIDE + 1);
    is_wide
}
