//! The fixpoint: runs the nodes until no state grows, and then once more to collect the faults.

use super::{
    fault::{Fault, Faults},
    live::LiveValues,
    machine::Machine,
    program::{NodeId, Program},
    state::State,
};
use memplan_flow::{Graph, reverse_postorder};
use std::collections::BTreeSet;

/// The faults of a program.
pub fn solve(program: &Program, live: &LiveValues) -> Vec<Fault> {
    if program.nodes.is_empty() {
        return Vec::new();
    }
    let graph = Graph::new(program.nodes.len(), |node: NodeId| {
        let edges = program.nodes[node.index()].edges.iter();
        edges.map(|edge| edge.to)
    });
    let order = reverse_postorder(&graph, [NodeId(0)]);
    let mut rank = vec![usize::MAX; program.nodes.len()];
    for (place, node) in order.iter().enumerate() {
        rank[node.index()] = place;
    }
    let mut states: Vec<Option<State>> = vec![None; program.nodes.len()];
    states[0] = Some(State::default());
    let mut machine = Machine::new(program, live);
    let mut waiting = BTreeSet::from([0]);
    while let Some(place) = waiting.pop_first() {
        let id = order[place].index();
        let Some(state) = &states[id] else { continue };
        let node = &program.nodes[id];
        machine.load(state);
        machine.run(node, &mut ());
        for edge in &node.edges {
            let state = machine.flow(edge);
            let changed = match &mut states[edge.to.index()] {
                Some(known) => known.join(state),
                unknown => {
                    *unknown = Some(state);
                    true
                }
            };
            if changed {
                waiting.insert(rank[edge.to.index()]);
            }
        }
    }
    let mut faults: Vec<Fault> = Vec::new();
    for (node, state) in program.nodes.iter().zip(&states) {
        if let Some(state) = state {
            machine.load(state);
            machine.run(node, &mut faults);
        }
    }
    faults
}

impl Faults for () {
    fn add(&mut self, _: Fault) {}
}

impl Faults for Vec<Fault> {
    fn add(&mut self, fault: Fault) {
        self.push(fault);
    }
}
