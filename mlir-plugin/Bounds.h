// Bounds of values that MLIR does not know yet.

#ifndef MEMPLAN_BOUNDS_H
#define MEMPLAN_BOUNDS_H

namespace mlir {
class DialectRegistry;
}

namespace memplan {
// A dimension of a memref.view is the size that the view is given.
// Arenas are divided by such views, so their sizes stay known behind us.
void addBoundsOfViews(mlir::DialectRegistry &registry);
} // namespace memplan

#endif
