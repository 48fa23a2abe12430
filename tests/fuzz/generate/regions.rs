//! Structured control flow.

use super::Aim;
use super::generator::Generator;
use super::types::{Element, Type};
use super::values::{Memref, Roots};

/// Names and types of the operands of a terminator, as `OP %a, %b : memref<…>, memref<…>`.
pub fn operands(values: &[Memref]) -> (String, String) {
    let names: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
    (
        names.join(", "),
        types(values.iter().map(|value| &value.r#type)),
    )
}

/// Types, separated by commas.
pub fn types<'t>(all: impl IntoIterator<Item = &'t Type>) -> String {
    let all: Vec<String> = all.into_iter().map(Type::to_string).collect();
    all.join(", ")
}

fn names(count: usize, generator: &mut Generator) -> Vec<String> {
    (0..count).map(|_| generator.name("r")).collect()
}

fn defined(names: &[String]) -> String {
    if names.is_empty() {
        String::new()
    } else {
        format!("{} = ", names.join(", "))
    }
}

fn returned(all: &[Type], results: bool) -> String {
    if results {
        format!(" -> ({})", types(all))
    } else {
        String::new()
    }
}

impl Generator {
    /// The types of loop-carried values or results.
    fn some_types(&mut self, most: usize) -> Vec<Type> {
        let count = self.choices.below(most + 1);
        let first = self.a_type();
        // Often alike, so that the values can be swapped.
        (0..count)
            .map(|_| {
                if self.choices.chance(30) {
                    self.a_type()
                } else {
                    first.clone()
                }
            })
            .collect()
    }

    /// The trip count of a loop, and whether it runs at least once.
    pub fn trip_count(&mut self) -> (String, bool) {
        let most = if self.body.loops >= 2 { 2 } else { 4 };
        match self.choices.below(8) {
            6 => {
                self.feature("loop that may not run");
                (self.choices.of(&["%c0", "%s3"]).to_string(), false)
            }
            7 if self.body.loops < 2 => ("%n".to_owned(), true),
            other => (format!("%c{}", 1 + other % most), true),
        }
    }

    /// Ends a region: frees some buffers, and yields `values`.
    pub fn end_region(&mut self, terminator: &str, values: &[Memref]) {
        self.free_some(values);
        let (names, types) = operands(values);
        if values.is_empty() {
            if !terminator.is_empty() {
                self.line(terminator);
            }
        } else {
            self.line(format!("{terminator} {names} : {types}"));
        }
    }

    /// Adds the results of an operation, each of which is one of the values at its position.
    fn results(&mut self, names: &[String], all: &[Type], paths: &[Vec<Memref>]) {
        for (at, (name, r#type)) in names.iter().zip(all).enumerate() {
            let mut roots = Roots::default();
            for path in paths {
                roots.join(&path[at].roots);
            }
            let values: Vec<&Memref> = paths.iter().map(|path| &path[at]).collect();
            let shared = self.share_alike(&values);
            let distinct = paths.iter().any(|path| path[at].name != paths[0][at].name);
            if distinct {
                self.feature("branches yield different buffers");
            }
            self.add_merge(name.clone(), r#type.clone(), roots, shared);
        }
    }

    /// Opens `scf.for` without carried values.
    pub fn open_loop(&mut self) -> Vec<Memref> {
        let (trip_count, _) = self.trip_count();
        let index = self.name("i");
        self.line(format!("scf.for {index} = %c0 to {trip_count} step %c1 {{"));
        self.body.numbers.push(index);
        self.body.loops += 1;
        self.open()
    }

    /// Closes what `open_loop` opened, except for its brace.
    pub fn close_loop(&mut self, before: Vec<Memref>) -> Vec<bool> {
        self.end_region("", &[]);
        self.body.loops -= 1;
        self.body.numbers.pop();
        self.close(before)
    }

    /// A loop of `affine` with a known trip count: the text up to its carried values, and whether it runs at least
    /// once.
    fn affine_loop(&mut self, index: &str) -> (String, bool) {
        self.feature("affine.for");
        let trip_count = self.choices.weighted(&[(1, 0), (4, 1), (2, 2), (1, 3)]);
        if trip_count < 2 {
            self.feature("affine.for of at most one iteration");
        }
        let step = if trip_count == 1 && self.choices.chance(30) {
            4
        } else {
            1
        };
        let end = trip_count * step - step / 2;
        (
            format!("affine.for {index} = 0 to {end} step {step}"),
            trip_count > 0,
        )
    }

    /// `scf.for` or `affine.for`, with loop-carried memrefs that may be swapped.
    pub fn for_loop(&mut self) {
        let carried = self.some_types(2);
        let inits = self.yielded_values(&carried);
        let index = self.name("i");
        let is_affine = self.aim == Aim::Free && self.choices.chance(20);
        let (head, runs) = if is_affine {
            self.affine_loop(&index)
        } else {
            self.feature("scf.for");
            let (trip_count, runs) = self.trip_count();
            (
                format!("scf.for {index} = %c0 to {trip_count} step %c1"),
                runs,
            )
        };
        let terminator = if is_affine {
            "affine.yield"
        } else {
            "scf.yield"
        };
        let results = names(carried.len(), self);
        let arguments = names(carried.len(), self);
        let pairs: Vec<String> = arguments
            .iter()
            .zip(&inits)
            .map(|(argument, init)| format!("{argument} = {}", init.name))
            .collect();
        let carries = if carried.is_empty() {
            String::new()
        } else {
            self.feature("memrefs carried around a loop");
            format!(
                " iter_args({}){}",
                pairs.join(", "),
                returned(&carried, true)
            )
        };
        self.line(format!("{}{head}{carries} {{", defined(&results)));
        let shared = self.carried_are_shared(&inits);
        let before = self.open();
        // It must not be where affine needs a symbol, unlike an induction variable.
        if !is_affine {
            self.body.numbers.push(index);
        }
        self.body.loops += 1;
        for (argument, r#type) in arguments.iter().zip(&carried) {
            let roots = self.any_root();
            self.add_merge(argument.clone(), r#type.clone(), roots, shared);
        }
        self.block(6);
        let mut yielded = self.next_carried(&carried, &arguments, shared);
        self.end_region(if carried.is_empty() { "" } else { terminator }, &yielded);
        self.body.loops -= 1;
        if !is_affine {
            self.body.numbers.pop();
        }
        let wrote = self.close(before);
        self.line("}");
        if runs {
            self.mark_written(&[wrote]);
        }
        for value in &mut yielded {
            value.shared |= shared;
        }
        self.results(&results, &carried, &[inits, yielded]);
    }

    /// Whether loop-carried memrefs are not written. An iteration may then pass any memref in scope, or a copy of it,
    /// to the next one, so nobody writes these either.
    fn carried_are_shared(&mut self, inits: &[Memref]) -> bool {
        let shared = inits.iter().any(|init| init.shared);
        if shared {
            self.set_all_shared();
        }
        shared
    }

    /// The values carried into the next iteration: often the arguments of this one, in another order.
    fn next_carried(
        &mut self,
        carried: &[Type],
        arguments: &[String],
        shared: bool,
    ) -> Vec<Memref> {
        let alike = carried.len() == 2 && carried[0] == carried[1];
        let swap = alike && self.choices.chance(35);
        if swap {
            self.feature("memrefs change places");
        }
        let mut values = Vec::new();
        for (at, r#type) in carried.iter().enumerate() {
            let argument = if swap { carried.len() - 1 - at } else { at };
            let same = self
                .body
                .env
                .iter()
                .find(|memref| memref.name == arguments[argument])
                .cloned();
            let keep = swap || self.choices.chance(20);
            match same {
                Some(same) if keep => values.push(same),
                _ => {
                    let value = self.passable(r#type, shared);
                    values.push(value);
                }
            }
        }
        values
    }

    /// `scf.while`, with loop-carried memrefs.
    pub fn while_loop(&mut self) {
        self.feature("scf.while");
        let carried = self.some_types(2);
        let inits = self.yielded_values(&carried);
        let (trip_count, _) = self.trip_count();
        let shared = self.carried_are_shared(&inits);
        let results = names(carried.len(), self);
        let (first, second) = (names(carried.len(), self), names(carried.len(), self));
        let (count, at, next) = (self.name("r"), self.name("k"), self.name("k"));
        let mut pairs: Vec<String> = first
            .iter()
            .zip(&inits)
            .map(|(argument, init)| format!("{argument} = {}", init.name))
            .collect();
        pairs.push(format!("{at} = %c0"));
        let mut all: Vec<String> = carried.iter().map(Type::to_string).collect();
        all.push("index".to_owned());
        let all = all.join(", ");
        let mut outs = results.clone();
        outs.push(count);
        self.line(format!(
            "{}scf.while ({}) : ({all}) -> ({all}) {{",
            defined(&outs),
            pairs.join(", ")
        ));

        let before = self.open();
        self.body.loops += 1;
        self.body.numbers.push(at.clone());
        for (argument, r#type) in first.iter().zip(&carried) {
            let roots = self.any_root();
            self.add_merge(argument.clone(), r#type.clone(), roots, shared);
        }
        self.block(3);
        let on = self.next_carried(&carried, &first, shared);
        self.free_some(&on);
        let goes = self.value(format!("arith.cmpi ult, {at}, {trip_count} : index"));
        let mut handed: Vec<&str> = on.iter().map(|value| value.name.as_str()).collect();
        handed.push(&at);
        self.line(format!(
            "scf.condition({goes}) {} : {all}",
            handed.join(", ")
        ));
        self.body.numbers.pop();
        let wrote = self.close(before);
        self.mark_written(&[wrote]);

        self.line("} do {");
        let mut arguments: Vec<String> = second
            .iter()
            .zip(&carried)
            .map(|(argument, r#type)| format!("{argument}: {type}", type = r#type))
            .collect();
        arguments.push(format!("{next}: index"));
        self.line(format!("^bb0({}):", arguments.join(", ")));
        let before = self.open();
        self.body.numbers.push(next.clone());
        for (argument, r#type) in second.iter().zip(&carried) {
            let roots = self.any_root();
            self.add_merge(argument.clone(), r#type.clone(), roots, shared);
        }
        self.block(5);
        let back = self.next_carried(&carried, &second, shared);
        self.free_some(&back);
        let more = self.value(format!("arith.addi {next}, %c1 : index"));
        let mut handed: Vec<&str> = back.iter().map(|value| value.name.as_str()).collect();
        handed.push(&more);
        self.line(format!("scf.yield {} : {all}", handed.join(", ")));
        self.body.numbers.pop();
        self.body.loops -= 1;
        self.close(before);
        self.line("}");

        self.results(&results, &carried, &[on, back]);
    }

    /// One region of a branch.
    fn arm(&mut self, types: &[Type], most: usize, terminator: &str) -> (Vec<Memref>, Vec<bool>) {
        let before = self.open();
        self.block(most);
        let values = self.yielded_values(types);
        self.end_region(terminator, &values);
        (values, self.close(before))
    }

    /// `scf.if`.
    pub fn branch(&mut self) {
        self.feature("scf.if");
        let all = self.some_types(2);
        let results = names(all.len(), self);
        let condition = self.condition();
        self.line(format!(
            "{}scf.if {condition}{} {{",
            defined(&results),
            returned(&all, !all.is_empty())
        ));
        let terminator = if all.is_empty() { "" } else { "scf.yield" };
        let (first, wrote) = self.arm(&all, 4, terminator);
        if all.is_empty() && self.choices.chance(50) {
            self.line("}");
            return;
        }
        self.feature("exclusive branches");
        self.line("} else {");
        let (second, also) = self.arm(&all, 4, terminator);
        self.line("}");
        self.mark_written(&[wrote, also]);
        self.results(&results, &all, &[first, second]);
    }

    /// `scf.index_switch`.
    pub fn switch(&mut self) {
        self.feature("scf.index_switch");
        let all = self.some_types(1);
        let results = names(all.len(), self);
        let number = self.number();
        self.line(format!(
            "{}scf.index_switch {number}{}",
            defined(&results),
            {
                let all = types(&all);
                if all.is_empty() {
                    String::new()
                } else {
                    format!(" -> {all}")
                }
            }
        ));
        let (mut paths, mut written) = (Vec::new(), Vec::new());
        for case in 0..1 + self.choices.below(3) {
            self.line(format!("case {case} {{"));
            let (values, wrote) = self.arm(&all, 3, "scf.yield");
            self.line("}");
            paths.push(values);
            written.push(wrote);
        }
        self.line("default {");
        let (values, wrote) = self.arm(&all, 3, "scf.yield");
        self.line("}");
        paths.push(values);
        written.push(wrote);
        self.mark_written(&written);
        self.results(&results, &all, &paths);
    }

    /// `scf.execute_region`, with blocks in it.
    pub fn execute_region(&mut self) {
        self.feature("scf.execute_region");
        let all = self.some_types(1);
        let results = names(all.len(), self);
        let head = returned(&all, !all.is_empty());
        self.line(format!("{}scf.execute_region{head} {{", defined(&results)));
        let before = self.open();
        let paths = self.blocks(&all, "scf.yield");
        self.close(before);
        self.line("}");
        self.results(&results, &all, &paths);
    }

    /// `scf.forall` and `scf.parallel`: each iteration writes one element of a result, and has buffers of its own.
    pub fn parallel(&mut self) {
        let forall = self.choices.chance(50);
        self.feature(if forall { "scf.forall" } else { "scf.parallel" });
        let trip_count = *self.choices.of(&[2, 1, 4, 8]);
        let element = *self.choices.of(&[Element::I64, Element::F32, Element::I8]);
        let result = self.allocate_written(&Type::plain(element, &[8]));
        let index = self.name("i");
        let reduces = !forall && self.choices.chance(40);
        let reduced = self.name("r");
        if forall {
            self.line(format!("scf.forall ({index}) in ({trip_count}) {{"));
        } else if reduces {
            self.feature("scf.reduce");
            let start = self.i64(3);
            self.line(format!(
                "{reduced} = scf.parallel ({index}) = (%c0) to (%c{trip_count}) step (%c1) init ({start}) -> i64 {{"
            ));
        } else {
            self.line(format!(
                "scf.parallel ({index}) = (%c0) to (%c{trip_count}) step (%c1) {{"
            ));
        }
        let before = self.open();
        self.body
            .env
            .retain(|memref| !memref.roots.overlap(&result.roots));
        self.set_all_shared();
        self.body.parallel += 1;
        self.body.loops += 1;
        self.body.numbers.push(index.clone());
        let local = self.a_type();
        let local = self.allocate_written(&local);
        self.block(4);
        // It may have been freed.
        let left = self.body.env.iter().any(|memref| memref.name == local.name);
        let sum = if left {
            self.checksum(&local)
        } else {
            "%f7".to_owned()
        };
        let value = self.element_of(&sum, element);
        self.line(format!(
            "memref.store {value}, {}[{index}] : {}",
            result.name, result.r#type
        ));
        self.free_some(&[]);
        if reduces {
            self.line(format!("scf.reduce({sum} : i64) {{"));
            self.line("^bb0(%left: i64, %right: i64):");
            self.line("  %both = arith.addi %left, %right : i64");
            self.line("  scf.reduce.return %both : i64");
            self.line("}");
        }
        self.body.numbers.pop();
        self.body.loops -= 1;
        self.body.parallel -= 1;
        self.close(before);
        self.line("}");
        if reduces && self.body.parallel == 0 && !self.body.quiet {
            self.print_number(&reduced);
        }
    }

    /// A loop in which each iteration frees the buffer that the previous one allocated.
    pub fn free_previous(&mut self) {
        let candidates: Vec<Memref> = self
            .body
            .env
            .iter()
            .filter(|memref| {
                memref.written
                    && !memref.shared
                    && self.types.contains(&memref.r#type)
                    && self.owns(memref)
            })
            .cloned()
            .collect();
        if candidates.is_empty() {
            return;
        }
        self.feature("each iteration frees the buffer of the previous one");
        let at = self.choices.below(candidates.len());
        let first = candidates[at].clone();
        let r#type = first.r#type.clone();
        self.remove_freed(&first.roots);
        let (trip_count, _) = self.trip_count();
        let (result, argument, index) = (self.name("r"), self.name("r"), self.name("i"));
        self.line(format!(
            "{result} = scf.for {index} = %c0 to {trip_count} step %c1 iter_args({argument} = {}) -> ({type}) {{",
            first.name,
            type = r#type
        ));
        let before = self.open();
        self.body.loops += 1;
        self.body.numbers.push(index);
        let root = self.root();
        let carried = Memref {
            name: argument,
            roots: Roots::one(root),
            ..first
        };
        // The frame does not own it until the end: nothing else may free it.
        self.add(carried.clone());
        let next = self.allocate_plain(&r#type);
        if let Some(frame) = self.body.frames.last_mut() {
            frame.owned.retain(|root| !next.roots.known.contains(root));
        }
        let rank = r#type.shape.len();
        let map = super::writes::identity(rank);
        let element = r#type.element;
        self.generic(
            &[(&carried, &map)],
            (&next, &map),
            rank,
            &mut |this, values| this.combine(&values[0], &values[0], element),
        );
        self.set_written(&next);
        self.block(3);
        self.line(format!("memref.dealloc {} : {}", carried.name, r#type));
        self.remove_freed(&carried.roots);
        self.end_region(
            "scf.yield",
            &[Memref {
                written: true,
                ..next
            }],
        );
        self.body.loops -= 1;
        self.body.numbers.pop();
        self.close(before);
        self.line("}");
        let root = self.root();
        if let Some(frame) = self.body.frames.last_mut() {
            frame.owned.insert(root);
        }
        self.add_merge(result, r#type, Roots::one(root), false);
    }

    /// `async.execute` that uses one buffer, and the wait for it.
    pub fn asynchronous(&mut self) {
        let Some(memref) =
            self.find(|memref| memref.written && !memref.shared && memref.r#type.space == 0)
        else {
            return;
        };
        self.feature("async.execute");
        let token = self.name("t");
        self.line(format!("{token} = async.execute {{"));
        let before = self.open();
        let rank = memref.r#type.shape.len();
        let map = super::writes::identity(rank);
        let element = memref.r#type.element;
        self.generic(&[], (&memref, &map), rank, &mut |this, values| {
            this.combine(&values[0], &values[0], element)
        });
        self.line("async.yield");
        let before_all = before.clone();
        self.close(before);
        self.line("}");
        let token = match self.choices.chance(40) {
            true => self.dependent_async(&token, &memref, rank),
            false => token,
        };
        // Nothing else uses it before the wait.
        let roots = memref.roots.clone();
        self.body.env.retain(|other| !other.roots.overlap(&roots));
        let frees = std::mem::replace(&mut self.frees, 0);
        let hidden = self.body.env.len();
        let r#type = self.a_type();
        let other = self.allocate_written(&r#type);
        self.print(&other);
        self.frees = frees;
        let added = self.body.env.split_off(hidden);
        self.body.env = before_all;
        self.body.env.extend(added);
        self.line(format!("async.await {token} : !async.token"));
    }

    /// An asynchronous operation that starts when that of the token is done, with the same memory, and memory of its
    /// own.
    fn dependent_async(&mut self, token: &str, memref: &Memref, rank: usize) -> String {
        self.feature("async.execute after another");
        let next = self.name("t");
        self.line(format!("{next} = async.execute [{token}] {{"));
        let before = self.open();
        let map = super::writes::identity(rank);
        let element = memref.r#type.element;
        let own = self.allocate_plain(&memref.r#type);
        let twice =
            |this: &mut Self, values: &[String]| this.combine(&values[0], &values[0], element);
        self.generic(&[(memref, &map)], (&own, &map), rank, &mut { twice });
        self.generic(&[(&own, &map)], (memref, &map), rank, &mut { twice });
        self.line("async.yield");
        self.close(before);
        self.line("}");
        next
    }
}
