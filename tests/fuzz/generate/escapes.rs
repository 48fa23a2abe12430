//! Uses that planning cannot follow, and must leave alone: each must keep working.

use super::Aim;
use super::generator::Generator;
use super::types::{Dim, Element, Type};
use super::values::{Memref, Roots};

impl Generator {
    /// A use through which a buffer escapes, or memory that is no allocation of the program.
    pub fn escape(&mut self) {
        match self.choices.below(6) {
            // Nobody frees it.
            0 if self.aim == Aim::Merge || self.choices.chance(20) => self.store_in_memory(),
            1 => self.clone(),
            2 => self.realloc(),
            3 => self.pointer(),
            0 | 4 => self.distinct(),
            _ if self.choices.chance(50) => self.state(),
            _ => self.global(),
        }
    }

    /// A global that the program may write. The driver sets it before the first call, and a second call sees what the
    /// first one wrote. Only the program itself refers to it, as arguments of others may be the same memory.
    fn state(&mut self) {
        if self.helpers > 0 || self.body.parallel > 0 {
            return;
        }
        self.feature("state");
        if self.state.len() < 3 && (self.state.is_empty() || self.choices.chance(40)) {
            let own = self.a_type();
            let is_static = own.shape.iter().all(|dim| matches!(dim, Dim::Fixed(_)));
            let r#type = match is_static && own.layout.is_empty() && own.space == 0 {
                true => own,
                false => Type::plain(Element::I64, &[4]),
            };
            let symbol = self.symbol("state");
            let contents = match self.choices.chance(50) {
                true if r#type.element.is_integer() => "dense<0>",
                _ => "uninitialized",
            };
            self.functions.push(format!(
                "memref.global \"private\" {symbol} : {} = {contents}\n",
                r#type
            ));
            let root = self.root();
            self.state.push((symbol, r#type, root));
        }
        let at = self.choices.below(self.state.len());
        let (symbol, r#type, root) = self.state[at].clone();
        let roots = Roots::one(root);
        let mut known = self.body.env.iter();
        let shared = known.any(|memref| memref.shared && memref.roots.overlap(&roots));
        let name = self.value(format!("memref.get_global {symbol} : {type}"));
        self.add(Memref {
            name,
            r#type,
            roots,
            written: true,
            shared,
            whole: false,
        });
    }

    /// Stores a memref in another memref, and loads it.
    fn store_in_memory(&mut self) {
        let Some(memref) = self.find(|memref| memref.written && memref.r#type.layout.is_empty())
        else {
            return;
        };
        if matches!(memref.r#type.shape[..], [Dim::Fixed(_)])
            && memref.r#type.element == Element::I64
            && memref.r#type.space == 0
            && self.choices.chance(60)
        {
            return self.store_by_callee(memref);
        }
        self.feature("stored in memory");
        let holder = format!("memref<1x{}>", memref.r#type);
        let mut cell = self.value(format!("memref.alloc() : {holder}"));
        self.line(format!(
            "memref.store {}, {cell}[%c0] : {holder}",
            memref.name
        ));
        match self.choices.below(5) {
            0 => cell = self.copied_cell(&cell, &holder),
            1 => cell = self.nested_cell(&cell, &holder),
            2 if !memref.shared && self.body.parallel == 0 => {
                self.replaced(&cell, &holder, &memref.r#type);
            }
            _ => {}
        }
        let name = self.value(format!("memref.load {cell}[%c0] : {holder}"));
        // The replaced memref may be any of those that were stored.
        let roots = self.any_root();
        self.add(Memref {
            name,
            roots,
            whole: false,
            ..memref
        });
    }

    /// The same memrefs in other memory.
    fn copied_cell(&mut self, cell: &str, holder: &str) -> String {
        self.feature("memory of memrefs is copied");
        let copy = self.value(format!("memref.alloc() : {holder}"));
        self.line(format!("memref.copy {cell}, {copy} : {holder} to {holder}"));
        copy
    }

    /// A memref of memrefs that is stored itself, and loaded.
    fn nested_cell(&mut self, cell: &str, holder: &str) -> String {
        self.feature("memory of memrefs is stored");
        let outer = format!("memref<1x{holder}>");
        let around = self.value(format!("memref.alloc() : {outer}"));
        self.line(format!("memref.store {cell}, {around}[%c0] : {outer}"));
        self.value(format!("memref.load {around}[%c0] : {outer}"))
    }

    /// Replaces the stored memref by another one, in a loop or under a condition.
    fn replaced(&mut self, cell: &str, holder: &str, r#type: &Type) {
        self.feature("a memref in memory is replaced");
        let is_loop = self.choices.chance(50);
        let before = if is_loop {
            self.open_loop()
        } else {
            let condition = self.condition();
            self.line(format!("scf.if {condition} {{"));
            self.open()
        };
        let sizes = r#type.run_sizes().join(", ");
        let new = Memref {
            name: self.value(format!("memref.alloc({sizes}) : {type}")),
            r#type: r#type.clone(),
            roots: Roots::one(self.root()),
            written: false,
            shared: false,
            whole: true,
        };
        self.write_whole(&new);
        self.line(format!("memref.store {}, {cell}[%c0] : {holder}", new.name));
        match is_loop {
            true => self.close_loop(before),
            false => self.close(before),
        };
        self.line("}");
    }

    /// Stored in another memref by a callee without a body, and loaded.
    fn store_by_callee(&mut self, memref: Memref) {
        self.feature("stored by a callee without a body");
        let (r#type, erased) = (&memref.r#type, memref.r#type.erased());
        let holder = format!("memref<1x{erased}>");
        let given = self.value(format!("memref.cast {} : {type} to {erased}", memref.name));
        let cell = self.value(format!("memref.alloc() : {holder}"));
        self.line(format!(
            "func.call @fuzz_put({cell}, {given}) : ({holder}, {erased}) -> ()"
        ));
        let loaded = self.value(format!("memref.load {cell}[%c0] : {holder}"));
        let name = self.value(format!("memref.cast {loaded} : {erased} to {type}"));
        self.add(Memref { name, ..memref });
    }

    /// `bufferization.clone`: new memory, or the same, so that neither may be written while both are live.
    fn clone(&mut self) {
        let plain = |memref: &Memref| {
            memref.written && memref.r#type.layout.is_empty() && memref.r#type.space == 0
        };
        let Some(memref) = self.find(plain) else {
            return;
        };
        self.feature("bufferization.clone");
        let r#type = memref.r#type.clone();
        let name = self.value(
            format!("bufferization.clone {} : {type} to {type}", memref.name, type = r#type),
        );
        let clone = Memref { name, ..memref };
        self.print(&clone);
        if self.choices.chance(self.frees) {
            self.line(format!("memref.dealloc {} : {}", clone.name, clone.r#type));
        }
    }

    /// `memref.realloc` to more elements, which are then written.
    fn realloc(&mut self) {
        let fits = |memref: &Memref| {
            memref.written
                && memref.r#type.space == 0
                && matches!(memref.r#type.contiguous().as_deref(), Some([_]))
                && self.owns(memref)
        };
        let owned: Vec<Memref> = self
            .body
            .env
            .iter()
            .filter(|memref| fits(memref))
            .cloned()
            .collect();
        if owned.is_empty() || self.frees == 0 {
            return;
        }
        self.feature("memref.realloc");
        let memref = owned[self.choices.below(owned.len())].clone();
        self.remove_freed(&memref.roots);
        let size =
            memref.r#type.sizes().map_or(1, |sizes| sizes[0]) + 1 + self.choices.below(8) as u64;
        let r#type = memref.r#type.with(&[size], String::new());
        let name = self.value(
            format!("memref.realloc {} : {} to {type}", memref.name, memref.r#type, type = r#type),
        );
        self.add_owned(name, r#type);
        if let Some(new) = self.body.env.last().cloned() {
            self.write_whole(&new);
        }
    }

    /// Its address as an integer, of which nothing is printed.
    fn pointer(&mut self) {
        let Some(memref) = self.find(|memref| memref.written) else {
            return;
        };
        self.feature("address taken");
        let pointer = self.value(format!(
            "memref.extract_aligned_pointer_as_index {} : {} -> index",
            memref.name, memref.r#type
        ));
        if self.aim == Aim::Free
            && memref.r#type.contiguous().is_some()
            && memref.r#type.space == 0
            && self.choices.chance(60)
        {
            return self.measured_by(&pointer);
        }
        let zero = self.value(format!("arith.muli {pointer}, %c0 : index"));
        let number = if self.choices.chance(50) {
            self.feature("what is known of an address is a truth value");
            let is_zero = self.value(format!("arith.cmpi eq, {zero}, %c0 : index"));
            self.value(format!("arith.extui {is_zero} : i1 to i64"))
        } else {
            self.value(format!("arith.index_cast {zero} : index to i64"))
        };
        if !self.body.quiet {
            self.print_number(&number);
        }
    }

    /// An address that goes through the size of a view, or through a view's offset; the memory there is read and
    /// printed.
    fn measured_by(&mut self, address: &str) {
        // Memory that LLVM knows nothing about: from memory of its own, LLVM would infer that the distance stays in
        // there.
        let base = self.value("func.call @fuzz_byte() : () -> memref<1xi8>");
        let byte = if self.choices.chance(50) {
            self.feature("the size of a view is an address");
            let view = self.value(format!(
                "memref.view {base}[%c0][{address}] : memref<1xi8> to memref<?xi8>"
            ));
            let size = self.value(format!("memref.dim {view}, %c0 : memref<?xi8>"));
            let number = self.value(format!("arith.index_cast {size} : index to i64"));
            let pointer = self.value(format!("llvm.inttoptr {number} : i64 to !llvm.ptr"));
            self.value(format!("llvm.load {pointer} : !llvm.ptr -> i8"))
        } else {
            self.feature("a view starts elsewhere by a distance");
            let from = self.value(format!(
                "memref.extract_aligned_pointer_as_index {base} : memref<1xi8> -> index"
            ));
            let distance = self.value(format!("arith.subi {address}, {from} : index"));
            let view = self.value(format!(
                "memref.view {base}[{distance}][] : memref<1xi8> to memref<1xi8>"
            ));
            self.value(format!("memref.load {view}[%c0] : memref<1xi8>"))
        };
        let number = self.value(format!("arith.extui {byte} : i8 to i64"));
        if !self.body.quiet {
            self.print_number(&number);
        }
    }

    /// `memref.distinct_objects` of two distinct memrefs.
    fn distinct(&mut self) {
        let Some(first) = self.find(|memref| memref.written && memref.roots.before == 0) else {
            return;
        };
        let second = self.find(|memref| memref.written && !memref.roots.overlap(&first.roots));
        let Some(second) = second else { return };
        self.feature("memref.distinct_objects");
        let (one, two) = (self.name("v"), self.name("v"));
        self.line(format!(
            "{one}, {two} = memref.distinct_objects {}, {} : {}, {}",
            first.name, second.name, first.r#type, second.r#type
        ));
        self.add(Memref { name: one, ..first });
        self.add(Memref {
            name: two,
            ..second
        });
    }

    /// Constant memory.
    fn global(&mut self) {
        self.feature("memref.global");
        let number = self.fresh();
        let symbol = format!("@{}global{number}", self.prefix);
        let r#type = Type::plain(Element::I64, &[4]);
        let contents = match self.choices.chance(50) {
            true => "7",
            false => "[3, 1, 4, 1]",
        };
        self.functions.push(format!(
            "memref.global \"private\" constant {symbol} : {type} = dense<{contents}>\n",
            type = r#type
        ));
        let name = self.value(format!("memref.get_global {symbol} : {type}", type = r#type));
        let root = self.root();
        let global = Memref {
            name,
            r#type,
            roots: Roots::one(root),
            written: true,
            shared: true,
            whole: false,
        };
        self.add(global.clone());
        if self.choices.chance(50) {
            self.copied_from(&global);
        }
    }
}
