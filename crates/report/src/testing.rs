//! Small reports for the tests of this crate.

use crate::{
    BufferReport, ChainDimension, ChainOperation, ChainReport, FunctionReport, LineBufferReport,
    Report, ScopeReport, WindowReport, load,
};

pub fn buffer(id: u64, size: u64, offset: u64, live: &[(u64, u64)]) -> BufferReport {
    BufferReport {
        id,
        location: format!("loc(\"net.mlir\":{}:10)", id + 3),
        ty: format!("memref<{size}xi8>"),
        size,
        alignment: 8,
        offset,
        live: live.to_vec(),
        windows: Vec::new(),
        in_place_with: None,
        arena_of: String::new(),
        same_as: None,
    }
}

/// The time of a window and its bytes.
type TimeAndBytes = ((u64, u64), (u64, u64));

/// The same buffer with windows.
pub fn windowed(buffer: BufferReport, windows: &[TimeAndBytes]) -> BufferReport {
    let windows = windows.iter();
    let windows = windows.map(|&(during, bytes)| WindowReport { during, bytes });
    BufferReport {
        windows: windows.collect(),
        ..buffer
    }
}

/// A scope over `buffers` with all its sums right.
pub fn scope(buffers: Vec<BufferReport>) -> ScopeReport {
    let mut scope = ScopeReport {
        slots: Vec::new(),
        held: None,
        each_iteration: false,
        first_time: 0,
        kind: "function".into(),
        location: "loc(\"net.mlir\":1:3)".into(),
        arena: String::new(),
        memory_space: String::new(),
        planner: "exact".into(),
        optimal: true,
        naive_bytes: buffers
            .iter()
            .map(|b| b.size.next_multiple_of(b.alignment))
            .sum(),
        load_bytes: 0,
        lower_bound_bytes: 0,
        lower_bound_proof: "load".into(),
        lower_bound_sizes: Vec::new(),
        op_floor_bytes: None,
        peak: None,
        planned_bytes: buffers.iter().map(|b| b.offset + b.size).max().unwrap_or(0),
        alignment: 64,
        excluded: Vec::new(),
        banks: None,
        buffers,
    };
    let curve = load::curve(&load::blocks(&scope));
    scope.load_bytes = load::peak(&curve).map_or(0, |peak| peak.load);
    scope.lower_bound_bytes = scope.load_bytes;
    if scope.load_bytes == 0 {
        scope.lower_bound_proof = "nothing".into();
    }
    scope.optimal = scope.lower_bound_bytes == scope.planned_bytes;
    scope
}

pub fn report(scopes: Vec<ScopeReport>) -> Report {
    Report::new(vec![FunctionReport {
        name: "forward".into(),
        scopes,
        skipped: Vec::new(),
        ..FunctionReport::default()
    }])
}

/// A chain of two operations at these positions.
pub fn chain(positions: (u64, u64)) -> ChainReport {
    let dimension = |number, rows, strips| ChainDimension {
        number,
        extent: Some(26),
        rows,
        strips: Some(strips),
    };
    let operation = |name: &str| ChainOperation {
        name: name.into(),
        location: "loc(\"net.mlir\":7:3)".into(),
    };
    ChainReport {
        location: "loc(\"net.mlir\":9:3)".into(),
        positions,
        operations: vec![operation("linalg.exp"), operation("linalg.conv")],
        seed: Some(1),
        dimensions: vec![dimension(2, 1, 7), dimension(3, 4, 4)],
        sums: false,
        strips: Some(28),
        executions: Some(42),
        repeated: 0,
        load_before_bytes: Some(9000),
        load_after_bytes: Some(2000),
        copied_bytes: Some(3360),
        line_buffers: vec![LineBufferReport {
            kind: "line".into(),
            scope: None,
            id: None,
            ty: "memref<4x3x10xf32>".into(),
            size: Some(480),
            kept_rows: 2,
            location: "loc(\"net.mlir\":3:3)".into(),
            whole_type: "memref<4x26x10xf32>".into(),
            whole_size: Some(4160),
        }],
    }
}
