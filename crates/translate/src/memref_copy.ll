; The function memrefCopy of MLIR's runtime library, which copies memrefs without rank, as code of the module's own.

$memplan.memref_copy = comdat any
$memplan.copy_dimensions = comdat any

; Copies elements of %size bytes. A memref without rank is its rank and the address of its descriptor.
define weak_odr hidden void @memplan.memref_copy(i64 %size, ptr %from, ptr %to) comdat {
  %rank = load i64, ptr %from
  %from_field = getelementptr { i64, ptr }, ptr %from, i64 0, i32 1
  %from_memref = load ptr, ptr %from_field
  %to_field = getelementptr { i64, ptr }, ptr %to, i64 0, i32 1
  %to_memref = load ptr, ptr %to_field
  %from_pointer_field = getelementptr { ptr, ptr, i64 }, ptr %from_memref, i64 0, i32 1
  %from_pointer = load ptr, ptr %from_pointer_field
  %from_offset_field = getelementptr { ptr, ptr, i64 }, ptr %from_memref, i64 0, i32 2
  %from_offset = load i64, ptr %from_offset_field
  %from_bytes = mul i64 %from_offset, %size
  %from_first = getelementptr i8, ptr %from_pointer, i64 %from_bytes
  %to_pointer_field = getelementptr { ptr, ptr, i64 }, ptr %to_memref, i64 0, i32 1
  %to_pointer = load ptr, ptr %to_pointer_field
  %to_offset_field = getelementptr { ptr, ptr, i64 }, ptr %to_memref, i64 0, i32 2
  %to_offset = load i64, ptr %to_offset_field
  %to_bytes = mul i64 %to_offset, %size
  %to_first = getelementptr i8, ptr %to_pointer, i64 %to_bytes
  %sizes = getelementptr { ptr, ptr, i64 }, ptr %from_memref, i64 1
  %from_strides = getelementptr i64, ptr %sizes, i64 %rank
  %to_sizes = getelementptr { ptr, ptr, i64 }, ptr %to_memref, i64 1
  %to_strides = getelementptr i64, ptr %to_sizes, i64 %rank
  call void @memplan.copy_dimensions(i64 %size, i64 %rank, ptr %from_first, ptr %to_first, ptr %sizes,
                                     ptr %from_strides, ptr %to_strides)
  ret void
}

; Copies along the first of %rank dimensions, and calls itself for those inside.
define weak_odr hidden void @memplan.copy_dimensions(i64 %size, i64 %rank, ptr %from, ptr %to, ptr %sizes,
                                                     ptr %from_strides, ptr %to_strides) comdat {
entry:
  %is_element = icmp eq i64 %rank, 0
  br i1 %is_element, label %element, label %dimension
element:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  ret void
dimension:
  %count = load i64, ptr %sizes
  %from_stride = load i64, ptr %from_strides
  %from_step = mul i64 %from_stride, %size
  %to_stride = load i64, ptr %to_strides
  %to_step = mul i64 %to_stride, %size
  %inner_rank = sub i64 %rank, 1
  %inner_sizes = getelementptr i64, ptr %sizes, i64 1
  %inner_from_strides = getelementptr i64, ptr %from_strides, i64 1
  %inner_to_strides = getelementptr i64, ptr %to_strides, i64 1
  br label %loop
loop:
  %at = phi i64 [ 0, %dimension ], [ %next, %body ]
  %is_over = icmp sge i64 %at, %count
  br i1 %is_over, label %done, label %body
body:
  %from_offset = mul i64 %at, %from_step
  %from_at = getelementptr i8, ptr %from, i64 %from_offset
  %to_offset = mul i64 %at, %to_step
  %to_at = getelementptr i8, ptr %to, i64 %to_offset
  call void @memplan.copy_dimensions(i64 %size, i64 %inner_rank, ptr %from_at, ptr %to_at, ptr %inner_sizes,
                                     ptr %inner_from_strides, ptr %inner_to_strides)
  %next = add i64 %at, 1
  br label %loop
done:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
