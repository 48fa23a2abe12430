//! The C header `memplan-c/Passes.h.inc`.

use crate::{Entry, comment, entries, names::stem};
use std::fmt::Write;

/// The text of the header: a function for each pass and each pipeline.
pub fn text() -> String {
    entries().fold(String::new(), |mut text, entry| {
        let Entry { argument, .. } = entry;
        let summary = format!("{}. {}", argument, entry.summary);
        text += &comment(&format!("/* {summary} */"), "");
        let name = stem(argument);
        let result = match entry.is_pipeline {
            true => writeln!(
                text,
                "static inline MlirLogicalResult memplanBuild{name}Pipeline(
    MlirOpPassManager manager, MlirStringRef options, MlirStringCallback error,
    void *userData) {{
  return memplanBuildPipeline(manager,
                              mlirStringRefCreateFromCString(\"{argument}\"),
                              options, error, userData);
}}\n"
            ),
            false => writeln!(
                text,
                "static inline MlirPass memplanCreate{name}(MlirStringRef options,
                                              MlirStringCallback error,
                                              void *userData) {{
  return memplanCreatePass(mlirStringRefCreateFromCString(\"{argument}\"), options,
                           error, userData);
}}\n"
            ),
        };
        debug_assert_eq!(result, Ok(()), "a string takes all");
        text
    })
}
