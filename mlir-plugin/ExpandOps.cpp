// Expands operations that MLIR's conversion to LLVM leaves, or lowers to calls
// of MLIR's runtime library.

#include "memplan-c/Shim.h"

#include "ExpandOps.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

// True if MLIR copies such a memref by memcpy.
static bool isContiguous(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && (memref.getLayout().isIdentity() ||
                    (memref.hasStaticShape() && memref.getNumElements() > 0 &&
                     memref::isStaticShapeAndContiguousRowMajor(memref)));
}

// The size of a dimension, as a constant where it is known.
static Value size(OpBuilder &builder, Location loc, Value memref, int64_t at) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(at))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(at));
  return memref::DimOp::create(builder, loc, memref, at);
}

// Loops from zero to the size of each dimension but `left_out`, outermost
// first. Appends their indices, and leaves the builder inside of them.
static void openLoops(OpBuilder &builder, Location loc, Value memref,
                      std::optional<int64_t> leftOut,
                      SmallVectorImpl<Value> &indices) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  for (int64_t at = 0; at < rank; ++at) {
    if (at == leftOut) {
      indices.push_back(Value());
      continue;
    }
    Value until = size(builder, loc, memref, at);
    auto loop = scf::ForOp::create(builder, loc, zero, until, one);
    builder.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
  }
}

// The memref as one of the rank of `like`; a memref of this type is returned.
static Value ranked(OpBuilder &builder, Location loc, Value memref,
                    MemRefType like) {
  auto type = dyn_cast<UnrankedMemRefType>(memref.getType());
  if (!type)
    return memref;
  SmallVector<int64_t> dynamic(like.getRank(), ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(builder.getContext(),
                                       ShapedType::kDynamic, dynamic);
  auto wanted = MemRefType::get(dynamic, type.getElementType(), layout,
                                type.getMemorySpace());
  return memref::CastOp::create(builder, loc, wanted, memref);
}

// A copy that MLIR does not lower to memcpy. A copy of two memrefs without rank
// stays.
static bool expandCopy(OpBuilder &builder, memref::CopyOp copy) {
  Type from = copy.getSource().getType(), to = copy.getTarget().getType();
  if (isContiguous(from) && isContiguous(to))
    return false;
  auto like = dyn_cast<MemRefType>(from);
  if (!like)
    like = dyn_cast<MemRefType>(to);
  if (!like)
    return false;
  Location loc = copy.getLoc();
  builder.setInsertionPoint(copy);
  Value source = ranked(builder, loc, copy.getSource(), like);
  Value target = ranked(builder, loc, copy.getTarget(), like);
  SmallVector<Value> indices;
  // The type that had a rank may have static sizes.
  openLoops(builder, loc, isa<MemRefType>(from) ? source : target, std::nullopt,
            indices);
  Value element = memref::LoadOp::create(builder, loc, source, indices);
  memref::StoreOp::create(builder, loc, element, target, indices);
  copy.erase();
  return true;
}

// For each line along the dimension: the maximum, the exponentials with their
// sum, and the quotients. The order of the sum is that of the elements. The
// output may be the input.
static bool expandSoftmax(OpBuilder &builder, linalg::SoftmaxOp softmax) {
  Value input = softmax.getInput(), output = softmax.getOutput();
  auto type = dyn_cast<MemRefType>(input.getType());
  if (!type || !isa<MemRefType>(output.getType()))
    return false;
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element)
    return false;
  Location loc = softmax.getLoc();
  builder.setInsertionPoint(softmax);
  int64_t dimension = softmax.getDimension();
  SmallVector<Value> indices;
  openLoops(builder, loc, input, dimension, indices);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value until = size(builder, loc, input, dimension);
  auto constant = [&](APFloat value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(element, value));
  };
  auto load = [&](OpBuilder &builder, Value memref, Value at) -> Value {
    indices[dimension] = at;
    return memref::LoadOp::create(builder, loc, memref, indices);
  };
  auto store = [&](OpBuilder &builder, Value value, Value memref, Value at) {
    indices[dimension] = at;
    memref::StoreOp::create(builder, loc, value, memref, indices);
  };
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  auto greatest = scf::ForOp::create(
      builder, loc, zero, until, one,
      constant(APFloat::getInf(semantics, /*Negative=*/true)),
      [&](OpBuilder &builder, Location loc, Value at, ValueRange carried) {
        Value next = arith::MaxNumFOp::create(builder, loc, carried[0],
                                              load(builder, input, at));
        scf::YieldOp::create(builder, loc, next);
      });
  auto sum = scf::ForOp::create(
      builder, loc, zero, until, one, constant(APFloat::getZero(semantics)),
      [&](OpBuilder &builder, Location loc, Value at, ValueRange carried) {
        Value less = arith::SubFOp::create(
            builder, loc, load(builder, input, at), greatest.getResult(0));
        Value power = math::ExpOp::create(builder, loc, less);
        store(builder, power, output, at);
        Value next = arith::AddFOp::create(builder, loc, carried[0], power);
        scf::YieldOp::create(builder, loc, next);
      });
  scf::ForOp::create(
      builder, loc, zero, until, one, ValueRange(),
      [&](OpBuilder &builder, Location loc, Value at, ValueRange) {
        Value part = arith::DivFOp::create(
            builder, loc, load(builder, output, at), sum.getResult(0));
        store(builder, part, output, at);
        scf::YieldOp::create(builder, loc);
      });
  softmax.erase();
  return true;
}

// The greater or the lesser of two numbers, where LLVM generates no code for
// `llvm.maximum`, or MLIR expands it. NaN if one is NaN, and -0 is less than +0: in these cases, sums
// are the results.
static void expandExtreme(OpBuilder &builder, Operation *op) {
  Type type = op->getResult(0).getType();
  bool greatest = isa<arith::MaximumFOp>(op);
  Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  Value one = op->getOperand(0), other = op->getOperand(1);
  auto compare = [&](arith::CmpFPredicate predicate, Value left, Value right) {
    return arith::CmpFOp::create(builder, loc, predicate, left, right);
  };
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  };
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value sum;
  if (greatest) {
    sum = arith::AddFOp::create(builder, loc, one, other);
  } else {
    Value negated = arith::NegFOp::create(builder, loc, one);
    negated = arith::SubFOp::create(builder, loc, negated, other);
    sum = arith::NegFOp::create(builder, loc, negated);
  }
  auto inOrder =
      greatest ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value ordered = select(compare(inOrder, one, other), one, other);
  // Two zeros.
  Value oneIsZero = compare(arith::CmpFPredicate::OEQ, one, zero);
  Value otherIsZero = compare(arith::CmpFPredicate::OEQ, other, zero);
  Value zeros = arith::AndIOp::create(builder, loc, oneIsZero, otherIsZero);
  Value isNaN = compare(arith::CmpFPredicate::UNO, one, other);
  Value isSum = arith::OrIOp::create(builder, loc, zeros, isNaN);
  op->getResult(0).replaceAllUsesWith(select(isSum, sum, ordered));
  op->erase();
}

// Whether MLIR's arith-expand lowers the operation. It also expands the greater
// of two numbers, and takes -0 for the greater zero.
static bool needsArithExpand(Operation *op) {
  if (isa<arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
    return true;
  auto isSmall = [](Type type) {
    return isa<Float8E8M0FNUType, Float4E2M1FNType>(getElementTypeOrSelf(type));
  };
  return isa<arith::ExtFOp, arith::TruncFOp>(op) &&
         (isSmall(op->getOperand(0).getType()) ||
          isSmall(op->getResult(0).getType()));
}

static bool isLarge(Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return isa<Float80Type, Float128Type>(type);
}

int64_t memplanExpandOps(MlirOperation op) {
  Operation *root = unwrap(op);
  SmallVector<Operation *> copies, softmaxes, extremes;
  int64_t scans = 0;
  bool beforeArithExpand = false;
  root->walk([&](Operation *nested) {
    if (isa<memref::CopyOp>(nested))
      copies.push_back(nested);
    else if (isa<linalg::SoftmaxOp>(nested))
      softmaxes.push_back(nested);
    else if (isa<arith::MaximumFOp, arith::MinimumFOp>(nested))
      extremes.push_back(nested);
    else if (isa<vector::ScanOp>(nested))
      ++scans;
    else if (needsArithExpand(nested))
      beforeArithExpand = true;
  });
  int64_t expanded = scans;
  OpBuilder builder(root->getContext());
  for (Operation *nested : copies)
    expanded += expandCopy(builder, cast<memref::CopyOp>(nested));
  for (Operation *nested : softmaxes)
    expanded += expandSoftmax(builder, cast<linalg::SoftmaxOp>(nested));
  for (Operation *nested : extremes) {
    if (!beforeArithExpand && !isLarge(nested))
      continue;
    expandExtreme(builder, nested);
    ++expanded;
  }
  if (scans > 0) {
    RewritePatternSet patterns(root->getContext());
    vector::populateVectorScanLoweringPatterns(patterns);
    walkAndApplyPatterns(root, std::move(patterns));
  }
  expanded += memplan::expandMasks(root);
  expanded += memplan::expandCoroutines(root);
  return expanded;
}
