//! The plan as a trace in Chrome's JSON format, which Perfetto opens, too.
//!
//! Each scope is a process. A position is a microsecond; a live range or a window is a slice that says what it is, on the
//! lowest lane that is free then, as slices of one lane must not overlap. The load is a counter, and the peak an
//! instant. What shares bytes of unknown size has a lane for each slot. Time stamps are not negative, as not all viewers take
//! those: what slices say of times is as in the text that the buffers are from.

mod lanes;

use serde_json::{Value, json};

use crate::load::{self, Peak};
use crate::units::short;
use crate::{
    BufferReport, FunctionReport, ScopeReport, SlotBufferReport, SlotReport, Use, WindowReport,
    names,
};
use lanes::Lanes;

/// The scopes of `functions` as one document, an event a line: all, or in each function only the one of that number.
/// The same functions give the same bytes.
pub fn trace<'a>(
    functions: impl IntoIterator<Item = &'a FunctionReport>,
    scope: Option<usize>,
) -> String {
    let mut events = Vec::new();
    let mut process = 0;
    for function in functions {
        for number in (0..function.scopes.len()).filter(|&number| scope.is_none_or(|s| s == number))
        {
            process += 1;
            let name = names::scope(function, number);
            Process {
                number: process,
                events: &mut events,
            }
            .add(&name, &function.scopes[number]);
        }
    }
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    format!(
        "{{\"otherData\":{{\"generator\":\"memplan\"}},\"traceEvents\":[\n{}\n]}}\n",
        lines.join(",\n")
    )
}

/// The events of a scope.
struct Process<'a> {
    number: usize,
    events: &'a mut Vec<Value>,
}

impl Process<'_> {
    fn add(mut self, name: &str, scope: &ScopeReport) {
        self.event(json!({"ph": "M", "name": "process_name", "args": {"name": name}}));
        self.buffers(scope);
        let curve = load::curve(&load::blocks(scope));
        for &(position, load) in &curve {
            self.event(json!({
                "ph": "C", "name": "load", "ts": position, "args": {"bytes": load},
            }));
        }
        if let Some(Peak { start, load, .. }) = load::peak(&curve) {
            let name = format!("peak load {}", short(load));
            self.event(json!({"ph": "i", "s": "p", "name": name, "ts": start}));
        }
    }

    fn buffers(&mut self, scope: &ScopeReport) {
        let mut uses: Vec<(Use, &BufferReport)> = Vec::new();
        for buffer in &scope.buffers {
            uses.extend(buffer.uses().map(|one| (one, buffer)));
        }
        uses.retain(|(one, _)| one.start < one.end);
        uses.sort_by_key(|(one, buffer)| (one.start, buffer.offset, buffer.id));
        let mut lanes = Lanes::default();
        for (one, buffer) in uses {
            let lane = lanes.take(one.start, one.end);
            let mut name = names::buffer(buffer.id, &buffer.ty);
            let mut facts = facts(scope, buffer);
            if one.bytes() < buffer.size {
                name = format!("{name}: {} of {}", short(one.bytes()), short(buffer.size));
                facts["bytes in use"] = json!([one.low, one.high]);
            }
            self.slice(lane, (one.start, one.end), &name, facts);
        }
        for lane in 0..lanes.count() {
            self.name(lane, &format!("lane {lane}"));
        }
        let mut first = lanes.count();
        for (number, slot) in scope.slots.iter().enumerate() {
            let size = slot.size.join(" or ");
            let mut uses: Vec<((u64, u64), &SlotBufferReport)> = Vec::new();
            for buffer in &slot.buffers {
                uses.extend(buffer.live.iter().map(|live| (*live, buffer)));
            }
            uses.sort_by_key(|(live, buffer)| (live.0, buffer.id));
            let mut lanes = Lanes::default();
            for (live, buffer) in uses {
                let lane = first + lanes.take(live.0, live.1);
                let name = names::buffer(buffer.id, &buffer.ty);
                self.slice(lane, live, &name, facts_in_slot(scope, buffer, slot));
            }
            for lane in 0..lanes.count().max(1) {
                self.name(first + lane, &format!("slot {number}, {size} bytes"));
            }
            first += lanes.count().max(1);
        }
    }

    fn slice(&mut self, lane: usize, (start, end): (u64, u64), name: &str, facts: Value) {
        self.event(json!({
            "ph": "X", "cat": "buffer", "name": name, "tid": self.thread(lane), "ts": start, "dur": end.saturating_sub(start),
            "args": facts,
        }));
    }

    fn name(&mut self, lane: usize, name: &str) {
        self.event(json!({
            "ph": "M", "name": "thread_name", "tid": self.thread(lane), "args": {"name": name},
        }));
    }

    /// The number of a lane as a thread. Viewers take 0, and the number of the process, for its main thread.
    fn thread(&self, lane: usize) -> usize {
        self.number + 1 + lane
    }

    fn event(&mut self, mut event: Value) {
        event["pid"] = self.number.into();
        self.events.push(event);
    }
}

/// What a slice says of its buffer; sizes and offsets in bytes.
fn facts(scope: &ScopeReport, buffer: &BufferReport) -> Value {
    let mut facts = json!({
        "id": buffer.id, "size": buffer.size, "alignment": buffer.alignment, "offset": buffer.offset,
        "live": scope.all_times(&buffer.live),
    });
    let texts = [
        ("type", &buffer.ty),
        ("location", &buffer.location),
        ("arena of", &buffer.arena_of),
    ];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        facts[name] = text.as_str().into();
    }
    if !buffer.windows.is_empty() {
        let shown =
            |one: &WindowReport| json!({"during": scope.times(one.during), "bytes": one.bytes});
        facts["windows"] = buffer.windows.iter().map(shown).collect();
    }
    for (name, other) in [
        ("in place with", buffer.in_place_with),
        ("same as", buffer.same_as),
    ] {
        if let Some(other) = other {
            facts[name] = other.into();
        }
    }
    facts
}

fn facts_in_slot(scope: &ScopeReport, buffer: &SlotBufferReport, slot: &SlotReport) -> Value {
    let mut facts = json!({
        "id": buffer.id, "type": buffer.ty, "location": buffer.location, "live": scope.all_times(&buffer.live),
        "size of the slot": slot.size, "alignment": slot.alignment,
    });
    if let Some(inside) = &buffer.inside {
        facts["offset in the slot"] = json!(inside.offset);
        facts["size"] = json!(inside.size);
    }
    if !slot.other_orders.is_empty() {
        let place = slot.buffers.iter().position(|one| one.id == buffer.id);
        let orders = slot.other_orders.iter();
        let others = orders.filter_map(|order| Some(&order.buffers.get(place?)?.offset));
        facts["or, where less is taken so"] = others.cloned().collect();
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{buffer, report, scope, windowed};

    fn events(scope: ScopeReport) -> Vec<Value> {
        let report = report(vec![scope]);
        let text = trace(&report.functions, None);
        assert_eq!(text, trace(&report.functions, None));
        let document: Value = serde_json::from_str(&text).expect("it is JSON");
        document["traceEvents"]
            .as_array()
            .expect("a list of events")
            .clone()
    }

    fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
        events.iter().filter(|event| event["ph"] == kind).collect()
    }

    #[test]
    fn a_slice_for_each_live_range_and_the_load_as_a_counter() {
        let mut buffers = vec![
            buffer(0, 64, 0, &[(0, 4), (6, 9)]),
            buffer(1, 32, 64, &[(1, 7)]),
        ];
        buffers[1].location = "loc(\"a\\b\u{1}\")".into();
        let events = events(scope(buffers));
        let slices = of_kind(&events, "X");
        let times: Vec<_> = slices
            .iter()
            .map(|slice| [&slice["ts"], &slice["dur"], &slice["tid"]].map(Value::as_u64))
            .collect();
        let expected = [[0, 4, 2], [1, 6, 3], [6, 3, 2]];
        assert_eq!(times, expected.map(|row| row.map(Some)));
        assert_eq!(slices[1]["name"], "#1 32xi8");
        assert_eq!(slices[1]["args"]["offset"], 64);
        assert_eq!(slices[1]["args"]["location"], "loc(\"a\\b\u{1}\")");
        let load: Vec<_> = of_kind(&events, "C")
            .iter()
            .map(|event| [&event["ts"], &event["args"]["bytes"]].map(Value::as_u64))
            .collect();
        let steps = [[0, 64], [1, 96], [4, 32], [6, 96], [7, 64], [9, 0]];
        assert_eq!(load, steps.map(|row| row.map(Some)));
        assert_eq!(of_kind(&events, "i")[0]["ts"], 1);
        assert_eq!(of_kind(&events, "M")[0]["args"]["name"], "@forward");
    }

    #[test]
    fn a_window_is_a_slice_that_says_its_bytes() {
        let buffer = windowed(buffer(0, 64, 0, &[(0, 4)]), &[((4, 9), (16, 32))]);
        let events = events(scope(vec![buffer]));
        let slices = of_kind(&events, "X");
        assert_eq!(slices[0]["args"]["bytes in use"], Value::Null);
        let window = slices[1];
        assert_eq!((&window["ts"], &window["dur"]), (&json!(4), &json!(5)));
        assert_eq!(window["name"], "#0 64xi8: 16 B of 64 B");
        assert_eq!(window["args"]["bytes in use"], json!([16, 32]));
        let loads: Vec<_> = of_kind(&events, "C")
            .iter()
            .map(|one| &one["args"]["bytes"])
            .collect();
        assert_eq!(loads, [64, 16, 0]);
    }

    #[test]
    fn slots_have_lanes_of_their_own() {
        let mut scope = scope(vec![buffer(0, 8, 0, &[(0, 2)])]);
        scope.slots = vec![SlotReport {
            size: vec!["16*d0".into(), "8*d1".into()],
            unit: None,
            alignment: 64,
            buffers: vec![SlotBufferReport {
                id: 1,
                location: "here".into(),
                ty: "memref<?xf32>".into(),
                live: vec![(0, 5)],
                size: None,
                alignment: None,
                inside: None,
                arena_of: String::new(),
            }],
            other_orders: Vec::new(),
        }];
        let events = events(scope);
        let lane = |event: &&Value| event["tid"].as_u64();
        assert_eq!(
            of_kind(&events, "X").iter().map(lane).collect::<Vec<_>>(),
            [Some(2), Some(3)]
        );
        let named = |name| {
            of_kind(&events, "M")
                .iter()
                .any(|event| event["args"]["name"] == name)
        };
        assert!(named("lane 0") && named("slot 0, 16*d0 or 8*d1 bytes"));
    }
}
