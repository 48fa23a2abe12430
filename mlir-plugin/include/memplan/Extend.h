// What a compiler in C++ brings itself: planners, and what the operations of
// its dialects do to memory.
//
// Functions that are registered may be called by any thread, several at once,
// for as long as the process lives. An exception in one fails the pass that
// asks, with its text, and goes no further.
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
// together: what they have inline is not the same.
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
  /// When a buffer is live: sorted, disjoint.
  static llvm::ArrayRef<LiveRange> live(const Buffer &buffer) {
    return {buffer.ranges, static_cast<size_t>(buffer.rangeCount)};
  }
  /// Bytes that there are.
  std::optional<uint64_t> capacity() const {
    if (raw.capacity < 0)
      return std::nullopt;
    return static_cast<uint64_t>(raw.capacity);
  }

private:
  const MemplanProblem &raw;
};

/// An offset in bytes for each buffer, in their order; nothing where it has
/// none to give. The same problem has to give the same offsets.
using Planner =
    std::function<std::optional<std::vector<uint64_t>>(const Problem &)>;

/// What an operation does to memory. Operands and results are counted from 0,
/// among all of the operation's. A description is complete: a memref operand
/// that nothing is said of is read, a memref result that nothing is said of may
/// be any of the memref operands, or memory that is not followed.
class Description {
public:
  explicit Description(MemplanOperation *raw) : raw(raw) {}
  /// Uses sizes, strides or the address, and no byte. The address goes nowhere.
  Description &descriptor(intptr_t operand) {
    return memplanOperationDescriptor(raw, operand), *this;
  }
  Description &reads(intptr_t operand) {
    return memplanOperationReads(raw, operand), *this;
  }
  /// Some bytes may stay as they are.
  Description &writes(intptr_t operand) {
    return memplanOperationWrites(raw, operand), *this;
  }
  /// Writes every element, and reads none through this operand.
  Description &overwrites(intptr_t operand) {
    return memplanOperationOverwrites(raw, operand), *this;
  }
  /// Copies all elements of `from` to `to`, of the same shape and elements.
  Description &copies(intptr_t from, intptr_t to) {
    return memplanOperationCopies(raw, from, to), *this;
  }
  /// Reads each element of `read` before it writes the one at the same place of
  /// `written`, which has the same shape, and not after. Beside it, nothing is
  /// said of the two but that `written` is overwritten.
  Description &inStep(intptr_t read, intptr_t written) {
    return memplanOperationInStep(raw, read, written), *this;
  }
  /// Frees it: its memory goes back to the allocator. "memref" is that of
  /// memref.dealloc.
  Description &frees(intptr_t operand, llvm::StringRef allocator) {
    return memplanOperationFrees(raw, operand, wrap(allocator)), *this;
  }
  /// Takes ownership: somebody else frees it from now on.
  Description &takes(intptr_t operand) {
    return memplanOperationTakes(raw, operand), *this;
  }
  /// Code that is not seen may know the address, for ever: memplan leaves the
  /// memory alone.
  Description &captures(intptr_t operand) {
    return memplanOperationCaptures(raw, operand), *this;
  }
  /// Stores it in the memory of another operand, a memref of memrefs.
  Description &storesInto(intptr_t operand, intptr_t memory) {
    return memplanOperationStoresInto(raw, operand, memory), *this;
  }
  /// Does the same where this operand is in another memory space. Counts where
  /// it is said of all memref operands.
  Description &takesAnySpace(intptr_t operand) {
    return memplanOperationTakesAnySpace(raw, operand), *this;
  }
  /// Does the same where this operand has other strides and starts elsewhere,
  /// aligned to its elements alone.
  Description &takesAnyStrides(intptr_t operand) {
    return memplanOperationTakesAnyStrides(raw, operand), *this;
  }
  /// The result is new memory of the allocator. "memref" is that of
  /// memref.dealloc.
  Description &allocates(intptr_t result, llvm::StringRef allocator) {
    return memplanOperationAllocates(raw, result, wrap(allocator)), *this;
  }
  /// The result is a view of the operand. Goes with reads and writes of other
  /// operands alone.
  Description &views(intptr_t result, intptr_t operand,
                     MemplanStart start = MEMPLAN_START_UNKNOWN) {
    return memplanOperationViews(raw, result, operand, start), *this;
  }
  /// The same, whose data starts as many bytes later as the operand `bytes`
  /// says, of type index.
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
  /// The result is memory of somebody else, which is never freed here.
  Description &borrowed(intptr_t result) {
    return memplanOperationBorrowed(raw, result), *this;
  }
  /// The result, which is not a memref, is the operand's address, or holds it: a
  /// number, a pointer, a structure.
  Description &addressOf(intptr_t result, intptr_t operand) {
    return memplanOperationAddressOf(raw, result, operand), *this;
  }
  /// It goes on after control has passed it: what it uses is needed until this
  /// token, its only one, has been waited for.
  Description &starts(intptr_t tokenResult) {
    return memplanOperationStarts(raw, tokenResult), *this;
  }
  /// Its tokens are done no earlier than this operand, for which control does
  /// not wait.
  Description &after(intptr_t tokenOperand) {
    return memplanOperationAfter(raw, tokenOperand), *this;
  }
  /// Control waits for all its token operands.
  Description &waits() { return memplanOperationWaits(raw), *this; }
  /// Nothing changes places with it: input and output, a barrier, memory that
  /// no operand names.
  Description &fence() { return memplanOperationFence(raw), *this; }
  /// It may run where it would not have run. Only where it touches no byte.
  Description &speculatable() {
    return memplanOperationSpeculatable(raw), *this;
  }
  /// Of this one, what its interfaces and memplan itself say holds after all,
  /// and nothing else.
  Description &byInterfaces() {
    return memplanOperationByInterfaces(raw), *this;
  }

private:
  MemplanOperation *raw;
};

/// Operations with regions, those that end a block, calls, and descriptions that
/// contradict themselves or name what the operation does not have fail the pass
/// that asks, at the operation.
using Describe = std::function<void(mlir::Operation *, Description &)>;

namespace detail {
/// A text that lives until this thread has the next one.
inline const char *keepText(std::string text) {
  thread_local std::string kept;
  kept = std::move(text);
  return kept.c_str();
}

/// Null, or the text of an exception.
template <typename Work> const char *contained(Work work) {
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

/// From now on, `planner=NAME` asks this one. What it gives is checked before
/// use; what is no plan fails the pass with what is wrong. Fails where memplan
/// has a planner of that name, or the name has other characters than letters,
/// digits, '-', '_' and '.'.
inline llvm::LogicalResult registerPlanner(llvm::StringRef name,
                                           Planner planner) {
  auto call = [](const MemplanProblem *raw, uint64_t *offsets,
                 void *user) -> const char * {
    return detail::contained([&]() -> const char * {
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
  return contained([&]() -> const char * {
    Description description(raw);
    (*static_cast<Describe *>(user))(unwrap(op), description);
    return nullptr;
  });
}

inline void keepWhy(MlirStringRef text, void *why) {
  static_cast<std::string *>(why)->assign(text.data, text.length);
}

using Register = decltype(memplanRegisterOperation);

inline llvm::LogicalResult add(Register *add, llvm::StringRef name,
                               Describe describe, std::string *why) {
  auto user = std::make_unique<Describe>(std::move(describe));
  llvm::LogicalResult done = unwrap(add(
      wrap(name), detail::describe, user.get(), why ? keepWhy : nullptr, why));
  // It lives as long as the process.
  if (succeeded(done))
    (void)user.release();
  return done;
}
} // namespace detail

/// From now on, `describe` is asked about all operations of this name, in place
/// of their interfaces, by all passes. Fails, with the reason in `why`, or on
/// standard error without, where the name is registered already, a pass has asked about it (register before
/// passes run), or memplan knows the operation.
inline llvm::LogicalResult registerOperation(llvm::StringRef name,
                                             Describe describe,
                                             std::string *why = nullptr) {
  return detail::add(memplanRegisterOperation, name, std::move(describe), why);
}

/// The same, also for an operation that memplan knows: what it knows of it is
/// replaced. Passes still write such operations where they do today, and take
/// loops, calls and branches for what they are.
inline llvm::LogicalResult overrideOperation(llvm::StringRef name,
                                             Describe describe,
                                             std::string *why = nullptr) {
  return detail::add(memplanOverrideOperation, name, std::move(describe), why);
}

/// From now on, descriptions may name this allocator: an operation named
/// `freeOperation`, with the memref as its only operand, frees its memory;
/// where the name is empty, the program alone does. Fails where another
/// allocator has the name, which is "memref" or empty.
inline llvm::LogicalResult registerAllocator(llvm::StringRef name,
                                             llvm::StringRef freeOperation) {
  return unwrap(memplanRegisterAllocator(wrap(name), wrap(freeOperation)));
}

/// From now on, values of the type that prints so ("!npu.token") are tokens.
inline void registerTokenType(llvm::StringRef type) {
  memplanRegisterTokenType(wrap(type));
}

} // namespace with_exceptions or without_exceptions
} // namespace memplan

#endif // MEMPLAN_EXTEND_H
