//! Why objects are not joined.

/// Why objects are not joined. The first text is always the unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// It cannot be read.
    #[error("the object of '{0}' is damaged: {1}")]
    Damaged(String, &'static str),
    /// Nothing that is known how to join.
    #[error("the object of '{0}' is of a kind that is not joined: {1}")]
    Unsupported(String, &'static str),
    /// For another machine than those before.
    #[error("the object of '{0}' is for another machine, or another ABI, than those before")]
    Machine(String),
    /// Two definitions.
    #[error("'{symbol}' is defined by the unit of '{first}' and by that of '{second}'")]
    Twice {
        /// What is defined.
        symbol: String,
        /// Who defined it first.
        first: String,
        /// Who did again.
        second: String,
    },
    /// A reference to what another object keeps.
    #[error("the object of '{0}' refers to a local symbol of a group that another object has")]
    Dropped(String),
    /// There is nothing to join.
    #[error("there is no object to join")]
    NoUnits,
    /// The file would be too large for its format.
    #[error("too much for one object: {0}")]
    TooLarge(String),
}
