//! Callees that take ownership of memory: they free it by a flag or by its address, or return it together with a
//! structure of numbers.

use super::Aim;
use super::generator::Generator;
use super::types::Type;
use super::values::Memref;

/// Frees by address: `free` receives the result of `malloc`, as no alignment is requested.
const BY_ADDRESS: &str = "llvm.call @free";

impl Generator {
    /// One of these statements.
    pub fn transfer_ownership(&mut self) {
        match self.choices.below(3) {
            0 => self.free_by_address(),
            1 => self.free_by_flag(),
            _ => self.return_with_structure(),
        }
    }

    /// A new allocation that is used.
    fn used(&mut self) -> Option<Memref> {
        let r#type = Type {
            layout: String::new(),
            space: 0,
            ..self.a_type()
        };
        let sizes = r#type.run_sizes().join(", ");
        let name = self.value(format!("memref.alloc({sizes}) : {type}", type = r#type));
        self.add_owned(name.clone(), r#type);
        let memref = self.body.env.last().cloned()?;
        self.write_whole(&memref);
        self.block(3);
        // The use may have freed it.
        let still = |other: &Memref| other.name == name;
        let memref = self.body.env.iter().find(|other| still(other)).cloned()?;
        self.owns(&memref).then_some(memref)
    }

    /// `free` by the address, here or in a callee.
    fn free_by_address(&mut self) {
        let Some(memref) = self.used() else { return };
        self.feature("freed by its address");
        let address = self.value(format!(
            "memref.extract_aligned_pointer_as_index {} : {} -> index",
            memref.name, memref.r#type
        ));
        let free = |this: &mut Self, address: &str| {
            let number = this.value(format!("arith.index_cast {address} : index to i64"));
            let pointer = this.value(format!("llvm.inttoptr {number} : i64 to !llvm.ptr"));
            this.line(format!("{BY_ADDRESS}({pointer}) : (!llvm.ptr) -> ()"));
        };
        if self.choices.chance(50) {
            self.feature("freed by its address in a callee");
            let name = self.symbol("frees");
            let head = format!("private {name}(%address: index)");
            self.function(&head, Vec::new(), true, |this| {
                free(this, "%address");
                this.line("return");
            });
            self.line(format!("func.call {name}({address}) : (index) -> ()"));
        } else {
            free(self, &address);
        }
        self.remove_freed(&memref.roots);
    }

    /// A callee frees its argument if a flag is true, or if two are.
    fn free_by_flag(&mut self) {
        if self.body.parallel > 0 {
            return;
        }
        let Some(memref) = self.used() else { return };
        self.feature("callee frees by a flag");
        let r#type = memref.r#type.clone();
        let name = self.symbol("by_flag");
        let head =
            format!("private {name}(%a: {type}, %flag: i1, %other: i1, %n: index)", type = r#type);
        let kind = self.choices.below(4);
        self.function(&head, Vec::new(), true, |this| {
            let (mut freed, mut flag) = ("%a".to_owned(), "%flag".to_owned());
            let mut own = None;
            match kind {
                0 => {}
                1 => flag = this.value("arith.andi %flag, %other : i1"),
                2 => {
                    this.feature("callee frees by a flag what may be its argument");
                    let new = this.allocate_plain(&r#type);
                    this.write_whole(&new);
                    freed = this.value(format!(
                        "arith.select %other, %a, {} : {type}",
                        new.name,
                        type = r#type
                    ));
                    own = Some(new.name);
                    flag = this.value("arith.andi %flag, %other : i1");
                }
                _ => flag = this.value("arith.select %other, %flag, %other : i1"),
            }
            this.line(
                format!("bufferization.dealloc ({freed} : {type}) if ({flag})", type = r#type),
            );
            // Its own memory is freed in any case.
            if let Some(own) = own {
                let always = this.value("arith.constant true");
                this.line(
                    format!("bufferization.dealloc ({own} : {type}) if ({always})", type = r#type),
                );
            }
            this.line("return");
        });
        let constant = |this: &mut Self, flag: bool| this.value(format!("arith.constant {flag}"));
        let is_freed = self.choices.below(3);
        let flag = match is_freed {
            0 => constant(self, false),
            1 => constant(self, true),
            _ => self.condition(),
        };
        let other = match self.choices.chance(50) {
            true => constant(self, true),
            false => self.condition(),
        };
        self.line(format!(
            "func.call {name}({}, {flag}, {other}, %n) : ({}, i1, i1, index) -> ()",
            memref.name, memref.r#type
        ));
        if is_freed > 0 {
            self.remove_freed(&memref.roots);
        }
    }

    /// A callee returns its argument, with sizes in a structure, as in lowered sparse tensors.
    fn return_with_structure(&mut self) {
        let structure = "!llvm.struct<(i64, array<2 x i64>)>";
        let r#type = self.a_type();
        let memref = self.readable(&r#type);
        self.feature("memory and a structure of numbers");
        let is_copied = self.aim == Aim::Free;
        if is_copied {
            self.set_shared(&memref);
        }
        let name = self.symbol("grows");
        let visibility = if self.choices.chance(80) {
            "private "
        } else {
            ""
        };
        let results = format!("({type}, {structure})", type = r#type);
        let head = format!(
            "{visibility}{name}(%a: {type}, %s: {structure}, %n: index) -> {results}",
            type = r#type
        );
        let inner = r#type.clone();
        self.function(&head, Vec::new(), true, |this| {
            let number = this.value("arith.index_cast %n : index to i64");
            let old = this.value(format!("llvm.extractvalue %s[1, 0] : {structure}"));
            let sum = this.value(format!("arith.addi {number}, {old} : i64"));
            let new = this.value(format!("llvm.insertvalue {sum}, %s[1, 0] : {structure}"));
            this.line(format!("return %a, {new} : {inner}, {structure}"));
        });
        let number = self.value("arith.index_cast %n : index to i64");
        let zero = self.value(format!("llvm.mlir.zero : {structure}"));
        let mut sizes = self.value(format!(
            "llvm.insertvalue {number}, {zero}[1, 0] : {structure}"
        ));
        let mut given = memref.name.clone();
        for _ in 0..1 + self.choices.below(2) {
            let (back, new) = (self.name("v"), self.name("v"));
            self.line(format!(
                "{back}, {new} = func.call {name}({given}, {sizes}, %n) : ({type}, {structure}, index) -> {results}",
                type = r#type
            ));
            (given, sizes) = (back, new);
        }
        self.add_merge(given, r#type, memref.roots.clone(), is_copied);
        let size = self.value(format!("llvm.extractvalue {sizes}[1, 0] : {structure}"));
        if !self.body.quiet {
            self.print_number(&size);
        }
    }
}
