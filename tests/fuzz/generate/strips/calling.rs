//! The function that calls a chain: it fills the arguments, and prints a number for each result and each argument.

use super::super::types::Element;
use super::buffer::{Buffer, types};
use super::chain::{Chain, is_float};

impl Chain {
    /// `@PREFIXmain(%n)`, which calls the chain, with each condition in turn.
    pub fn main(&mut self, results: &[Buffer], conditions: &[bool]) {
        let shares = self.writes_arguments && !self.are_alone && self.choices.chance(40);
        let (arguments, mut memory) = (self.arguments.clone(), Vec::<Buffer>::new());
        let mut owned = Vec::new();
        for (number, argument) in arguments.iter().enumerate() {
            let r#type = argument.type_text();
            let same = memory.iter().find(|other| other.type_text() == r#type);
            if let Some(same) = same.cloned().filter(|_| shares) {
                self.feature("arguments in the same memory");
                memory.push(same);
                continue;
            }
            let mut own = argument.clone();
            own.name = self.value(format!("memref.alloc() : {type}", type = r#type));
            let flat = self.flat(&own);
            let start = self.value(format!("arith.constant {} : i32", 13 * number + 5));
            self.line(format!(
                "func.call @{}fill_{}({flat}, {start}) : (memref<?x{}>, i32) -> ()",
                self.prefix, own.element, own.element
            ));
            memory.push(own.clone());
            owned.push(own);
        }
        for condition in conditions {
            let condition = self.value(format!("arith.constant {condition}"));
            let names: Vec<String> = results.iter().map(|_| self.name("r")).collect();
            let passed: Vec<&str> = memory.iter().map(|other| other.name.as_str()).collect();
            self.line(format!(
                "{} = func.call @{}chain({}, {condition}) : ({}, i1) -> ({})",
                names.join(", "),
                self.prefix,
                passed.join(", "),
                types(&memory),
                types(results)
            ));
            for (result, name) in results.iter().zip(names) {
                let mut result = result.clone();
                result.name = name;
                self.print(&result);
                self.line(format!("memref.dealloc {result}"));
            }
        }
        for own in owned {
            self.print(&own);
            self.line(format!("memref.dealloc {own}"));
        }
    }

    /// A memref as one of one dimension, of dynamic size.
    fn flat(&mut self, buffer: &Buffer) -> String {
        let (element, count) = (buffer.element, buffer.count());
        let mut name = buffer.name.clone();
        if buffer.rank() > 1 {
            let dims: Vec<usize> = (0..buffer.rank()).collect();
            name = self.value(format!(
                "memref.collapse_shape {name} [{dims:?}] : {} into memref<{count}x{element}>",
                buffer.type_text()
            ));
        }
        self.value(format!(
            "memref.cast {name} : memref<{count}x{element}> to memref<?x{element}>"
        ))
    }

    /// Prints a number that depends on every element.
    fn print(&mut self, buffer: &Buffer) {
        let flat = self.flat(buffer);
        let element = buffer.element;
        self.line(format!(
            "func.call @{}print_{element}({flat}) : (memref<?x{element}>) -> ()",
            self.prefix
        ));
    }
}

/// The functions that fill and print memrefs of these elements. NaNs are all printed the same.
pub fn helpers(prefix: &str, element: Element) -> String {
    let convert = match element {
        Element::I8 => "%y = arith.trunci %d : i32 to i8".to_owned(),
        Element::I32 => "%y = arith.addi %d, %zero : i32".to_owned(),
        _ => format!(
            "%f = arith.sitofp %d : i32 to {element}\n    %scale = arith.constant 0.017 : {element}\n    \
             %y = arith.mulf %f, %scale : {element}"
        ),
    };
    let number = match element {
        Element::F32 => {
            "%b = arith.bitcast %v : f32 to i32\n    %w = arith.extsi %b : i32 to i64".to_owned()
        }
        Element::F64 => "%w = arith.bitcast %v : f64 to i64".to_owned(),
        other => format!("%w = arith.extsi %v : {other} to i64"),
    };
    let shown = match is_float(element) {
        true => format!(
            "%nan = arith.cmpf uno, %v, %v : {element}\n    %x2 = arith.select %nan, %start, %w : i64"
        ),
        false => "%x2 = arith.addi %w, %none : i64".to_owned(),
    };
    format!(
        "\
func.func private @{prefix}fill_{element}(%x: memref<?x{element}>, %start: i32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %factor = arith.constant 1103 : i32
  %modulus = arith.constant 101 : i32
  %half = arith.constant 50 : i32
  %n = memref.dim %x, %c0 : memref<?x{element}>
  scf.for %i = %c0 to %n step %c1 {{
    %k = arith.index_cast %i : index to i32
    %a = arith.muli %k, %factor : i32
    %b = arith.addi %a, %start : i32
    %square = arith.muli %b, %b : i32
    %sum = arith.addi %square, %b : i32
    %c = arith.remui %sum, %modulus : i32
    %d = arith.subi %c, %half : i32
    {convert}
    memref.store %y, %x[%i] : memref<?x{element}>
  }}
  return
}}
func.func private @{prefix}print_{element}(%x: memref<?x{element}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %start = arith.constant 7 : i64
  %factor = arith.constant 1000003 : i64
  %n = memref.dim %x, %c0 : memref<?x{element}>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%before = %start) -> i64 {{
    %v = memref.load %x[%i] : memref<?x{element}>
    {number}
    {shown}
    %p = arith.muli %before, %factor : i64
    %q = arith.addi %p, %x2 : i64
    scf.yield %q : i64
  }}
  func.call @fuzz_print(%all) : (i64) -> ()
  return
}}
"
    )
}
