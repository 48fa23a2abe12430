//! What the symbols of a unit are to the rest of the module.

use memplan_mlir::{
    llvm::Sharing,
    units::{Kind, Symbol},
};
use rustc_hash::FxHashMap;

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Defined by the unit. Whoever is linked with the object may refer to it, or only what is in it.
    Here {
        /// Only what is in the object.
        is_local: bool,
    },
    /// Defined by another unit; the same.
    Elsewhere {
        /// Only what is in the object.
        is_local: bool,
    },
    /// Defined by each unit that needs it, always the same.
    Anywhere,
    /// Defined by none.
    Outside,
}

/// Symbols by name.
#[derive(Clone, Debug, Default)]
pub struct Names(FxHashMap<String, Known>);

/// How functions are called that C may call.
const FOR_C: &str = "_mlir_ciface_";

impl Names {
    /// Those of a whole module.
    pub fn of(symbols: &[Symbol]) -> Self {
        let mut names = Self::default();
        for symbol in symbols.iter().filter(|symbol| !symbol.name.is_empty()) {
            names.set(&symbol.name, Self::alone(symbol));
        }
        names
    }

    fn alone(symbol: &Symbol) -> Known {
        match symbol.kind {
            Kind::Declared => Known::Outside,
            _ => Known::Here {
                is_local: symbol.is_local,
            },
        }
    }

    /// What one is.
    pub fn get(&self, name: &str) -> Option<Known> {
        self.0.get(name).copied()
    }

    /// Says what one is.
    pub fn set(&mut self, name: &str, known: Known) {
        self.0.insert(name.to_owned(), known);
    }

    /// Those of a unit that defines `members` and refers to `declared`.
    pub fn of_unit<'a>(
        &self,
        members: impl Iterator<Item = &'a Symbol>,
        declared: impl Iterator<Item = &'a Symbol>,
    ) -> Self {
        let mut names = Self::default();
        for symbol in members.filter(|symbol| !symbol.name.is_empty()) {
            let known = self.get(&symbol.name);
            names.set(&symbol.name, known.unwrap_or_else(|| Self::alone(symbol)));
        }
        for symbol in declared {
            let known = match self
                .get(&symbol.name)
                .unwrap_or_else(|| Self::alone(symbol))
            {
                Known::Here { is_local } => Known::Elsewhere { is_local },
                known => known,
            };
            names.set(&symbol.name, known);
        }
        names
    }

    /// How LLVM is to share a symbol, where the passes made `published` for all to see.
    pub fn sharing(
        &self,
        name: &str,
        is_defined: bool,
        published: impl Fn(&str) -> bool,
    ) -> Sharing {
        let for_c = name.strip_prefix(FOR_C).unwrap_or(name);
        match (self.get(name).or_else(|| self.get(for_c)), is_defined) {
            (Some(Known::Here { is_local } | Known::Elsewhere { is_local }), _) => match is_local {
                true => Sharing::Hidden,
                false => Sharing::Untouched,
            },
            (Some(Known::Anywhere), _) => Sharing::Once,
            // Lowering gives what C defines a function that calls it.
            (Some(Known::Outside), true) => Sharing::Once,
            (Some(Known::Outside), false) | (None, false) => Sharing::Untouched,
            (None, true) if published(name) => Sharing::Untouched,
            (None, true) => Sharing::Own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let mut names = Names::default();
        names.set("shown", Known::Here { is_local: false });
        names.set("kept", Known::Here { is_local: true });
        names.set("far", Known::Elsewhere { is_local: true });
        names.set("helper", Known::Anywhere);
        names.set("from_c", Known::Outside);
        names
    }

    #[test]
    fn what_is_private_is_hidden_and_what_passes_make_is_kept_once_or_stays() {
        let names = names();
        let sharing =
            |name: &str, is_defined| names.sharing(name, is_defined, |name| name == "made");
        assert_eq!(sharing("shown", true), Sharing::Untouched);
        assert_eq!(sharing("_mlir_ciface_shown", true), Sharing::Untouched);
        assert_eq!(sharing("kept", true), Sharing::Hidden);
        assert_eq!(sharing("_mlir_ciface_kept", true), Sharing::Hidden);
        assert_eq!(sharing("far", false), Sharing::Hidden);
        assert_eq!(sharing("helper", true), Sharing::Once);
        assert_eq!(sharing("from_c", true), Sharing::Once);
        assert_eq!(sharing("_mlir_ciface_from_c", false), Sharing::Untouched);
        assert_eq!(sharing("malloc", false), Sharing::Untouched);
        assert_eq!(sharing("made", true), Sharing::Untouched);
        assert_eq!(sharing("outlined", true), Sharing::Own);
    }
}
