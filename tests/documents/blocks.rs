//! The fenced blocks of a Markdown document.

/// A fenced block.
#[derive(Debug)]
pub struct Block {
    /// The line of its opening fence, counted from 1.
    pub line: usize,
    /// The language: the first word after the fence.
    pub language: String,
    /// The file of the repository that the code is a part of: the second word.
    pub source: Option<String>,
    /// The last line of text before the fence.
    pub lead: String,
    /// The code, each line with a line feed.
    pub code: String,
}

impl Block {
    /// All blocks of a document, in order.
    pub fn all(document: &str) -> Vec<Self> {
        let mut blocks = Vec::new();
        let mut lead = String::new();
        let mut lines = document.lines().enumerate();
        while let Some((at, line)) = lines.next() {
            let Some(info) = line.trim_start().strip_prefix("```") else {
                if !line.trim().is_empty() {
                    line.trim().clone_into(&mut lead);
                }
                continue;
            };
            let mut words = info.split_whitespace().map(str::to_owned);
            let code = lines.by_ref().map(|(_, line)| line);
            let code = code.take_while(|line| line.trim() != "```");
            blocks.push(Self {
                line: at + 1,
                language: words.next().unwrap_or_default(),
                source: words.next(),
                lead: std::mem::take(&mut lead),
                code: code.map(|line| format!("{line}\n")).collect(),
            });
        }
        blocks
    }

    /// `NAME` of a lead that ends in "in `NAME`:": the block is the content of that file.
    pub fn file_name(&self) -> Option<&str> {
        let before = self.lead.strip_suffix("`:")?;
        let (words, name) = before.rsplit_once('`')?;
        words.ends_with("in ").then_some(name)
    }

    /// `PASSES` of a lead that is "After `PASSES`:": the block is the program after these.
    pub fn passes_before(&self) -> Option<&str> {
        let lead = self.lead.strip_suffix("`:")?;
        let (_, passes) = lead.rsplit_once("After `")?;
        Some(passes)
    }

    /// `PASSES` of a lead that ends in "`PASSES` reports:": the block has the diagnostics of these.
    pub fn reporting_passes(&self) -> Option<&str> {
        let (_, passes) = self.lead.strip_suffix("` reports:")?.rsplit_once('`')?;
        Some(passes)
    }
}

/// A document without its fenced blocks.
pub fn without_blocks(document: &str) -> String {
    let mut is_code = false;
    let lines = document.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.map(|line| format!("{line}\n")).collect()
}
