//! Workgroup memory: bytes that buffers of a GPU kernel share between barriers.
//!
//! Threads run in any order, so the sequential machine says nothing about them. Two buffers with common bytes are checked
//! by searching paths of one thread through the kernel ([`paths`]):
//!
//! * no path without a barrier leads from an access to one buffer to an access to the other, where one of them is written;
//! * in divergent control, neither is written while the other is accessed;
//! * no path leads from a write of one buffer over a write of the other one to a read of the first.
//!
//! An asynchronous copy accesses its buffers everywhere until a wait has covered its group.

mod fault;
mod paths;

use crate::codes;
pub use fault::WorkgroupFault;
use memplan_mlir::{
    attributes::{PlainValue, elements, entry, plain_value},
    build,
    ir::{
        Identity, Key, Op, Origin, Val, blocks, has_mark, operand, ops, origin, regions, results,
        type_of, users,
    },
    layout::{DataLayout, has_identity_layout},
    melior::ir::operation::OperationLike,
};
pub use memplan_semantics::workgroup::{Callees, read_callees};
use memplan_semantics::{
    Semantics,
    attributes::{ARENA, BUFFER, LLVM_ALIGN},
    workgroup::{Kernel, KernelKind, code, is_workgroup_memory},
};
use paths::Paths;
use rustc_hash::FxHashSet;

/// Is a value the workgroup memory of a kernel, of which buffers are views?
pub fn is_workgroup_arena(value: Val<'_>, semantics: &mut Semantics) -> bool {
    if !is_workgroup_memory(type_of(value)) {
        return false;
    }
    match origin(value) {
        Some(Origin::Result(op, _)) => Kernel::around(op, semantics).is_some(),
        Some(Origin::Argument(block, _)) => {
            let owner = memplan_mlir::ir::block_parent(block);
            let kernel = owner.and_then(|op| Kernel::of(op, semantics));
            kernel.is_some_and(|kernel| kernel.attributions.contains(&value))
        }
        None => false,
    }
}

/// A buffer: a view of the bytes of its kernel.
#[derive(Clone, Copy)]
struct Slice<'c> {
    view: Op<'c>,
    value: Val<'c>,
    number: i64,
    start: u64,
    end: u64,
}

/// The faults of the kernels of a function.
pub fn faults<'c>(function: Op<'c>, callees: &Callees) -> Vec<WorkgroupFault<'c>> {
    let mut finder = Finder {
        callees,
        semantics: Semantics::default(),
        faults: Vec::new(),
    };
    finder.op(function);
    finder.faults
}

struct Finder<'a, 'c> {
    callees: &'a Callees,
    semantics: Semantics,
    faults: Vec<WorkgroupFault<'c>>,
}

impl<'c> Finder<'_, 'c> {
    fn op(&mut self, op: Op<'c>) {
        if let Some(kernel) = Kernel::of(op, &mut self.semantics) {
            return self.kernel(&kernel);
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            let info = self.semantics.info(nested);
            if regions(nested).next().is_some() && !info.is_function() && !info.is_symbol_table() {
                self.op(nested);
            }
        }
    }

    fn kernel(&mut self, kernel: &Kernel<'c>) {
        let mut views = Vec::new();
        for op in regions(kernel.op).flat_map(blocks).flat_map(ops) {
            self.views(op, &mut views);
        }
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        for (_, arena) in &views {
            if seen.insert(arena.key()) {
                let own = views.iter().filter(|(_, of)| of == arena);
                let own: Vec<Op<'c>> = own.map(|(view, _)| *view).collect();
                self.arena(kernel, *arena, &own);
            }
        }
    }

    /// The views of workgroup memory of this kernel, and of kernels in it.
    fn views(&mut self, op: Op<'c>, views: &mut Vec<(Op<'c>, Val<'c>)>) {
        if let Some((source, _)) = self.start(op)
            && is_workgroup_arena(source, &mut self.semantics)
        {
            views.push((op, source));
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.views(nested, views);
        }
    }

    /// The memory that a buffer is a view of, and its offset there: without one, it starts where the memory does.
    fn start(&mut self, op: Op<'c>) -> Option<(Val<'c>, Option<Val<'c>>)> {
        if !op.has_attribute(BUFFER) {
            return None;
        }
        if let Some(view) = self.semantics.byte_view(op) {
            return Some((view.source, Some(view.shift)));
        }
        let source = operand(op, self.semantics.of(op).view_source()?)?;
        let mut results = results(op);
        let forms = [type_of(results.next()?), type_of(source)];
        let is_start = forms.iter().all(|form| has_identity_layout(*form));
        is_start.then_some((source, None))
    }

    fn malformed(&mut self, op: Op<'c>, reason: impl Into<String>) {
        let (code, text) = (codes::WORKGROUP, reason.into());
        self.faults.push(WorkgroupFault::new(code, op, text));
    }

    fn arena(&mut self, kernel: &Kernel<'c>, arena: Val<'c>, views: &[Op<'c>]) {
        for user in users(arena) {
            let is_view = self.start(user).is_some_and(|(source, _)| source == arena);
            if !is_view && !self.semantics.of(user).only_frees() {
                self.malformed(user, "the workgroup memory of a kernel is used as a whole");
            }
        }
        if kernel.kind == (KernelKind::Function { is_entry: false }) {
            self.malformed(kernel.op, "threads call the function at different times");
        }
        let mut layout = DataLayout::at(kernel.op);
        let extent = layout.extent(type_of(arena));
        let (size, natural) = extent.map_or((0, 1), |extent| (extent.size, extent.alignment));
        let alignment = self.alignment(kernel, arena).max(natural);
        let mut slices = Vec::new();
        for view in views {
            match self.slice(*view, size, alignment, &mut layout) {
                Ok(slice) => slices.push(slice),
                Err(reason) => self.malformed(*view, reason),
            }
        }
        let mut numbers = FxHashSet::default();
        for slice in &slices {
            if !numbers.insert(slice.number) {
                let text = format!("two views are buffer {}", slice.number);
                self.malformed(slice.view, text);
            }
        }
        let values: Vec<Val<'c>> = slices.iter().map(|slice| slice.value).collect();
        let code = code::read(kernel, &values, self.callees, &mut self.semantics);
        if !code.has_exits {
            self.malformed(kernel.op, "the control flow of the kernel is not known");
            return;
        }
        for obstacle in &code.obstacles {
            let number = slices[obstacle.buffer].number;
            let text = format!(
                "buffer {number} cannot be followed: {}",
                obstacle.reason.text()
            );
            self.malformed(obstacle.op, text);
        }
        for (op, _) in &code.frees {
            self.malformed(*op, "a buffer is freed that is a part of workgroup memory");
        }
        for (slice, promised) in slices.iter().zip(&code.alignments) {
            let is_kept = [alignment, slice.start]
                .iter()
                .all(|bytes| bytes.is_multiple_of(*promised));
            if !is_kept {
                self.malformed(slice.view, "it is not aligned as the program promises");
            }
        }
        let paths = Paths::of(&code);
        for (at, one) in slices.iter().enumerate() {
            for (after, other) in slices.iter().enumerate().skip(at + 1) {
                if one.start.max(other.start) < one.end.min(other.end) {
                    let found = paths.pair([at, after], [one.number, other.number]);
                    self.faults.extend(found);
                }
            }
        }
    }

    /// The alignment that the operation which makes the memory states.
    fn alignment(&mut self, kernel: &Kernel<'c>, arena: Val<'c>) -> u64 {
        let stated = match origin(arena) {
            Some(Origin::Result(op, _)) if has_mark(op, ARENA) => build::integer(op, "alignment"),
            Some(Origin::Argument(..)) => {
                let mut all = kernel.attributions.iter();
                let at = all.position(|one| *one == arena);
                let stated = kernel.op.attribute("workgroup_attrib_attrs").ok();
                let stated = stated.and_then(elements).zip(at);
                let own = stated.and_then(|(all, at)| entry(*all.get(at)?, LLVM_ALIGN));
                match own.and_then(plain_value) {
                    Some(PlainValue::Integer(bytes)) => Some(bytes),
                    _ => None,
                }
            }
            _ => None,
        };
        stated
            .and_then(|bytes| u64::try_from(bytes).ok())
            .unwrap_or(1)
    }

    fn slice(
        &mut self,
        view: Op<'c>,
        arena: u64,
        alignment: u64,
        layout: &mut DataLayout,
    ) -> Result<Slice<'c>, String> {
        let (_, shift) = self.start(view).ok_or("it is no view of bytes")?;
        let value = results(view).next().ok_or("it has no result")?;
        let number = build::integer(view, BUFFER).ok_or("its number is not an integer")?;
        let start = match shift {
            Some(shift) => self.semantics.constant(shift),
            None => Some(0),
        };
        let start = start.and_then(|start| u64::try_from(start).ok());
        let start = start.ok_or("its offset is not constant")?;
        let extent = layout.extent(type_of(value));
        let extent = extent.map_err(|_| "its size is not static")?;
        let end = start.checked_add(extent.size).filter(|end| *end <= arena);
        let end = end.ok_or("it ends after the workgroup memory")?;
        if ![alignment, start]
            .iter()
            .all(|bytes| bytes.is_multiple_of(extent.alignment))
        {
            return Err("it is not aligned".to_owned());
        }
        Ok(Slice {
            view,
            value,
            number,
            start,
            end,
        })
    }
}
