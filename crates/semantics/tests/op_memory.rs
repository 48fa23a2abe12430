//! The memory semantics of single operations, as text.

use memplan_mlir::{
    context::with_all_dialects,
    ir::{Op, blocks, ops, regions},
    melior::ir::{BlockLike, Module, operation::OperationLike},
};
use memplan_semantics::{OpMemory, Semantics};

/// The memory semantics of all operations of the first function, one line each, without constants and terminators.
fn answers(body: &str) -> Vec<String> {
    let all = memories(body).into_iter();
    all.map(|(name, memory)| format!("{name}: {memory}"))
        .collect()
}

/// As above, with the names of the operations.
fn memories(body: &str) -> Vec<(String, OpMemory)> {
    let text = format!(
        "func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %box: memref<2xmemref<4x4xf32>>, %i: index, %c: i1) {{
           {body}
           return
         }}
         func.func private @g(memref<4x4xf32>) -> memref<4x4xf32>
         func.func private @later(!gpu.async.token) -> !gpu.async.token"
    );
    let context = with_all_dialects();
    context.set_allow_unregistered_dialects(true);
    let module = Module::parse(&context, &text).expect("the program parses");
    let block = module.body();
    let function: Op<'_> = block.first_operation().expect("a function");
    let mut semantics = Semantics::default();
    let mut all = Vec::new();
    nested(function, &mut semantics, &mut all);
    all
}

fn nested(op: Op<'_>, semantics: &mut Semantics, all: &mut Vec<(String, OpMemory)>) {
    for op in regions(op).flat_map(blocks).flat_map(ops) {
        let name = op.name();
        let name = name.as_string_ref().as_str().expect("a name").to_owned();
        if name != "arith.constant" && name != "func.return" {
            all.push((name, (*semantics.of(op)).clone()));
        }
        nested(op, semantics, all);
    }
}

#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let found = answers(body);
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[test]
fn views_state_the_start_of_their_data() {
    check(
        "%0 = memref.subview %a[1, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
         %1 = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
         %2 = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
         %m = memref.alloc() : memref<64xi8>
         %3 = memref.view %m[%i][] : memref<64xi8> to memref<4xf32>
         %4 = vector.type_cast %a : memref<4x4xf32> to memref<vector<4x4xf32>>
         %5 = memref.memory_space_cast %a : memref<4x4xf32> to memref<4x4xf32, 1>
         %s = memref.alloca() : memref<1xindex>
         %6 = memref.reshape %a(%s) : (memref<4x4xf32>, memref<1xindex>) -> memref<16xf32>
         %7, %o, %z:2, %t:2 = memref.extract_strided_metadata %a : memref<4x4xf32> -> memref<f32>, index, index, index, index, index",
        &[
            "memref.subview: reads the descriptor of 0; result 0 is a view of operand 0",
            "memref.transpose: reads the descriptor of 0; result 0 is a view of operand 0",
            "memref.collapse_shape: reads the descriptor of 0; result 0 is a view of operand 0",
            "memref.alloc: result 0 is new memory, freed by memref.dealloc",
            "memref.view: reads the descriptor of 0; result 0 is a view of operand 0, shifted by operand 1",
            "vector.type_cast: reads the descriptor of 0; result 0 is a view of operand 0",
            "memref.memory_space_cast: reads the descriptor of 0; result 0 is a view of operand 0, perhaps shifted",
            "memref.alloca: result 0 is new memory of its scope",
            "memref.reshape: reads 1; reads the descriptor of 0; result 0 is a view of operand 0",
            "memref.extract_strided_metadata: reads the descriptor of 0; result 0 is a view of operand 0",
        ],
    );
}

#[test]
fn operands_are_read_and_written() {
    check(
        "memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32>
         %f = memref.load %a[%i, %i] : memref<4x4xf32>
         memref.store %f, %a[%i, %i] : memref<4x4xf32>
         linalg.fill ins(%f : f32) outs(%b : memref<4x4xf32>)
         %d = memref.dim %a, %i : memref<4x4xf32>
         affine.prefetch %a[0, 0], read, locality<3>, data : memref<4x4xf32>
         omp.flush(%a : memref<4x4xf32>)
         %p = arith.addi %i, %i : index",
        &[
            "memref.copy: reads 0; writes 1",
            "memref.load: reads 0",
            "memref.store: writes 1",
            "linalg.fill: writes 1",
            "linalg.yield: nothing",
            "memref.dim: reads the descriptor of 0",
            "affine.prefetch: reads 0",
            "omp.flush: reads the descriptor of 0; orders other operations",
            "arith.addi: nothing",
        ],
    );
}

#[test]
fn memrefs_of_memrefs_store_and_load() {
    check(
        "memref.store %a, %box[%i] : memref<2xmemref<4x4xf32>>
         %0 = memref.load %box[%i] : memref<2xmemref<4x4xf32>>
         affine.store %a, %box[0] : memref<2xmemref<4x4xf32>>
         %1 = affine.load %box[0] : memref<2xmemref<4x4xf32>>",
        &[
            "memref.store: writes 1; stores 0 in 1",
            "memref.load: reads 0; result 0 is loaded from operand 0",
            "affine.store: writes 1; stores 0 in 1",
            "affine.load: reads 0; result 0 is loaded from operand 0",
        ],
    );
}

#[test]
fn memory_is_allocated_freed_and_captured() {
    check(
        "%0 = bufferization.clone %a : memref<4x4xf32> to memref<4x4xf32>
         memref.dealloc %0 : memref<4x4xf32>
         %1 = bufferization.dealloc (%a, %b : memref<4x4xf32>, memref<4x4xf32>) if (%c, %c) retain (%a : memref<4x4xf32>)
         %2 = memref.alloc(%i) : memref<?xf32>
         %3 = memref.realloc %2(%i) : memref<?xf32> to memref<?xf32>
         %4 = func.call @g(%a) : (memref<4x4xf32>) -> memref<4x4xf32>
         %5 = arith.select %c, %a, %b : memref<4x4xf32>
         %6 = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
         %7 = builtin.unrealized_conversion_cast %a : memref<4x4xf32> to !llvm.ptr
         %8 = bufferization.to_tensor %a : memref<4x4xf32> to tensor<4x4xf32>
         %9 = \"foo.bar\"(%a) : (memref<4x4xf32>) -> memref<4x4xf32>",
        &[
            "bufferization.clone: reads 0; result 0 is new memory, freed by memref.dealloc, or operand 0",
            "memref.dealloc: frees 0 to memref.dealloc",
            "bufferization.dealloc: reads the descriptor of 0, 1, 4; frees 0 to memref.dealloc if operand 2; frees 1 to memref.dealloc if operand 3; retains 4",
            "memref.alloc: result 0 is new memory, freed by memref.dealloc",
            "memref.realloc: frees 0 to memref.dealloc; result 0 is new memory, freed by memref.dealloc, or operand 0",
            "func.call: as its callee; result 0 is not followed, perhaps of operands 0",
            "arith.select: result 0 is one of operands 1, 2",
            "memref.extract_aligned_pointer_as_index: reads the descriptor of 0; result 0 is an address of operands 0",
            "builtin.unrealized_conversion_cast: reads the descriptor of 0; result 0 is an address of operands 0",
            "bufferization.to_tensor: reads 0; result 0 is an address of operands 0",
            "foo.bar: not followed: it does not declare its effects",
        ],
    );
}

#[test]
fn tokens_are_started_joined_and_waited_for() {
    check(
        "%t0 = gpu.wait async
         %t1 = gpu.memcpy async [%t0] %a, %b : memref<4x4xf32>, memref<4x4xf32>
         %t2 = gpu.wait async [%t1]
         gpu.wait [%t2]
         gpu.memcpy %a, %b : memref<4x4xf32>, memref<4x4xf32>
         %m, %t3 = gpu.alloc async [%t0] () : memref<4xf32>
         %t4 = gpu.dealloc async [%t3] %m : memref<4xf32>
         %mm = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 4 : index} : memref<4x4xf32> -> !gpu.mma_matrix<16x16xf32, \"COp\">
         %e, %v = async.execute [] -> !async.value<memref<4x4xf32>> {
           async.yield %a : memref<4x4xf32>
         }
         %w = async.await %v : !async.value<memref<4x4xf32>>
         async.await %e : !async.token
         %g = async.create_group %i : !async.group
         %r = async.add_to_group %e, %g : !async.token
         async.await_all %g",
        &[
            "gpu.wait: result 0 is a token",
            "gpu.memcpy: reads 2; writes 1; result 0 is a token; starts a use until result 0; result 0 is done after operand 0",
            "gpu.wait: result 0 is a token; result 0 is done after operand 0",
            "gpu.wait: waits for operand 0",
            "gpu.memcpy: reads 1; writes 0",
            "gpu.alloc: result 0 is new memory, freed by gpu.dealloc; result 1 is a token; starts a use until result 1; result 1 is done after operand 0",
            "gpu.dealloc: frees 1 to gpu.dealloc; result 0 is a token; starts a use until result 0; result 0 is done after operand 0",
            "gpu.subgroup_mma_load_matrix: reads 0; reads other memory",
            "async.execute: result 0 is a token; result 1 is not followed; starts a use until result 0 and result 1",
            "async.yield: nothing",
            "async.await: reads the descriptor of 0; result 0 is a view of operand 0; waits for operand 0",
            "async.await: waits for operand 0",
            "async.create_group: result 0 is a token",
            "async.add_to_group: operand 1 is done after operand 0",
            "async.await_all: waits for operand 0",
        ],
    );
}

#[test]
fn transfers_run_until_their_tag_or_group_is_waited_for() {
    check(
        "%tag = memref.alloc() : memref<1xi32>
         memref.dma_start %a[%i, %i], %b[%i, %i], %i, %tag[%i] : memref<4x4xf32>, memref<4x4xf32>, memref<1xi32>
         memref.dma_wait %tag[%i], %i : memref<1xi32>
         affine.dma_wait %tag[0], %i : memref<1xi32>
         %d = memref.alloc() : memref<4x4xf32, 3>
         %t = nvgpu.device_async_copy %a[%i, %i], %d[%i, %i], 4 : memref<4x4xf32> to memref<4x4xf32, 3>
         %g = nvgpu.device_async_create_group %t
         nvgpu.device_async_wait %g
         nvgpu.device_async_wait %g {numGroups = 1 : i32}",
        &[
            "memref.alloc: result 0 is new memory, freed by memref.dealloc",
            "memref.dma_start: reads 0, 7; writes 3, 7; starts a use until the tag in operand 7",
            "memref.dma_wait: reads 0; waits for the tag in operand 0",
            "affine.dma_wait: reads 0",
            "memref.alloc: result 0 is new memory, freed by memref.dealloc",
            "nvgpu.device_async_copy: reads 3; writes 0; result 0 is a token; starts a transfer until result 0",
            "nvgpu.device_async_create_group: result 0 is a token; result 0 is a group of operand 0",
            "nvgpu.device_async_wait: waits for operand 0",
            "nvgpu.device_async_wait: waits until at most 1 groups are left",
        ],
    );
}

#[test]
fn unknown_operations_may_be_asynchronous() {
    check(
        "%in = acc.copyin varPtr(%a : memref<4x4xf32>) -> memref<4x4xf32>
         %s = memref.alloc() : memref<i32>
         %e = arith.constant 1 : i32
         acc.atomic.write %s = %e : memref<i32>, i32
         omp.task {
           omp.terminator
         }",
        &[
            "acc.copyin: reads 0; writes 0; result 0 is not followed, perhaps of operands 0; starts a use without a known end",
            "memref.alloc: result 0 is new memory, freed by memref.dealloc",
            "acc.atomic.write: writes 0",
            "omp.task: not followed: it does not declare its effects",
            "omp.terminator: nothing",
        ],
    );
}

#[test]
fn future_memrefs_are_selected() {
    check(
        "%e, %v = async.execute [] -> !async.value<memref<4x4xf32>> {
           async.yield %a : memref<4x4xf32>
         }
         %s = arith.select %c, %v, %v : !async.value<memref<4x4xf32>>",
        &[
            "async.execute: result 0 is a token; result 1 is not followed; starts a use until result 0 and result 1",
            "async.yield: nothing",
            "arith.select: result 0 is one of operands 1, 2; result 0 is one of operand 1 and operand 2",
        ],
    );
}

#[test]
fn waits_of_a_call_depend_on_the_callee() {
    check(
        "%t = gpu.wait async
         %u = func.call @later(%t) : (!gpu.async.token) -> !gpu.async.token",
        &[
            "gpu.wait: result 0 is a token",
            "func.call: as its callee; result 0 is a token",
        ],
    );
}

#[test]
fn handles_keep_addresses() {
    check(
        "%v = memref.alloc(%i) : memref<?xf32>
         %p = memref.alloc(%i) : memref<?xindex>
         %m = gpu.create_csr %i, %i, %i, %p, %p, %v : memref<?xindex>, memref<?xindex>, memref<?xf32>
         gpu.set_csr_pointers %m, %p, %p, %v : memref<?xindex>, memref<?xindex>, memref<?xf32>
         gpu.destroy_sp_mat %m",
        &[
            "memref.alloc: result 0 is new memory, freed by memref.dealloc",
            "memref.alloc: result 0 is new memory, freed by memref.dealloc",
            "gpu.create_csr: reads the descriptor of 3, 4, 5; result 0 is an address of operands 3, 4, 5",
            "gpu.set_csr_pointers: reads 0, 1, 2, 3; writes 0, 1, 2, 3; captures 1; captures 2; captures 3",
            "gpu.destroy_sp_mat: reads 0; writes 0",
        ],
    );
}

/// The operations with a single effect: a plain store, a plain load, a free, a reallocation.
#[test]
fn plain_operations_have_one_effect() {
    let all = memories(
        "memref.store %a, %box[%i] : memref<2xmemref<4x4xf32>>
         %0 = affine.load %box[0] : memref<2xmemref<4x4xf32>>
         memref.dealloc %b : memref<4x4xf32>
         %t = gpu.dealloc async %b : memref<4x4xf32>
         %n = memref.alloc(%i) : memref<?xf32>
         %r = memref.realloc %n(%i) : memref<?xf32> to memref<?xf32>
         memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32>",
    );
    let plain = all.iter().filter_map(|(name, memory)| {
        let what = if let Some((stored, into)) = memory.plain_store() {
            format!("stores {stored} in {into}")
        } else if let Some(from) = memory.plain_load() {
            format!("loads from {from}")
        } else if memory.only_frees() {
            "frees".to_owned()
        } else if memory.reallocates() {
            "reallocates".to_owned()
        } else {
            return None;
        };
        Some(format!("{name} {what}"))
    });
    assert_eq!(
        plain.collect::<Vec<_>>(),
        [
            "memref.store stores 0 in 1",
            "affine.load loads from 0",
            "memref.dealloc frees",
            "gpu.dealloc frees",
            "memref.realloc reallocates",
        ]
    );
}

/// The names of the operations for which `test` returns true.
fn names_where(body: &str, test: impl Fn(&OpMemory) -> bool) -> Vec<String> {
    let all = memories(body).into_iter();
    all.filter(|(_, memory)| test(memory))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn views_without_other_effects_can_be_recreated() {
    let body = "
        %0 = memref.subview %a[1, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
        %1 = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
        %2 = arith.select %c, %a, %b : memref<4x4xf32>
        %3:2 = memref.distinct_objects %a, %b : memref<4x4xf32>, memref<4x4xf32>
        %4 = memref.assume_alignment %a, 16 : memref<4x4xf32>
        %s = memref.alloca() : memref<1xindex>
        %5 = memref.reshape %a(%s) : (memref<4x4xf32>, memref<1xindex>) -> memref<16xf32>
        %6 = memref.load %box[%i] : memref<2xmemref<4x4xf32>>
        %7 = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
        %8 = builtin.unrealized_conversion_cast %a : memref<4x4xf32> to !llvm.ptr
        %9 = memref.dim %a, %i : memref<4x4xf32>
        %10 = bufferization.clone %a : memref<4x4xf32> to memref<4x4xf32>
        %11 = func.call @g(%a) : (memref<4x4xf32>) -> memref<4x4xf32>
        %12 = \"test.view\"(%a) : (memref<4x4xf32>) -> memref<4x4xf32>";
    assert_eq!(
        names_where(body, OpMemory::only_views),
        [
            "memref.subview",
            "memref.transpose",
            "arith.select",
            "memref.distinct_objects",
            "memref.assume_alignment",
        ]
    );
}

#[test]
fn size_queries_access_only_the_descriptor() {
    let body = "
        %0 = memref.dim %a, %i : memref<4x4xf32>
        %1 = memref.rank %a : memref<4x4xf32>
        %2 = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
        %3 = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
        %4 = memref.load %a[%i, %i] : memref<4x4xf32>
        memref.dealloc %a : memref<4x4xf32>
        omp.flush(%a : memref<4x4xf32>)
        %5 = func.call @g(%a) : (memref<4x4xf32>) -> memref<4x4xf32>
        \"test.use\"(%a) : (memref<4x4xf32>) -> ()";
    assert_eq!(
        names_where(body, |memory| memory.only_uses_descriptor_of(0)),
        ["memref.dim", "memref.rank", "memref.transpose"]
    );
}

#[test]
fn allocations_are_plain_without_other_effects() {
    let body = "
        %0 = memref.alloc(%i) : memref<?xf32>
        %1 = memref.alloca(%i) : memref<?xf32>
        %2 = gpu.alloc (%i) : memref<?xf32>
        %3 = bufferization.clone %a : memref<4x4xf32> to memref<4x4xf32>
        %4 = memref.realloc %0 : memref<?xf32> to memref<8xf32>";
    let plain = |automatic| move |memory: &OpMemory| memory.plain_allocation() == Some(automatic);
    assert_eq!(names_where(body, plain(false)), ["memref.alloc"]);
    assert_eq!(names_where(body, plain(true)), ["memref.alloca"]);
}
