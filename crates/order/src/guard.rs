use crate::Flow;

/// Abandons its flow if it is dropped during a panic, so that no other thread waits for this one.
#[must_use = "it guards for as long as it is there"]
#[derive(Debug)]
pub struct Guard<'flow, In, Out>(pub(crate) &'flow Flow<In, Out>);

impl<In, Out> Drop for Guard<'_, In, Out> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}
