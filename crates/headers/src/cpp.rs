//! The C++ header `memplan/Passes.h.inc`.

use crate::{
    Entry, comment, entries,
    names::{lower_camel, stem},
};
use memplan_interface::{OptionDeclaration, OptionKind};

/// The text of the header: a struct of options and a function for each pass and each pipeline.
pub fn text() -> String {
    entries()
        .map(|entry| options(&entry) + &function(&entry) + "\n")
        .collect()
}

fn options(entry: &Entry) -> String {
    if entry.options.is_empty() {
        return String::new();
    }
    let mut text = comment(&format!("Options of {}.", entry.argument), "/// ");
    text += &format!("struct {} {{\n", struct_name(entry));
    for option in &entry.options {
        let summary = format!("{}: {}.", option.description, option.kind.takes());
        text += &comment(&summary, "  /// ");
        text += &format!("  {};\n", member(option));
    }
    text += "\n  /// As between the braces of a textual pipeline; what is default is left out.\n";
    text += "  std::string str() const {\n    detail::OptionText text;\n";
    for option in &entry.options {
        let member = lower_camel(option.name);
        text += &format!(
            "    if ({member} != {})\n      text.add(\"{}\", {member});\n",
            default(option),
            option.name
        );
    }
    text + "    return text.take();\n  }\n};\n\n"
}

fn struct_name(entry: &Entry) -> String {
    let kind = if entry.is_pipeline { "Pipeline" } else { "" };
    format!("{}{kind}Options", stem(entry.argument))
}

/// The declaration of a member with its default.
fn member(option: &OptionDeclaration) -> String {
    let kind = match option.kind {
        OptionKind::Flag(_) => "bool",
        OptionKind::Integer { .. } | OptionKind::Bytes { .. } => "int64_t",
        _ => "std::string",
    };
    format!("{kind} {} = {}", lower_camel(option.name), default(option))
}

/// The default of an option as a C++ literal.
fn default(option: &OptionDeclaration) -> String {
    let text = option.kind.default_text();
    match option.kind {
        OptionKind::Flag(_) => text,
        OptionKind::Integer { .. } | OptionKind::Bytes { .. } => format!("INT64_C({text})"),
        _ => format!("{text:?}"),
    }
}

fn function(entry: &Entry) -> String {
    let (parameters, options_argument) = match entry.options.is_empty() {
        true => (String::new(), "std::string()"),
        false => (
            format!("const {} &options = {{}}", struct_name(entry)),
            "options.str()",
        ),
    };
    let (argument, name) = (entry.argument, stem(entry.argument));
    let summary = comment(&format!("{}.", entry.summary), "/// ");
    match entry.is_pipeline {
        true => {
            let parameters = match parameters.is_empty() {
                true => parameters,
                false => format!(",\n    {parameters}"),
            };
            format!(
                "{summary}inline void build{name}Pipeline(\n    mlir::OpPassManager &pm{parameters}) {{\n  \
                 detail::build(pm, \"{argument}\", {options_argument});\n}}\n"
            )
        }
        false => format!(
            "{summary}inline std::unique_ptr<mlir::Pass>\ncreate{name}Pass({parameters}) {{\n  \
             return detail::create(\"{argument}\", {options_argument});\n}}\n"
        ),
    }
}
