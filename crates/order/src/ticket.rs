use crate::Flow;

/// What a worker owes for what it took: a result, or parts. One that goes without either abandons its flow.
#[must_use = "a ticket that goes without a result abandons the flow"]
#[derive(Debug)]
pub struct Ticket<'flow, In, Out> {
    flow: &'flow Flow<In, Out>,
    unit: usize,
    part: Option<usize>,
    owed: bool,
}

impl<'flow, In, Out> Ticket<'flow, In, Out> {
    pub(crate) fn new(flow: &'flow Flow<In, Out>, unit: usize, part: Option<usize>) -> Self {
        Self {
            flow,
            unit,
            part,
            owed: true,
        }
    }

    /// The number of the unit, from 0 in the order in which they were given.
    pub fn unit(&self) -> usize {
        self.unit
    }

    /// The number of the part within its unit; 0 for a whole unit.
    pub fn part(&self) -> usize {
        self.part.unwrap_or(0)
    }

    /// The result.
    pub fn done(mut self, out: Out) {
        self.owed = false;
        self.flow.finish(self.unit, self.part, out);
    }

    /// Parts instead of a result: workers take them before any newer unit, and the unit is done when all of them are;
    /// at once, and without results, where there are none.
    ///
    /// # Panics
    /// This is a part already. The flow is abandoned then.
    pub fn come_apart(mut self, parts: Vec<In>) {
        assert!(self.part.is_none(), "a part does not come apart");
        self.owed = false;
        self.flow.split(self.unit, parts);
    }
}

impl<In, Out> Drop for Ticket<'_, In, Out> {
    fn drop(&mut self) {
        if self.owed {
            self.flow.abandon();
        }
    }
}
