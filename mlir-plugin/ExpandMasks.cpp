// Expands masked transfers that MLIR does not lower.

#include "ExpandOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

// The only element of the mask of a memref without dimensions.
static Value onlyElement(OpBuilder &builder, Location loc, Value mask) {
  return vector::ExtractOp::create(builder, loc, mask, ArrayRef<int64_t>{0});
}

// The mask of a read, whose dimensions are those of the memref in their order,
// for the elements of the vector. Null if that cannot be written.
static Value maskOfVector(OpBuilder &builder, Location loc, Value mask,
                          VectorType vector, AffineMap map) {
  if (map.getNumDims() == 0)
    return onlyElement(builder, loc, mask);
  if (vector.isScalable())
    return Value();
  SmallVector<int64_t> used;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      used.push_back(dim.getPosition());
  // The vector is one element of the memref.
  if (used.empty())
    return Value();
  SmallVector<int64_t> sorted = used;
  llvm::sort(sorted);
  SmallVector<int64_t> order, shape;
  for (int64_t dim : used)
    order.push_back(llvm::find(sorted, dim) - sorted.begin());
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), vector.getShape()))
    shape.push_back(isa<AffineDimExpr>(expr) ? size : 1);
  Type bit = builder.getI1Type();
  if (!llvm::is_sorted(order))
    mask = vector::TransposeOp::create(builder, loc, mask, order);
  auto reshaped = VectorType::get(shape, bit);
  if (mask.getType() != reshaped)
    mask = vector::ShapeCastOp::create(builder, loc, reshaped, mask);
  auto wanted = VectorType::get(vector.getShape(), bit);
  if (mask.getType() != wanted)
    mask = vector::BroadcastOp::create(builder, loc, wanted, mask);
  return mask;
}

// A masked read with a vector for the elements that are not read: a read, and a
// choice. MLIR's reads have a padding that is the same for all elements.
static bool expandPassthru(OpBuilder &builder, vector::MaskOp mask) {
  auto read = dyn_cast_or_null<vector::TransferReadOp>(mask.getMaskableOp());
  if (!mask.hasPassthru() || !read || read.getMask())
    return false;
  Location loc = mask.getLoc();
  builder.setInsertionPoint(mask);
  Value bits = maskOfVector(builder, loc, mask.getMask(), read.getVectorType(),
                            read.getPermutationMap());
  if (!bits)
    return false;
  Value part = vector::TransferReadOp::create(
      builder, read.getLoc(), read.getVectorType(), read.getBase(),
      read.getIndices(), read.getPermutationMapAttr(), read.getPadding(),
      mask.getMask(), read.getInBoundsAttr());
  Value whole =
      arith::SelectOp::create(builder, loc, bits, part, mask.getPassthru());
  mask.getResult(0).replaceAllUsesWith(whole);
  mask.erase();
  return true;
}

// True for a transfer between a memref without dimensions and a vector of its
// elements, under a mask.
template <typename TransferOp> static bool isMaskedElement(TransferOp op) {
  auto memref = dyn_cast<MemRefType>(op.getBase().getType());
  return memref && memref.getRank() == 0 && op.getMask() &&
         memref.getElementType() == op.getVectorType().getElementType();
}

// Loads the element if the mask says so: the memref may not be valid otherwise.
static bool expandRead(OpBuilder &builder, vector::TransferReadOp read) {
  if (!isMaskedElement(read))
    return false;
  Location loc = read.getLoc();
  builder.setInsertionPoint(read);
  auto loaded = scf::IfOp::create(
      builder, loc, onlyElement(builder, loc, read.getMask()),
      [&](OpBuilder &builder, Location loc) {
        Value element = memref::LoadOp::create(builder, loc, read.getBase());
        scf::YieldOp::create(builder, loc, element);
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, read.getPadding());
      });
  Value whole = vector::BroadcastOp::create(builder, loc, read.getVectorType(),
                                            loaded.getResult(0));
  read.getResult().replaceAllUsesWith(whole);
  read.erase();
  return true;
}

static bool expandWrite(OpBuilder &builder, vector::TransferWriteOp write) {
  if (!isMaskedElement(write))
    return false;
  Location loc = write.getLoc();
  builder.setInsertionPoint(write);
  SmallVector<int64_t> first(write.getVectorType().getRank(), 0);
  Value element =
      vector::ExtractOp::create(builder, loc, write.getValueToStore(), first);
  scf::IfOp::create(builder, loc, onlyElement(builder, loc, write.getMask()),
                    [&](OpBuilder &builder, Location loc) {
                      memref::StoreOp::create(builder, loc, element,
                                              write.getBase());
                      scf::YieldOp::create(builder, loc);
                    });
  write.erase();
  return true;
}

int64_t memplan::expandMasks(Operation *root) {
  SmallVector<vector::MaskOp> masks;
  root->walk([&](vector::MaskOp mask) { masks.push_back(mask); });
  OpBuilder builder(root->getContext());
  int64_t expanded = 0;
  for (vector::MaskOp mask : masks)
    expanded += expandPassthru(builder, mask);
  SmallVector<vector::TransferReadOp> reads;
  SmallVector<vector::TransferWriteOp> writes;
  root->walk([&](Operation *op) {
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      reads.push_back(read);
    else if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      writes.push_back(write);
  });
  for (vector::TransferReadOp read : reads)
    expanded += expandRead(builder, read);
  for (vector::TransferWriteOp write : writes)
    expanded += expandWrite(builder, write);
  return expanded;
}
