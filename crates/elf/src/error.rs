//! What can be wrong with what is to be joined.

/// Why units were not joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// The bytes of a unit are not what ELF says they must be.
    #[error("{unit}: {what}")]
    Malformed {
        /// Name of the unit.
        unit: String,
        /// What is wrong.
        what: String,
    },
    /// Correct, but not joined here.
    #[error("{unit}: {what} is not supported")]
    Unsupported {
        /// Name of the unit.
        unit: String,
        /// What is not supported.
        what: String,
    },
    /// Units that are not for the same machine, ABI or thread model.
    #[error("{unit}: {what}, unlike the units in front of it")]
    Differs {
        /// Name of the unit.
        unit: String,
        /// What it is.
        what: String,
    },
    /// Two strong definitions of one symbol.
    #[error("symbol {symbol} is defined in {first} and in {second}")]
    DefinedTwice {
        /// Name of the symbol.
        symbol: String,
        /// The unit with the first definition.
        first: String,
        /// The unit with the other one.
        second: String,
    },
    /// No unit says which machine the object is for.
    #[error("there is no unit to join")]
    NoUnits,
    /// A unit was refused before, so that what is there is a part of it.
    #[error("a unit was refused before")]
    Refused,
    /// The object is larger than its format can say.
    #[error("the joined object has too many or too large {0}")]
    TooLarge(&'static str),
}

/// What is wrong with a unit whose name the caller knows.
#[derive(Debug)]
pub(crate) enum Fault {
    Malformed(String),
    Unsupported(String),
    Differs(String),
    DefinedTwice { symbol: String, first: u32 },
    TooLarge(&'static str),
}

impl Fault {
    /// As the error of the unit that is the last of `units`.
    pub(crate) fn of(self, units: &[Box<str>]) -> JoinError {
        let unit = units
            .last()
            .map_or_else(String::new, |unit| unit.to_string());
        match self {
            Self::Malformed(what) => JoinError::Malformed { unit, what },
            Self::Unsupported(what) => JoinError::Unsupported { unit, what },
            Self::Differs(what) => JoinError::Differs { unit, what },
            Self::DefinedTwice { symbol, first } => JoinError::DefinedTwice {
                symbol,
                first: units
                    .get(first as usize)
                    .map_or_else(String::new, |unit| unit.to_string()),
                second: unit,
            },
            Self::TooLarge(what) => JoinError::TooLarge(what),
        }
    }
}

impl From<object::read::Error> for Fault {
    fn from(error: object::read::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// The number of something that the object has, which must fit its 32-bit indices.
pub(crate) fn index(number: usize, what: &'static str) -> Result<u32, Fault> {
    u32::try_from(number)
        .ok()
        .filter(|index| *index < u32::MAX)
        .ok_or(Fault::TooLarge(what))
}

/// A name for people to read.
pub(crate) fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
