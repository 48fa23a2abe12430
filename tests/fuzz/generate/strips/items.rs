//! Chains on items of a number that is known only at run time, as those of a batch. Some operations do the same for each
//! item; others need more than one.

use super::super::types::Element;
use super::chain::Chain;

/// Extents of an item.
const SIZES: [usize; 6] = [5, 8, 12, 13, 16, 17];

/// A memref with a dynamic first dimension.
#[derive(Clone)]
struct Items {
    name: String,
    rows: usize,
    columns: usize,
}

impl Items {
    fn type_text(&self) -> String {
        format!("memref<?x{}x{}xf32>", self.rows, self.columns)
    }
}

const SAME: &str = "affine_map<(b, i, j) -> (b, i, j)>";
const PARALLEL: &str = "\"parallel\", \"parallel\", \"parallel\"";

impl Chain {
    /// A chain on items, called with several numbers of them.
    pub fn on_items(&mut self) {
        self.feature("items of a dynamic number");
        self.element = Element::F32;
        let argument = Items {
            name: "%x".to_owned(),
            rows: *self.choices.of(&SIZES),
            columns: *self.choices.of(&SIZES),
        };
        self.line("%first = arith.constant 0 : index");
        self.line("%zero = arith.constant 0.0 : f32");
        self.line("%one = arith.constant 1.0 : f32");
        self.line(format!(
            "%items = memref.dim %x, %first : {}",
            argument.type_text()
        ));
        let mut all = vec![argument.clone()];
        let next = self.elementwise_items(&argument, &argument);
        all.push(next);
        for _ in 0..self.between(2, 8) {
            let start = self.choices.start();
            let from = match self.choices.chance(25) {
                false => all[all.len() - 1].clone(),
                true => self.choices.of(&all).clone(),
            };
            let kind = self.choices.weighted(&[
                (20, 0),
                (15, 1),
                (20, 2),
                (15, 3),
                (8, 4),
                (8, 5),
                (4, 6),
                (4, 7),
                (4, 8),
            ]);
            let next = match kind {
                0 => {
                    let same =
                        |other: &&Items| (other.rows, other.columns) == (from.rows, from.columns);
                    let same: Vec<Items> = all.iter().filter(same).cloned().collect();
                    let other = self.choices.of(&same).clone();
                    self.elementwise_items(&from, &other)
                }
                1 => self.padded_items(&from),
                2 if from.rows > 4 => self.window_of_items(&from),
                3 => self.product_of_items(&from),
                4 => self.transposed_items(&from),
                5 => self.reshaped_items(&from),
                6 => self.first_item(&from),
                7 => self.numbered_items(&from),
                _ => self.sum_of_items(&from),
            };
            all.push(next);
            self.choices.end(start);
        }
        let result = all[all.len() - 1].clone();
        let result = match self.choices.chance(50) {
            false => self.elementwise_items(&result, &result),
            true => self.padded_items(&result),
        };
        let body = std::mem::take(&mut self.lines).join("\n");
        self.functions.push(format!(
            "func.func private @{}chain(%x: {}) -> {} {{\n{body}\n  return {} : {}\n}}\n",
            self.prefix,
            argument.type_text(),
            result.type_text(),
            result.name,
            result.type_text()
        ));
        self.call_with_items(&argument, &result);
    }

    fn call_with_items(&mut self, argument: &Items, result: &Items) {
        for count in [2, self.between(0, 1), 3] {
            let (number, zero) = (self.index(count), self.index(0));
            let r#type = argument.type_text();
            let all = self.value(format!("memref.alloc({number}) : {type}", type = r#type));
            let start = self.value("arith.constant 5 : i32");
            let prefix = self.prefix.clone();
            let flat = |chain: &mut Self, name: &str, r#type: &str| {
                chain.value(format!(
                    "memref.collapse_shape {name} [[0, 1, 2]] : {type} into memref<?xf32>"
                ))
            };
            let values = flat(self, &all, &r#type);
            self.line(format!(
                "func.call @{prefix}fill_f32({values}, {start}) : (memref<?xf32>, i32) -> ()"
            ));
            let to = result.type_text();
            let made = self.value(format!(
                "func.call @{prefix}chain({all}) : ({type}) -> {to}",
                type = r#type
            ));
            let size = self.value(format!("memref.dim {made}, {zero} : {to}"));
            let size = self.value(format!("arith.index_cast {size} : index to i64"));
            self.line(format!("func.call @fuzz_print({size}) : (i64) -> ()"));
            let shown = flat(self, &made, &to);
            self.line(format!(
                "func.call @{prefix}print_f32({shown}) : (memref<?xf32>) -> ()"
            ));
            self.line(format!("memref.dealloc {made} : {to}"));
            self.line(format!("memref.dealloc {all} : {type}", type = r#type));
        }
    }

    fn items(&mut self, rows: usize, columns: usize) -> Items {
        let made = Items {
            name: self.name("m"),
            rows,
            columns,
        };
        let r#type = made.type_text();
        self.line(format!("{} = memref.alloc(%items) : {type}", made.name, type = r#type));
        made
    }

    /// `linalg.generic` with one result.
    fn generic_on_items(
        &mut self,
        (maps, kinds): (&[&str], &str),
        inputs: &[(&str, String)],
        (to, r#type): (&str, &str),
        body: &[&str],
    ) {
        let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
        let types: Vec<&str> = inputs.iter().map(|(_, r#type)| r#type.as_str()).collect();
        let arguments: Vec<String> = (0..inputs.len()).map(|at| format!("%e{at}: f32")).collect();
        let maps = maps.join(", ");
        self.line(format!(
            "linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({} : {}) \
             outs({to} : {type}) {{",
            names.join(", "),
            types.join(", "),
            type = r#type
        ));
        self.line(format!("^bb0({}, %o: f32):", arguments.join(", ")));
        for line in body {
            self.line(format!("  {line}"));
        }
        self.line("  linalg.yield %s : f32");
        self.line("}");
    }

    fn elementwise_items(&mut self, one: &Items, other: &Items) -> Items {
        let made = self.items(one.rows, one.columns);
        let inputs = [
            (&*one.name, one.type_text()),
            (&*other.name, other.type_text()),
        ];
        let body = [
            "%d = arith.mulf %e0, %e1 : f32",
            "%c = math.absf %d : f32",
            "%f = arith.addf %c, %one : f32",
            "%s = arith.divf %e1, %f : f32",
        ];
        let to = (&*made.name, &*made.type_text());
        self.generic_on_items((&[SAME, SAME, SAME], PARALLEL), &inputs, to, &body);
        made
    }

    fn padded_items(&mut self, from: &Items) -> Items {
        let (above, left) = (self.between(0, 2), self.between(0, 2));
        let made = self.items(from.rows + above + 1, from.columns + left);
        let number = *self.choices.of(&["%zero", "%one"]);
        let r#type = made.type_text();
        self.line(
            format!("linalg.fill ins({number} : f32) outs({} : {type})", made.name, type = r#type),
        );
        let (rows, columns) = (from.rows, from.columns);
        let strides = [made.rows * made.columns, made.columns, 1];
        let offset = match above * made.columns + left {
            0 => String::new(),
            offset => format!(", offset: {offset}"),
        };
        let inside = format!("memref<?x{rows}x{columns}xf32, strided<{strides:?}{offset}>>");
        let part = self.value(format!(
            "memref.subview {}[0, {above}, {left}] [%items, {rows}, {columns}] [1, 1, 1] : {type} to {inside}",
            made.name,
            type = r#type
        ));
        self.line(format!(
            "memref.copy {}, {part} : {} to {inside}",
            from.name,
            from.type_text()
        ));
        made
    }

    fn window_of_items(&mut self, from: &Items) -> Items {
        let (step, taps) = (self.between(1, 2), self.between(2, 3));
        let made = self.items((from.rows - taps) / step + 1, from.columns);
        let to = made.type_text();
        self.line(format!(
            "linalg.fill ins(%zero : f32) outs({} : {to})",
            made.name
        ));
        let weights = self.value(format!("memref.alloc() : memref<{taps}xf32>"));
        self.line(format!(
            "linalg.fill ins(%one : f32) outs({weights} : memref<{taps}xf32>)"
        ));
        let read = format!("affine_map<(b, i, j, k) -> (b, i * {step} + k, j)>");
        let maps = [
            &*read,
            "affine_map<(b, i, j, k) -> (k)>",
            "affine_map<(b, i, j, k) -> (b, i, j)>",
        ];
        let kinds = format!("{PARALLEL}, \"reduction\"");
        let inputs = [
            (&*from.name, from.type_text()),
            (&*weights, format!("memref<{taps}xf32>")),
        ];
        let body = [
            "%p = arith.mulf %e0, %e1 : f32",
            "%s = arith.addf %p, %o : f32",
        ];
        self.generic_on_items((&maps, &kinds), &inputs, (&made.name, &to), &body);
        made
    }

    fn product_of_items(&mut self, from: &Items) -> Items {
        let columns = *self.choices.of(&SIZES);
        let made = self.items(from.rows, columns);
        let to = made.type_text();
        self.line(format!(
            "linalg.fill ins(%one : f32) outs({} : {to})",
            made.name
        ));
        let weight = format!("memref<{}x{columns}xf32>", from.columns);
        let weights = self.value(format!("memref.alloc() : {weight}"));
        self.line(format!(
            "linalg.fill ins(%one : f32) outs({weights} : {weight})"
        ));
        let maps = [
            "affine_map<(b, i, j, k) -> (b, i, k)>",
            "affine_map<(b, i, j, k) -> (k, j)>",
            "affine_map<(b, i, j, k) -> (b, i, j)>",
        ];
        let kinds = format!("{PARALLEL}, \"reduction\"");
        let inputs = [(&*from.name, from.type_text()), (&*weights, weight)];
        let body = [
            "%p = arith.mulf %e0, %e1 : f32",
            "%s = arith.addf %p, %o : f32",
        ];
        self.generic_on_items((&maps, &kinds), &inputs, (&made.name, &to), &body);
        made
    }

    fn transposed_items(&mut self, from: &Items) -> Items {
        let made = self.items(from.columns, from.rows);
        let (of, to) = (from.type_text(), made.type_text());
        self.line(format!(
            "linalg.transpose ins({} : {of}) outs({} : {to}) permutation = [0, 2, 1]",
            from.name, made.name
        ));
        made
    }

    /// A copy through a view with other dimensions.
    fn reshaped_items(&mut self, from: &Items) -> Items {
        let count = from.rows * from.columns;
        let made = self.items(1, count);
        let flat = self.value(format!(
            "memref.collapse_shape {} [[0], [1, 2]] : {} into memref<?x{count}xf32>",
            from.name,
            from.type_text()
        ));
        let wide = self.value(format!(
            "memref.expand_shape {flat} [[0], [1, 2]] output_shape [%items, 1, {count}] : memref<?x{count}xf32> into {}",
            made.type_text()
        ));
        self.line(format!(
            "memref.copy {wide}, {} : {type} to {type}",
            made.name,
            type = made.type_text()
        ));
        made
    }

    /// Each item needs the first one.
    fn first_item(&mut self, from: &Items) -> Items {
        self.feature("items that need another one");
        let made = self.items(from.rows, from.columns);
        let maps = [SAME, "affine_map<(b, i, j) -> (0, i, j)>", SAME];
        let inputs = [
            (&*from.name, from.type_text()),
            (&*from.name, from.type_text()),
        ];
        let body = ["%s = arith.subf %e0, %e1 : f32"];
        let to = (&*made.name, &*made.type_text());
        self.generic_on_items((&maps, PARALLEL), &inputs, to, &body);
        made
    }

    /// An item depends on its number.
    fn numbered_items(&mut self, from: &Items) -> Items {
        self.feature("numbers of items");
        let made = self.items(from.rows, from.columns);
        let body = [
            "%t = linalg.index 0 : index",
            "%u = arith.index_cast %t : index to i32",
            "%v = arith.sitofp %u : i32 to f32",
            "%s = arith.addf %e0, %v : f32",
        ];
        let to = (&*made.name, &*made.type_text());
        let inputs = [(&*from.name, from.type_text())];
        self.generic_on_items((&[SAME, SAME], PARALLEL), &inputs, to, &body);
        made
    }

    /// All items are added up, and each one needs the sum.
    fn sum_of_items(&mut self, from: &Items) -> Items {
        self.feature("a sum of items");
        let one = format!("memref<{}x{}xf32>", from.rows, from.columns);
        let sum = self.value(format!("memref.alloc() : {one}"));
        self.line(format!("linalg.fill ins(%zero : f32) outs({sum} : {one})"));
        let maps = [SAME, "affine_map<(b, i, j) -> (i, j)>"];
        let kinds = "\"reduction\", \"parallel\", \"parallel\"";
        let inputs = [(&*from.name, from.type_text())];
        let body = ["%s = arith.addf %e0, %o : f32"];
        self.generic_on_items((&maps, kinds), &inputs, (&sum, &one), &body);
        let made = self.items(from.rows, from.columns);
        let maps = [SAME, "affine_map<(b, i, j) -> (i, j)>", SAME];
        let inputs = [(&*from.name, from.type_text()), (&*sum, one)];
        let body = ["%s = arith.subf %e0, %e1 : f32"];
        let to = (&*made.name, &*made.type_text());
        self.generic_on_items((&maps, PARALLEL), &inputs, to, &body);
        made
    }
}
