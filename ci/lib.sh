# shellcheck shell=bash
# What the scripts in this folder share. Sourced; leaves the caller in the repository's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

debian_prefix=/usr/lib/llvm-22
LLVM_PREFIX=${LLVM_PREFIX:-$debian_prefix}
# shellcheck disable=SC2034 # for the callers
target=${CARGO_TARGET_DIR:-target}

# Says on one line why the script ends.
fail() {
    echo "ci/${0##*/}: $*" >&2
    exit 1
}

# rustup installs the Rust of rust-toolchain.toml. Without a network it cannot; its default Rust builds memplan, too.
if command -v rustup >/dev/null && ! cargo --version >/dev/null 2>&1; then
    default=$(rustup default)
    export RUSTUP_TOOLCHAIN=${default%% *}
    echo "the Rust of rust-toolchain.toml is missing; going on with $RUSTUP_TOOLCHAIN" >&2
fi

# Prints what is wrong with the LLVM of LLVM_PREFIX; nothing where all is well.
llvm_problem() {
    local version file
    version=$("$LLVM_PREFIX/bin/llvm-config" --version 2>/dev/null) || {
        echo "LLVM 22 is missing: no $LLVM_PREFIX/bin/llvm-config; install it or set LLVM_PREFIX"
        return
    }
    if [[ $version != 22.* ]]; then
        echo "LLVM 22 is needed, $LLVM_PREFIX has $version"
        return
    fi
    for file in bin/{mlir-opt,mlir-runner,mlir-translate,FileCheck,not,opt,llc} lib/libMLIR.so include/mlir-c/IR.h; do
        if [[ ! -e $LLVM_PREFIX/$file ]]; then
            echo "LLVM $version in $LLVM_PREFIX is not complete: no $file"
            return
        fi
    done
}

# The commit of the sources, with a mark where they differ from it.
commit() {
    git describe --always --dirty --exclude '*' --abbrev=12 2>/dev/null || true
}

# Ends the script where LLVM is not as needed; tells cargo and the tests where it is.
use_llvm() {
    local problem
    problem=$(llvm_problem)
    [[ -z $problem ]] || fail "$problem"
    export LLVM_PREFIX
    export MLIR_SYS_LINK_SHARED=1
    export MLIR_SYS_220_PREFIX=$LLVM_PREFIX TABLEGEN_220_PREFIX=$LLVM_PREFIX LLVM_SYS_221_PREFIX=$LLVM_PREFIX
    export LIBCLANG_PATH=$LLVM_PREFIX/lib
    export PATH=$LLVM_PREFIX/bin:$PATH
    # For memplan version --bug-report.
    MEMPLAN_COMMIT=$(commit)
    export MEMPLAN_COMMIT
    # An error that a test returns says what is wrong by itself; a panic keeps its trace.
    export RUST_LIB_BACKTRACE=0
    # RUSTFLAGS replaces the flags of .cargo/config.toml, which name Debian's LLVM.
    if [[ $LLVM_PREFIX != "$debian_prefix" || -n ${RUSTFLAGS:-} ]]; then
        export RUSTFLAGS="${RUSTFLAGS:-} -C link-arg=-Wl,-rpath,$LLVM_PREFIX/lib"
        export RUSTDOCFLAGS="${RUSTDOCFLAGS:-} -C link-arg=-Wl,-rpath,$LLVM_PREFIX/lib"
    fi
}

# Prints the clang-format of LLVM 22: LLVM's own, or that of the package clang-format-22, or one in PATH.
clang_format() {
    local program
    for program in "$LLVM_PREFIX/bin/clang-format" clang-format-22 clang-format; do
        if [[ $("$program" --version 2>/dev/null) == *"version 22."* ]]; then
            echo "$program"
            return
        fi
    done
    return 1
}

# Prints the cargo-deny that ci/setup nightly has installed, or the one in PATH.
cargo_deny() {
    local program
    for program in "$target/tools/bin/cargo-deny" cargo-deny; do
        if command -v "$program"; then return; fi
    done
    return 1
}
