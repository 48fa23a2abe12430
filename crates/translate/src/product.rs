//! One output of the results of all partitions.

use crate::{
    merge::Merged,
    outcome::Outcome,
    settings::{Emit, Settings},
    work::fresh_context,
};
use memplan_elf::{JoinError, Joiner};
use memplan_mlir::{
    llvm::{CodeFormat, LlvmContext, LlvmModule, Target, TargetMachine},
    melior::{dialect::DialectRegistry, utility::register_all_dialects},
    split::parse,
};
use rustc_hash::FxHashSet;

/// Why there is no output although all partitions were compiled.
#[derive(Debug, thiserror::Error)]
pub enum ProductError {
    /// The object files cannot be joined.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The LLVM IR modules cannot be linked.
    #[error("the LLVM IR of the partition of '{0}' does not match the others: {1}")]
    Link(String, String),
    /// Machine code generation failed.
    #[error("{0}")]
    Machine(String),
    /// An intermediate result cannot be read.
    #[error("internal error of memplan: the result of the partition of '{0}' cannot be read")]
    Unreadable(String),
}

/// Combines the results of partitions, in order, into one output.
pub struct Product {
    settings: Settings,
    objects: Objects,
    /// Results that can only be combined all at once.
    kept: Vec<(String, Vec<u8>)>,
    private: FxHashSet<String>,
}

/// Joins object files of partitions.
#[derive(Default)]
pub struct Objects(Joiner);

impl Objects {
    /// Adds an object file.
    pub fn add(&mut self, outcome: &Outcome) -> Result<(), JoinError> {
        self.0.add(&outcome.name, &outcome.code)?;
        let mut private = outcome.private.iter();
        private.try_for_each(|name| self.0.keep_private(name))
    }

    /// The joined object file.
    pub fn finish(self) -> Result<Vec<u8>, JoinError> {
        self.0.finish()
    }
}

impl Product {
    /// A product without results.
    pub fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            objects: Objects::default(),
            kept: Vec::new(),
            private: FxHashSet::default(),
        }
    }

    /// Adds a result.
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

    /// The output, for the target that the code was generated for.
    pub fn finish(self, target: &Target) -> Result<Vec<u8>, ProductError> {
        match self.settings.emit {
            Emit::Object => Ok(self.objects.finish()?),
            Emit::Llvm | Emit::Assembly => self.llvm(target),
            Emit::Mlir => self.mlir(),
        }
    }

    fn llvm(self, target: &Target) -> Result<Vec<u8>, ProductError> {
        let machine = TargetMachine::new(target).map_err(ProductError::Machine)?;
        let llvm = LlvmContext::new();
        let mut whole = LlvmModule::empty("memplan", &llvm);
        machine.set_target(&mut whole);
        for (name, code) in &self.kept {
            let module = LlvmModule::read(code, &llvm);
            let module = module.ok_or_else(|| ProductError::Unreadable(name.clone()))?;
            if !whole.link(module) {
                let messages = llvm.take_diagnostics().into_iter().map(|(_, text)| text);
                let messages = messages.collect::<Vec<_>>().join("; ");
                return Err(ProductError::Link(name.clone(), messages));
            }
        }
        whole.internalize(|name| self.private.contains(name));
        match self.settings.emit {
            Emit::Llvm => Ok(whole.text().into_bytes()),
            _ => machine
                .emit(whole, CodeFormat::Assembly)
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
