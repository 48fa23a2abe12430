//! Loops whose iterations compute a buffer anew, all at once or part by part, from the one of the last iteration. Also the
//! obstacles: the old one is read after the first write, by other elements or later; the first one is needed again.

use super::super::generator::Generator;
use super::super::types::Type;
use super::super::values::{Memref, Roots};
use super::super::writes::identity;

impl Generator {
    /// A loop that carries a buffer that each iteration computes anew.
    pub fn computed_anew(&mut self) {
        let r#type = self.composite_type();
        let first = self.allocate_written(&r#type);
        self.disown(&first.roots);
        let again = self.choices.chance(20);
        if again {
            self.feature("a loop is executed again with its first buffer");
            let (trip_count, _) = self.trip_count();
            let index = self.name("i");
            self.line(format!("scf.for {index} = %c0 to {trip_count} step %c1 {{"));
            let before = self.open();
            self.body.loops += 1;
            self.body.numbers.push(index);
            let last = self.loop_computed_anew(&first);
            self.use_one(&last);
            if self.choices.chance(50) {
                self.use_one(&first);
            }
            self.body.numbers.pop();
            self.body.loops -= 1;
            self.close(before);
            self.line("}");
            return;
        }
        let last = self.loop_computed_anew(&first);
        match self.choices.chance(85) {
            // The loop alone has it.
            true => self.remove_from_scope(&first.roots),
            false => self.feature("the first buffer of a loop is used after it"),
        }
        let roots = self.any_root();
        self.add_merge(last.name.clone(), r#type, roots, last.shared);
        self.use_one(&last);
    }

    fn use_one(&mut self, memref: &Memref) {
        match self.body.quiet {
            true => drop(self.checksum(memref)),
            false => self.print(memref),
        }
    }

    /// Neither the end of a region nor a statement frees this memory: it may be what a loop carries.
    fn disown(&mut self, roots: &Roots) {
        if let Some(frame) = self.body.frames.last_mut() {
            frame.owned.retain(|root| !roots.known.contains(root));
        }
    }

    /// The loop; returns its result.
    fn loop_computed_anew(&mut self, first: &Memref) -> Memref {
        self.feature("a loop computes its buffer anew");
        let r#type = first.r#type.clone();
        let (trip_count, _) = self.trip_count();
        let (result, argument, index) = (self.name("r"), self.name("r"), self.name("i"));
        self.line(format!(
            "{result} = scf.for {index} = %c0 to {trip_count} step %c1 iter_args({argument} = {}) -> ({type}) {{",
            first.name
        ));
        let before = self.open();
        self.body.loops += 1;
        self.body.numbers.push(index);
        let root = self.root();
        let old = Memref {
            name: argument,
            roots: Roots::one(root),
            ..first.clone()
        };
        self.add(old.clone());
        if self.statements > 0 && self.choices.chance(20) {
            self.block(1);
        }
        let new = self.allocate_plain(&r#type);
        self.disown(&new.roots);
        self.compute_anew(&old, &new);
        self.set_written(&new);
        if self.choices.chance(15) {
            self.feature("what a loop carried is read late");
            self.use_one(&old);
        }
        let new = Memref {
            written: true,
            ..new
        };
        if self.statements > 0 && self.choices.chance(20) {
            self.block(1);
        }
        self.remove_from_scope(&old.roots);
        self.end_region("scf.yield", std::slice::from_ref(&new));
        self.body.loops -= 1;
        self.body.numbers.pop();
        self.close(before);
        self.line("}");
        Memref {
            name: result,
            written: true,
            ..first.clone()
        }
    }

    /// Writes all of a new buffer from the old one.
    fn compute_anew(&mut self, old: &Memref, new: &Memref) {
        let element = new.r#type.element;
        let parts = self.parts(&new.r#type).filter(|(_, covers)| *covers);
        let Some((parts, _)) = parts.filter(|_| self.choices.chance(60)) else {
            let map = identity(new.r#type.shape.len());
            let rank = new.r#type.shape.len();
            return self.generic(&[(old, &map)], (new, &map), rank, &mut |this, values| {
                this.combine(&values[0], &values[0], element)
            });
        };
        let mut waiting: Vec<(Memref, usize)> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            // Mostly the same part of the old buffer, or another one of the same size.
            let same_size: Vec<usize> = (0..parts.len())
                .filter(|other| parts[*other].sizes == part.sizes)
                .collect();
            let from = match self.choices.chance(25) {
                true => *self.choices.of(&same_size),
                false => at,
            };
            let source = self.part_view(old, &parts[from]);
            let rank = part.sizes.len();
            let map = identity(rank);
            let is_direct = self.choices.chance(40);
            let target = match is_direct {
                true => self.part_view(new, part),
                false => {
                    let r#type = Type {
                        shape: part.sizes.clone(),
                        layout: String::new(),
                        ..new.r#type.clone()
                    };
                    let target = self.allocate_plain(&r#type);
                    self.disown(&target.roots);
                    target
                }
            };
            self.generic(
                &[(&source, &map)],
                (&target, &map),
                rank,
                &mut |this, values| this.combine(&values[0], &values[0], element),
            );
            if !is_direct {
                self.set_written(&target);
                if self.choices.chance(30) {
                    self.use_one(&target);
                }
                waiting.push((target, at));
            }
            // Parts are put in place later, or at once.
            if self.choices.chance(40) {
                self.place(&mut waiting, &parts, new);
            }
        }
        self.place(&mut waiting, &parts, new);
    }

    fn place(
        &mut self,
        waiting: &mut Vec<(Memref, usize)>,
        parts: &[super::parts::Part],
        new: &Memref,
    ) {
        for (source, at) in std::mem::take(waiting) {
            let view = self.part_view(new, &parts[at]);
            self.copy(&source, &view, false);
            self.remove_from_scope(&source.roots);
        }
    }
}
