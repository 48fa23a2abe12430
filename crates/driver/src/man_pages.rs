//! `memplan help --man`: a man page for each subcommand.

use anyhow::Result;
use clap_mangen::Man;
use std::{fs, path::Path};

/// Writes the man pages into a folder, which is created: memplan.1, and memplan-NAME.1 for each subcommand.
pub fn write(folder: &Path, command: &clap::Command) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut whole = command.clone().disable_help_subcommand(true);
    whole.build();
    write_page(folder, "memplan", whole.clone())?;
    for subcommand in whole.get_subcommands() {
        let name = format!("memplan-{}", subcommand.get_name());
        write_page(folder, &name, subcommand.clone())?;
    }
    Ok(())
}

fn write_page(folder: &Path, name: &str, command: clap::Command) -> Result<()> {
    let mut page = Vec::new();
    let source = format!("memplan {}", env!("CARGO_PKG_VERSION"));
    Man::new(command.name(name.to_owned()))
        .manual("memplan")
        .source(source)
        .render(&mut page)?;
    memplan_output::write(&folder.join(format!("{name}.1")), &page)?;
    Ok(())
}
