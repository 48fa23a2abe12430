//! Composite buffers that a loop writes row by row.

use super::super::generator::Generator;
use super::super::types::{Dim, Type};
use super::super::values::Memref;

impl Generator {
    /// A composite buffer whose rows are written by a loop, one in each iteration.
    pub fn rows(&mut self) {
        let element = self.a_type().element;
        let rows = 2 + self.choices.below(3) as u64;
        let row = *self.choices.of::<&[u64]>(&[&[4], &[3], &[2, 2], &[1]]);
        let row = Type::plain(element, row);
        let shape: Vec<Dim> = [Dim::Fixed(rows)]
            .into_iter()
            .chain(row.shape.iter().copied())
            .collect();
        let r#type = Type {
            shape,
            ..row.clone()
        };
        self.feature("rows of a box in a loop");
        let memref = self.allocate_plain(&r#type);
        let fills = self.choices.chance(40);
        if fills {
            self.fill_alike(&memref);
            self.set_written(&memref);
        }
        let index = self.name("i");
        self.line(format!("scf.for {index} = %c0 to %c{rows} step %c1 {{"));
        let before = self.open();
        self.body.numbers.push(index.clone());
        self.body.loops += 1;
        if self.choices.chance(25) {
            self.block(1);
        }
        let source = self.source(&row, 1);
        if self.choices.chance(25) {
            self.block(1);
        }
        let there = self.in_scope(&memref.name).is_some();
        let from_sight = self.body.env.iter().any(|one| one.name == source.name);
        if there {
            let source = match from_sight && !source.roots.overlap(&memref.roots) {
                true => source,
                false => self.allocate_written(&row),
            };
            let at = match self.choices.chance(30) {
                true => {
                    let last = rows - 1;
                    self.value(format!("arith.subi %c{last}, {index} : index"))
                }
                false => index,
            };
            let view = self.row_view(&memref, &row, &at);
            self.write_view(&view, &source, fills);
            if self.choices.chance(75) {
                self.drop_or_free(&source);
            }
        }
        self.end_region("", &[]);
        self.body.loops -= 1;
        self.body.numbers.pop();
        self.close(before);
        self.line("}");
        if there {
            self.set_written(&memref);
            if self.choices.chance(50) {
                self.print(&memref);
            }
        } else if !fills {
            self.remove_from_scope(&memref.roots);
        }
    }

    /// The row of an iteration, with or without the dimension of the rows.
    pub(super) fn row_view(&mut self, memref: &Memref, row: &Type, at: &str) -> Memref {
        let sizes = row.sizes().unwrap_or_default();
        let rest = |number: &str| vec![number; sizes.len()].join(", ");
        let texts: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let mut strides = vec![1; sizes.len()];
        for dim in (1..sizes.len()).rev() {
            strides[dim - 1] = strides[dim] * sizes[dim];
        }
        let strides: Vec<String> = strides.iter().map(u64::to_string).collect();
        let r#type = Type {
            layout: format!("strided<[{}], offset: ?>", strides.join(", ")),
            ..row.clone()
        };
        let name = self.value(format!(
            "memref.subview {}[{at}, {}] [1, {}] [1, {}] : {} to {type}",
            memref.name,
            rest("0"),
            texts.join(", "),
            rest("1"),
            memref.r#type,
            type = r#type
        ));
        Memref {
            name,
            r#type,
            whole: false,
            ..memref.clone()
        }
    }
}
