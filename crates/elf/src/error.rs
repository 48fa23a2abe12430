//! Errors of joining.

/// Why object files were not joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// An object file violates the ELF specification.
    #[error("{object}: {problem}")]
    Malformed {
        /// The name of the object file.
        object: String,
        /// The problem.
        problem: String,
    },
    /// Valid, but not supported.
    #[error("{object}: {problem} is not supported")]
    Unsupported {
        /// The name of the object file.
        object: String,
        /// The unsupported feature.
        problem: String,
    },
    /// An object file is for another machine, ABI or thread model.
    #[error("{object}: {problem}, unlike the earlier objects")]
    Differs {
        /// The name of the object file.
        object: String,
        /// The difference.
        problem: String,
    },
    /// Two strong definitions of one symbol.
    #[error("symbol {symbol} is defined in {first} and in {second}")]
    DefinedTwice {
        /// The name of the symbol.
        symbol: String,
        /// The object file with the first definition.
        first: String,
        /// The object file with the other definition.
        second: String,
    },
    /// There are no object files, so the machine is unknown.
    #[error("there is no unit to join")]
    NoUnits,
    /// An earlier object file caused an error, and was joined in part only.
    #[error("a unit was refused before")]
    Refused,
    /// The joined object exceeds a limit of its format.
    #[error("the joined object has too many or too large {0}")]
    TooLarge(&'static str),
}

/// An error in an object file whose name the caller knows.
#[derive(Debug)]
pub(crate) enum Fault {
    Malformed(String),
    Unsupported(String),
    Differs(String),
    DefinedTwice { symbol: String, first: u32 },
    TooLarge(&'static str),
}

impl Fault {
    /// The error with the name of the last one of `objects`.
    pub(crate) fn of(self, objects: &[Box<str>]) -> JoinError {
        let object = objects
            .last()
            .map_or_else(String::new, |object| object.to_string());
        match self {
            Self::Malformed(problem) => JoinError::Malformed { object, problem },
            Self::Unsupported(problem) => JoinError::Unsupported { object, problem },
            Self::Differs(problem) => JoinError::Differs { object, problem },
            Self::DefinedTwice { symbol, first } => JoinError::DefinedTwice {
                symbol,
                first: objects
                    .get(first as usize)
                    .map_or_else(String::new, |object| object.to_string()),
                second: object,
            },
            Self::TooLarge(problem) => JoinError::TooLarge(problem),
        }
    }
}

impl From<object::read::Error> for Fault {
    fn from(error: object::read::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// Checks that a number fits the 32-bit indices of the joined object.
pub(crate) fn index(number: usize, problem: &'static str) -> Result<u32, Fault> {
    u32::try_from(number)
        .ok()
        .filter(|index| *index < u32::MAX)
        .ok_or(Fault::TooLarge(problem))
}

/// A name in a printable form.
pub(crate) fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
