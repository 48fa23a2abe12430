//! Independent branches, which can be computed in any order.

use super::super::generator::Generator;
use super::super::types::Type;
use super::super::values::Memref;
use super::super::writes::identity;

impl Generator {
    /// Branches from one buffer, each through a large buffer of its own to a small one, independent of each other; then
    /// all are joined.
    pub fn diamond(&mut self) {
        let element = self.a_type().element;
        let columns = 2 + self.choices.below(4) as u64;
        let small = Type::plain(element, &[columns]);
        let from = self.computed(&small);
        self.feature("branches side by side");
        let count = 2 + self.choices.below(3);
        let mut branches: Vec<(Option<Memref>, Option<Memref>)> = vec![(None, None); count];
        // In any possible order.
        for _ in 0..2 * count {
            let open: Vec<usize> = (0..count)
                .filter(|branch| branches[*branch].1.is_none())
                .collect();
            let branch = open[self.choices.below(open.len())];
            if self.choices.chance(10) {
                self.block(1);
            }
            if !self.body.env.iter().any(|one| one.name == from.name) {
                return;
            }
            match branches[branch].0.take() {
                None => {
                    let rows = 1 + self.choices.below(5) as u64;
                    let large = self.allocate_plain(&small.with(&[rows, columns], String::new()));
                    self.generic(
                        &[(&from, "(d0, d1) -> (d1)")],
                        (&large, "(d0, d1) -> (d0, d1)"),
                        2,
                        &mut |this, values| this.combine(&values[0], &values[0], element),
                    );
                    self.set_written(&large);
                    branches[branch].0 = Some(large);
                }
                Some(large) => {
                    let out = self.allocate_plain(&small);
                    self.fill(&out);
                    if self.body.env.iter().any(|one| one.name == large.name) {
                        self.generic_with(
                            &[(&large, "(d0, d1) -> (d0, d1)")],
                            (&out, "(d0, d1) -> (d1)"),
                            &["reduction", "parallel"],
                            &mut |this, values| this.combine(&values[0], &values[1], element),
                        );
                        self.drop_or_free(&large);
                    }
                    self.set_written(&out);
                    branches[branch].1 = Some(out);
                }
            }
        }
        let mut last = from;
        for out in branches.into_iter().filter_map(|(_, out)| out) {
            if !self.body.env.iter().any(|one| one.name == out.name)
                || !self.body.env.iter().any(|one| one.name == last.name)
            {
                return;
            }
            let same = identity(1);
            let joined = self.allocate_plain(&small);
            self.generic(
                &[(&last, &same), (&out, &same)],
                (&joined, &same),
                1,
                &mut |this, values| this.combine(&values[0], &values[1], element),
            );
            self.set_written(&joined);
            self.drop_or_free(&out);
            last = joined;
        }
        self.print(&last);
    }
}
