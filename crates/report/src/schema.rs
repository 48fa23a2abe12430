//! The file format as JSON Schema, made from the types of the report and their doc comments.

use crate::Report;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// A field of an object of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the JSON.
    pub name: String,
    /// The path of its object: `functions[].scopes[]`; empty for the report itself.
    pub of: String,
    /// What it says, in Markdown.
    pub about: String,
}

/// The JSON Schema (draft 2020-12) of the reports that this crate writes.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<Report>()
        .into()
}

/// The same as text.
pub fn text() -> String {
    format!("{:#}\n", schema())
}

/// All fields of all objects: those of an object together, the objects from the outside in.
pub fn fields() -> Vec<Field> {
    let schema = schema();
    let mut fields = Vec::new();
    let mut objects = vec![(String::new(), &schema)];
    let mut at = 0;
    while let Some((path, object)) = objects.get(at).cloned() {
        at += 1;
        let Some(properties) = object["properties"].as_object() else {
            continue;
        };
        for (name, property) in properties {
            fields.push(Field {
                name: name.clone(),
                of: path.clone(),
                about: about(property),
            });
            if let Some((inner, is_list)) = object_of(property, &schema["$defs"]) {
                let dot = if path.is_empty() { "" } else { "." };
                let list = if is_list { "[]" } else { "" };
                objects.push((format!("{path}{dot}{name}{list}"), inner));
            }
        }
    }
    fields
}

fn about(property: &Value) -> String {
    let text = property["description"].as_str().unwrap_or_default();
    text.replace('\n', " ")
}

/// The object that a property holds, or holds a list of.
fn object_of<'s>(property: &'s Value, objects: &'s Value) -> Option<(&'s Value, bool)> {
    let reference = |one: &'s Map<String, Value>| {
        let name = one.get("$ref")?.as_str()?.rsplit('/').next()?;
        objects.get(name)
    };
    let one = property.as_object()?;
    if let Some(inner) = reference(one) {
        return Some((inner, false));
    }
    if let Some(items) = one.get("items").and_then(Value::as_object) {
        return Some((reference(items)?, true));
    }
    let choices = one.get("anyOf")?.as_array()?.iter();
    let mut choices = choices.filter_map(|choice| reference(choice.as_object()?));
    choices.next().map(|inner| (inner, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_has_a_text_and_a_path() {
        let fields = fields();
        for field in &fields {
            assert!(field.about.ends_with('.'), "{field:?}");
        }
        let has = |of: &str, name: &str| fields.iter().any(|one| one.of == of && one.name == name);
        assert!(has("", "functions") && has("functions[].scopes[].buffers[]", "type"));
        assert!(has("functions[].regions.placed[]", "region"));
        assert!(has("functions[].bounded.layout", "virtual"));
    }
}
