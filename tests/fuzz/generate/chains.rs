//! Chains of branches: each level yields a buffer of its own or what the next level yields.

use super::generator::Generator;

/// The most elements of a buffer of a chain.
const MOST: usize = 8;

/// The type of what a chain yields, and whether its buffers differ in size.
#[derive(Clone, Copy)]
struct Chain {
    r#type: &'static str,
    differs: bool,
}

impl Generator {
    /// An else-if chain. Sometimes its buffers differ in size, and casts forget that.
    pub fn else_if(&mut self) {
        self.feature("else-if chain");
        let differs = self.choices.chance(50);
        if differs {
            self.feature("casts of branches");
        }
        let chain = Chain {
            r#type: if differs {
                "memref<?xi64>"
            } else {
                "memref<4xi64>"
            },
            differs,
        };
        let levels = 1 + self.choices.below(3);
        let result = self.level(chain, levels);
        if self.choices.chance(50) {
            self.double(&result, chain);
        }
        if self.choices.chance(40) {
            self.block(2);
        }
        if self.body.parallel > 0 || self.body.quiet {
            return;
        }
        let size = self.value(format!("memref.dim {result}, %c0 : {}", chain.r#type));
        let (sum, index, inner) = (self.name("sum"), self.name("i"), self.name("a"));
        self.line(format!(
            "{sum} = scf.for {index} = %c0 to {size} step %c1 iter_args({inner} = %f7) -> (i64) {{"
        ));
        self.body.indent += 1;
        let element = self.value(format!("memref.load {result}[{index}] : {}", chain.r#type));
        let product = self.value(format!("arith.muli {inner}, %f31 : i64"));
        let next = self.value(format!("arith.addi {product}, {element} : i64"));
        self.line(format!("scf.yield {next} : i64"));
        self.body.indent -= 1;
        self.line("}");
        self.print_number(&sum);
    }

    /// A branch, with so many further ones in its other arm.
    fn level(&mut self, chain: Chain, levels: usize) -> String {
        let condition = self.condition();
        let result = self.name("r");
        self.line(format!(
            "{result} = scf.if {condition} -> ({}) {{",
            chain.r#type
        ));
        let before = self.open();
        let own = self.buffer_of(chain);
        self.line(format!("scf.yield {own} : {}", chain.r#type));
        self.close(before);
        self.line("} else {");
        let before = self.open();
        let other = match levels {
            0 | 1 => self.buffer_of(chain),
            _ => self.level(chain, levels - 1),
        };
        if self.choices.chance(40) {
            self.double(&other, chain);
        }
        self.line(format!("scf.yield {other} : {}", chain.r#type));
        self.close(before);
        self.line("}");
        result
    }

    /// A new buffer, filled with a number.
    fn buffer_of(&mut self, chain: Chain) -> String {
        let size = match chain.differs {
            true => 1 + self.choices.below(MOST),
            false => 4,
        };
        let own = format!("memref<{size}xi64>");
        let buffer = self.value(format!("memref.alloc() : {own}"));
        if self.choices.chance(30) {
            self.block(1);
        }
        let number = self.choices.below(100) as i64;
        let number = self.i64(number);
        self.line(format!(
            "linalg.fill ins({number} : i64) outs({buffer} : {own})"
        ));
        match chain.differs {
            true => self.value(format!("memref.cast {buffer} : {own} to {}", chain.r#type)),
            false => buffer,
        }
    }

    /// Doubles each element of a buffer in place.
    fn double(&mut self, buffer: &str, chain: Chain) {
        let r#type = chain.r#type;
        self.line(format!(
            "linalg.add ins({buffer}, {buffer} : {type}, {type}) outs({buffer} : {type})"
        ));
    }
}
