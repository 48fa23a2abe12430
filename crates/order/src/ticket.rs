use crate::Flow;

/// The obligation of a worker for a unit or part that it took: to deliver a result, or parts. A ticket that is
/// dropped without either abandons its flow.
#[must_use = "a ticket that goes without a result abandons the flow"]
#[derive(Debug)]
pub struct Ticket<'flow, In, Out> {
    flow: &'flow Flow<In, Out>,
    unit: usize,
    part: Option<usize>,
    is_open: bool,
}

impl<'flow, In, Out> Ticket<'flow, In, Out> {
    pub(crate) fn new(flow: &'flow Flow<In, Out>, unit: usize, part: Option<usize>) -> Self {
        Self {
            flow,
            unit,
            part,
            is_open: true,
        }
    }

    /// The number of the unit, from 0 in the order of the producer.
    pub fn unit(&self) -> usize {
        self.unit
    }

    /// The number of the part within its unit; 0 for a whole unit.
    pub fn part(&self) -> usize {
        self.part.unwrap_or(0)
    }

    /// Delivers the result.
    pub fn done(mut self, out: Out) {
        self.is_open = false;
        self.flow.finish(self.unit, self.part, out);
    }

    /// Delivers parts instead of a result. Workers take them before any newer unit, and the unit is done when all of
    /// them are. Without parts, it is done at once, and has no results.
    ///
    /// # Panics
    /// If this is a part already. The flow is then abandoned.
    pub fn split(mut self, parts: Vec<In>) {
        assert!(self.part.is_none(), "a part does not come apart");
        self.is_open = false;
        self.flow.split(self.unit, parts);
    }
}

impl<In, Out> Drop for Ticket<'_, In, Out> {
    fn drop(&mut self) {
        if self.is_open {
            self.flow.abandon();
        }
    }
}
