//! One result of what units were made into.

use crate::{
    merge::Merged,
    outcome::Outcome,
    settings::{Emit, Settings},
    work::fresh_context,
};
use memplan_elf::{JoinError, Joiner};
use memplan_mlir::{
    llvm::{Form, Llvm, LlvmModule, Machine, Target},
    melior::{dialect::DialectRegistry, utility::register_all_dialects},
    units::parse,
};
use rustc_hash::FxHashSet;

/// Why there is no result, although all units were made.
#[derive(Debug, thiserror::Error)]
pub enum ProductError {
    /// Objects do not fit.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// LLVM IR does not.
    #[error("LLVM IR of the unit of '{0}' does not fit the others: {1}")]
    Link(String, String),
    /// No machine code.
    #[error("{0}")]
    Machine(String),
    /// MLIR of ours cannot be read.
    #[error("a fault of memplan: what it made of the unit of '{0}' cannot be read")]
    Unreadable(String),
}

/// Takes what units were made into, in order, and makes one result.
pub struct Product {
    settings: Settings,
    objects: Objects,
    /// Where there is no way to join but all at once.
    kept: Vec<(String, Vec<u8>)>,
    private: FxHashSet<String>,
}

/// Objects of units, as one.
#[derive(Default)]
pub struct Objects(Joiner);

impl Objects {
    /// Takes one more.
    pub fn add(&mut self, outcome: &Outcome) -> Result<(), JoinError> {
        self.0.add(&outcome.name, &outcome.code)?;
        let mut private = outcome.private.iter();
        private.try_for_each(|name| self.0.keep_private(name))
    }

    /// The object.
    pub fn finish(self) -> Result<Vec<u8>, JoinError> {
        self.0.finish()
    }
}

impl Product {
    /// Of nothing yet.
    pub fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            objects: Objects::default(),
            kept: Vec::new(),
            private: FxHashSet::default(),
        }
    }

    /// Takes one more.
    pub fn add(&mut self, outcome: Outcome) -> Result<(), ProductError> {
        match self.settings.emit {
            Emit::Object => self.objects.add(&outcome)?,
            _ => {
                self.kept.push((outcome.name, outcome.code));
                self.private.extend(outcome.private);
            }
        }
        Ok(())
    }

    /// The result, of code that was made for a target.
    pub fn finish(self, target: &Target) -> Result<Vec<u8>, ProductError> {
        match self.settings.emit {
            Emit::Object => Ok(self.objects.finish()?),
            Emit::Llvm | Emit::Assembly => self.llvm(target),
            Emit::Mlir => self.mlir(),
        }
    }

    fn llvm(self, target: &Target) -> Result<Vec<u8>, ProductError> {
        let machine = Machine::new(target).map_err(ProductError::Machine)?;
        let llvm = Llvm::new();
        let mut whole = LlvmModule::empty("memplan", &llvm);
        machine.prepare(&mut whole);
        for (name, code) in &self.kept {
            let module = LlvmModule::read(code, &llvm);
            let module = module.ok_or_else(|| ProductError::Unreadable(name.clone()))?;
            if !whole.link(module) {
                let said = llvm.said().into_iter().map(|(_, text)| text);
                let said = said.collect::<Vec<_>>().join("; ");
                return Err(ProductError::Link(name.clone(), said));
            }
        }
        whole.keep_private(|name| self.private.contains(name));
        match self.settings.emit {
            Emit::Llvm => Ok(whole.text().into_bytes()),
            _ => machine
                .emit(whole, Form::Assembly)
                .map_err(ProductError::Machine),
        }
    }

    fn mlir(self) -> Result<Vec<u8>, ProductError> {
        let registry = DialectRegistry::new();
        register_all_dialects(&registry);
        let context = fresh_context(&registry, &self.settings);
        let mut whole = Merged::new(&context);
        for (name, code) in &self.kept {
            let module = parse(&context, code, name);
            whole.add(module.ok_or_else(|| ProductError::Unreadable(name.clone()))?);
        }
        Ok(whole.text().into_bytes())
    }
}
