//! Which allocations each value may refer to, and which allocations escape.
//!
//! A value that views another stands for the same memory: both have the same *base*, the nearest
//! allocation, argument, merge or unknown memory behind them. The roots of a base are the
//! allocations and arguments that it may be, found by propagating along the edges from sources to
//! merges until nothing changes. Sets are small in practice; a value of more than [`WIDE`] roots, or
//! one that comes when there are [`MOST_ROOTS`] already, pins all that reaches it.

use crate::{
    program::{BufferId, Program, ValueId, ValueKind},
    reason::Reason,
};
use memplan_flow::{Components, Graph};
use smallvec::SmallVec;

/// A value with more roots than this is not followed; its roots are left alone.
pub const WIDE: usize = 1024;

/// The most roots that all values of a function have together, before further values count as
/// having too many: what bounds time and memory where many values may be any of many allocations.
pub const MOST_ROOTS: usize = 1 << 22;

/// Something that a value may refer to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// An allocation of the function.
    Buffer(BufferId),
    /// A memref argument of the function.
    Argument(u32),
}

/// What values may refer to.
#[derive(Clone, Debug)]
pub struct Aliases {
    base: Vec<ValueId>,
    roots: Vec<SmallVec<[Root; 2]>>,
    external: Vec<bool>,
    wide: Vec<bool>,
}

impl Aliases {
    /// Resolves a program's values. Values that go around a cycle of merges have the same roots, so each component of
    /// the graph is looked at once, after those that it takes values from.
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
            // Not cloned one by one, as `vec!` does.
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
            // Those of this component have none yet.
            for source in sources.successors(*member) {
                external |= self.external[source.index()];
                wide |= self.wide[source.index()];
                if !wide {
                    roots.extend_from_slice(&self.roots[source.index()]);
                }
            }
            // So that members that all take the same need no more room than one.
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

    /// The allocation, argument, merge or unknown memory behind a value.
    pub fn base(&self, value: ValueId) -> ValueId {
        self.base[value.index()]
    }

    /// What a value may refer to, sorted.
    pub fn roots(&self, value: ValueId) -> &[Root] {
        &self.roots[self.base(value).index()]
    }

    /// The allocations that a value may refer to.
    pub fn buffers(&self, value: ValueId) -> impl Iterator<Item = BufferId> + '_ {
        self.roots(value).iter().filter_map(|root| match root {
            Root::Buffer(buffer) => Some(*buffer),
            Root::Argument(_) => None,
        })
    }

    /// May a value refer to memory that is none of the function's allocations?
    pub fn is_external(&self, value: ValueId) -> bool {
        let base = self.base(value).index();
        self.external[base]
            || self.wide[base]
            || self.roots[base]
                .iter()
                .any(|root| matches!(root, Root::Argument(_)))
    }

    /// Calls back for each allocation and argument that may reach `value`, with no limit on how
    /// many. `seen` is shared between calls: what one call has visited, the next passes over.
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

    /// Why each allocation and each argument must be left alone, if it must: (allocations,
    /// arguments). Only reasons that `counts` holds for; the first in the order of the text wins.
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

/// The base of each value. A view whose chain of sources is a circle, as unreachable code may
/// hold, is a base of its own.
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

/// Sorts roots, each once. Are they too many?
fn sort(roots: &mut SmallVec<[Root; 2]>) -> bool {
    roots.sort_unstable();
    roots.dedup();
    let is_wide = roots.len() > WIDE;
    roots.truncate(WIDE + 1);
    is_wide
}
