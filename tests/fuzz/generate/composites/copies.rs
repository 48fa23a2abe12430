//! Copies and transpositions.

use super::super::generator::Generator;
use super::super::types::Type;
use super::super::values::Memref;
use super::super::writes::identity;

impl Generator {
    /// A copy, or a transposition, of a memref that is only read afterwards; sometimes it is written, or its source is.
    pub fn copied(&mut self) {
        if self.choices.chance(20) {
            return self.repeated();
        }
        let known = self.a_type();
        let transposes = self.choices.chance(50);
        let source = match (transposes, known.contiguous().as_deref()) {
            (false, _) | (true, Some([_, _] | [_, _, _])) => {
                let made = self.choices.chance(40);
                match made {
                    true => self.computed(&known),
                    false => self.readable(&known),
                }
            }
            _ => {
                let shape = *self
                    .choices
                    .of::<&[u64]>(&[&[2, 3], &[3, 3], &[4, 1], &[2, 3, 2]]);
                self.computed(&known.with(shape, String::new()))
            }
        };
        let Some(copy) = self.copy_of(&source, transposes) else {
            return;
        };
        self.read_copy(&source, copy, transposes);
    }

    /// A copy of constant memory.
    pub fn copied_from(&mut self, source: &Memref) {
        if let Some(copy) = self.copy_of(source, false) {
            self.read_copy(source, copy, false);
        }
    }

    /// A broadcast instead of a copy.
    fn repeated(&mut self) {
        let shape = *self.choices.of::<&[u64]>(&[&[4], &[3], &[1], &[2, 3]]);
        let row = self.a_type().with(shape, String::new());
        let source = match self.choices.chance(50) {
            true => self.computed(&row),
            false => self.readable(&row),
        };
        let copy = self.broadcast_of(&source, shape);
        self.read_copy(&source, copy, false);
    }

    /// Reads of a copy, among writes and other copies.
    fn read_copy(&mut self, source: &Memref, copy: Memref, transposes: bool) {
        if self.choices.chance(20) {
            self.feature("a second copy");
            if let Some(second) = self.copy_of(source, transposes) {
                self.print(&second);
                self.drop_or_free(&second);
            }
        }
        if self.choices.chance(20) {
            self.feature("a copy is copied, and that is written");
            if let Some(again) = self.copy_of(&copy, false)
                && let Some(again) = self.in_scope(&again.name)
            {
                self.write_partly(&again);
                self.print(&again);
                self.drop_or_free(&again);
            }
        }
        let mut seen = copy.clone();
        if self.choices.chance(30)
            && let Some(view) = self.flat(&copy)
        {
            seen = view;
        }
        if self.choices.chance(30) {
            self.block(1);
        }
        if self.choices.chance(20) {
            let current = self.body.env.iter().find(|one| one.name == source.name);
            let current = current.filter(|one| !one.shared).cloned();
            if let Some(current) = current {
                self.feature("what was copied is written");
                self.write_partly(&current);
            }
        }
        if self.choices.chance(15)
            && let Some(current) = self.in_scope(&copy.name)
        {
            self.feature("a copy is written");
            self.write_partly(&current);
        }
        for _ in 0..1 + self.choices.below(2) {
            if !self.body.env.iter().any(|one| one.name == seen.name) {
                return;
            }
            match self.choices.below(3) {
                0 => self.print(&seen),
                _ => {
                    self.derived(&seen);
                }
            }
        }
        if self.choices.chance(60) {
            self.drop_or_free(&copy);
        }
    }

    /// The source, repeated along a new first or last dimension.
    fn broadcast_of(&mut self, source: &Memref, shape: &[u64]) -> Memref {
        self.feature("linalg.broadcast");
        let (is_first, count) = (self.choices.chance(50), 2 + self.choices.below(2) as u64);
        let mut sizes = shape.to_vec();
        sizes.insert(if is_first { 0 } else { shape.len() }, count);
        let added = if is_first { 0 } else { shape.len() };
        let r#type = source.r#type.with(&sizes, String::new());
        let copy = self.allocate_plain(&r#type);
        if self.choices.chance(40) {
            self.feature("generic broadcast");
            let loops: Vec<String> = (0..sizes.len()).map(|at| format!("d{at}")).collect();
            let mut read = loops.clone();
            read.remove(added);
            let read = format!("({}) -> ({})", loops.join(", "), read.join(", "));
            let same = identity(sizes.len());
            self.generic(
                &[(source, &read)],
                (&copy, &same),
                sizes.len(),
                &mut |_, elements| elements[0].clone(),
            );
        } else {
            self.line(format!(
                "linalg.broadcast ins({} : {}) outs({} : {type}) dimensions = [{added}]",
                source.name, source.r#type, copy.name
            ));
        }
        self.set_written(&copy);
        Memref {
            written: true,
            ..copy
        }
    }

    pub(super) fn copy_of(&mut self, source: &Memref, transposes: bool) -> Option<Memref> {
        let sizes = source.r#type.contiguous();
        let plain = Type {
            layout: String::new(),
            ..source.r#type.clone()
        };
        let copy = match (transposes, sizes.as_deref()) {
            (true, Some(sizes)) if matches!(sizes.len(), 2 | 3) => {
                self.feature("linalg.transpose");
                let mut order: Vec<usize> = (0..sizes.len()).collect();
                for at in (1..order.len()).rev() {
                    order.swap(at, self.choices.below(at + 1));
                }
                let turned: Vec<u64> = order.iter().map(|dim| sizes[*dim]).collect();
                let r#type = plain.with(&turned, String::new());
                let copy = match self.choices.chance(30) {
                    true => self.allocate_reshaped(&r#type),
                    false => self.allocate_plain(&r#type),
                };
                if self.choices.chance(40) {
                    self.feature("generic transpose");
                    self.generic_transpose(source, &copy, &order);
                    self.set_written(&copy);
                    return Some(Memref {
                        written: true,
                        ..copy
                    });
                }
                let order: Vec<String> = order.iter().map(usize::to_string).collect();
                self.line(format!(
                    "linalg.transpose ins({} : {}) outs({} : {type}) permutation = [{}]",
                    source.name,
                    source.r#type,
                    copy.name,
                    order.join(", "),
                    type = r#type
                ));
                copy
            }
            _ => {
                if source.r#type.space != 0 && !source.r#type.layout.is_empty() {
                    return None;
                }
                self.feature("copy that is read");
                let copy = self.allocate_plain(&plain);
                let is_linalg = self.choices.chance(40);
                self.copy(source, &copy, is_linalg);
                copy
            }
        };
        self.set_written(&copy);
        Some(Memref {
            written: true,
            ..copy
        })
    }

    /// A reshape of an allocation whose first dimension is the first two of the type.
    fn allocate_reshaped(&mut self, r#type: &Type) -> Memref {
        self.feature("reshaped target");
        let sizes = r#type.contiguous().unwrap_or_default();
        let [first, second, rest @ ..] = sizes.as_slice() else {
            return self.allocate_plain(r#type);
        };
        let mut merged = vec![first * second];
        merged.extend(rest);
        let flat = self.allocate_plain(&r#type.with(&merged, String::new()));
        let groups: Vec<String> = (2..sizes.len()).map(|at| format!(", [{at}]")).collect();
        let shape: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let name = self.value(format!(
            "memref.expand_shape {} [[0, 1]{}] output_shape [{}] : {} into {type}",
            flat.name,
            groups.concat(),
            shape.join(", "),
            flat.r#type,
        ));
        let reshaped = Memref {
            name,
            r#type: r#type.clone(),
            ..flat
        };
        self.add(reshaped.clone());
        reshaped
    }

    /// A transposition as `linalg.generic`: dimension i of the copy is dimension `order[i]` of the source. The map of the
    /// source or that of the copy has the order.
    fn generic_transpose(&mut self, source: &Memref, copy: &Memref, order: &[usize]) {
        let rank = order.len();
        let by_source = self.choices.chance(50);
        // The loops are the dimensions of the copy, or those of the source.
        let mut places = vec![0; rank];
        for (to, from) in order.iter().enumerate() {
            match by_source {
                true => places[*from] = to,
                false => places[to] = *from,
            }
        }
        let loops: Vec<String> = (0..rank).map(|at| format!("d{at}")).collect();
        let turned: Vec<String> = places.iter().map(|at| format!("d{at}")).collect();
        let turned = format!("({}) -> ({})", loops.join(", "), turned.join(", "));
        let same = identity(rank);
        let (from, to) = match by_source {
            true => (turned.as_str(), same.as_str()),
            false => (same.as_str(), turned.as_str()),
        };
        self.generic(&[(source, from)], (copy, to), rank, &mut |_, elements| {
            elements[0].clone()
        });
    }

    /// A view of a copy with other dimensions.
    pub(super) fn flat(&mut self, memref: &Memref) -> Option<Memref> {
        let sizes = memref.r#type.contiguous()?;
        self.feature("view of a copy");
        let (r#type, text) = match sizes.as_slice() {
            [size] => {
                let to = memref.r#type.with(&[1, *size], String::new());
                let text = format!(
                    "memref.expand_shape {} [[0, 1]] output_shape [1, {size}] : {} into {to}",
                    memref.name, memref.r#type
                );
                (to, text)
            }
            [rows, columns, rest @ ..] => {
                let mut shape = vec![rows * columns];
                shape.extend(rest);
                let to = memref.r#type.with(&shape, String::new());
                let groups = ["[0, 1]", "[0, 1], [2]"][rest.len().min(1)];
                let text = format!(
                    "memref.collapse_shape {} [{groups}] : {} into {to}",
                    memref.name, memref.r#type
                );
                (to, text)
            }
            [] => return None,
        };
        let view = Memref {
            name: self.value(text),
            r#type,
            whole: false,
            ..memref.clone()
        };
        self.add(view.clone());
        Some(view)
    }
}
