//! Facts from MLIR's interfaces and from the definitions of operations.

use crate::facts::{Facts, Source};
use anyhow::Result;
use memplan_harness::{
    command::{limited, output},
    tools::{llvm_prefix, root},
};
use memplan_mlir::{
    calls::view_source,
    effects::{EffectKind, effects},
    ir::{Op, is_plain_data, operands, regions, results, type_of},
};
use memplan_semantics::names::Names;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// The token results in the definitions, by operation.
pub struct Definitions {
    asynchronous: BTreeSet<String>,
    tokens: BTreeSet<String>,
}

impl Definitions {
    /// Reads them from the .td files of the installed LLVM.
    pub fn read() -> Result<Self> {
        let text = output(
            limited(Duration::from_secs(120), root().join("ci/operations.py"))
                .arg("--json")
                .env("LLVM_PREFIX", llvm_prefix()),
        )?;
        let all: BTreeMap<String, Value> = serde_json::from_slice(&text)?;
        let mut definitions = Self {
            asynchronous: BTreeSet::new(),
            tokens: BTreeSet::new(),
        };
        for (name, described) in all {
            let list = |key: &str| described[key].as_array().cloned().unwrap_or_default();
            if list("traits").iter().any(|one| one == "AsyncOpInterface") {
                definitions.asynchronous.insert(name.clone());
            }
            let is_token = |one: &Value| one["names"] == "token" && one.get("result").is_some();
            if list("why").iter().any(is_token) {
                definitions.tokens.insert(name);
            }
        }
        Ok(definitions)
    }
}

/// Adds the facts about `op`.
pub fn read(
    op: Op<'_>,
    name: &str,
    definitions: &Definitions,
    names: &mut Names,
    facts: &mut Facts,
) {
    let info = names.info(op);
    let operand = |value| {
        operands(op)
            .enumerate()
            .filter(move |(_, one)| *one == value)
    };
    for effect in effects(op).unwrap_or_default() {
        let Some(value) = effect.value else {
            // The effect may be on any operand.
            let into = match effect.kind {
                EffectKind::Read => &mut facts.reads,
                EffectKind::Write => &mut facts.writes,
                _ => continue,
            };
            for at in 0..operands(op).count() {
                into.entry(at).or_default().insert(Source::Effects);
            }
            continue;
        };
        let into = match effect.kind {
            EffectKind::Read => &mut facts.reads,
            EffectKind::Write => &mut facts.writes,
            EffectKind::Free => &mut facts.frees,
            EffectKind::Allocate => {
                let place = results(op).position(|one| one == value);
                if let Some(at) = place {
                    facts.new.entry(at).or_default().insert(Source::Effects);
                }
                continue;
            }
        };
        for (at, _) in operand(value) {
            into.entry(at).or_default().insert(Source::Effects);
        }
    }
    if info.is_view()
        && let Some(source) = view_source(op)
    {
        for (at, _) in operand(source) {
            facts.of.entry((0, at)).or_default().insert(Source::View);
        }
    }
    for (at, result) in results(op).enumerate() {
        let r#type = type_of(result);
        if is_plain_data(r#type) {
            facts.numbers.insert(at);
        }
    }
    let is_token = |text: &str| {
        text.contains("token") || text.starts_with("!async.") || text == "!mpi.request"
    };
    let uses_memory = regions(op).next().is_some()
        || info.is_call()
        || operands(op).chain(results(op)).any(|value| {
            let text = type_of(value).to_string();
            !is_token(&text) && (text.contains("memref") || text.starts_with('!'))
        });
    if !uses_memory {
        return;
    }
    let has_token = results(op).any(|value| is_token(&type_of(value).to_string()));
    if has_token && definitions.asynchronous.contains(name) {
        facts.is_asynchronous.insert(Source::Async);
    }
    if has_token && definitions.tokens.contains(name) {
        facts.is_asynchronous.insert(Source::Token);
    }
}
