//! Liveness of values at the start of each node and after each action. A dead value drops out of the state, so that
//! a state is as large as the number of live values.

use super::program::{Action, NodeId, Program, ValueId, Values};

/// The live values of a program.
pub struct LiveValues {
    /// The values that are live at the start of each node, sorted, without those that its incoming edges define.
    pub on_entry: Vec<Vec<ValueId>>,
    /// The values that die after each action.
    pub last: Vec<Values>,
    /// Whether a value has uses.
    pub used: Vec<bool>,
}

const NOWHERE: u32 = u32::MAX;

/// Computes the live values.
pub fn live(program: &Program) -> LiveValues {
    let needed = needed(program);
    let mut definition = vec![NOWHERE; program.values.len()];
    let mut uses: Vec<Vec<NodeId>> = vec![Vec::new(); program.values.len()];
    let mut sources: Vec<Vec<NodeId>> = vec![Vec::new(); program.nodes.len()];
    for (id, node) in (0..).map(NodeId).zip(&program.nodes) {
        let mut note = |value: ValueId| {
            let uses = &mut uses[value.index()];
            if uses.last() != Some(&id) {
                uses.push(id);
            }
        };
        for step in &program.actions[node.actions.clone()] {
            if step.action.is_needed(&needed) {
                step.action.uses().for_each(&mut note);
            }
            if let Some(result) = step.action.result() {
                definition[result.index()] = id.0;
            }
        }
        for edge in &node.edges {
            sources[edge.to.index()].push(id);
            for &(from, to) in &edge.binds {
                if needed[to.index()] {
                    note(from);
                }
                definition[to.index()] = edge.to.0;
            }
        }
    }

    let mut on_entry: Vec<Vec<ValueId>> = vec![Vec::new(); program.nodes.len()];
    let mut stack: Vec<NodeId> = Vec::new();
    for (value, uses) in (0..).map(ValueId).zip(&uses) {
        stack.extend(uses);
        while let Some(node) = stack.pop() {
            let entry = &mut on_entry[node.index()];
            if node.0 != definition[value.index()] && entry.last() != Some(&value) {
                entry.push(value);
                stack.extend(&sources[node.index()]);
            }
        }
    }

    let mut last: Vec<Values> = vec![Values::new(); program.actions.len()];
    let mut alive_in = vec![NOWHERE; program.values.len()];
    for (id, node) in (0..).zip(&program.nodes) {
        for edge in &node.edges {
            for &value in &on_entry[edge.to.index()] {
                alive_in[value.index()] = id;
            }
            for &(from, to) in &edge.binds {
                if needed[to.index()] {
                    alive_in[from.index()] = id;
                }
            }
        }
        for index in node.actions.clone().rev() {
            let action = &program.actions[index].action;
            for value in action.uses().chain(action.result()) {
                if alive_in[value.index()] != id {
                    alive_in[value.index()] = id;
                    last[index].push(value);
                }
            }
        }
    }
    LiveValues {
        on_entry,
        last,
        used: uses.iter().map(|uses| !uses.is_empty()).collect(),
    }
}

/// Whether each value is needed: it has a use other than being passed to a value that is not needed.
fn needed(program: &Program) -> Vec<bool> {
    let mut needed = vec![false; program.values.len()];
    let mut sources: Vec<Values> = vec![Values::new(); program.values.len()];
    let mut work: Vec<ValueId> = Vec::new();
    for step in &program.actions {
        match &step.action {
            Action::Alias {
                result,
                sources: from,
            } => {
                sources[result.index()].extend(from.iter().copied());
            }
            action => work.extend(action.uses()),
        }
    }
    for edge in program.nodes.iter().flat_map(|node| &node.edges) {
        for &(from, to) in &edge.binds {
            sources[to.index()].push(from);
        }
    }
    for spared in &program.choices {
        work.extend(spared);
    }
    while let Some(value) = work.pop() {
        if !std::mem::replace(&mut needed[value.index()], true) {
            work.extend(&sources[value.index()]);
        }
    }
    needed
}
