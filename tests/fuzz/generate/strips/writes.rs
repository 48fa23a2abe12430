//! Writes that are no computation of a chain: parts that are filled, whole values that are copied, single elements.

use super::chain::Chain;

impl Chain {
    /// Something is written into a value that may be read later.
    pub fn poke(&mut self) {
        let Some(value) = self.pick_writable(|_| true) else {
            return;
        };
        match self.choices.below(3) {
            0 => {
                self.feature("a part of a value is filled");
                let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
                for extent in value.shape.iter().copied() {
                    let offset = self.choices.below(extent);
                    offsets.push(offset);
                    sizes.push(self.between(1, 4.min(extent - offset)));
                }
                let part = self.window(&value, &offsets, &sizes);
                let number = *self.choices.of(&[0, 2, 3]);
                self.fill(&part, number);
            }
            1 => {
                let other =
                    self.pick(|other| other.shape == value.shape && other.root != value.root);
                if let Some(other) = other.filter(|_| self.affords(value.count())) {
                    self.feature("a value is overwritten by a copy");
                    self.copy(&other, &value);
                }
            }
            _ => {
                self.feature("an element of a value is written");
                let indices = self.place(&value.shape);
                let element = value.element;
                let number = self.constant(7, element);
                self.line(format!(
                    "memref.store {number}, {}[{indices}] : {}",
                    value.name,
                    value.type_text()
                ));
            }
        }
    }

    /// An element of a value is added to all others.
    pub fn spread(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        if !self.affords(2 * value.count()) {
            return;
        }
        self.feature("an element of a value is loaded");
        let indices = self.place(&value.shape);
        let element = self.value(format!(
            "memref.load {}[{indices}] : {}",
            value.name,
            value.type_text()
        ));
        let out = self.allocate(&value.shape);
        self.line(format!(
            "linalg.fill ins({element} : {}) outs({out})",
            value.element
        ));
        self.two_operands("add", &value, &out, &out);
        self.add(out);
    }

    /// The indices of any element.
    fn place(&mut self, shape: &[usize]) -> String {
        let mut indices = Vec::new();
        for extent in shape.iter().copied() {
            let at = self.choices.below(extent);
            indices.push(self.index(at));
        }
        indices.join(", ")
    }
}
