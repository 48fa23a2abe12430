//! The function, and what calls it with several lengths.

use super::along::{Along, CALLS};
use super::sizes::Size;
use super::value::Value;

impl Along<'_> {
    /// Writes the function.
    pub fn write(&mut self, results: &[Value]) {
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|number| format!("{}: index", number.name));
        let memrefs = self.memrefs.iter();
        let memrefs = memrefs.map(|memref| format!("{}: {}", memref.name, self.type_of(memref)));
        let parameters: Vec<String> = memrefs.chain(numbers).collect();
        let names: Vec<&str> = results.iter().map(|result| result.name.as_str()).collect();
        let types: Vec<String> = results.iter().map(|result| self.type_of(result)).collect();
        let (names, types) = (names.join(", "), types.join(", "));
        let end = match results.is_empty() {
            true => "  return".to_owned(),
            false => format!("  return {names} : {types}"),
        };
        let body = std::mem::take(&mut self.chain.lines).join("\n");
        let text = format!(
            "func.func private @{}chain({}) -> ({types}) {{\n{body}\n{end}\n}}\n",
            self.chain.prefix,
            parameters.join(", ")
        );
        self.chain.functions.push(text);
    }

    /// Calls it with each length, and prints results, and the memrefs that it has written.
    pub fn call(&mut self, results: &[Value], written: &[String]) {
        for length in 0..CALLS {
            self.call_with(length, results, written);
        }
    }

    fn call_with(&mut self, length: usize, results: &[Value], written: &[String]) {
        let (element, prefix) = (self.element, self.chain.prefix.clone());
        let (mut operands, mut types, mut owned) = (Vec::new(), Vec::new(), Vec::new());
        for (at, memref) in self.memrefs.clone().into_iter().enumerate() {
            let r#type = self.type_of(&memref);
            let run: Vec<i64> = memref
                .run()
                .iter()
                .map(|dim| memref.sizes[*dim].at(length))
                .collect();
            let run: Vec<String> = run.into_iter().map(|size| self.index(size)).collect();
            let own = Value {
                name: self
                    .chain
                    .value(format!("memref.alloc({}) : {}", run.join(", "), r#type)),
                ..memref.clone()
            };
            let flat = self.flat(&own);
            let start = 17 * at + 5 * length + 3;
            let start = self.chain.value(format!("arith.constant {start} : i32"));
            self.chain.line(format!(
                "func.call @{prefix}fill_{element}({flat}, {start}) : (memref<?x{element}>, i32) -> ()"
            ));
            operands.push(own.name.clone());
            types.push(r#type);
            owned.push((written.contains(&memref.name), own));
        }
        for number in self.numbers.clone() {
            operands.push(self.index(number.values[length]));
            types.push("index".to_owned());
        }
        let names: Vec<String> = results.iter().map(|_| self.chain.name("r")).collect();
        let made: Vec<String> = results.iter().map(|result| self.type_of(result)).collect();
        let start = match names.is_empty() {
            true => String::new(),
            false => format!("{} = ", names.join(", ")),
        };
        self.chain.line(format!(
            "{start}func.call @{prefix}chain({}) : ({}) -> ({})",
            operands.join(", "),
            types.join(", "),
            made.join(", ")
        ));
        for (result, name) in results.iter().zip(names) {
            let own = Value {
                name,
                ..result.clone()
            };
            self.print_sizes(&own);
            owned.push((true, own));
        }
        for (is_printed, own) in owned {
            if is_printed {
                let flat = self.flat(&own);
                self.chain.line(format!(
                    "func.call @{prefix}print_{element}({flat}) : (memref<?x{element}>) -> ()"
                ));
            }
            let line = format!("memref.dealloc {}", self.operand(&own));
            self.chain.line(line);
        }
    }

    fn print_sizes(&mut self, value: &Value) {
        for dim in value.run() {
            let at = self.index(dim as i64);
            let r#type = self.type_of(value);
            let size = self
                .chain
                .value(format!("memref.dim {}, {at} : {}", value.name, r#type));
            let size = self
                .chain
                .value(format!("arith.index_cast {size} : index to i64"));
            self.chain
                .line(format!("func.call @fuzz_print({size}) : (i64) -> ()"));
        }
    }

    /// A memref as one of one dimension, of dynamic size.
    fn flat(&mut self, value: &Value) -> String {
        let element = self.element;
        let (mut name, mut r#type) = (value.name.clone(), self.type_of(value));
        if value.rank() > 1 {
            let dims: Vec<usize> = (0..value.rank()).collect();
            let sizes: Option<Vec<i64>> = value.sizes.iter().map(Size::fixed).collect();
            let count = sizes.map_or("?".to_owned(), |sizes| {
                sizes.iter().product::<i64>().to_string()
            });
            let flat = format!("memref<{count}x{element}>");
            name = self.chain.value(format!(
                "memref.collapse_shape {name} [{dims:?}] : {} into {flat}",
                r#type
            ));
            r#type = flat;
        }
        match r#type == format!("memref<?x{element}>") {
            true => name,
            false => self.chain.value(format!(
                "memref.cast {name} : {} to memref<?x{element}>",
                r#type
            )),
        }
    }
}
