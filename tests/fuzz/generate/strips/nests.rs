//! Control flow in a chain: branches, loops, blocks and calls, with chains of their own.

use super::buffer::Buffer;
use super::chain::Chain;

/// The most operations of a nested chain.
const MOST: usize = 8;

impl Chain {
    /// A branch whose result is added to memory that is older.
    pub fn branch(&mut self) {
        let Some(out) = self.memory_around() else {
            return;
        };
        self.feature("branch in a chain");
        self.line("scf.if %cond {");
        self.region(&out);
        self.line("}");
        self.add(out);
    }

    /// A loop, the same.
    pub fn looped(&mut self) {
        let Some(out) = self.memory_around() else {
            return;
        };
        self.feature("loop in a chain");
        let times = self.between(1, 3);
        let (first, end, step) = (self.index(0), self.index(times), self.index(1));
        let variable = self.name("i");
        self.line(format!(
            "scf.for {variable} = {first} to {end} step {step} {{"
        ));
        let around = self.variable.replace((variable, times - 1));
        self.region(&out);
        self.variable = around;
        self.line("}");
        self.add(out);
    }

    /// Two blocks, one of which runs.
    pub fn blocks(&mut self) {
        let Some(out) = self.memory_around() else {
            return;
        };
        self.feature("blocks in a chain");
        let number = self.fresh();
        self.line(format!("cf.cond_br %cond, ^one{number}, ^two{number}"));
        for block in ["one", "two"] {
            self.line(format!("^{block}{number}:"));
            self.region(&out);
            self.line(format!("cf.br ^end{number}"));
        }
        self.line(format!("^end{number}:"));
        self.add(out);
    }

    /// Another function changes a value.
    pub fn called(&mut self) {
        let Some(value) = self.pick(|value| value.layout.is_none() && !value.is_argument) else {
            return;
        };
        if !self.affords(value.count()) {
            return;
        }
        self.feature("call in a chain");
        let number = self.fresh();
        let name = format!("@{}c{number}", self.prefix);
        let r#type = value.type_text();
        let body = match self.is_float() {
            true => format!("linalg.tanh ins(%z : {type}) outs(%z : {type})"),
            false => {
                format!("linalg.add ins(%z, %z : {type}, {type}) outs(%z : {type})", type = r#type)
            }
        };
        self.functions.push(format!(
            "func.func private {name}(%z: {type}) {{\n  {body}\n  return\n}}\n",
            type = r#type
        ));
        self.line(format!(
            "func.call {name}({}) : ({type}) -> ()",
            value.name,
            type = r#type
        ));
    }

    /// Memory to which regions add, of the shape of a value.
    fn memory_around(&mut self) -> Option<Buffer> {
        let value = self.pick(|_| true)?;
        let out = self.allocate(&value.shape);
        self.fill(&out, 1);
        Some(out)
    }

    /// A chain in a region: its last value of the right shape is added to `out`.
    fn region(&mut self, out: &Buffer) {
        let (pool, element) = (self.pool.clone(), self.element);
        self.indent += 1;
        self.allocations.push(Vec::new());
        let count = self.between(1, MOST);
        self.steps(count);
        self.element = element;
        let last = self.pool.iter().rev().find(|value| {
            value.shape == out.shape && value.element == element && value.root != out.root
        });
        if let Some(last) = last.cloned() {
            self.two_operands("add", &last, out, out);
        }
        self.free_allocations(&[]);
        self.allocations.pop();
        self.indent -= 1;
        self.pool = pool;
    }

    /// Frees the allocations of the innermost region, except for these.
    pub fn free_allocations(&mut self, kept: &[Buffer]) {
        let all = self.allocations.last().cloned().unwrap_or_default();
        for buffer in all.iter().filter(|_| self.frees) {
            if kept.iter().all(|other| other.name != buffer.name) {
                self.lines.push(format!(
                    "{}memref.dealloc {buffer}",
                    "  ".repeat(self.indent)
                ));
            }
        }
    }
}
