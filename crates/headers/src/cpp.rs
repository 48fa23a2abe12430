//! For C++: `memplan/Passes.h.inc`.

use crate::{
    Entry, comment, entries,
    names::{lower_camel, stem},
};
use memplan_mlir::pass::{OptionDeclaration, OptionKind};

/// A struct of options and a function for each pass and each pipeline.
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
        let about = format!("{}: {}.", option.description, option.kind.takes());
        text += &comment(&about, "  /// ");
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

/// A member with its default.
fn member(option: &OptionDeclaration) -> String {
    let kind = match option.kind {
        OptionKind::Flag(_) => "bool",
        OptionKind::Integer { .. } | OptionKind::Bytes { .. } => "int64_t",
        _ => "std::string",
    };
    format!("{kind} {} = {}", lower_camel(option.name), default(option))
}

/// As a literal.
fn default(option: &OptionDeclaration) -> String {
    let text = option.kind.default_text();
    match option.kind {
        OptionKind::Flag(_) => text,
        OptionKind::Integer { .. } | OptionKind::Bytes { .. } => format!("INT64_C({text})"),
        _ => format!("{text:?}"),
    }
}

fn function(entry: &Entry) -> String {
    let (takes, given) = match entry.options.is_empty() {
        true => (String::new(), "std::string()"),
        false => (
            format!("const {} &options = {{}}", struct_name(entry)),
            "options.str()",
        ),
    };
    let (argument, name) = (entry.argument, stem(entry.argument));
    let about = comment(&format!("{}.", entry.summary), "/// ");
    match entry.is_pipeline {
        true => {
            let takes = match takes.is_empty() {
                true => takes,
                false => format!(",\n    {takes}"),
            };
            format!(
                "{about}inline void build{name}Pipeline(\n    mlir::OpPassManager &pm{takes}) {{\n  \
                 detail::build(pm, \"{argument}\", {given});\n}}\n"
            )
        }
        false => format!(
            "{about}inline std::unique_ptr<mlir::Pass>\ncreate{name}Pass({takes}) {{\n  \
             return detail::create(\"{argument}\", {given});\n}}\n"
        ),
    }
}
