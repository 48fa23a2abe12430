//! Memory that callers pass for results: donated arguments, and arguments that nothing else refers to.

use super::generator::Generator;
use super::types::Type;
use super::values::{Memref, Roots};

impl Generator {
    /// A call whose first argument is donated: the result starts as its contents.
    pub fn donate(&mut self) {
        let r#type = self.a_plain_type();
        self.feature("donated argument");
        let name = self.symbol("donated");
        let (given, other) = (self.alone("%a", &r#type), self.alone("%b", &r#type));
        let attribute = *self
            .choices
            .of(&["memplan.donated", "jax.buffer_donor = true"]);
        let head = format!(
            "{name}(%a: {type} {{{attribute}}}, %b: {type}, %n: index) -> {type}",
            type = r#type
        );
        let result = r#type.clone();
        self.function(
            &format!("private {head}"),
            vec![given.clone(), other],
            true,
            |this| {
                this.body.returns = true;
                this.block(1);
                let mut value = this.allocate_plain(&result);
                this.line(format!(
                    "memref.copy %a, {} : {result} to {result}",
                    value.name
                ));
                this.set_written(&value);
                if this.choices.chance(80) {
                    this.body.env.retain(|one| !one.roots.overlap(&given.roots));
                }
                this.block(4);
                // It may have been freed.
                if !this.body.env.iter().any(|memref| memref.name == value.name) {
                    value = this.allocate_written(&result);
                }
                this.end_region("return", &[value]);
            },
        );
        let other = self.passable(&r#type, false);
        let given = self.fresh_memory(&r#type);
        let result = self.value(format!(
            "func.call {name}({}, {}, %n) : ({type}, {type}, index) -> {type}",
            given.name,
            other.name,
            type = r#type
        ));
        self.remove_freed(&given.roots);
        let root = self.root();
        self.add_merge(result, r#type, Roots::one(root), false);
    }

    /// Calls in a chain of a function that computes its result from an argument, which mostly nothing needs afterwards.
    pub fn chain_of_calls(&mut self) {
        let r#type = self.a_plain_type();
        self.feature("calls in a chain");
        let name = self.symbol("step");
        let arguments = vec![self.alone("%a", &r#type), self.alone("%b", &r#type)];
        let head = format!(
            "private {name}(%a: {type}, %b: {type}, %n: index) -> {type}",
            type = r#type
        );
        let result = r#type.clone();
        let old = arguments[0].clone();
        self.function(&head, arguments, true, |this| {
            this.body.returns = true;
            if this.choices.chance(30) {
                this.block(1);
            }
            let mut value = this.allocate_plain(&result);
            let rank = result.shape.len();
            let map = super::writes::identity(rank);
            let element = result.element;
            this.generic(
                &[(&old, &map)],
                (&value, &map),
                rank,
                &mut |this, values| this.combine(&values[0], &values[0], element),
            );
            this.set_written(&value);
            if this.choices.chance(30) {
                this.block(2);
            }
            // It may have been freed.
            if !this.body.env.iter().any(|memref| memref.name == value.name) {
                value = this.allocate_written(&result);
            }
            this.end_region("return", &[value]);
        });
        let mut given = self.fresh_memory(&r#type);
        for _ in 0..1 + self.choices.below(3) {
            let other = match self.choices.chance(15) {
                true => given.clone(),
                false => self.passable(&r#type, false),
            };
            let result = self.value(format!(
                "func.call {name}({}, {}, %n) : ({type}, {type}, index) -> {type}",
                given.name,
                other.name,
                type = r#type
            ));
            if self.choices.chance(85) {
                self.remove_freed(&given.roots);
            }
            let root = self.root();
            self.add_merge(result.clone(), r#type.clone(), Roots::one(root), false);
            let next = self.body.env.iter().find(|memref| memref.name == result);
            let Some(next) = next.cloned() else {
                return;
            };
            given = next;
        }
    }

    /// A call that writes a result to an argument that nothing else refers to.
    pub fn out_param(&mut self) {
        let r#type = self.a_plain_type();
        self.feature("argument for a result");
        let name = self.symbol("out");
        let arguments = vec![self.alone("%a", &r#type), self.alone("%b", &r#type)];
        let attribute = *self.choices.of(&["memplan.noalias", "llvm.noalias"]);
        let head = format!(
            "private {name}(%a: {type}, %b: {type} {{{attribute}}}, %n: index)",
            type = r#type
        );
        let copied = r#type.clone();
        self.function(&head, arguments, true, |this| {
            this.block(1);
            let mut value = this.allocate_written(&copied);
            this.block(4);
            // It may have been freed.
            if !this.body.env.iter().any(|memref| memref.name == value.name) {
                value = this.allocate_written(&copied);
            }
            this.line(format!(
                "memref.copy {}, %b : {copied} to {copied}",
                value.name
            ));
            this.block(1);
            this.end_region("return", &[]);
        });
        let (given, result) = (self.passable(&r#type, false), self.fresh_memory(&r#type));
        self.line(format!(
            "func.call {name}({}, {}, %n) : ({type}, {type}, index) -> ()",
            given.name,
            result.name,
            type = r#type
        ));
    }

    /// One of the program's types, without a layout.
    fn a_plain_type(&mut self) -> Type {
        let r#type = self.a_type();
        Type {
            layout: String::new(),
            ..r#type
        }
    }

    /// An argument whose memory no other one refers to.
    fn alone(&mut self, name: &str, r#type: &Type) -> Memref {
        let root = self.root();
        Memref {
            name: name.to_owned(),
            r#type: r#type.clone(),
            roots: Roots::one(root),
            written: true,
            shared: false,
            whole: true,
        }
    }

    /// New memory, to which one value refers.
    fn fresh_memory(&mut self, r#type: &Type) -> Memref {
        let memref = self.allocate_plain(r#type);
        self.write_whole(&memref);
        self.set_written(&memref);
        memref
    }
}
