//! Slots in reports and remarks.

use super::{
    decide::Slot,
    facts::{Extents, Names},
    layout::Place,
};
use memplan_lifetimes::{Analysis, program::BufferId};
use memplan_mlir::{
    ir::{Op, location_text, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_report::{InsideReport, SlotBufferReport, SlotOrderReport, SlotReport};
use std::cell::OnceCell;

/// The report of a slot.
pub fn slot_report(
    analysis: &Analysis<'_>,
    slot: &Slot,
    names: &Names,
    extents: &Extents,
    arena_of: &dyn Fn(Op<'_>) -> &'static str,
) -> SlotReport {
    let live = |buffer: BufferId| {
        let found = analysis
            .plannable
            .binary_search_by_key(&buffer, |one| one.buffer);
        found.map_or(Vec::new(), |place| {
            let live = analysis.plannable[place].live.iter();
            live.map(|(first, end)| (u64::from(*first), u64::from(*end)))
                .collect()
        })
    };
    let layout = slot.layout.as_ref();
    let mut orders = slot.places(names).into_iter();
    let first = orders.next();
    let mut places = None;
    let size = match first {
        Some(first) => {
            places = Some(first.members.into_iter());
            first.size
        }
        None => slot.size_texts(names),
    };
    let buffers = slot.members.iter().map(|buffer| {
        let op = analysis.handles.buffers[buffer.index()];
        let extent = extents.get(buffer);
        let place = places.as_mut().and_then(Iterator::next);
        let own = place.as_ref().and_then(|place| place.alignment);
        let alignment = own.or_else(|| extent.map(|(_, alignment)| *alignment));
        let inside = place.map(inside_report);
        let own_size = extent.map(|(size, _)| size.text(names));
        SlotBufferReport {
            size: own_size.filter(|own| inside.is_none() && size != [own.as_str()]),
            alignment: alignment.filter(|alignment| *alignment != slot.alignment),
            inside,
            id: u64::from(buffer.0),
            location: location_text(op.location()),
            ty: type_text(op),
            live: live(*buffer),
            arena_of: arena_of(op).to_string(),
        }
    });
    SlotReport {
        unit: layout.and_then(|layout| layout.unit_text(names)),
        alignment: slot.alignment,
        buffers: buffers.collect(),
        other_orders: orders
            .map(|order| SlotOrderReport {
                size: order.size,
                buffers: order.members.into_iter().map(inside_report).collect(),
            })
            .collect(),
        size,
    }
}

fn inside_report(place: Place) -> InsideReport {
    InsideReport {
        offset: place.offset,
        size: place.size,
        above: place.above.iter().map(|one| u64::from(one.0)).collect(),
    }
}

/// Texts of where the members of a slot are, which are made where one is asked for.
pub struct SlotTexts<'s> {
    slot: &'s Slot,
    names: &'s Names,
    texts: OnceCell<Vec<String>>,
}

impl<'s> SlotTexts<'s> {
    /// Of a slot.
    pub const fn of(slot: &'s Slot, names: &'s Names) -> Self {
        Self {
            slot,
            names,
            texts: OnceCell::new(),
        }
    }

    /// The members of the slot.
    pub fn members(&self) -> &'s [BufferId] {
        &self.slot.members
    }

    /// The text for a member.
    pub fn text(&self, member: usize) -> &str {
        let texts = self.texts.get_or_init(|| slot_texts(self.slot, self.names));
        &texts[member]
    }
}

/// For each member of a slot, a text of where it is.
fn slot_texts(slot: &Slot, names: &Names) -> Vec<String> {
    let orders = slot.places(names);
    let size = match orders.is_empty() {
        true => one_of("max", &slot.size_texts(names)),
        false => {
            let sizes = orders.iter().map(|order| one_of("max", &order.size));
            one_of("min", &sizes.collect::<Vec<_>>())
        }
    };
    let members = 0..slot.members.len();
    let texts = members.map(|place| {
        let offsets = orders.iter().map(|order| &*order.members[place].offset);
        let mut offsets: Vec<&str> = offsets.collect();
        offsets.dedup();
        let at = match offsets.is_empty() {
            true => String::new(),
            false => format!("at byte {} ", offsets.join(" or ")),
        };
        let number = slot.members.len();
        format!("{at}in a slot of {size} bytes, which {number} share")
    });
    texts.collect()
}

/// The type of a buffer.
pub fn type_text(op: Op<'_>) -> String {
    let result = results(op).next();
    result.map_or_else(String::new, |result| type_of(result).to_string())
}

/// One text, or a function of several.
fn one_of(function: &str, texts: &[String]) -> String {
    match texts {
        [only] => only.clone(),
        texts => format!("{function}({})", texts.join(", ")),
    }
}
