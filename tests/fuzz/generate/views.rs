//! Views: other names of the same memory, or of a part of it.

use super::generator::Generator;
use super::types::{Dim, Type};
use super::values::Memref;

impl Generator {
    /// `memref.subview` with unit strides, of a row-major memref of static sizes.
    pub fn subview(
        &mut self,
        memref: &Memref,
        sizes: &[u64],
        offsets: &[u64],
        part: &[u64],
    ) -> Memref {
        let r#type = part_type(&memref.r#type, sizes, offsets, part);
        let ones = vec![1; sizes.len()];
        let text = format!(
            "memref.subview {}[{}] [{}] [{}] : {} to {type}",
            memref.name,
            joined(offsets),
            joined(part),
            joined(&ones),
            memref.r#type,
            type = r#type
        );
        let name = self.value(text);
        Memref {
            name,
            r#type,
            whole: false,
            ..memref.clone()
        }
    }

    /// Adds a view of a memref in scope.
    pub fn view(&mut self) {
        let Some(memref) = self.find(|memref| memref.written) else {
            return;
        };
        let Memref { name, r#type, .. } = &memref;
        let sizes = r#type.contiguous();
        let kind = self.choices.below(11);
        let added = match (kind, sizes.as_deref()) {
            (0 | 1, Some(sizes)) if !sizes.is_empty() => {
                self.feature("subview");
                let (offsets, part) = self.part_of(sizes);
                Some(self.subview(&memref, sizes, &offsets, &part))
            }
            (2, _) if r#type.layout.is_empty() && !r#type.shape.is_empty() => {
                self.feature("cast");
                let erased = r#type.erased();
                let other = self.value(format!("memref.cast {name} : {} to {erased}", r#type));
                let text = format!("memref.cast {other} : {erased} to {}", r#type);
                Some(self.same(&memref, r#type.clone(), true, text))
            }
            (3, _) if r#type.layout.is_empty() && r#type.space == 0 => {
                self.feature("cast to unranked");
                let erased = format!("memref<*x{}>", r#type.element);
                let other = self.value(format!("memref.cast {name} : {} to {erased}", r#type));
                let text = format!("memref.cast {other} : {erased} to {}", r#type);
                Some(self.same(&memref, r#type.clone(), true, text))
            }
            (4, Some([size])) => {
                self.feature("reinterpret_cast");
                let (offset, part) = self.part_of(&[*size]);
                let to = r#type.with(&part, strided(&[1], offset[0]));
                let text = format!(
                    "memref.reinterpret_cast {name} to offset: [{}], sizes: [{}], strides: [1] : {} to {to}",
                    offset[0], part[0], r#type
                );
                Some(self.same(&memref, to, false, text))
            }
            (5, Some([rows, columns])) => {
                self.feature("collapse_shape");
                let to = r#type.with(&[rows * columns], String::new());
                let text = format!(
                    "memref.collapse_shape {name} [[0, 1]] : {} into {to}",
                    r#type
                );
                Some(self.same(&memref, to, false, text))
            }
            (5 | 6, Some([size])) if size.is_multiple_of(2) => {
                self.feature("expand_shape");
                let to = r#type.with(&[2, size / 2], String::new());
                let half = size / 2;
                let text = format!(
                    "memref.expand_shape {name} [[0, 1]] output_shape [2, {half}] : {} into {to}",
                    r#type
                );
                Some(self.same(&memref, to, false, text))
            }
            (7, Some([rows, columns])) => {
                self.feature("transpose");
                let to = r#type.with(&[*columns, *rows], strided(&[1, *columns], 0));
                let text = format!(
                    "memref.transpose {name} (i, j) -> (j, i) : {} to {to}",
                    r#type
                );
                Some(self.same(&memref, to, false, text))
            }
            (8, _)
                if r#type.layout.is_empty()
                    && r#type.shape.first() == Some(&Dim::Run(0))
                    && r#type.shape.len() == 1 =>
            {
                self.feature("subview of a size of the run");
                let to = r#type.with(&[1], strided(&[1], 1));
                let text = format!("memref.subview {name}[1] [1] [1] : {} to {to}", r#type);
                Some(self.same(&memref, to, false, text))
            }
            (9, Some([size])) => {
                self.feature("metadata");
                let space = match r#type.space {
                    0 => String::new(),
                    space => format!(", {space}"),
                };
                let base = format!("memref<{}{}>", r#type.element, space);
                let names = [
                    self.name("v"),
                    self.name("v"),
                    self.name("v"),
                    self.name("v"),
                ]
                .join(", ");
                self.line(format!(
                    "{names} = memref.extract_strided_metadata {name} : {} -> {base}, index, index, index",
                    r#type
                ));
                let first = names.split(", ").next().unwrap_or_default();
                let to = r#type.with(&[*size], strided(&[1], 0));
                let text = format!(
                    "memref.reinterpret_cast {first} to offset: [0], sizes: [{size}], strides: [1] : {base} to {to}"
                );
                Some(self.same(&memref, to, false, text))
            }
            (10, _) => {
                self.feature("assume_alignment");
                let text = format!("memref.assume_alignment {name}, 1 : {}", r#type);
                Some(self.same(&memref, r#type.clone(), memref.whole, text))
            }
            _ => None,
        };
        if let Some(added) = added {
            self.feature("view");
            self.add(added);
        }
    }

    fn same(&mut self, memref: &Memref, r#type: Type, whole: bool, text: String) -> Memref {
        Memref {
            name: self.value(text),
            r#type,
            whole: whole && memref.whole,
            ..memref.clone()
        }
    }

    /// One of two memrefs, by a condition.
    pub fn select(&mut self) {
        let Some(first) = self.find(|memref| memref.written) else {
            return;
        };
        let second = self.readable(&first.r#type);
        if second.name == first.name {
            return;
        }
        self.one_of(&first, &second);
    }

    /// `arith.select` of two memrefs of one type.
    pub fn one_of(&mut self, first: &Memref, second: &Memref) -> Memref {
        self.feature("select");
        let condition = self.condition();
        let name = self.value(format!(
            "arith.select {condition}, {}, {} : {}",
            first.name, second.name, first.r#type
        ));
        let mut roots = first.roots.clone();
        roots.join(&second.roots);
        let shared = self.share_alike(&[first, second]);
        let memref = Memref {
            name,
            r#type: first.r#type.clone(),
            roots,
            written: true,
            shared,
            whole: first.whole && second.whole,
        };
        self.add(memref.clone());
        memref
    }
}

/// The type of a subview with unit strides.
pub fn part_type(of: &Type, sizes: &[u64], offsets: &[u64], part: &[u64]) -> Type {
    let strides = strides(sizes);
    let offsets = offsets.iter().zip(&strides);
    let offset: u64 = offsets.map(|(offset, stride)| offset * stride).sum();
    of.with(part, strided(&strides, offset))
}

fn strides(sizes: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim] * sizes[dim];
    }
    strides
}

fn strided(strides: &[u64], offset: u64) -> String {
    if offset == 0 {
        format!("strided<[{}]>", joined(strides))
    } else {
        format!("strided<[{}], offset: {offset}>", joined(strides))
    }
}

fn joined(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    numbers.join(", ")
}
