// Splitting a module into modules with some of its functions each: references
// to symbols, declarations of definitions elsewhere, and definitions that other
// modules can refer to.

#include "memplan-c/Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

MlirModule memplanParse(MlirContext context, MlirStringRef text,
                        MlirStringRef name) {
  // Resources in bytecode need alignment, and text must end in a zero.
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      text.length, unwrap(name), llvm::Align(64));
  if (!buffer)
    return {nullptr};
  std::copy(text.data, text.data + text.length, buffer->getBufferStart());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(unwrap(context)));
  return wrap(module.release());
}

MlirModule memplanModuleLike(MlirModule wrapped) {
  auto module = cast<ModuleOp>(unwrap(wrapped)->cloneWithoutRegions());
  module.getBodyRegion().emplaceBlock();
  return wrap(module);
}

// Calls `visit` with the operation as a function or a global, if it is one of
// the dialects that modules are split in.
template <typename Visit> static void visitSymbol(Operation *op, Visit visit) {
  if (auto function = dyn_cast<func::FuncOp>(op))
    visit(function);
  else if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    visit(function);
  else if (auto global = dyn_cast<memref::GlobalOp>(op))
    visit(global);
  else if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    visit(global);
}

// One function object with the overloads of several.
template <typename... Visits> struct Overloaded : Visits... {
  using Visits::operator()...;
};
template <typename... Visits> Overloaded(Visits...) -> Overloaded<Visits...>;

static bool isLocalLinkage(LLVM::Linkage linkage) {
  return linkage == LLVM::Linkage::Internal ||
         linkage == LLVM::Linkage::Private;
}

// The definition is elsewhere, or a resolver finds it.
static bool isDefinedElsewhere(LLVM::Linkage linkage) {
  return linkage == LLVM::Linkage::AvailableExternally ||
         linkage == LLVM::Linkage::Appending;
}

void memplanSymbol(MlirOperation wrapped, MemplanSymbol *symbol,
                   MemplanUseCallback callback, void *data) {
  Operation *op = unwrap(wrapped);
  *symbol = {};
  symbol->kind = MEMPLAN_SYMBOL_OTHER;
  bool isLocal = false;
  visitSymbol(
      op, Overloaded{
              [&](func::FuncOp function) {
                symbol->kind = function.isExternal() ? MEMPLAN_SYMBOL_DECLARED
                                                     : MEMPLAN_SYMBOL_FUNCTION;
                auto linkage =
                    op->getAttrOfType<LLVM::LinkageAttr>("llvm.linkage");
                isLocal = function.isPrivate() ||
                          (linkage && isLocalLinkage(linkage.getLinkage()));
              },
              [&](LLVM::LLVMFuncOp function) {
                symbol->kind = function.isExternal() ? MEMPLAN_SYMBOL_DECLARED
                                                     : MEMPLAN_SYMBOL_FUNCTION;
                isLocal = isLocalLinkage(function.getLinkage()) ||
                          SymbolTable::getSymbolVisibility(op) ==
                              SymbolTable::Visibility::Private;
                if (isDefinedElsewhere(function.getLinkage()))
                  symbol->kind = MEMPLAN_SYMBOL_OTHER;
              },
              [&](memref::GlobalOp global) {
                // A private global belongs to this module, so memory for its
                // contents is allocated here.
                bool isDeclared = global.isExternal() && global.isPublic();
                symbol->kind =
                    isDeclared ? MEMPLAN_SYMBOL_DECLARED : MEMPLAN_SYMBOL_DATA;
                isLocal = !global.isPublic();
                symbol->is_constant = global.getConstant();
              },
              [&](LLVM::GlobalOp global) {
                bool isDefined = global.getValueOrNull() ||
                                 !global.getInitializerRegion().empty();
                symbol->kind =
                    isDefined ? MEMPLAN_SYMBOL_DATA : MEMPLAN_SYMBOL_DECLARED;
                isLocal = isLocalLinkage(global.getLinkage());
                symbol->is_constant = global.getConstant();
                if (isDefinedElsewhere(global.getLinkage()))
                  symbol->kind = MEMPLAN_SYMBOL_OTHER;
              },
          });
  symbol->is_local = isLocal && symbol->kind != MEMPLAN_SYMBOL_DECLARED;

  bool isCall = false;
  AttrTypeWalker walker;
  walker.addWalk([&](SymbolRefAttr reference) {
    callback(wrap(reference.getRootReference().getValue()), isCall, data);
    return WalkResult::skip();
  });
  AttrTypeWalker calls;
  calls.addWalk([&](SymbolRefAttr reference) {
    callback(wrap(reference.getRootReference().getValue()), isCall, data);
    return WalkResult::skip();
  });
  op->walk([&](Operation *user) {
    ++symbol->ops;
    Attribute callee;
    if (auto call = dyn_cast<CallOpInterface>(user)) {
      CallInterfaceCallable callable = call.getCallableForCallee();
      if (auto name = dyn_cast<SymbolRefAttr>(callable))
        callee = name;
      else
        symbol->calls_values = true;
    } else if (!user->isRegistered()) {
      symbol->calls_values = true;
    }
    auto visit = [&](NamedAttribute attribute) {
      bool calledHere = callee && attribute.getValue() == callee &&
                        attribute.getName() == "callee";
      isCall = calledHere;
      (calledHere ? calls : walker).walk(attribute.getValue());
    };
    for (NamedAttribute attribute : user->getAttrs())
      visit(attribute);
  });
}

// The linkage with which other modules can refer to the definition.
static LLVM::Linkage externalLinkage(LLVM::Linkage linkage) {
  switch (linkage) {
  case LLVM::Linkage::Internal:
  case LLVM::Linkage::Private:
    return LLVM::Linkage::External;
  case LLVM::Linkage::Linkonce:
    return LLVM::Linkage::Weak;
  case LLVM::Linkage::LinkonceODR:
    return LLVM::Linkage::WeakODR;
  default:
    return linkage;
  }
}

void memplanMakeExternal(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  visitSymbol(
      op, Overloaded{
              [&](func::FuncOp) {
                if (auto linkage =
                        op->getAttrOfType<LLVM::LinkageAttr>("llvm.linkage"))
                  op->setAttr("llvm.linkage",
                              LLVM::LinkageAttr::get(
                                  op->getContext(),
                                  externalLinkage(linkage.getLinkage())));
              },
              [](LLVM::LLVMFuncOp function) {
                function.setLinkage(externalLinkage(function.getLinkage()));
              },
              [&](memref::GlobalOp global) {
                if (global.isExternal() && !global.isPublic())
                  global.setInitialValueAttr(UnitAttr::get(op->getContext()));
                global.setPublic();
              },
              [](LLVM::GlobalOp global) {
                global.setLinkage(externalLinkage(global.getLinkage()));
              },
          });
}

MlirOperation memplanDeclaration(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  Operation *copy = op->cloneWithoutRegions();
  copy->setLoc(UnknownLoc::get(op->getContext()));
  visitSymbol(
      copy,
      Overloaded{
          [&](func::FuncOp function) {
            function.setPrivate();
            // The defining module has the C wrapper. A wrapper here would be a
            // second one.
            copy->removeAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
            copy->removeAttr("llvm.linkage");
          },
          [&](LLVM::LLVMFuncOp function) {
            function.setLinkage(LLVM::Linkage::External);
            function.removeComdatAttr();
            function.removePersonalityAttr();
            copy->removeAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
          },
          [](memref::GlobalOp global) {
            // A private global would get memory in this module.
            global.removeInitialValueAttr();
            global.setPublic();
          },
          [](LLVM::GlobalOp global) {
            global.removeValueAttr();
            global.setLinkage(LLVM::Linkage::External);
            global.removeComdatAttr();
          },
      });
  return wrap(copy);
}

MlirAttribute memplanConstantContents(MlirOperation wrapped) {
  auto global = dyn_cast<memref::GlobalOp>(unwrap(wrapped));
  if (!global || !global.getConstant() || global.isPublic() ||
      global.isExternal() || global.isUninitialized())
    return {nullptr};
  Builder builder(global.getContext());
  SmallVector<Attribute> parts = {TypeAttr::get(global.getType()),
                                  *global.getInitialValue()};
  if (global.getAlignmentAttr())
    parts.push_back(global.getAlignmentAttr());
  for (NamedAttribute attribute : global->getDiscardableAttrs())
    llvm::append_range(
        parts, ArrayRef<Attribute>{attribute.getName(), attribute.getValue()});
  return wrap(builder.getArrayAttr(parts));
}

void memplanRenameUses(MlirOperation wrapped, MemplanRenameCallback callback,
                       void *data) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](SymbolRefAttr reference) -> std::pair<Attribute, WalkResult> {
        MlirAttribute name =
            callback(wrap(Attribute(reference.getRootReference())), data);
        if (!name.ptr)
          return {reference, WalkResult::skip()};
        return {SymbolRefAttr::get(cast<StringAttr>(unwrap(name)),
                                   reference.getNestedReferences()),
                WalkResult::skip()};
      });
  // A nested symbol table has names of its own.
  unwrap(wrapped)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    replacer.replaceElementsIn(op);
    return op->hasTrait<OpTrait::SymbolTable>() ? WalkResult::skip()
                                                : WalkResult::advance();
  });
}

bool memplanIsEquivalent(MlirOperation one, MlirOperation other) {
  return OperationEquivalence::isEquivalentTo(
      unwrap(one), unwrap(other), OperationEquivalence::IgnoreLocations);
}
