// What a compiler in C++ brings itself: planners, and what the operations of
// its dialects do with memory.
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

/// What an operation does with memory. Operands and results are counted from 0,
/// among all of the operation's; a memref operand that nothing is said of is
/// read.
class Rules {
public:
  explicit Rules(MemplanRules *raw) : raw(raw) {}
  Rules &reads(intptr_t operand) {
    return memplanRulesReads(raw, operand), *this;
  }
  Rules &writes(intptr_t operand) {
    return memplanRulesWrites(raw, operand), *this;
  }
  /// Writes every element, and reads none through this operand.
  Rules &overwrites(intptr_t operand) {
    return memplanRulesOverwrites(raw, operand), *this;
  }
  /// Reads each element of `read` before it writes the one at the same place of
  /// `written`, which has the same shape, and not after.
  Rules &inStep(intptr_t read, intptr_t written) {
    return memplanRulesInStep(raw, read, written), *this;
  }
  /// Gives the memory back.
  Rules &frees(intptr_t operand) {
    return memplanRulesFrees(raw, operand), *this;
  }
  /// May keep it for longer than can be said: memplan leaves it alone.
  Rules &keeps(intptr_t operand) {
    return memplanRulesKeeps(raw, operand), *this;
  }
  /// A result is new memory, which the program gives back itself, or a
  /// deallocation handler says how.
  Rules &makes(intptr_t result) { return memplanRulesMakes(raw, result), *this; }
  /// All memref results are views of this operand. Goes with reads and writes
  /// of other operands alone.
  Rules &views(intptr_t operand) {
    return memplanRulesViews(raw, operand), *this;
  }
  /// It goes on when control has passed it: what it uses is needed until the
  /// token among its results, of which there is one, has been waited for. If it
  /// waits, too, it starts when that is done.
  Rules &goesOn() { return memplanRulesGoesOn(raw), *this; }
  /// What the tokens among its operands stand for is done when it is.
  Rules &waits() { return memplanRulesWaits(raw), *this; }
  /// Of this one, what its interfaces say holds after all.
  Rules &byInterfaces() { return memplanRulesByInterfaces(raw), *this; }

private:
  MemplanRules *raw;
};

/// Calls, operations that end a block, those with regions and those that memplan
/// knows by itself have no rules: to give some for these fails the pass.
using Collector = std::function<void(mlir::Operation *, Rules &)>;

/// Who gives memory back, for memplan-ownership-dealloc; an operation that takes
/// memory has rules, too, which say that it keeps it. For each memref among the results, in their order,
/// what it is, and which operands the operation takes.
class Deallocation {
public:
  explicit Deallocation(MemplanDeallocation *raw) : raw(raw) {}
  /// The next memref is new memory, which an operation named `freedBy`, with
  /// the memref for its only operand, gives back; by default memref.dealloc.
  Deallocation &givesNew(llvm::StringRef freedBy = {}) {
    return memplanDeallocationGivesNew(raw, wrap(freedBy)), *this;
  }
  /// The next memref is the memory of any of these operands.
  Deallocation &givesOperands(llvm::ArrayRef<intptr_t> operands) {
    return memplanDeallocationGivesOperands(raw, operands.size(),
                                            operands.data()),
           *this;
  }
  /// The next memref is memory of someone else.
  Deallocation &givesForeign() {
    return memplanDeallocationGivesForeign(raw), *this;
  }
  /// The function does not give the memory of this operand back any more.
  Deallocation &takes(intptr_t operand) {
    return memplanDeallocationTakes(raw, operand), *this;
  }
  /// Of this one, what its interfaces say holds after all.
  Deallocation &byInterfaces() {
    return memplanDeallocationByInterfaces(raw), *this;
  }

private:
  MemplanDeallocation *raw;
};

using DeallocationHandler =
    std::function<void(mlir::Operation *, Deallocation &)>;

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
        return detail::keepText(std::to_string(planned->size()) +
                                " offsets for " +
                                std::to_string(problem.buffers().size()) +
                                " buffers");
      std::copy(planned->begin(), planned->end(), offsets);
      return nullptr;
    });
  };
  return unwrap(memplanRegisterPlanner(wrap(name), call,
                                       new Planner(std::move(planner))));
}

/// From now on, `collector` is asked about operations of this name that have no
/// regions and end no block, in place of their interfaces.
inline void registerRules(llvm::StringRef name, Collector collector) {
  auto call = [](MlirOperation op, MemplanRules *raw,
                 void *user) -> const char * {
    return detail::contained([&]() -> const char * {
      Rules rules(raw);
      (*static_cast<Collector *>(user))(unwrap(op), rules);
      return nullptr;
    });
  };
  memplanRegisterRules(wrap(name), call, new Collector(std::move(collector)));
}

/// From now on, values of the type that prints so ("!npu.token") are tokens.
inline void registerTokenType(llvm::StringRef type) {
  memplanRegisterTokenType(wrap(type));
}

/// From now on, `handler` is asked about operations of this name without
/// regions.
inline void registerDeallocation(llvm::StringRef name,
                                 DeallocationHandler handler) {
  auto call = [](MlirOperation op, MemplanDeallocation *raw,
                 void *user) -> const char * {
    return detail::contained([&]() -> const char * {
      Deallocation deallocation(raw);
      (*static_cast<DeallocationHandler *>(user))(unwrap(op), deallocation);
      return nullptr;
    });
  };
  memplanRegisterDeallocation(wrap(name), call,
                              new DeallocationHandler(std::move(handler)));
}

} // namespace with_exceptions or without_exceptions
} // namespace memplan

#endif // MEMPLAN_EXTEND_H
