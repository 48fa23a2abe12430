//! Finds LLVM for the build scripts
