//! Runs pipelines on programs.

use memplan_mlir::{
    context::with_all_dialects,
    melior::{
        Context,
        ir::Module,
        pass::PassManager,
        utility::{parse_pass_pipeline, register_all_passes},
    },
};
use std::sync::{Arc, Mutex, Once};

/// A context with memplan's passes.
pub struct Passes {
    context: Context,
    said: Arc<Mutex<Vec<String>>>,
}

impl Passes {
    pub fn new() -> Self {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            memplan_passes::register_all();
            register_all_passes();
        });
        let context = with_all_dialects();
        let said = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&said);
        context.attach_diagnostic_handler(move |diagnostic| {
            all.lock().expect("no panic").push(diagnostic.to_string());
            true
        });
        Self { context, said }
    }

    /// The program after a pipeline, or what was said.
    pub fn run(&self, pipeline: &str, text: &str) -> Result<String, String> {
        self.said.lock().expect("no panic").clear();
        let module = Module::parse(&self.context, text);
        let said = || self.said.lock().expect("no panic").join("\n");
        let mut module = module.unwrap_or_else(|| panic!("{}\n{text}", said()));
        let manager = PassManager::new(&self.context);
        parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).expect("a pipeline");
        match manager.run(&mut module) {
            Ok(()) => Ok(module.as_operation().to_string()),
            Err(_) => Err(said()),
        }
    }
}
