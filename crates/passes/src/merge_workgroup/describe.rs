//! The report, and remarks.

use super::{
    codes,
    decide::Decision,
    read::{Candidate, Candidates, Group},
};
use memplan_mlir::{
    diagnostics::Diagnostic,
    ir::{Op, location_text, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_report::{BufferReport, ScopeReport, Skipped};
use memplan_semantics::workgroup::{Kernel, KernelKind};
use memplan_workgroup::{Analysis, BufferId};

/// Where a buffer is allocated: the kernel, for an attribution.
fn place<'c>(kernel: &Kernel<'c>, buffer: &Candidate<'c>) -> Op<'c> {
    buffer.alloc.unwrap_or(kernel.op)
}

/// Emits the remarks of a plan.
pub fn plan(kernel: &Kernel<'_>, group: &Group<'_>, decision: &Decision<'_>) {
    let plan = &decision.plan;
    let after = plan.bytes.min(decision.before);
    let text = format!(
        "workgroup memory: {after} bytes, {} before; {} in the largest barrier interval, and at least {} with these barriers",
        decision.before, plan.interval_bytes, plan.lower_bound,
    );
    Diagnostic::new(codes::KERNEL_BYTES, kernel.op.location(), text).emit();
    if !decision.gains() {
        return;
    }
    for (number, buffer) in group.buffers.iter().enumerate() {
        let offset = plan.offsets[BufferId::new(number)];
        let text = format!(
            "merged: {} of {} bytes at offset {offset} of {} bytes of workgroup memory",
            type_of(buffer.value),
            buffer.size,
            plan.bytes,
        );
        Diagnostic::new(codes::MERGED, place(kernel, buffer).location(), text).emit();
    }
    for barrier in &decision.barriers {
        let text = format!(
            "barrier added before this operation: without it, workgroup memory would have {} more bytes",
            barrier.saved_bytes
        );
        Diagnostic::new(codes::BARRIER, barrier.before.location(), text).emit();
    }
}

/// Emits a remark for each buffer that is left alone.
pub fn left(candidates: &Candidates<'_>) {
    for one in &candidates.left {
        let (reason, form) = (one.reason, one.r#type);
        let text = format!(
            "not merged: {form}: {} [{}]; {}",
            reason.text(),
            reason.id(),
            reason.advice()
        );
        Diagnostic::new(codes::LEFT, one.op.location(), text).emit();
    }
}

/// The report of a group.
pub fn scope(kernel: &Kernel<'_>, group: &Group<'_>, decision: &Decision<'_>) -> ScopeReport {
    let plan = &decision.plan;
    let problem = Analysis::of(&decision.kernel).map(|analysis| analysis.problem(&decision.kernel));
    let live = problem.into_iter().flat_map(|problem| problem.buffers);
    let buffers = group.buffers.iter().zip(live).enumerate();
    let buffers = buffers.map(|(number, (buffer, problem))| BufferReport {
        id: number as u64,
        location: location_text(place(kernel, buffer).location()),
        ty: type_of(buffer.value).to_string(),
        size: buffer.size,
        alignment: problem.alignment,
        offset: plan.offsets[BufferId::new(number)],
        live: problem
            .live
            .iter()
            .map(|live| (live.start, live.end))
            .collect(),
        windows: Vec::new(),
        in_place_with: None,
        arena_of: String::new(),
        same_as: None,
    });
    ScopeReport {
        kind: "workgroup".to_owned(),
        location: location_text(kernel.op.location()),
        memory_space: group.memory_space.clone(),
        optimal: plan.bytes == plan.lower_bound,
        naive_bytes: plan.separate_bytes,
        load_bytes: plan.interval_bytes,
        lower_bound_bytes: plan.lower_bound,
        planned_bytes: plan.bytes,
        alignment: decision.alignment,
        buffers: buffers.collect(),
        arena: match kernel.kind {
            KernelKind::Function { .. } => "attribution",
            KernelKind::Launch | KernelKind::Loop => "alloc",
        }
        .to_owned(),
        planner: "auto".to_owned(),
        lower_bound_proof: String::new(),
        lower_bound_sizes: Vec::new(),
        op_floor_bytes: None,
        peak: None,
        held: None,
        each_iteration: false,
        first_time: 0,
        excluded: Vec::new(),
        banks: None,
        slots: Vec::new(),
    }
}

/// The buffers that are left alone, for the report.
pub fn skipped(candidates: &Candidates<'_>) -> Vec<Skipped> {
    let left = candidates.left.iter().map(|one| Skipped {
        location: location_text(one.op.location()),
        ty: one.r#type.to_string(),
        reason: one.reason.id().to_owned(),
        id: None,
        arena_of: String::new(),
    });
    left.collect()
}
