//! Convolutions, poolings, and the pads before them.

use super::buffer::Buffer;
use super::chain::Chain;

/// The most channels of what a convolution reads.
const MOST_CHANNELS: usize = 16;

/// The kinds of operations with windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Convolution { channels_first: bool },
    Depthwise,
    Pooling { channels_first: bool, is_max: bool },
}

impl Kind {
    const fn has_channels_first(self) -> bool {
        matches!(
            self,
            Self::Convolution {
                channels_first: true
            } | Self::Pooling {
                channels_first: true,
                ..
            }
        )
    }

    const fn operation(self) -> &'static str {
        match self {
            Self::Convolution {
                channels_first: true,
            } => "conv_2d_nchw_fchw",
            Self::Convolution {
                channels_first: false,
            } => "conv_2d_nhwc_hwcf",
            Self::Depthwise => "depthwise_conv_2d_nhwc_hwc",
            Self::Pooling {
                channels_first: true,
                is_max: true,
            } => "pooling_nchw_max",
            Self::Pooling {
                channels_first: true,
                is_max: false,
            } => "pooling_nchw_sum",
            Self::Pooling {
                channels_first: false,
                is_max: true,
            } => "pooling_nhwc_max",
            Self::Pooling {
                channels_first: false,
                is_max: false,
            } => "pooling_nhwc_sum",
        }
    }

    const fn feature(self) -> &'static str {
        match self {
            Self::Convolution { .. } => "convolution",
            Self::Depthwise => "depthwise convolution",
            Self::Pooling { .. } => "pooling",
        }
    }
}

impl Chain {
    /// A convolution or a pooling, with steps and dilations.
    pub fn convolution(&mut self) {
        let kind = *self.choices.of(&[
            Kind::Convolution {
                channels_first: true,
            },
            Kind::Pooling {
                channels_first: true,
                is_max: true,
            },
            Kind::Convolution {
                channels_first: false,
            },
            Kind::Depthwise,
            Kind::Pooling {
                channels_first: true,
                is_max: false,
            },
            Kind::Pooling {
                channels_first: false,
                is_max: true,
            },
            Kind::Pooling {
                channels_first: false,
                is_max: false,
            },
            Kind::Convolution {
                channels_first: true,
            },
        ]);
        let Some(value) = self.pick(|value| value.rank() == 4) else {
            return;
        };
        let is_first = kind.has_channels_first();
        let (channels, from) = match is_first {
            true => (value.shape[1], 2),
            false => (value.shape[3], 1),
        };
        if channels > MOST_CHANNELS {
            return;
        }
        let (mut kernel, mut steps, mut apart, mut sizes) = (vec![], vec![], vec![], vec![]);
        for extent in value.shape[from..from + 2].iter().copied() {
            let dilation = *self.choices.of(&[1, 1, 1, 2]);
            let size = *self.choices.of(&[3, 1, 2, 3, 4]);
            let size = size.min((extent - 1) / dilation + 1);
            let step = *self.choices.of(&[1, 1, 1, 2, 2, 3]);
            sizes.push((extent - 1 - (size - 1) * dilation) / step + 1);
            kernel.push(size);
            steps.push(step);
            apart.push(dilation);
        }
        let filters = match kind {
            Kind::Convolution { .. } => self.between(1, 5),
            _ => channels,
        };
        let shape = match is_first {
            true => [&[value.shape[0], filters], &sizes[..]].concat(),
            false => [&[value.shape[0]], &sizes[..], &[filters]].concat(),
        };
        let each = match kind {
            Kind::Convolution { .. } => channels,
            _ => 1,
        };
        let work = shape.iter().chain(&kernel).product::<usize>() * each;
        if !self.is_small(&shape) || !self.affords(work) {
            return;
        }
        self.feature(kind.feature());
        if steps != [1, 1] {
            self.feature("window with steps");
        }
        if apart != [1, 1] {
            self.feature("window with dilations");
        }
        let weights = match kind {
            Kind::Convolution {
                channels_first: true,
            } => self.argument(&[&[filters, channels], &kernel[..]].concat()),
            Kind::Convolution {
                channels_first: false,
            } => self.argument(&[&kernel[..], &[channels, filters]].concat()),
            Kind::Depthwise => self.argument(&[&kernel[..], &[channels]].concat()),
            // It has no elements that are read.
            Kind::Pooling { .. } => self.allocate(&kernel),
        };
        let out = self.accumulator(&shape, &[&value], kind);
        self.line(format!(
            "linalg.{} {{strides = dense<{steps:?}> : vector<2xi64>, dilations = dense<{apart:?}> : vector<2xi64>}} \
             ins({}, {} : {}, {}) outs({out})",
            kind.operation(),
            value.name,
            weights.name,
            value.type_text(),
            weights.type_text()
        ));
        self.add(out.clone());
        if self.choices.chance(25) {
            self.unary_of(&out);
        }
    }

    /// What a window adds to: filled before, or what another operation has written.
    fn accumulator(&mut self, shape: &[usize], reads: &[&Buffer], kind: Kind) -> Buffer {
        if self.choices.chance(10) && !matches!(kind, Kind::Pooling { .. }) {
            let older = self.pick(|other| {
                other.is_allocation
                    && other.shape == shape
                    && reads.iter().all(|read| read.root != other.root)
            });
            if let Some(older) = older {
                self.feature("a window adds to a value");
                return older;
            }
        }
        let out = self.target(shape, reads);
        let is_max = matches!(kind, Kind::Pooling { is_max: true, .. });
        self.fill(&out, if is_max { -100 } else { 0 });
        out
    }

    /// A value in the interior of a larger one.
    pub fn pad(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        let rank = value.rank();
        let [before, after] = [(); 2].map(|()| -> Vec<usize> {
            (0..rank).map(|_| *self.choices.of(&[1, 0, 0, 2])).collect()
        });
        let shape: Vec<usize> = (0..rank)
            .map(|dim| before[dim] + value.shape[dim] + after[dim])
            .collect();
        let count: usize = shape.iter().product();
        if !self.is_small(&shape) || !self.affords(count) {
            return;
        }
        self.feature("pad");
        let out = self.allocate(&shape);
        let number = *self.choices.of(&[0, 1, -5]);
        self.fill(&out, number);
        let interior = self.window(&out, &before, &value.shape);
        self.copy(&value, &interior);
        self.add(out);
    }
}
