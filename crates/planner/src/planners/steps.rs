//! A budget of steps: one step is about one item, node or neighbour visited. A clock would make
//! plans depend on the machine.

/// The number of steps left.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    left: u64,
}

impl Steps {
    /// `count` steps.
    pub fn new(count: u64) -> Self {
        Steps { left: count }
    }

    /// Takes `count` steps, or all that are left.
    pub fn take(&mut self, count: u64) {
        self.left = self.left.saturating_sub(count);
    }

    /// Whether no step is left.
    pub fn spent(&self) -> bool {
        self.left == 0
    }
}
