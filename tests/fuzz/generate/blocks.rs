//! Unstructured control flow: a random graph of blocks, with loops, also irreducible ones, several exits,
//! unreachable blocks, and a text order that differs from the order of execution. A fuel counter, which each block
//! decrements, ends it.

use std::collections::BTreeSet;

use super::generator::{Frame, Generator};
use super::regions::{operands, types};
use super::types::Type;
use super::values::Memref;

/// A block.
#[derive(Debug, Clone, Default)]
struct Block {
    label: String,
    /// Its successors; an exit has none.
    successors: Vec<usize>,
    is_exit: bool,
    /// Memrefs that it receives, in addition to the fuel.
    arguments: Vec<(String, Type)>,
    fuel: String,
    /// The memrefs in scope at its end.
    env: Vec<Memref>,
    lines: Vec<String>,
}

impl Generator {
    /// Writes the blocks of a region that was opened. Returns the values that each exit yields.
    pub fn blocks(&mut self, results: &[Type], terminator: &str) -> Vec<Vec<Memref>> {
        self.feature("blocks");
        let mut graph = self.graph();
        let dominators = dominators(&graph);
        let mut order: Vec<usize> = (0..graph.len())
            .filter(|at| dominators[*at].is_some())
            .collect();
        // Dominators come before the blocks that they dominate: they have fewer dominators.
        let depth = |mut at: usize| {
            let mut depth = 0;
            while let Some(Some(up)) = dominators.get(at)
                && *up != at
            {
                at = *up;
                depth += 1;
            }
            depth
        };
        order.sort_by_key(|at| (depth(*at), *at));
        let unreached: Vec<usize> = (0..graph.len())
            .filter(|at| dominators[*at].is_none())
            .collect();
        if !unreached.is_empty() {
            self.feature("unreachable block");
        }
        if has_cycle(&graph) {
            self.feature("loop of blocks");
        }
        // A block may pass any value in scope, or a copy of it, to any other.
        let shared = self.body.env.iter().any(|memref| memref.shared);
        if shared {
            self.set_all_shared();
        }
        let around = (
            self.body.env.clone(),
            self.body.numbers.clone(),
            self.body.loops,
        );
        self.body.loops += 1;
        let mut exits = Vec::new();
        let outside = std::mem::take(&mut self.body.lines);
        for at in order.iter().chain(&unreached).copied() {
            self.body.env = match dominators[at] {
                Some(up) if up != at => graph[up].env.clone(),
                Some(_) => around.0.clone(),
                None => graph[0].env.clone(),
            };
            self.body.numbers = around.1.clone();
            self.body.numbers.push(graph[at].fuel.clone());
            self.body.frames.push(Frame::default());
            for (name, r#type) in graph[at].arguments.clone() {
                let roots = self.any_root();
                self.add_merge(name, r#type, roots, shared);
            }
            if at == 0 {
                let fuel = 3 + self.choices.below(5);
                self.line(format!("{} = arith.constant {fuel} : index", graph[0].fuel));
            }
            self.block(4);
            if graph[at].is_exit {
                if terminator == "return"
                    && let Some(memref) = self.find(|memref| memref.written)
                {
                    self.print(&memref);
                }
                let values = self.yielded_values(results);
                self.end_region(terminator, &values);
                exits.push(values);
            } else {
                self.leave(&graph, at, shared);
                if shared {
                    self.set_all_shared();
                }
            }
            self.body.frames.pop();
            graph[at].env = std::mem::take(&mut self.body.env);
            graph[at].lines = std::mem::take(&mut self.body.lines);
        }
        self.body.lines = outside;
        (self.body.env, self.body.numbers, self.body.loops) = around;

        let mut text: Vec<usize> = (1..graph.len()).collect();
        if self.choices.chance(60) {
            self.feature("text order is not that of execution");
            for at in (1..text.len()).rev() {
                text.swap(at, self.choices.below(at + 1));
            }
        }
        self.body.lines.append(&mut graph[0].lines);
        for at in text {
            let block = &mut graph[at];
            let mut arguments = vec![format!("{}: index", block.fuel)];
            for (name, r#type) in &block.arguments {
                arguments.push(format!("{name}: {type}", type = r#type));
            }
            let indent = "  ".repeat(self.body.indent);
            self.body.lines.push(format!(
                "{indent}{}({}):",
                block.label,
                arguments.join(", ")
            ));
            self.body.lines.append(&mut block.lines);
        }
        exits
    }

    /// Blocks and edges without contents.
    fn graph(&mut self) -> Vec<Block> {
        let inner = 1 + self.choices.below(5);
        let exits = 1 + self.choices.below(2);
        let all = inner + exits;
        let alike = self.choices.chance(40).then(|| self.a_type());
        let forward = self.choices.chance(30);
        (0..all)
            .map(|at| {
                let is_exit = at >= inner;
                let mut successors = Vec::new();
                if !is_exit {
                    let first = if forward { at + 1 } else { 1 };
                    let next = self.choices.chance(70);
                    for number in 0..1 + self.choices.below(3) {
                        let to = if number == 0 && next {
                            at + 1
                        } else {
                            first + self.choices.below(all - first)
                        };
                        successors.push(to);
                    }
                }
                let count = if at == 0 { 0 } else { self.choices.below(3) };
                let arguments = (0..count)
                    .map(|_| {
                        let r#type = alike.clone().unwrap_or_else(|| self.a_type());
                        (self.name("p"), r#type)
                    })
                    .collect();
                Block {
                    label: format!("^b{}", self.fresh()),
                    successors,
                    is_exit,
                    arguments,
                    fuel: self.name("fuel"),
                    ..Block::default()
                }
            })
            .collect()
    }

    /// Writes the terminator of a block: to the first exit when the fuel is used up, else on.
    fn leave(&mut self, graph: &[Block], at: usize, shared: bool) {
        let exit = graph.iter().position(|block| block.is_exit).unwrap_or(0);
        self.free_some(&[]);
        let left = self.value(format!("arith.subi {}, %c1 : index", graph[at].fuel));
        let empty = self.value(format!("arith.cmpi eq, {left}, %c0 : index"));
        let successors = &graph[at].successors;
        let targets: Vec<String> = [exit]
            .iter()
            .chain(successors)
            .map(|to| self.edge(&graph[*to], &left, shared))
            .collect();
        let condition = self.condition();
        let rest = self.value(format!("arith.remui {left}, %c3 : index"));
        let flag = self.value(format!("arith.index_cast {rest} : index to i32"));
        let on = format!("^b{}", self.fresh());
        self.line(format!("cf.cond_br {empty}, {}, {on}", targets[0]));
        let indent = "  ".repeat(self.body.indent);
        self.body.lines.push(format!("{indent}{on}:"));
        match &targets[1..] {
            [one] => self.line(format!("cf.br {one}")),
            [one, two] => self.line(format!("cf.cond_br {condition}, {one}, {two}")),
            [one, more @ ..] => {
                self.feature("cf.switch");
                let cases: Vec<String> = more
                    .iter()
                    .enumerate()
                    .map(|(case, to)| format!("{}: {to}", case + 1))
                    .collect();
                self.line(format!(
                    "cf.switch {flag} : i32, [default: {one}, {}]",
                    cases.join(", ")
                ));
            }
            [] => {}
        }
    }

    /// A successor with its operands.
    fn edge(&mut self, to: &Block, fuel: &str, shared: bool) -> String {
        let all: Vec<Type> = to
            .arguments
            .iter()
            .map(|(_, r#type)| r#type.clone())
            .collect();
        let values: Vec<Memref> = all
            .iter()
            .map(|r#type| self.passable(r#type, shared))
            .collect();
        if values.is_empty() {
            return format!("{}({fuel} : index)", to.label);
        }
        self.feature("memrefs handed to a block");
        let (names, _) = operands(&values);
        format!("{}({fuel}, {names} : index, {})", to.label, types(&all))
    }
}

fn predecessors(graph: &[Block]) -> Vec<Vec<usize>> {
    let exit = graph.iter().position(|block| block.is_exit).unwrap_or(0);
    let mut all = vec![Vec::new(); graph.len()];
    for (at, block) in graph.iter().enumerate().filter(|(_, block)| !block.is_exit) {
        for to in block.successors.iter().chain([&exit]) {
            all[*to].push(at);
        }
    }
    all
}

/// The immediate dominator of each block, itself for the entry; `None` for unreachable blocks.
fn dominators(graph: &[Block]) -> Vec<Option<usize>> {
    let predecessors = predecessors(graph);
    let mut reached = BTreeSet::from([0]);
    let mut grows = true;
    while grows {
        grows = false;
        for (at, before) in predecessors.iter().enumerate() {
            if before.iter().any(|from| reached.contains(from)) {
                grows |= reached.insert(at);
            }
        }
    }
    // All dominators of each block; the graphs are tiny.
    let mut all: Vec<BTreeSet<usize>> = vec![reached.clone(); graph.len()];
    all[0] = BTreeSet::from([0]);
    let mut changes = true;
    while changes {
        changes = false;
        for at in reached.iter().copied().filter(|at| *at != 0) {
            let mut common = reached.clone();
            for from in predecessors[at]
                .iter()
                .filter(|from| reached.contains(from))
            {
                common.retain(|block| all[*from].contains(block));
            }
            common.insert(at);
            changes |= common != all[at];
            all[at] = common;
        }
    }
    (0..graph.len())
        .map(|at| {
            if !reached.contains(&at) {
                return None;
            }
            let nearest = all[at]
                .iter()
                .filter(|up| **up != at)
                .max_by_key(|up| all[**up].len());
            Some(nearest.copied().unwrap_or(at))
        })
        .collect()
}

fn has_cycle(graph: &[Block]) -> bool {
    (0..graph.len()).any(|start| {
        let mut seen = BTreeSet::new();
        let mut work = graph[start].successors.clone();
        while let Some(at) = work.pop() {
            if at == start {
                return true;
            }
            if seen.insert(at) {
                work.extend(&graph[at].successors);
            }
        }
        false
    })
}
