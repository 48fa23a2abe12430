// What an operation does to the elements of the memrefs that it gets: all of
// them written, or each one read before its place is written. What the
// operation is decides it, whatever its operands refer to.

#include "Identity.h"
#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;

namespace {
struct Report {
  MemplanContentsCallback callback;
  void *user;

  void operator()(MemplanContentsKind kind, unsigned operand,
                  unsigned other = 0) const {
    callback(kind, operand, other, user);
  }
};
} // namespace

static bool haveSameShape(Value a, Value b) {
  auto first = dyn_cast<MemRefType>(a.getType());
  auto second = dyn_cast<MemRefType>(b.getType());
  return first && second && first.getShape() == second.getShape();
}

static bool areContiguous(Value a, Value b) {
  return memplan::isIdentity(cast<MemRefType>(a.getType())) &&
         memplan::isIdentity(cast<MemRefType>(b.getType()));
}

static bool haveSameElements(Value a, Value b) {
  return cast<MemRefType>(a.getType()).getElementType() ==
         cast<MemRefType>(b.getType()).getElementType();
}

// True if something in the payload may touch memory, or gets a memref from
// outside. An assertion has an effect, but none on memory.
static bool payloadMayTouchMemory(Operation *op) {
  auto touches = [](Operation *nested) {
    return llvm::any_of(nested->getOperandTypes(),
                        [](Type type) { return isa<BaseMemRefType>(type); }) ||
           (!isa<cf::AssertOp>(nested) && !isMemoryEffectFree(nested));
  };
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &nested : block)
        if (nested.walk([&](Operation *inner) {
                  return touches(inner) ? WalkResult::interrupt()
                                        : WalkResult::advance();
                })
                .wasInterrupted())
          return true;
  return false;
}

// True if both maps always give the same place, where loops of one turn are at 0.
static bool giveTheSamePlace(AffineMap a, AffineMap b,
                             ArrayRef<int64_t> ranges) {
  if (a == b)
    return true;
  auto isZero = [&](AffineExpr place) {
    if (auto loop = dyn_cast<AffineDimExpr>(place))
      return ranges[loop.getPosition()] == 1;
    auto constant = dyn_cast<AffineConstantExpr>(place);
    return constant && constant.getValue() == 0;
  };
  return a.getNumResults() == b.getNumResults() &&
         llvm::all_of(llvm::zip_equal(a.getResults(), b.getResults()),
                      [&](auto places) {
                        auto [first, second] = places;
                        return first == second ||
                               (isZero(first) && isZero(second));
                      });
}

// How often each loop turns, as far as a dimension that only it is says so.
static SmallVector<int64_t> staticRanges(linalg::LinalgOp op,
                                         ArrayRef<AffineMap> maps) {
  SmallVector<int64_t> ranges(maps.front().getNumDims(), ShapedType::kDynamic);
  for (auto [map, operand] : llvm::zip(maps, op->getOperands())) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || map.getNumResults() != static_cast<size_t>(type.getRank()))
      continue;
    for (auto [place, size] : llvm::zip_equal(map.getResults(), type.getShape()))
      if (auto loop = dyn_cast<AffineDimExpr>(place))
        if (!ShapedType::isDynamic(size))
          ranges[loop.getPosition()] = size;
  }
  return ranges;
}

static void linalgContents(linalg::LinalgOp op, const Report &report) {
  // Most operations of importers only assert, or write what they also read.
  // The interface makes its lists anew each time that it is asked.
  SmallVector<OpOperand *> outputs;
  size_t inputCount = op->getNumOperands();
  for (OpOperand &output : op.getDpsInitsMutable()) {
    inputCount = std::min<size_t>(inputCount, output.getOperandNumber());
    if (isa<MemRefType>(output.get().getType()) &&
        !op.payloadUsesValueFromOperand(&output))
      outputs.push_back(&output);
  }
  if (outputs.empty() || !op.hasPureBufferSemantics())
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> ranges = staticRanges(op, maps);
  bool allParallel = op.getNumLoops() == op.getNumParallelLoops();
  std::optional<bool> touchesMemory;
  auto elementwise = [&] {
    if (!touchesMemory)
      touchesMemory = payloadMayTouchMemory(op);
    return !*touchesMemory;
  };
  auto inputs = op->getOpOperands().take_front(inputCount);
  for (OpOperand *output : outputs) {
    unsigned written = output->getOperandNumber();
    AffineMap map = maps[written];
    if (!map.isProjectedPermutation())
      continue;
    // Without a turn of a loop that the output is not indexed by, nothing is
    // written.
    bool everyElement = true;
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (!map.isFunctionOfDim(loop) &&
          (ranges[loop] == ShapedType::kDynamic || ranges[loop] <= 0))
        everyElement = false;
    if (!everyElement)
      continue;
    report(MEMPLAN_OVERWRITES, written);
    if (!allParallel || !map.isPermutation())
      continue;
    auto inStep = [&](OpOperand &input) {
      return haveSameShape(input.get(), output->get()) &&
             giveTheSamePlace(maps[input.getOperandNumber()], map, ranges);
    };
    for (OpOperand &input : inputs)
      // The same memref may be read in another order as well.
      if (inStep(input) && elementwise() &&
          llvm::all_of(inputs, [&](OpOperand &other) {
            return other.get() != input.get() || inStep(other);
          })) {
        unsigned read = input.getOperandNumber();
        if (areContiguous(input.get(), output->get()))
          report(MEMPLAN_IN_STEP, read, written);
        if (haveSameElements(input.get(), output->get()))
          report(MEMPLAN_MATCHES, read, written);
      }
  }
}

static void copyContents(memref::CopyOp copy, const Report &report) {
  unsigned read = copy.getSourceMutable().getOperandNumber();
  unsigned written = copy.getTargetMutable().getOperandNumber();
  report(MEMPLAN_OVERWRITES, written);
  if (!haveSameShape(copy.getSource(), copy.getTarget()) ||
      !haveSameElements(copy.getSource(), copy.getTarget()))
    return;
  if (areContiguous(copy.getSource(), copy.getTarget()))
    report(MEMPLAN_COPIES, read, written);
  report(MEMPLAN_MATCHES, read, written);
}

static bool areZero(ValueRange indices) {
  return llvm::all_of(indices,
                      [](Value index) { return matchPattern(index, m_Zero()); });
}

// True if the vector has exactly the elements of the memref.
static bool covers(VectorType vector, MemRefType memref) {
  return memref && memref.hasStaticShape() && memplan::isIdentity(memref) &&
         !vector.isScalable() &&
         vector.getElementType() == memref.getElementType() &&
         vector.getNumElements() == memref.getNumElements();
}

static void transferContents(vector::TransferWriteOp write,
                             const Report &report) {
  auto memref = dyn_cast<MemRefType>(write.getBase().getType());
  // Each dimension of the memref is one of the vector, or has one element.
  AffineMap map = write.getPermutationMap();
  if (!write.getMask() && covers(write.getVectorType(), memref) &&
      map.isProjectedPermutation() && areZero(write.getIndices())) {
    bool whole = true;
    for (unsigned dimension = 0; dimension < map.getNumDims(); ++dimension)
      if (!map.isFunctionOfDim(dimension) && memref.getDimSize(dimension) != 1)
        whole = false;
    for (auto [place, size] : llvm::enumerate(write.getVectorType().getShape()))
      if (memref.getDimSize(map.getDimPosition(place)) != size)
        whole = false;
    if (whole)
      report(MEMPLAN_OVERWRITES, write.getBaseMutable().getOperandNumber());
  }
}

static void storeContents(vector::StoreOp store, const Report &report) {
  auto memref = dyn_cast<MemRefType>(store.getBase().getType());
  if (!covers(store.getVectorType(), memref) || !areZero(store.getIndices()))
    return;
  // A vector of fewer dimensions covers a row of the last ones.
  ArrayRef<int64_t> vector = store.getVectorType().getShape();
  ArrayRef<int64_t> rows = memref.getShape();
  if (vector.size() <= rows.size() && rows.take_back(vector.size()) == vector)
    report(MEMPLAN_OVERWRITES, store.getBaseMutable().getOperandNumber());
}

template <typename Store>
static void storeOneContents(Store store, const Report &report) {
  auto memref = dyn_cast<MemRefType>(store.getMemRef().getType());
  if (memref && memref.hasStaticShape() && memref.getNumElements() == 1)
    report(MEMPLAN_OVERWRITES, store.getMemrefMutable().getOperandNumber());
}

void memplanContents(MlirOperation wrapped, MemplanContentsCallback callback,
                     void *user) {
  Operation *op = unwrap(wrapped);
  Report report{callback, user};
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
    linalgContents(linalg, report);
  else if (auto copy = dyn_cast<memref::CopyOp>(op))
    copyContents(copy, report);
  else if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    transferContents(write, report);
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    storeContents(store, report);
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    storeOneContents(store, report);
  else if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    storeOneContents(store, report);
}
