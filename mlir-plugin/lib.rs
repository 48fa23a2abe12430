//! memplan: memory planning for MLIR, as a pass plugin for stock `mlir-opt`.
