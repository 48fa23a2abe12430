//! Operations that keep others in their order.

use super::super::generator::Generator;
use super::super::types::Element;
use super::super::values::Memref;

impl Generator {
    /// A `cf.assert` that holds.
    pub fn assertion(&mut self) {
        self.feature("cf.assert");
        let condition = self.value("arith.cmpi ult, %n, %c64 : index");
        self.line(format!("cf.assert {condition}, \"so it is\""));
    }

    /// Writes one element, and reads another one at the index that it stores.
    pub fn scalar(&mut self) {
        let plain = |memref: &Memref| {
            memref.written
                && memref.r#type.element == Element::I64
                && matches!(memref.r#type.contiguous().as_deref(), Some([size]) if *size > 0)
        };
        let Some(from) = self.find(plain) else {
            return self.assertion();
        };
        let Some(to) = self.find(|memref| plain(memref) && !memref.shared) else {
            return self.assertion();
        };
        self.feature("element whose place is loaded");
        let sizes = |memref: &Memref| memref.r#type.sizes().unwrap_or_default()[0];
        let at = self.choices.below(sizes(&from) as usize);
        let size = sizes(&to);
        let number = self.value(format!(
            "memref.load {}[%c{at}] : {}",
            from.name, from.r#type
        ));
        let place = self.value(format!("arith.index_cast {number} : i64 to index"));
        let place = self.value(format!("arith.remui {place}, %c{size} : index"));
        let old = self.value(format!("memref.load {}[{place}] : {}", to.name, to.r#type));
        let sum = self.value(format!("arith.addi {old}, {number} : i64"));
        self.line(format!(
            "memref.store {sum}, {}[{place}] : {}",
            to.name, to.r#type
        ));
    }
}
