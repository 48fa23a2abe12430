//! Tables of time and memory use.

use memplan_report::{
    columns::{Align, aligned},
    units::short,
};
use memplan_translate::outcome::Phases;
use std::time::Duration;

/// The time of each phase.
pub struct Times {
    pub parse: Duration,
    pub cut: Duration,
    pub phases: Phases,
    pub join: Duration,
    pub write: Duration,
    pub whole: Duration,
    pub workers: usize,
}

impl Times {
    /// A row for each phase. Phases of workers are sums over the workers.
    pub fn table(&self) -> String {
        let phases = &self.phases;
        let lines = [
            ("parse", 1, self.parse),
            ("cut", 1, self.cut),
            ("read units", self.workers, phases.read),
            ("plan", self.workers, phases.plan),
            ("partitioned", self.workers, phases.part),
            ("lower", self.workers, phases.lower),
            ("LLVM IR", self.workers, phases.translate),
            ("machine code", self.workers, phases.code),
            ("join", 1, self.join),
            ("write", 1, self.write),
        ];
        let total: Duration = lines.iter().map(|(_, _, time)| *time).sum();
        let of = total.as_secs_f64().max(f64::MIN_POSITIVE);
        let cells = |name: &str, threads: String, time: Duration| {
            let share = 100.0 * time.as_secs_f64() / of;
            let time = format!("{:.3}", time.as_secs_f64());
            [name.to_owned(), threads, time, format!("{share:.1}")]
        };
        let mut rows = vec![["phase", "threads", "s", "%"].map(str::to_owned)];
        rows.extend(lines.map(|(name, threads, time)| cells(name, threads.to_string(), time)));
        rows.push(cells("all threads", String::new(), total));
        rows.push([
            "elapsed".to_owned(),
            String::new(),
            format!("{:.3}", self.whole.as_secs_f64()),
            String::new(),
        ]);
        let align = [Align::Left, Align::Right, Align::Right, Align::Right];
        aligned(&rows, &align, &[1, rows.len() - 2])
    }
}

/// The memory use.
pub struct Memory {
    pub input: u64,
    pub output: u64,
    pub parsed: u64,
    pub peak: u64,
    pub units: usize,
    pub parts: usize,
}

impl Memory {
    /// A row for each number.
    pub fn table(&self) -> String {
        let beyond = self
            .peak
            .saturating_sub(self.parsed)
            .saturating_sub(self.output);
        let bytes = |name: &str, bytes: u64| [name.to_owned(), bytes.to_string(), short(bytes)];
        let rows = [
            ["memory", "bytes", ""].map(str::to_owned),
            bytes("input", self.input),
            bytes("output", self.output),
            bytes("resident when parsed", self.parsed),
            bytes("resident at the peak", self.peak),
            bytes("beyond these and the output", beyond),
            ["units".to_owned(), self.units.to_string(), String::new()],
            ["parts".to_owned(), self.parts.to_string(), String::new()],
        ];
        aligned(&rows, &[Align::Left, Align::Right, Align::Right], &[1, 6])
    }
}
