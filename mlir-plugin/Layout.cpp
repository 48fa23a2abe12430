// Sizes of memref elements, as the LLVM lowering lays them out.

#include "StridedLayout.h"
#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

MemplanDataLayout memplanDataLayoutAt(MlirOperation op) {
  return {new DataLayout(DataLayout::closest(unwrap(op)))};
}

void memplanDataLayoutDestroy(MemplanDataLayout layout) {
  delete static_cast<DataLayout *>(layout.ptr);
}

// Bytes from one element to the next in an LLVM array of `type`, never less.
// LLVM rounds the store size up to the ABI alignment, which for integers and
// floats is at most the next power of two and at most 16 on every target that
// MLIR lowers to. Vectors are rounded as a whole; MLIR's own data layout rounds
// their innermost dimension instead, so the larger of the two is taken.
static std::optional<uint64_t> stride(const DataLayout &layout, Type type) {
  if (type.isIntOrFloat()) {
    uint64_t size = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u);
    size = std::max<uint64_t>(size, 1);
    return llvm::alignTo(size,
                         std::min<uint64_t>(llvm::PowerOf2Ceil(size), 16));
  }
  if (type.isIndex())
    return layout.getTypeSize(type).getFixedValue();
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<uint64_t> part = stride(layout, complex.getElementType());
    if (!part)
      return std::nullopt;
    return 2 * *part;
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return std::nullopt;
    std::optional<uint64_t> element = stride(layout, vector.getElementType());
    if (!element)
      return std::nullopt;
    uint64_t inner = *element;
    uint64_t outer = 1;
    for (int64_t i = 0, e = vector.getRank(); i < e; ++i) {
      bool overflow = false;
      uint64_t dim = vector.getDimSize(i);
      uint64_t &into = i + 1 == e ? inner : outer;
      into = llvm::SaturatingMultiply(into, dim, &overflow);
      if (overflow || into > (uint64_t(1) << 60))
        return std::nullopt;
    }
    inner = llvm::PowerOf2Ceil(std::max<uint64_t>(inner, 1));
    bool overflow = false;
    uint64_t total = llvm::SaturatingMultiply(inner, outer, &overflow);
    if (overflow)
      return std::nullopt;
    // MLIR's data layout does not accept vectors of rank 0.
    if (vector.getRank() == 0)
      return total;
    return std::max<uint64_t>(total, layout.getTypeSize(type).getFixedValue());
  }
  // Types of other dialects that declare their size.
  if (isa<DataLayoutTypeInterface>(type)) {
    llvm::TypeSize size = layout.getTypeSize(type);
    if (size.isScalable())
      return std::nullopt;
    return llvm::alignTo(
        size.getFixedValue(),
        std::max<uint64_t>(layout.getTypeABIAlignment(type), 1));
  }
  return std::nullopt;
}

bool memplanElementLayout(MemplanDataLayout wrapped, MlirType element,
                          uint64_t *bytes, uint64_t *alignment) {
  const auto &layout = *static_cast<DataLayout *>(wrapped.ptr);
  std::optional<uint64_t> size = stride(layout, unwrap(element));
  if (!size)
    return false;
  *bytes = *size;
  // The largest power of two in the stride: a vector load may rely on it.
  *alignment = *size == 0 ? 1 : *size & (~*size + 1);
  return true;
}

bool memplanMemRefIsIdentity(MlirType memref) {
  auto type = dyn_cast<MemRefType>(unwrap(memref));
  return type && memplan::isIdentity(type);
}

MlirAttribute memplanTargetEntry(MlirOperation op, MlirStringRef key) {
  for (Operation *at = unwrap(op); at; at = at->getParentOp()) {
    auto system =
        at->getAttrOfType<TargetSystemSpecInterface>("dlti.target_system_spec");
    if (!system)
      continue;
    for (DataLayoutEntryInterface device : system.getEntries()) {
      auto spec = dyn_cast<TargetDeviceSpecInterface>(device.getValue());
      if (!spec)
        continue;
      for (DataLayoutEntryInterface entry : spec.getEntries())
        if (auto name = dyn_cast<StringAttr>(entry.getKey());
            name && name.getValue() == unwrap(key))
          return wrap(entry.getValue());
    }
  }
  return wrap(Attribute());
}
