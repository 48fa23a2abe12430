//! The buffers of a kernel, and what its threads do to them.

use memplan_interface::SkipReason;
use memplan_mlir::{
    attributes::{PlainValue, elements, entry, plain_value},
    build::{self, MANUAL_DEALLOCATION},
    ir::{Op, Type, Val, blocks, has_mark, ops, regions, results, type_of, users},
    layout::{DataLayout, NoSize, element_type, has_identity_layout, memory_space},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Allocator, ResultFact, Semantics,
    attributes::{ARENA, BUFFER, KEEP, LLVM_ALIGN},
    workgroup::{
        Callees, Kernel, KernelKind,
        code::{self, Code, What},
        is_workgroup_memory,
    },
};
use memplan_workgroup as plain;

/// A buffer that may be merged.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'c> {
    /// The attribution, or the result of the allocation.
    pub value: Val<'c>,
    /// The allocation; `None` for an attribution.
    pub alloc: Option<Op<'c>>,
    pub size: u64,
    pub alignment: u64,
}

/// A buffer that is left alone.
#[derive(Clone, Copy, Debug)]
pub struct Left<'c> {
    /// Where it is allocated, or the kernel.
    pub op: Op<'c>,
    pub r#type: Type<'c>,
    pub reason: SkipReason,
}

/// The buffers of a kernel in one memory space.
pub struct Group<'c> {
    /// The kernel in the IR.
    pub op: Op<'c>,
    pub memory_space: String,
    /// They are attributions that cannot state an alignment: each shares all of another one with the same elements, or none.
    pub shares_whole: bool,
    pub buffers: Vec<Candidate<'c>>,
    /// The deallocations of these buffers.
    pub frees: Vec<Op<'c>>,
    /// The kernel as plain data; ids of buffers are positions above.
    pub kernel: plain::Kernel,
    /// For each block, the operation of each action, and the one that ends the block.
    pub places: Vec<(Vec<Op<'c>>, Option<Op<'c>>)>,
}

/// The buffers of a kernel.
pub struct Candidates<'c> {
    pub groups: Vec<Group<'c>>,
    pub left: Vec<Left<'c>>,
    divergent_barriers: Vec<Op<'c>>,
}

impl<'c> Candidates<'c> {
    /// Finds the buffers of a kernel, and reads what its threads do to them.
    pub fn of(
        kernel: &Kernel<'c>,
        with_launch_attributions: bool,
        callees: &Callees,
        semantics: &mut Semantics,
    ) -> Self {
        let mut finder = Finder {
            kernel,
            layout: DataLayout::at(kernel.op),
            found: Vec::new(),
            left: Vec::new(),
        };
        finder.attributions();
        for block in blocks(kernel.body) {
            ops(block).for_each(|op| finder.op(op, semantics));
        }
        let Finder { found, left, .. } = finder;
        let mut candidates = Self {
            groups: Vec::new(),
            left,
            divergent_barriers: Vec::new(),
        };
        let is_launch = kernel.kind == KernelKind::Launch && !with_launch_attributions;
        // Of attributions of a launch, those with the same elements.
        let key = |one: &Candidate<'c>| {
            let form = type_of(one.value);
            let elements = (is_launch && one.alloc.is_none()).then(|| element_type(form));
            (memory_space(form), elements.flatten())
        };
        let mut keys = Vec::new();
        for one in &found {
            if !keys.contains(&key(one)) {
                keys.push(key(one));
            }
        }
        for known in keys {
            let own = found.iter().filter(|one| key(one) == known);
            let own: Vec<Candidate<'c>> = own.copied().collect();
            candidates.group(kernel, known, &own, callees, semantics);
        }
        candidates
    }

    /// Barriers that not all threads may reach.
    pub fn divergent_barriers(&self) -> &[Op<'c>] {
        &self.divergent_barriers
    }

    fn group(
        &mut self,
        kernel: &Kernel<'c>,
        (memory_space, elements): (String, Option<Type<'c>>),
        own: &[Candidate<'c>],
        callees: &Callees,
        semantics: &mut Semantics,
    ) {
        let values: Vec<Val<'c>> = own.iter().map(|one| one.value).collect();
        let code = code::read(kernel, &values, callees, semantics);
        let mut reasons: Vec<Option<SkipReason>> = vec![None; own.len()];
        if !code.has_exits {
            reasons.fill(Some(SkipReason::UnknownPaths));
        }
        for obstacle in &code.obstacles {
            reasons[obstacle.buffer].get_or_insert(obstacle.reason);
        }
        let shares_whole = elements.is_some();
        for (reason, (one, promised)) in reasons.iter_mut().zip(own.iter().zip(&code.alignments)) {
            // Another attribution may not be aligned as the program promises of this one.
            if shares_whole && *promised > one.alignment {
                reason.get_or_insert(SkipReason::LaunchAttribution);
            }
            if shares_whole && !has_identity_layout(type_of(one.value)) {
                reason.get_or_insert(SkipReason::Layout);
            }
        }
        // A deallocation goes only if all that it may free is planned.
        loop {
            let is_left = |buffer: &usize| reasons[*buffer].is_some();
            let mut frees = code.frees.iter();
            let mixed = frees.find(|(_, of)| of.iter().any(is_left) && !of.iter().all(is_left));
            let Some((_, of)) = mixed else { break };
            for buffer in of {
                reasons[*buffer].get_or_insert(SkipReason::FreedWithOther);
            }
        }
        let mut buffers = Vec::new();
        let mut numbers = vec![None; own.len()];
        for (at, (one, reason)) in own.iter().zip(&reasons).enumerate() {
            match reason {
                None if code.alignments[at] > MOST_ALIGNMENT => self.left.push(Left {
                    op: one.alloc.unwrap_or(kernel.op),
                    r#type: type_of(one.value),
                    reason: SkipReason::Alignment,
                }),
                Some(reason) => self.left.push(Left {
                    op: one.alloc.unwrap_or(kernel.op),
                    r#type: type_of(one.value),
                    reason: *reason,
                }),
                None => {
                    numbers[at] = Some(plain::BufferId::new(buffers.len()));
                    buffers.push(Candidate {
                        alignment: one.alignment.max(code.alignments[at]),
                        ..*one
                    });
                }
            }
        }
        let known = |op: &Op<'c>| self.divergent_barriers.contains(op);
        let new = code.divergent_barriers.iter().filter(|op| !known(op));
        let new: Vec<Op<'c>> = new.copied().collect();
        self.divergent_barriers.extend(new);
        if buffers.is_empty() {
            return;
        }
        let is_planned = |of: &[usize]| of.iter().all(|buffer| numbers[*buffer].is_some());
        let frees = code.frees.iter().filter(|(_, of)| is_planned(of));
        let own_kernel = kernel.op;
        let (kernel, places) = plain_kernel(&code, &buffers, &numbers);
        self.groups.push(Group {
            op: own_kernel,
            memory_space,
            shares_whole,
            frees: frees.map(|(op, _)| *op).collect(),
            buffers,
            kernel,
            places,
        });
    }
}

/// The kernel without other buffers.
#[expect(clippy::type_complexity, reason = "the places of a group")]
fn plain_kernel<'c>(
    code: &Code<'c>,
    buffers: &[Candidate<'c>],
    numbers: &[Option<plain::BufferId>],
) -> (plain::Kernel, Vec<(Vec<Op<'c>>, Option<Op<'c>>)>) {
    let mut kernel = plain::Kernel::new();
    kernel.buffers = buffers
        .iter()
        .map(|one| plain::Buffer {
            size: one.size,
            alignment: one.alignment,
        })
        .collect();
    let mut places = Vec::new();
    for part in code.parts.values() {
        let block = kernel.add_block(match part.diverges {
            true => plain::Branch::Divergent,
            false => plain::Branch::Uniform,
        });
        let mut own = Vec::new();
        for event in &part.events {
            if let Some(action) = action(&event.what, numbers) {
                kernel.push(block, action);
                own.push(event.op);
            }
        }
        for to in &part.successors {
            kernel.add_edge(
                block,
                plain::BlockId::new(memplan_flow::EntityRef::index(*to)),
            );
        }
        places.push((own, part.end));
    }
    (kernel, places)
}

fn action(what: &What, numbers: &[Option<plain::BufferId>]) -> Option<plain::Action> {
    let part = plain::Extent::Part;
    Some(match what {
        What::Read(buffer) => plain::Action::Read(numbers[*buffer]?),
        What::Write(buffer) => plain::Action::Write(numbers[*buffer]?, part),
        What::Discard(buffer) => plain::Action::Discard(numbers[*buffer]?),
        What::Barrier => plain::Action::Barrier,
        What::Copy { reads, writes } => {
            let of = |all: &[usize]| -> Vec<plain::BufferId> {
                all.iter().filter_map(|buffer| numbers[*buffer]).collect()
            };
            plain::Action::Copy(plain::AsyncCopy {
                group: plain::GroupId::new(0),
                reads: of(reads),
                writes: of(writes)
                    .into_iter()
                    .map(|buffer| (buffer, part))
                    .collect(),
            })
        }
        What::Commit => plain::Action::Commit,
        What::Wait(newest) => plain::Action::Wait(plain::Wait::AllButNewest(*newest)),
    })
}

struct Finder<'a, 'c> {
    kernel: &'a Kernel<'c>,
    layout: DataLayout,
    found: Vec<Candidate<'c>>,
    left: Vec<Left<'c>>,
}

impl<'c> Finder<'_, 'c> {
    fn attributions(&mut self) {
        let stated = stated_alignments(self.kernel.op);
        for (number, value) in self.kernel.attributions.iter().enumerate() {
            let value = *value;
            // One that this pass has made.
            if users(value).any(|user| has_mark(user, BUFFER)) {
                continue;
            }
            let alignment = stated.get(number).copied().flatten().unwrap_or(1);
            self.candidate(value, None, alignment, None);
        }
    }

    fn op(&mut self, op: Op<'c>, semantics: &mut Semantics) {
        if semantics.info(op).is_function() {
            return;
        }
        let memory = semantics.of(op);
        for used in &memory.results {
            let ResultFact::New { by, automatic, .. } = used.fact else {
                continue;
            };
            let Some(value) = results(op).nth(used.result as usize) else {
                continue;
            };
            let is_own = is_workgroup_memory(type_of(value)) && !has_mark(op, ARENA);
            if !is_own {
                continue;
            }
            let reason = match () {
                () if has_mark(op, KEEP) => Some(SkipReason::Kept),
                () if has_mark(op, MANUAL_DEALLOCATION) => Some(SkipReason::Manual),
                () if by != Allocator::Memref && !automatic => Some(SkipReason::OtherAllocator),
                () => None,
            };
            let alignment = build::integer(op, "alignment").unwrap_or(1).max(1);
            self.candidate(value, Some(op), alignment.unsigned_abs(), reason);
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.op(nested, semantics);
        }
    }

    fn candidate(
        &mut self,
        value: Val<'c>,
        alloc: Option<Op<'c>>,
        alignment: u64,
        reason: Option<SkipReason>,
    ) {
        let extent = self.layout.extent(type_of(value));
        let reason = match extent {
            Err(NoSize::Dynamic) => Some(SkipReason::DynamicSize),
            Err(NoSize::Layout) => Some(SkipReason::Layout),
            Err(NoSize::Element) => Some(SkipReason::ElementType),
            Err(NoSize::TooLarge) => Some(SkipReason::TooLarge),
            Ok(_) if alignment > MOST_ALIGNMENT => Some(SkipReason::Alignment),
            Ok(_) if self.kernel.kind == (KernelKind::Function { is_entry: false }) => {
                Some(SkipReason::NoKernel)
            }
            Ok(_) => reason,
        };
        match (extent, reason) {
            (Ok(extent), None) => self.found.push(Candidate {
                value,
                alloc,
                size: extent.size,
                alignment: alignment.next_power_of_two().max(extent.alignment),
            }),
            (_, reason) => self.left.push(Left {
                op: alloc.unwrap_or(self.kernel.op),
                r#type: type_of(value),
                reason: reason.unwrap_or(SkipReason::ElementType),
            }),
        }
    }
}

/// Largest alignment.
const MOST_ALIGNMENT: u64 = 1 << 30;

/// The alignments that a kernel states for its attributions.
fn stated_alignments(op: Op<'_>) -> Vec<Option<u64>> {
    let all = op
        .attribute("workgroup_attrib_attrs")
        .ok()
        .and_then(elements);
    let all = all.unwrap_or_default().into_iter();
    let stated = all.map(|one| match plain_value(entry(one, LLVM_ALIGN)?)? {
        PlainValue::Integer(bytes) => u64::try_from(bytes).ok(),
        _ => None,
    });
    stated.collect()
}
