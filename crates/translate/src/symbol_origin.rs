//! Origins of symbols: where the symbols of a partition are defined.

use memplan_mlir::{
    llvm::Sharing,
    split::{Symbol, SymbolKind},
};
use rustc_hash::FxHashMap;

/// The origin of a symbol, as one partition sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolOrigin {
    /// Defined by this partition.
    Here {
        /// Whether the symbol is private to the final object file.
        is_local: bool,
    },
    /// Defined by another partition.
    Elsewhere {
        /// Whether the symbol is private to the final object file.
        is_local: bool,
    },
    /// Defined by each partition that needs it, with equal contents.
    Anywhere,
    /// Not defined by the module.
    Outside,
}

/// Origins by symbol name.
#[derive(Clone, Debug, Default)]
pub struct SymbolOrigins(FxHashMap<String, SymbolOrigin>);

/// The prefix of wrappers that C code calls.
const FOR_C: &str = "_mlir_ciface_";

impl SymbolOrigins {
    /// The origins of the symbols of a whole module.
    pub fn of(symbols: &[Symbol]) -> Self {
        let mut names = Self::default();
        for symbol in symbols.iter().filter(|symbol| !symbol.name.is_empty()) {
            names.set(&symbol.name, Self::of_symbol(symbol));
        }
        names
    }

    fn of_symbol(symbol: &Symbol) -> SymbolOrigin {
        match symbol.kind {
            SymbolKind::Declared => SymbolOrigin::Outside,
            _ => SymbolOrigin::Here {
                is_local: symbol.is_local,
            },
        }
    }

    /// The origin of a symbol.
    pub fn get(&self, name: &str) -> Option<SymbolOrigin> {
        self.0.get(name).copied()
    }

    /// Sets the origin of a symbol.
    pub fn set(&mut self, name: &str, known: SymbolOrigin) {
        self.0.insert(name.to_owned(), known);
    }

    /// The origins for a partition that defines `members` and refers to `declared`.
    pub fn of_partition<'a>(
        &self,
        members: impl Iterator<Item = &'a Symbol>,
        declared: impl Iterator<Item = &'a Symbol>,
    ) -> Self {
        let mut names = Self::default();
        for symbol in members.filter(|symbol| !symbol.name.is_empty()) {
            let known = self.get(&symbol.name);
            names.set(
                &symbol.name,
                known.unwrap_or_else(|| Self::of_symbol(symbol)),
            );
        }
        for symbol in declared {
            let known = match self
                .get(&symbol.name)
                .unwrap_or_else(|| Self::of_symbol(symbol))
            {
                SymbolOrigin::Here { is_local } => SymbolOrigin::Elsewhere { is_local },
                known => known,
            };
            names.set(&symbol.name, known);
        }
        names
    }

    /// How LLVM must share a symbol between partitions. `published` says whether passes gave a new symbol public
    /// visibility.
    pub fn sharing(
        &self,
        name: &str,
        is_defined: bool,
        published: impl Fn(&str) -> bool,
    ) -> Sharing {
        let for_c = name.strip_prefix(FOR_C).unwrap_or(name);
        match (self.get(name).or_else(|| self.get(for_c)), is_defined) {
            (Some(SymbolOrigin::Here { is_local } | SymbolOrigin::Elsewhere { is_local }), _) => {
                match is_local {
                    true => Sharing::Hidden,
                    false => Sharing::Unchanged,
                }
            }
            (Some(SymbolOrigin::Anywhere), _) => Sharing::Once,
            // Lowering defines a wrapper for each declared function that has a C interface.
            (Some(SymbolOrigin::Outside), true) => Sharing::Once,
            (Some(SymbolOrigin::Outside), false) | (None, false) => Sharing::Unchanged,
            (None, true) if published(name) => Sharing::Unchanged,
            (None, true) => Sharing::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> SymbolOrigins {
        let mut names = SymbolOrigins::default();
        names.set("shown", SymbolOrigin::Here { is_local: false });
        names.set("kept", SymbolOrigin::Here { is_local: true });
        names.set("far", SymbolOrigin::Elsewhere { is_local: true });
        names.set("helper", SymbolOrigin::Anywhere);
        names.set("from_c", SymbolOrigin::Outside);
        names
    }

    #[test]
    fn private_symbols_are_hidden_and_synthesized_ones_shared_or_kept() {
        let names = names();
        let sharing =
            |name: &str, is_defined| names.sharing(name, is_defined, |name| name == "made");
        assert_eq!(sharing("shown", true), Sharing::Unchanged);
        assert_eq!(sharing("_mlir_ciface_shown", true), Sharing::Unchanged);
        assert_eq!(sharing("kept", true), Sharing::Hidden);
        assert_eq!(sharing("_mlir_ciface_kept", true), Sharing::Hidden);
        assert_eq!(sharing("far", false), Sharing::Hidden);
        assert_eq!(sharing("helper", true), Sharing::Once);
        assert_eq!(sharing("from_c", true), Sharing::Once);
        assert_eq!(sharing("_mlir_ciface_from_c", false), Sharing::Unchanged);
        assert_eq!(sharing("malloc", false), Sharing::Unchanged);
        assert_eq!(sharing("made", true), Sharing::Unchanged);
        assert_eq!(sharing("outlined", true), Sharing::Internal);
    }
}
