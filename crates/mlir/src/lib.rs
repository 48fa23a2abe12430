//! Safe Rust over MLIR where the C API and melior end
