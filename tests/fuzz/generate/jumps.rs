//! Functions of the LLVM dialect whose blocks end in indirect branches or in calls that may unwind: edges that
//! cannot be split like others.

use super::generator::Generator;

/// The number of buffers of such a function, all allocated in its entry.
const BUFFERS: usize = 3;

impl Generator {
    /// A call of such a function.
    pub fn jump(&mut self) {
        if self.body.quiet || self.body.parallel > 0 {
            return;
        }
        self.feature("jump by the address of a block");
        let name = self.symbol("jumps");
        self.jumps(&name);
        let number = self.number();
        let number = self.value(format!("arith.index_cast {number} : index to i64"));
        self.line(format!("llvm.call {name}({number}) : (i64) -> ()"));
    }

    /// The function: control continues from each block to one of the later ones.
    fn jumps(&mut self, name: &str) {
        let blocks = 2 + self.choices.below(4);
        let unwinds = self.choices.chance(50);
        if unwinds {
            self.feature("call that may unwind");
        }
        let personality = match unwinds {
            true => " attributes {personality = @fuzz_personality}",
            false => "",
        };
        let mut text = format!(
            "llvm.func {name}(%n: i64){personality} {{\n  %c0 = arith.constant 0 : index\n"
        );
        for at in 0..BUFFERS {
            text += &format!(
                "  %m{at} = memref.alloc() : memref<{}xi64>\n  %x{at} = arith.constant {} : i64\n  \
                 memref.store %x{at}, %m{at}[%c0] : memref<{}xi64>\n",
                at + 1,
                10 + at,
                at + 1
            );
        }
        for at in 1..=blocks {
            text += &format!(
                "  %p{at} = llvm.blockaddress <function = {name}, tag = <id = {at}>> : !llvm.ptr\n"
            );
        }
        text += &self.left(0, blocks, false);
        for at in 1..blocks {
            text += &format!("^b{at}:\n  llvm.blocktag <id = {at}>\n");
            for _ in 0..self.choices.below(3) {
                text += &self.shown(&format!("b{at}"));
            }
            text += &self.left(at, blocks, unwinds);
        }
        text += &format!("^b{blocks}:\n  llvm.blocktag <id = {blocks}>\n");
        text += &self.shown("end");
        text += "  llvm.return\n";
        if unwinds {
            text += "^pad:\n  %thrown = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>\n";
            text += &self.shown("pad");
            text += &format!("  llvm.br ^b{blocks}\n");
        }
        self.functions.push(text + "}\n");
    }

    /// Prints one of the buffers, or increments it.
    fn shown(&mut self, place: &str) -> String {
        let (at, number) = (self.choices.below(BUFFERS), self.fresh());
        let (loaded, size) = (format!("%{place}_{number}"), at + 1);
        let load = format!("  {loaded} = memref.load %m{at}[%c0] : memref<{size}xi64>\n");
        load + &match self.choices.chance(60) {
            true => format!("  func.call @fuzz_print({loaded}) : (i64) -> ()\n"),
            false => format!(
                "  {loaded}_ = arith.addi {loaded}, %n : i64\n  memref.store {loaded}_, %m{at}[%c0] : memref<{size}xi64>\n"
            ),
        }
    }

    /// The terminator of a block.
    fn left(&mut self, at: usize, blocks: usize, unwinds: bool) -> String {
        let later = blocks - at;
        let mut target = || at + 1 + self.choices.below(later);
        let (one, other) = (target(), target());
        match self.choices.below(4) {
            0 => format!("  llvm.br ^b{one}\n"),
            1 if unwinds => {
                format!("  llvm.invoke @fuzz_print(%n) to ^b{one} unwind ^pad : (i64) -> ()\n")
            }
            _ => format!(
                "  %k{at} = arith.constant {} : i64\n  %w{at} = arith.cmpi sgt, %n, %k{at} : i64\n  \
                 %t{at} = llvm.select %w{at}, %p{one}, %p{other} : i1, !llvm.ptr\n  \
                 llvm.indirectbr %t{at} : !llvm.ptr, [^b{one}, ^b{other}]\n",
                self.choices.below(5)
            ),
        }
    }
}
