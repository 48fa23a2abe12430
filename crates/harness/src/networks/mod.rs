//! The networks in `tests/models`.

pub mod batch;
pub mod checks;
pub mod options;
pub mod transform;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::tools::root;

/// The networks that take more than five seconds to execute.
const SLOW: [&str; 10] = [
    "bert_base",
    "densenet121",
    "googlenet",
    "gpt2_small",
    "mobilenet_v2",
    "resnet50",
    "swin_t",
    "unet",
    "vgg16",
    "whisper_tiny_encoder",
];

/// Of the other networks, those that take longer to execute than to optimize.
const HEAVY: [&str; 3] = ["alexnet", "resnet18", "resnet18_dynbatch"];

/// The networks that execute under valgrind in seconds.
const SMALL: [&str; 10] = [
    "decode_step",
    "greedy_decode",
    "lenet",
    "lstm_for",
    "lstm_while",
    "mlp",
    "tiny_transformer",
    "tiny_transformer_dynseq",
    "train_lenet",
    "train_mlp",
];

/// A network.
#[derive(Debug, Clone)]
pub struct Network {
    /// The name, which is also that of its files.
    pub name: String,
    /// The bufferized network, as text.
    pub text: String,
    /// The expected output of its driver; `None` if there is no driver.
    pub expected: Option<String>,
}

impl Network {
    /// All networks, in order of their names.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or there are no networks.
    pub fn all() -> Result<Vec<Self>> {
        let folder = models().join("bufferized");
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "mlir") {
                let name = path.file_stem().context("a file has a name")?;
                names.push(name.to_string_lossy().into_owned());
            }
        }
        names.sort();
        ensure!(!names.is_empty(), "no networks in {}", folder.display());
        names.into_iter().map(Self::load).collect()
    }

    fn load(name: String) -> Result<Self> {
        let expected = models().join(format!("run/{name}.expected"));
        let mut network = Self {
            name,
            text: String::new(),
            expected: expected
                .exists()
                .then(|| fs::read_to_string(&expected))
                .transpose()?,
        };
        network.text = fs::read_to_string(network.file())?;
        Ok(network)
    }

    /// The path of the bufferized network.
    pub fn file(&self) -> PathBuf {
        models().join(format!("bufferized/{}.mlir", self.name))
    }

    /// Whether the network executes in less than five seconds.
    pub fn is_quick(&self) -> bool {
        !SLOW.contains(&self.name.as_str())
    }

    /// The optimization level, 0 or 2, at which compiling and executing take the least time.
    pub fn level(&self) -> u8 {
        let is_heavy = !self.is_quick() || HEAVY.contains(&self.name.as_str());
        if is_heavy { 2 } else { 0 }
    }

    /// Whether the network executes under valgrind in seconds.
    pub fn is_small(&self) -> bool {
        SMALL.contains(&self.name.as_str())
    }
}

/// The folder of the networks.
pub fn models() -> PathBuf {
    root().join("tests/models")
}
