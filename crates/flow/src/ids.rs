//! Typed ids.

/// Defines ids: 32-bit indices, each with its own type. They are keys of the maps and sets of this crate.
///
/// ```
/// memplan_flow::ids! {
///     /// A value.
///     pub ValueId,
/// }
/// assert_eq!(ValueId::new(3).index(), 3);
/// ```
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $vis:vis $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis struct $name(pub u32);

        impl $name {
            /// The id as an index.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id with this index.
            ///
            /// # Panics
            /// If the index is 2^32 - 1 or more.
            #[inline]
            pub const fn new(index: usize) -> Self {
                assert!(index < u32::MAX as usize, "2^32 entries or more");
                Self(index as u32)
            }
        }

        impl $crate::EntityRef for $name {
            #[inline]
            fn new(index: usize) -> Self {
                Self::new(index)
            }

            #[inline]
            fn index(self) -> usize {
                Self::index(self)
            }
        }

        impl $crate::ReservedValue for $name {
            #[inline]
            fn reserved_value() -> Self {
                Self(u32::MAX)
            }

            #[inline]
            fn is_reserved_value(&self) -> bool {
                self.0 == u32::MAX
            }
        }
    )*};
}

#[cfg(test)]
mod tests {
    use crate::{PackedOption, PrimaryMap, SecondaryMap};

    crate::ids! {
        /// An id.
        pub Id,
        /// Another id.
        Other,
    }

    #[test]
    fn ids_are_keys() {
        const FIRST: Id = Id::new(0);
        let mut names: PrimaryMap<Id, &str> = PrimaryMap::new();
        assert_eq!(names.push("a"), FIRST);
        let b = names.push("b");
        assert_eq!((b.index(), names[b]), (1, "b"));
        let mut sizes: SecondaryMap<Id, u64> = SecondaryMap::new();
        sizes[b] = 7;
        assert_eq!((sizes[FIRST], sizes[b]), (0, 7));
        assert_eq!(PackedOption::from(b).expand(), Some(b));
        assert_eq!(PackedOption::<Id>::default().expand(), None);
        assert_eq!(size_of::<PackedOption<Other>>(), 4);
    }

    #[test]
    #[should_panic(expected = "2^32 entries or more")]
    fn the_reserved_value_is_no_index() {
        Id::new(u32::MAX as usize);
    }
}
