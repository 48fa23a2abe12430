// Accesses of structured operations and vector transfers to the elements of
// their memref operands, according to their interfaces.

#include "StridedLayout.h"
#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

static bool haveSameShape(Value a, Value b) {
  auto first = dyn_cast<MemRefType>(a.getType());
  auto second = dyn_cast<MemRefType>(b.getType());
  return first && second && first.getShape() == second.getShape();
}

// True if both maps always give the same indices. The iterator of a
// single-iteration loop is 0.
static bool indexSameElement(AffineMap a, AffineMap b,
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
         llvm::all_of(
             llvm::zip_equal(a.getResults(), b.getResults()), [&](auto places) {
               auto [first, second] = places;
               return first == second || (isZero(first) && isZero(second));
             });
}

// The trip count of each loop, if a dimension that only this loop indexes is
// static.
static SmallVector<int64_t> staticRanges(linalg::LinalgOp op,
                                         ArrayRef<AffineMap> maps) {
  SmallVector<int64_t> ranges(maps.front().getNumDims(), ShapedType::kDynamic);
  for (auto [map, operand] : llvm::zip(maps, op->getOperands())) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || map.getNumResults() != static_cast<size_t>(type.getRank()))
      continue;
    for (auto [place, size] :
         llvm::zip_equal(map.getResults(), type.getShape()))
      if (auto loop = dyn_cast<AffineDimExpr>(place))
        if (!ShapedType::isDynamic(size))
          ranges[loop.getPosition()] = size;
  }
  return ranges;
}

void memplanStructuredAccess(MlirOperation wrapped,
                             MemplanStructuredAccessCallback callback,
                             void *user) {
  auto op = dyn_cast<linalg::LinalgOp>(unwrap(wrapped));
  if (!op)
    return;
  // Most operations of importers only assert, or write memrefs that they also
  // read. The interface computes its lists anew for each call.
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
  bool allParallel =
      llvm::all_of(op.getIteratorTypesArray(), [](utils::IteratorType type) {
        return type == utils::IteratorType::parallel;
      });
  auto inputs = op->getOpOperands().take_front(inputCount);
  for (OpOperand *output : outputs) {
    unsigned written = output->getOperandNumber();
    AffineMap map = maps[written];
    if (!map.isProjectedPermutation())
      continue;
    // If a loop that does not index the output has no iteration, nothing is
    // written.
    llvm::SmallBitVector isIndexed(map.getNumDims());
    for (AffineExpr place : map.getResults())
      isIndexed.set(cast<AffineDimExpr>(place).getPosition());
    bool everyElement = true;
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (!isIndexed[loop] &&
          (ranges[loop] == ShapedType::kDynamic || ranges[loop] <= 0))
        everyElement = false;
    if (!everyElement)
      continue;
    callback(written, -1, user);
    if (!allParallel || !map.isPermutation())
      continue;
    auto isElementwise = [&](OpOperand &input) {
      return haveSameShape(input.get(), output->get()) &&
             indexSameElement(maps[input.getOperandNumber()], map, ranges);
    };
    for (OpOperand &input : inputs)
      // Other operands may read the same memref in another order.
      if (isElementwise(input) && llvm::all_of(inputs, [&](OpOperand &other) {
            return other.get() != input.get() || isElementwise(other);
          }))
        callback(written, input.getOperandNumber(), user);
  }
}

void memplanStructuredTransfer(MlirOperation wrapped,
                               MemplanStructuredTransferCallback callback,
                               void *user) {
  auto op = dyn_cast<linalg::LinalgOp>(unwrap(wrapped));
  if (!op || op.getNumDpsInits() != 1 || op.getNumDpsInputs() > 1 ||
      op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() ||
      !op.hasPureBufferSemantics())
    return;
  Block &body = op->getRegion(0).front();
  if (!llvm::hasSingleElement(body) || body.back().getNumOperands() != 1)
    return;
  bool allParallel =
      llvm::all_of(op.getIteratorTypesArray(), [](utils::IteratorType type) {
        return type == utils::IteratorType::parallel;
      });
  OpOperand &output = *op.getDpsInitOperand(0);
  auto type = dyn_cast<MemRefType>(output.get().getType());
  AffineMap to = op.getMatchingIndexingMap(&output);
  if (!allParallel || !type || !to.isPermutation())
    return;
  unsigned written = output.getOperandNumber();
  Value yielded = body.back().getOperand(0);
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != &body) {
    // A value from outside.
    if (op.getNumDpsInputs() == 0)
      callback(-1, written, -1, nullptr, user);
    return;
  }
  if (op.getNumDpsInputs() != 1 || argument.getArgNumber() != 0)
    return;
  OpOperand &input = *op.getDpsInputOperand(0);
  unsigned read = input.getOperandNumber();
  if (!isa<ShapedType>(input.get().getType())) {
    callback(read, written, -1, nullptr, user);
    return;
  }
  AffineMap from = op.getMatchingIndexingMap(&input);
  if (!isa<MemRefType>(input.get().getType()) ||
      !from.isProjectedPermutation(/*allowZeroInResults=*/true))
    return;
  // A dimension of size 1 that is left out is no broadcast either.
  SmallVector<int64_t> order;
  for (AffineExpr place : to.getResults()) {
    std::optional<unsigned> read = from.getResultPosition(place);
    order.push_back(read ? static_cast<int64_t>(*read) : -1);
  }
  bool isBroadcast = llvm::is_contained(order, -1);
  if (!isBroadcast && !from.isPermutation())
    return;
  callback(read, written, order.size(), order.data(), user);
}

// Adds an index times a factor to coefficients and a constant. False if it is not
// linear.
static bool addLinear(AffineExpr index, int64_t factor,
                      MutableArrayRef<int64_t> coefficients,
                      int64_t &constant) {
  if (auto loop = dyn_cast<AffineDimExpr>(index)) {
    coefficients[loop.getPosition()] += factor;
    return true;
  }
  if (auto number = dyn_cast<AffineConstantExpr>(index)) {
    constant += factor * number.getValue();
    return true;
  }
  auto both = dyn_cast<AffineBinaryOpExpr>(index);
  if (!both)
    return false;
  if (index.getKind() == AffineExprKind::Add)
    return addLinear(both.getLHS(), factor, coefficients, constant) &&
           addLinear(both.getRHS(), factor, coefficients, constant);
  auto by = dyn_cast<AffineConstantExpr>(both.getRHS());
  int64_t product;
  return index.getKind() == AffineExprKind::Mul && by &&
         !llvm::MulOverflow(factor, by.getValue(), product) &&
         addLinear(both.getLHS(), product, coefficients, constant);
}

bool memplanLoopNest(MlirOperation wrapped, MemplanNestLoopCallback loop,
                     MemplanNestAccessCallback access, MemplanNestIndexCallback index,
                     void *user) {
  auto op = dyn_cast<linalg::LinalgOp>(unwrap(wrapped));
  if (!op || !op.hasPureBufferSemantics())
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  if (maps.size() != op->getNumOperands() || maps.empty())
    return false;
  SmallVector<int64_t> ranges = staticRanges(op, maps);
  if (ranges.size() != types.size())
    return false;
  struct Index {
    SmallVector<int64_t> coefficients;
    int64_t constant = 0;
  };
  SmallVector<std::pair<OpOperand *, SmallVector<Index>>> accesses;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type) {
      if (isa<BaseMemRefType>(operand.get().getType()))
        return false;
      continue;
    }
    AffineMap map = maps[operand.getOperandNumber()];
    if (map.getNumSymbols() != 0 ||
        map.getNumResults() != static_cast<size_t>(type.getRank()))
      return false;
    SmallVector<Index> indices(map.getNumResults());
    for (auto [place, result] : llvm::zip_equal(map.getResults(), indices)) {
      result.coefficients.resize(ranges.size());
      if (!addLinear(place, 1, result.coefficients, result.constant))
        return false;
    }
    accesses.emplace_back(&operand, std::move(indices));
  }
  for (auto [range, type] : llvm::zip_equal(ranges, types))
    loop(range, type == utils::IteratorType::parallel, user);
  for (auto &[operand, indices] : accesses) {
    access(operand->getOperandNumber(), op.payloadUsesValueFromOperand(operand),
           op.isDpsInit(operand), user);
    for (Index &one : indices)
      index(one.coefficients.data(), one.constant, user);
  }
  return true;
}

MlirOperation memplanCreateFill(MlirOperation before, MlirValue value,
                                MlirValue memref) {
  Operation *at = unwrap(before);
  OpBuilder builder(at);
  auto fill =
      linalg::FillOp::create(builder, at->getLoc(), ValueRange{unwrap(value)},
                             ValueRange{unwrap(memref)});
  return wrap(fill.getOperation());
}

bool memplanIsStructuredOperand(MlirOperation wrapped, intptr_t operand) {
  auto op = dyn_cast<linalg::LinalgOp>(unwrap(wrapped));
  return op && op.hasPureBufferSemantics() &&
         operand < op.getNumDpsInputs() + op.getNumDpsInits();
}

// True if the vector has exactly the elements of the memref.
static bool covers(VectorType vector, MemRefType memref) {
  return memref && memref.hasStaticShape() && memplan::isIdentity(memref) &&
         !vector.isScalable() &&
         vector.getElementType() == memref.getElementType() &&
         vector.getNumElements() == memref.getNumElements();
}

bool memplanTransferCovers(MlirOperation wrapped) {
  auto transfer = dyn_cast<VectorTransferOpInterface>(unwrap(wrapped));
  if (!transfer)
    return false;
  auto memref = dyn_cast<MemRefType>(transfer.getBase().getType());
  AffineMap map = transfer.getPermutationMap();
  if (transfer.getMask() || !covers(transfer.getVectorType(), memref) ||
      !map.isProjectedPermutation() ||
      !llvm::all_of(transfer.getIndices(),
                    [](Value index) { return matchPattern(index, m_Zero()); }))
    return false;
  // Each dimension of the memref is one of the vector, or has one element.
  for (unsigned dimension = 0; dimension < map.getNumDims(); ++dimension)
    if (!map.isFunctionOfDim(dimension) && memref.getDimSize(dimension) != 1)
      return false;
  ArrayRef<int64_t> shape = transfer.getVectorType().getShape();
  for (auto [place, size] : llvm::enumerate(shape))
    if (memref.getDimSize(map.getDimPosition(place)) != size)
      return false;
  return true;
}

bool memplanVectorCovers(MlirType wrapped, MlirType memref) {
  auto vector = dyn_cast<VectorType>(unwrap(wrapped));
  auto type = dyn_cast<MemRefType>(unwrap(memref));
  if (!vector || !covers(vector, type))
    return false;
  // A vector of lower rank covers a row of the last dimensions.
  ArrayRef<int64_t> shape = vector.getShape();
  return shape.size() <= type.getShape().size() &&
         type.getShape().take_back(shape.size()) == shape;
}
