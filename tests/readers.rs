//! The answers of each pass to each sample of an operation. `tests/readers/DIALECT.txt` has the current answers: a
//! line for each sample, a column for each pass, and a column with the disagreements. `MEMPLAN_BLESS=1` writes them
//! again. No pass may crash.

mod readers {
    pub mod answer;
    pub mod run;
    pub mod table;
    pub mod verdict;
}

use std::fs;
use std::thread::available_parallelism;

use anyhow::{Result, ensure};
use memplan_harness::samples::Dialect;
use memplan_harness::tools::{Tools, root};
use memplan_harness::workers::work_on_all;
use readers::answer::TESTED_PASSES;
use readers::run::{self, Column};
use readers::table;

#[test]
fn every_pass_answers_every_sample_as_recorded() -> Result<()> {
    let tools = Tools::find()?;
    let dialects = Dialect::all()?;
    let printed: Vec<_> = dialects
        .iter()
        .map(|dialect| run::printed(&tools, dialect))
        .collect::<Result<_>>()?;
    // Large files first, or one of them would run alone at the end.
    let mut jobs: Vec<_> = (0..dialects.len())
        .flat_map(|dialect| (0..TESTED_PASSES.len()).map(move |reader| (dialect, reader)))
        .collect();
    jobs.sort_by_key(|&(dialect, _)| std::cmp::Reverse(dialects[dialect].samples.len()));
    let indices: Vec<_> = (0..jobs.len()).collect();
    let threads = available_parallelism().map_or(1, usize::from);
    let columns = work_on_all(
        &jobs,
        &indices,
        threads,
        |&(dialect, reader)| format!("{} {}", dialects[dialect].name, TESTED_PASSES[reader].name),
        |&(dialect, reader)| {
            run::answers(
                &tools,
                &dialects[dialect],
                &printed[dialect],
                &TESTED_PASSES[reader],
            )
        },
    );

    let mut crashes = Vec::new();
    let mut tables: Vec<Vec<Column>> = dialects.iter().map(|_| Vec::new()).collect();
    let mut columns: Vec<_> = jobs.iter().zip(columns).collect();
    columns.sort_by_key(|&(&job, _)| job);
    for (&(dialect, _), column) in columns {
        let mut column = column?;
        crashes.append(&mut column.crashes);
        tables[dialect].push(column);
    }
    ensure!(crashes.is_empty(), "{}", crashes.join("\n"));

    let mut changed = Vec::new();
    for (dialect, columns) in dialects.iter().zip(&tables) {
        let path = root().join(format!("tests/readers/{}.txt", dialect.name));
        let text = table::text(dialect, columns);
        if std::env::var_os("MEMPLAN_BLESS").is_some() {
            fs::write(&path, &text)?;
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        changed.extend(table::differences(&dialect.name, &kept, &text));
    }
    ensure!(
        changed.is_empty(),
        "answers changed; where they are right, MEMPLAN_BLESS=1 cargo test --release --test readers keeps them\n{}",
        changed.join("\n")
    );
    Ok(())
}
