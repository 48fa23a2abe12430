//! `linalg.generic`, and operations on single elements.

use super::along::Along;
use super::sizes::Size;
use super::value::Value;

/// An affine map.
pub fn map(loops: usize, results: &[String]) -> String {
    let dims: Vec<String> = (0..loops).map(|dim| format!("d{dim}")).collect();
    format!(
        "affine_map<({}) -> ({})>",
        dims.join(", "),
        results.join(", ")
    )
}

/// The affine map whose results are these loops.
pub fn loops_of(loops: usize, results: &[usize]) -> String {
    let results: Vec<String> = results.iter().map(|dim| format!("d{dim}")).collect();
    map(loops, &results)
}

/// The map whose results are all loops.
pub fn all_loops(loops: usize) -> String {
    loops_of(loops, &(0..loops).collect::<Vec<usize>>())
}

impl Along<'_> {
    /// `linalg.generic`: of its loops the last `reduced` are reductions. The body yields `%s`.
    pub fn generic(
        &mut self,
        maps: &[String],
        (parallel, reduced): (usize, usize),
        inputs: &[&Value],
        to: &Value,
        body: &[String],
    ) {
        let kinds = [
            vec!["\"parallel\""; parallel],
            vec!["\"reduction\""; reduced],
        ];
        let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        let types: Vec<String> = inputs.iter().map(|input| self.type_of(input)).collect();
        let ins = match inputs.is_empty() {
            true => String::new(),
            false => format!("ins({} : {}) ", names.join(", "), types.join(", ")),
        };
        let element = self.element;
        let mut arguments: Vec<String> = (0..inputs.len())
            .map(|at| format!("%e{at}: {element}"))
            .collect();
        arguments.push(format!("%o: {element}"));
        let to = self.operand(to);
        self.chain.line(format!(
            "linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} {ins}outs({to}) {{",
            maps.join(", "),
            kinds.concat().join(", ")
        ));
        self.chain.line(format!("^bb0({}):", arguments.join(", ")));
        for line in body {
            self.chain.line(format!("  {line}"));
        }
        self.chain.line(format!("  linalg.yield %s : {element}"));
        self.chain.line("}");
    }

    /// `linalg.fill` with one of the constants.
    pub fn fill(&mut self, to: &Value, number: &str) {
        let (element, to) = (self.element, self.operand(to));
        let line = format!("linalg.fill ins({number} : {element}) outs({to})");
        self.chain.line(line);
    }

    /// A new allocation that is filled with one of the constants.
    pub fn filled(&mut self, sizes: &[Size], number: &str) -> Value {
        let made = self.allocate(sizes);
        self.fill(&made, number);
        made
    }

    /// A copy, by one of two operations.
    pub fn copy(&mut self, from: &Value, to: &Value) {
        let line = match self.chain.choices.chance(40) {
            false => format!(
                "memref.copy {}, {} : {} to {}",
                from.name,
                to.name,
                self.type_of(from),
                self.type_of(to)
            ),
            true => format!(
                "linalg.copy ins({}) outs({})",
                self.operand(from),
                self.operand(to)
            ),
        };
        self.chain.line(line);
    }

    /// The body of an operation on single elements: numbers stay small.
    fn body(&mut self, inputs: usize) -> Vec<String> {
        let element = self.element;
        let line = |text: &str| format!("{text} : {element}");
        let second = if inputs > 1 { "%e1" } else { "%one" };
        match self
            .chain
            .choices
            .weighted(&[(4, 0), (2, 1), (1, 2), (1, 3)])
        {
            0 => vec![
                line(&format!("%d = arith.mulf %e0, {second}")),
                line("%c = math.absf %d"),
                line("%f = arith.addf %c, %one"),
                line(&format!("%g = arith.addf %e0, {second}")),
                line("%s = arith.divf %g, %f"),
            ],
            1 => vec![line(&format!("%s = arith.subf %e0, {second}"))],
            2 => vec![line(&format!("%s = arith.maximumf %e0, {second}"))],
            _ => vec![
                line("%d = math.tanh %e0"),
                line(&format!("%s = arith.addf %d, {second}")),
            ],
        }
    }

    /// Computes each element of `to` from those of inputs whose dimensions are the given ones.
    pub fn elementwise_into(&mut self, inputs: &[(&Value, Vec<usize>)], to: &Value) {
        let rank = to.rank();
        let maps = inputs.iter().map(|(_, dims)| loops_of(rank, dims));
        let mut maps: Vec<String> = maps.collect();
        maps.push(all_loops(rank));
        let values: Vec<&Value> = inputs.iter().map(|(value, _)| *value).collect();
        let mut body = self.body(inputs.len());
        let run = to.run();
        if !run.is_empty() && self.chain.choices.chance(10) {
            self.chain.feature("number of a row at a length");
            let dim = *self.chain.choices.of(&run);
            let element = self.element;
            if let Some(last) = body.last_mut() {
                *last = last.replace("%s =", "%r =");
            }
            body.extend([
                format!("%t = linalg.index {dim} : index"),
                "%u = arith.index_cast %t : index to i32".to_owned(),
                format!("%v = arith.sitofp %u : i32 to {element}"),
                format!("%s = arith.addf %r, %v : {element}"),
            ]);
        }
        self.generic(&maps, (rank, 0), &values, to, &body);
    }

    /// The same of one memref, or of two of the same sizes, in new memory.
    pub fn elementwise(&mut self, one: &Value, other: Option<&Value>) -> Value {
        let sizes = self.sizes_of(one);
        let made = self.allocate(&sizes);
        let dims: Vec<usize> = (0..one.rank()).collect();
        match (other, self.chain.choices.chance(35)) {
            (Some(other), false) => {
                self.elementwise_into(&[(one, dims.clone()), (other, dims)], &made);
            }
            (None, false) => self.elementwise_into(&[(one, dims)], &made),
            (Some(other), true) => {
                let operation = *self.chain.choices.of(&["add", "sub", "max"]);
                let (types, to) = (
                    format!("{}, {}", self.type_of(one), self.type_of(other)),
                    self.operand(&made),
                );
                let names = format!("{}, {}", one.name, other.name);
                self.chain.line(format!(
                    "linalg.{operation} ins({names} : {types}) outs({to})"
                ));
            }
            (None, true) => {
                let operation = *self.chain.choices.of(&["tanh", "abs", "negf"]);
                let (from, to) = (self.operand(one), self.operand(&made));
                self.chain
                    .line(format!("linalg.{operation} ins({from}) outs({to})"));
            }
        }
        made
    }
}
