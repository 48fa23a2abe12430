//! Modules of functions of mixed size.

use std::fmt::Write;

/// The contents of a module.
#[derive(Clone, Copy)]
pub struct Shape<'a> {
    /// The number of functions.
    pub functions: usize,
    /// The functions that do not compile.
    pub failing: &'a [usize],
    /// Whether each function calls the one before.
    pub is_tied: bool,
    /// Whether they are in reverse order.
    pub is_reversed: bool,
}

/// Independent functions.
pub fn of(functions: usize) -> Shape<'static> {
    Shape {
        functions,
        failing: &[],
        is_tied: false,
        is_reversed: false,
    }
}

/// The text of a module.
pub fn module(shape: Shape<'_>) -> String {
    let mut text = String::new();
    for number in 0..8 {
        let value = number % 2;
        _ = writeln!(
            text,
            "memref.global \"private\" constant @w{number} : memref<4xf32> = dense<[{value}.0, {}.0, 3.0, 4.0]>",
            value + 5
        );
    }
    let mut numbers: Vec<usize> = (0..shape.functions).collect();
    if shape.is_reversed {
        numbers.reverse();
    }
    for number in numbers {
        function(&mut text, number, shape);
    }
    text
}

fn function(text: &mut String, number: usize, shape: Shape<'_>) {
    let buffers = [3, 7, 40][number % 3];
    _ = writeln!(
        text,
        "func.func @f{number}(%x: f32, %n: index) -> f32 attributes {{llvm.emit_c_interface}} {{\n  \
         %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
         %w = memref.get_global @w{} : memref<4xf32>\n  \
         %y = memref.load %w[%c1] : memref<4xf32>\n  %s0 = arith.addf %x, %y : f32",
        number % 8
    );
    for at in 1..=buffers {
        let size = 4 * (at + number % 5);
        _ = writeln!(
            text,
            "  %b{at} = memref.alloc() : memref<{size}xf32>\n  \
             memref.store %s{}, %b{at}[%c0] : memref<{size}xf32>\n  \
             %v{at} = memref.load %b{at}[%c0] : memref<{size}xf32>\n  \
             %s{at} = arith.addf %v{at}, %x : f32",
            at - 1
        );
    }
    _ = writeln!(
        text,
        "  %d = memref.alloc(%n) : memref<?xf32>\n  memref.store %s{buffers}, %d[%c0] : memref<?xf32>\n  \
         %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s{buffers}) -> (f32) {{\n    \
         %t = memref.load %d[%c0] : memref<?xf32>\n    %u = arith.addf %a, %t : f32\n    scf.yield %u : f32\n  }}\n  \
         %h = call @h{}(%l, %n) : (f32, index) -> f32",
        number / 10
    );
    let mut last = "%h";
    if shape.is_tied && number > 0 {
        _ = writeln!(
            text,
            "  %o = call @f{}(%x, %c1) : (f32, index) -> f32\n  %p = arith.addf %h, %o : f32",
            number - 1
        );
        last = "%p";
    }
    if shape.failing.contains(&number) {
        _ = writeln!(
            text,
            "  %e = tensor.from_elements %x, %l : tensor<2xf32>\n  %g = tensor.extract %e[%n] : tensor<2xf32>\n  \
             %k = arith.addf {last}, %g : f32"
        );
        last = "%k";
    }
    _ = writeln!(text, "  return {last} : f32\n}}");
    if number.is_multiple_of(10) {
        _ = writeln!(
            text,
            "func.func private @h{}(%x: f32, %n: index) -> f32 {{\n  %c0 = arith.constant 0 : index\n  \
             %a = memref.alloc(%n) : memref<?xf32>\n  memref.store %x, %a[%c0] : memref<?xf32>\n  \
             %r = memref.load %a[%c0] : memref<?xf32>\n  %s = arith.addf %r, %r : f32\n  return %s : f32\n}}",
            number / 10
        );
    }
}

/// The result of `f{number}(x, n)` of a module without calls.
pub fn expected(number: usize, x: f32, n: usize) -> f32 {
    let buffers = [3, 7, 40][number % 3];
    let mut sum = x + (5 + number % 8 % 2) as f32;
    for _ in 0..buffers {
        sum += x;
    }
    let first = sum;
    for _ in 0..n {
        sum += first;
    }
    sum + sum
}

/// A program in C and C++ that calls the functions of a module and prints their results.
pub fn caller(functions: usize) -> String {
    let mut text =
        "#include <stdint.h>\n#include <stdio.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
            .to_owned();
    for number in 0..functions {
        _ = writeln!(text, "float _mlir_ciface_f{number}(float, int64_t);");
    }
    text.push_str("#ifdef __cplusplus\n}\n#endif\nint main(void) {\n");
    for number in 0..functions {
        _ = writeln!(
            text,
            "  printf(\"%g\\n\", _mlir_ciface_f{number}(1.0f, 3));"
        );
    }
    text.push_str("}\n");
    text
}
