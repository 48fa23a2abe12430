//! Control-flow kernels of several sizes.

use std::fmt::Write;

/// The templates of the kernels.
const TEMPLATES: &str = include_str!("kernels.mlir");

/// A kernel: its name, and its function.
pub struct Kernel {
    name: String,
    text: String,
}

impl Kernel {
    /// Whether bounds of its loops depend on loops around.
    pub fn is_triangular(&self) -> bool {
        ["solve_", "sort_"]
            .iter()
            .any(|start| self.name.starts_with(start))
    }
}

/// All kernels in all sizes.
pub fn all() -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for part in TEMPLATES.split("\n\n// ").skip(1) {
        // NAME sizes N N N: …
        let Some((name, rest)) = part.split_once(" sizes ") else {
            continue;
        };
        let Some((sizes, _)) = rest.split_once(':') else {
            continue;
        };
        let Some(start) = part.find("func.func") else {
            continue;
        };
        for size in sizes.split_whitespace() {
            let number: u64 = size.parse().expect("a size is a number");
            let text = part[start..]
                .replace("$N", size)
                .replace("$M", &(number - 1).to_string());
            kernels.push(Kernel {
                name: format!("{name}_{size}"),
                text,
            });
        }
    }
    kernels
}

/// The function with which programs print; it is bounded.
pub const PRINTS: &str = "\
func.func private @printI64(i64) attributes {memplan.bounded}
func.func private @printF64(f64) attributes {memplan.bounded}
func.func private @printF32(f32) attributes {memplan.bounded}
func.func private @printNewline() attributes {memplan.bounded}
";

/// A module that runs functions of these names with several numbers each.
pub fn runs(names: &[String]) -> String {
    let mut text = String::from("func.func @main() -> i32 {\n");
    for input in [0_i64, 5, -3, 1234, 77] {
        let _ = writeln!(
            text,
            "  %n{} = arith.constant {input} : i64",
            input.unsigned_abs()
        );
        for name in names {
            let n = input.unsigned_abs();
            let _ = writeln!(text, "  call @{name}(%n{n}) : (i64) -> ()");
        }
    }
    text + "  %end = arith.constant 0 : i32\n  return %end : i32\n}\n"
}

/// A module of all kernels.
pub fn module(kernels: &[&Kernel]) -> String {
    let mut text = String::from(PRINTS);
    for kernel in kernels {
        text += &kernel.text;
        text.push('\n');
    }
    let names: Vec<String> = kernels.iter().map(|kernel| kernel.name.clone()).collect();
    text + &runs(&names)
}
