// Extensions by a compiler in C++: planners, and the memory behavior of the
// operations of its dialects.
//
// Any thread may call a registered function, several at once, for as long as
// the process lives. An exception in one is caught and fails the pass with its
// text.
#ifndef MEMPLAN_EXTEND_H
#define MEMPLAN_EXTEND_H

#include "memplan-c/Extend.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan {
// Files that are compiled with exceptions and files without may be linked
// together, although their inline functions differ.
#if defined(__cpp_exceptions)
inline namespace with_exceptions {
#else
inline namespace without_exceptions {
#endif

using LiveRange = MemplanLiveRange;
using Buffer = MemplanBuffer;

/// Buffers for one arena. Two that are live at once must not share a byte.
class Problem {
public:
  explicit Problem(const MemplanProblem &raw) : raw(raw) {}
  llvm::ArrayRef<Buffer> buffers() const {
    return {raw.buffers, static_cast<size_t>(raw.bufferCount)};
  }
  /// The live ranges of a buffer: sorted, disjoint.
  static llvm::ArrayRef<LiveRange> live(const Buffer &buffer) {
    return {buffer.ranges, static_cast<size_t>(buffer.rangeCount)};
  }
  /// Available bytes; none: unlimited.
  std::optional<uint64_t> capacity() const {
    if (raw.capacity < 0)
      return std::nullopt;
    return static_cast<uint64_t>(raw.capacity);
  }

private:
  const MemplanProblem &raw;
};

/// An offset in bytes for each buffer, in their order; none if the planner has
/// no plan. The same problem must have the same offsets.
using Planner =
    std::function<std::optional<std::vector<uint64_t>>(const Problem &)>;

/// The memory behavior of an operation. Operands and results are numbered from
/// 0, among all of the operation's. A description is complete: a memref operand
/// without a statement is read. A memref result without a statement may be any
/// of the memref operands, or memory that is not tracked.
class Description {
public:
  explicit Description(MemplanOperation *raw) : raw(raw) {}
  /// Uses sizes, strides or the address, and no byte. The address is not
  /// captured.
  Description &descriptor(intptr_t operand) {
    return memplanOperationDescriptor(raw, operand), *this;
  }
  Description &reads(intptr_t operand) {
    return memplanOperationReads(raw, operand), *this;
  }
  /// Writes some bytes; others may stay as they are.
  Description &writes(intptr_t operand) {
    return memplanOperationWrites(raw, operand), *this;
  }
  /// Writes every element, and reads none through this operand.
  Description &overwrites(intptr_t operand) {
    return memplanOperationOverwrites(raw, operand), *this;
  }
  /// Copies all elements of `from` to `to`, of the same shape and element type.
  Description &copies(intptr_t from, intptr_t to) {
    return memplanOperationCopies(raw, from, to), *this;
  }
  /// Reads each element of `read` before it writes the element of `written` at
  /// the same index, and not after. Both have the same shape. The only other
  /// statement about the two may be that `written` is overwritten.
  Description &inStep(intptr_t read, intptr_t written) {
    return memplanOperationInStep(raw, read, written), *this;
  }
  /// Frees the operand: its memory returns to the allocator. "memref" is the
  /// allocator of memref.dealloc.
  Description &frees(intptr_t operand, llvm::StringRef allocator) {
    return memplanOperationFrees(raw, operand, wrap(allocator)), *this;
  }
  /// Takes ownership: somebody else frees the operand from now on.
  Description &takes(intptr_t operand) {
    return memplanOperationTakes(raw, operand), *this;
  }
  /// Unknown code may know the address from now on: memplan does not plan or
  /// free the memory.
  Description &captures(intptr_t operand) {
    return memplanOperationCaptures(raw, operand), *this;
  }
  /// Stores the operand in the memory of another operand, a memref of memrefs.
  Description &storesInto(intptr_t operand, intptr_t memory) {
    return memplanOperationStoresInto(raw, operand, memory), *this;
  }
  /// Behaves the same if this operand is in another memory space. Only has an
  /// effect if it is stated for all memref operands.
  Description &takesAnySpace(intptr_t operand) {
    return memplanOperationTakesAnySpace(raw, operand), *this;
  }
  /// Behaves the same if this operand has other strides and another start,
  /// aligned only to its elements.
  Description &takesAnyStrides(intptr_t operand) {
    return memplanOperationTakesAnyStrides(raw, operand), *this;
  }
  /// The result is new memory of the allocator. "memref" is the allocator of
  /// memref.dealloc.
  Description &allocates(intptr_t result, llvm::StringRef allocator) {
    return memplanOperationAllocates(raw, result, wrap(allocator)), *this;
  }
  /// The result is a view of the operand. Can only be combined with reads and
  /// writes of other operands.
  Description &views(intptr_t result, intptr_t operand,
                     MemplanStart start = MEMPLAN_START_UNKNOWN) {
    return memplanOperationViews(raw, result, operand, start), *this;
  }
  /// As `views`. The data starts later by the number of bytes in operand
  /// `bytes`, of type index.
  Description &viewsShifted(intptr_t result, intptr_t operand, intptr_t bytes) {
    return memplanOperationViewsShifted(raw, result, operand, bytes), *this;
  }
  /// The result is the memory of one of these operands.
  Description &anyOf(intptr_t result, llvm::ArrayRef<intptr_t> operands) {
    return memplanOperationAnyOf(raw, result, operands.size(), operands.data()),
           *this;
  }
  /// The result is an element of the operand, a memref of memrefs.
  Description &loads(intptr_t result, intptr_t operand) {
    return memplanOperationLoads(raw, result, operand), *this;
  }
  /// The result is memory that somebody else owns, and that is never freed
  /// here.
  Description &borrowed(intptr_t result) {
    return memplanOperationBorrowed(raw, result), *this;
  }
  /// The result, which is not a memref, is or holds the operand's address: a
  /// number, a pointer, a structure.
  Description &addressOf(intptr_t result, intptr_t operand) {
    return memplanOperationAddressOf(raw, result, operand), *this;
  }
  /// The operation is asynchronous: the memory that it uses is needed until
  /// this token, its only one, has been waited for.
  Description &starts(intptr_t tokenResult) {
    return memplanOperationStarts(raw, tokenResult), *this;
  }
  /// The tokens of the operation are done no earlier than this operand. Control
  /// does not wait for it.
  Description &after(intptr_t tokenOperand) {
    return memplanOperationAfter(raw, tokenOperand), *this;
  }
  /// Control waits for all token operands.
  Description &waits() { return memplanOperationWaits(raw), *this; }
  /// No operation may be moved across this one: input and output, a barrier,
  /// memory that no operand names.
  Description &fence() { return memplanOperationFence(raw), *this; }
  /// The operation may be executed speculatively. Only valid if it accesses no
  /// byte.
  Description &speculatable() {
    return memplanOperationSpeculatable(raw), *this;
  }
  /// For this operation, its interfaces and memplan's own knowledge hold, and
  /// nothing else.
  Description &byInterfaces() {
    return memplanOperationByInterfaces(raw), *this;
  }

private:
  MemplanOperation *raw;
};

/// Describes an operation. The pass fails, with an error at the operation, for
/// operations with regions, for terminators and calls, and for a description
/// that contradicts itself or names an operand or result that does not exist.
using Describe = std::function<void(mlir::Operation *, Description &)>;

namespace detail {
/// Keeps a string until this thread keeps the next one.
inline const char *keepText(std::string text) {
  thread_local std::string kept;
  kept = std::move(text);
  return kept.c_str();
}

/// The result of `work`, or the text of an exception that it throws.
template <typename Work> const char *catchException(Work work) {
#if defined(__cpp_exceptions)
  try {
    return work();
  } catch (const std::exception &exception) {
    return keepText(std::string("it threw: ") + exception.what());
  } catch (...) {
    return keepText("it threw what is no std::exception");
  }
#else
  return work();
#endif
}
} // namespace detail

/// Registers a planner, which `planner=NAME` then selects. Its offsets are
/// checked before use; an invalid plan fails the pass with the reason. Fails if
/// memplan has a planner of that name, or if the name has other characters than
/// letters, digits, '-', '_' and '.'.
inline llvm::LogicalResult registerPlanner(llvm::StringRef name,
                                           Planner planner) {
  auto call = [](const MemplanProblem *raw, uint64_t *offsets,
                 void *user) -> const char * {
    return detail::catchException([&]() -> const char * {
      Problem problem(*raw);
      auto planned = (*static_cast<Planner *>(user))(problem);
      if (!planned)
        return "it has none to give";
      if (planned->size() != problem.buffers().size())
        return detail::keepText(
            std::to_string(planned->size()) + " offsets for " +
            std::to_string(problem.buffers().size()) + " buffers");
      std::copy(planned->begin(), planned->end(), offsets);
      return nullptr;
    });
  };
  return unwrap(memplanRegisterPlanner(wrap(name), call,
                                       new Planner(std::move(planner))));
}

namespace detail {
inline const char *describe(MlirOperation op, MemplanOperation *raw,
                            void *user) {
  return catchException([&]() -> const char * {
    Description description(raw);
    (*static_cast<Describe *>(user))(unwrap(op), description);
    return nullptr;
  });
}

inline void storeReason(MlirStringRef text, void *why) {
  static_cast<std::string *>(why)->assign(text.data, text.length);
}

using Register = decltype(memplanRegisterOperation);

inline llvm::LogicalResult add(Register *add, llvm::StringRef name,
                               Describe describe, std::string *why) {
  auto user = std::make_unique<Describe>(std::move(describe));
  llvm::LogicalResult done =
      unwrap(add(wrap(name), detail::describe, user.get(),
                 why ? storeReason : nullptr, why));
  // Lives as long as the process.
  if (succeeded(done))
    (void)user.release();
  return done;
}
} // namespace detail

/// Registers `describe` for all operations of this name. All passes use it in
/// place of the interfaces of the operation. Fails if the name is registered
/// already, if a pass has looked it up (register before passes run), or if
/// memplan knows the operation. Then it stores the reason in `why`, or prints
/// it to standard error if that is null.
inline llvm::LogicalResult registerOperation(llvm::StringRef name,
                                             Describe describe,
                                             std::string *why = nullptr) {
  return detail::add(memplanRegisterOperation, name, std::move(describe), why);
}

/// As registerOperation, also for an operation that memplan knows: the
/// description replaces memplan's own. Passes still create such operations
/// where they do today, and treat loops, calls and branches as before.
inline llvm::LogicalResult overrideOperation(llvm::StringRef name,
                                             Describe describe,
                                             std::string *why = nullptr) {
  return detail::add(memplanOverrideOperation, name, std::move(describe), why);
}

/// Registers an allocator, which descriptions may name. An operation named
/// `freeOperation`, with the memref as its only operand, frees its memory; if
/// that name is empty, only the program frees it. Fails if another allocator
/// has the name, or if the name is "memref" or empty.
inline llvm::LogicalResult registerAllocator(llvm::StringRef name,
                                             llvm::StringRef freeOperation) {
  return unwrap(memplanRegisterAllocator(wrap(name), wrap(freeOperation)));
}

/// Registers the type with this textual form ("!npu.token") as a token type.
inline void registerTokenType(llvm::StringRef type) {
  memplanRegisterTokenType(wrap(type));
}

} // namespace with_exceptions or without_exceptions
} // namespace memplan

#endif // MEMPLAN_EXTEND_H
