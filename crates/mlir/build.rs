//! Compiles the C++ shim, writes the linker script for MLIR's C API, and runs bindgen on the shim's header.

use memplan_build_support::{Llvm, or_exit};
use std::{env, error::Error, fs, path::PathBuf};

const SOURCES: [&str; 23] = [
    "Body.cpp",
    "Bounds.cpp",
    "StructuredOps.cpp",
    "Fold.cpp",
    "Host.cpp",
    "Interfaces.cpp",
    "Layout.cpp",
    "Loops.cpp",
    "DeallocationModel.cpp",
    "ExpandCoroutines.cpp",
    "ExpandMasks.cpp",
    "ExpandOps.cpp",
    "Pass.cpp",
    "Rebuild.cpp",
    "Snapshot.cpp",
    "Strides.cpp",
    "Target.cpp",
    "Tools.cpp",
    "Types.cpp",
    "Split.cpp",
    "Values.cpp",
    "Views.cpp",
    "WherePass.cpp",
];

fn main() -> Result<(), Box<dyn Error>> {
    let llvm = or_exit(Llvm::find());
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let plugin = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../mlir-plugin");

    compile(&llvm, &plugin, &out)?;
    link_c_api(&llvm, &out)?;
    bind(&llvm, &plugin, &out)?;
    Ok(())
}

/// Compiles all sources as one: MLIR's headers take four times as long as what the sources say, and are read once then.
fn compile(
    llvm: &Llvm,
    plugin: &std::path::Path,
    out: &std::path::Path,
) -> Result<(), Box<dyn Error>> {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .include(plugin.join("include"))
        .flag(format!("-isystem{}", llvm.include.display()))
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        .flag("-fno-exceptions")
        .flag_if_supported("-Wno-unused-parameter")
        .define("NDEBUG", None);
    // MLIR identifies traits by names that the compiler generates, and compilers differ. So the shim must be compiled
    // with the compiler of LLVM's packages, which is clang.
    println!("cargo:rerun-if-env-changed=CXX");
    if std::env::var_os("CXX").is_none()
        && let Some(clang) = &llvm.clang
    {
        build.compiler(clang);
    }
    if !llvm.has_rtti {
        build.flag("-fno-rtti");
    }
    for header in ["Bounds.h", "ExpandOps.h", "StridedLayout.h", "Snapshot.h"] {
        println!("cargo:rerun-if-changed={}", plugin.join(header).display());
    }
    let mut all = String::new();
    for source in SOURCES {
        let path = plugin.join(source);
        println!("cargo:rerun-if-changed={}", path.display());
        all += &format!("#include \"{}\"\n", path.display());
    }
    let unit = out.join("shim.cpp");
    fs::write(&unit, all)?;
    build.file(unit);
    build.compile("memplan_shim");
    Ok(())
}

/// Writes a linker script if libMLIR-C is not packaged. mlir-sys links `-lMLIR-C`; the script of that name joins the
/// archives that the library consists of.
fn link_c_api(llvm: &Llvm, out: &std::path::Path) -> Result<(), Box<dyn Error>> {
    println!("cargo:rustc-link-search=native={}", llvm.lib.display());
    if !llvm.lib.join("libMLIR-C.so").exists() {
        let archives: Vec<String> = llvm
            .c_api_archives()
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        fs::write(
            out.join("libMLIR-C.so"),
            format!("GROUP ( {} )\n", archives.join(" ")),
        )?;
        println!("cargo:rustc-link-search=native={}", out.display());
    }
    println!("cargo:rustc-link-lib=MLIR-C");
    println!("cargo:rustc-link-lib=MLIR");
    println!("cargo:rustc-link-lib=LLVM");
    Ok(())
}

fn bind(
    llvm: &Llvm,
    plugin: &std::path::Path,
    out: &std::path::Path,
) -> Result<(), Box<dyn Error>> {
    let header = plugin.join("include/memplan-c/Shim.h");
    println!("cargo:rerun-if-changed={}", header.display());
    bindgen::builder()
        .header(header.display().to_string())
        .clang_arg(format!("-I{}", llvm.include.display()))
        .allowlist_item("(?i)memplan.*")
        .blocklist_item("Mlir.*")
        .raw_line("use mlir_sys::*;")
        .default_enum_style(bindgen::EnumVariation::Consts)
        .prepend_enum_name(false)
        .generate()?
        .write_to_file(out.join("shim.rs"))?;
    Ok(())
}
