// Bounds of values that MLIR does not know yet.

#ifndef MEMPLAN_BOUNDS_H
#define MEMPLAN_BOUNDS_H

namespace mlir {
class DialectRegistry;
}

namespace memplan {
// A dynamic size of a memref.view equals the operand for it. Arenas are divided
// by such views, so later passes still know the sizes.
void addBoundsOfViews(mlir::DialectRegistry &registry);
} // namespace memplan

#endif
