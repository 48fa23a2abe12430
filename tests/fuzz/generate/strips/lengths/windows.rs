//! Pads, convolutions and pools along lengths.

use super::along::Along;
use super::loops::{all_loops, loops_of, map};
use super::sizes::{Formula, Size};
use super::value::Value;

/// A window along a dimension.
#[derive(Clone, Copy, Debug)]
struct Window {
    dim: usize,
    taps: i64,
    step: i64,
    dilation: i64,
}

impl Window {
    const fn reach(self) -> i64 {
        (self.taps - 1) * self.dilation + 1
    }
}

/// What a window computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Sums over all channels, which are a dimension.
    Convolution(usize),
    /// Sums for each channel.
    Depthwise(usize),
    /// The largest element.
    Pool,
    /// Sums without weights.
    Sum,
}

impl Along<'_> {
    /// More rows around a memref.
    pub fn padded(&mut self, from: &Value, around: &[(i64, i64)]) -> Option<Value> {
        self.chain.feature("pad along a length");
        let (inside, mut sizes) = (self.sizes_of(from), Vec::new());
        for (dim, (before, after)) in around.iter().enumerate() {
            let size = self.size_of(from, dim);
            sizes.push(self.computed(&size, Formula::plus(before + after), 0)?);
        }
        let number = *self.chain.choices.of(&["%zero", "%zero", "%one", "%low"]);
        let made = self.filled(&sizes, number);
        let offsets: Vec<i64> = around.iter().map(|(before, _)| *before).collect();
        let part = self.part(&made, &offsets, &inside, &vec![1; from.rank()], None);
        match self.chain.choices.chance(75) {
            true => self.copy(from, &part),
            false => {
                let dims = (0..from.rank()).collect();
                self.elementwise_into(&[(from, dims)], &part);
            }
        }
        Some(made)
    }

    /// A pad with any numbers of rows.
    pub fn any_pad(&mut self, from: &Value) -> Option<Value> {
        let mut around = Vec::new();
        for size in from.sizes.clone() {
            let percent = if size.is_run() { 80 } else { 25 };
            let has_more = self.chain.choices.chance(percent);
            let mut more = || self.chain.choices.below(3) as i64;
            around.push(if has_more { (more(), more()) } else { (0, 0) });
        }
        self.padded(from, &around)
    }

    /// A convolution or a pool, most often with a pad before it.
    pub fn window(&mut self, from: &Value) -> Option<Value> {
        let named = self.chain.choices.chance(60);
        let (kind, dims, channel) = self.kind_of_window(from, named)?;
        let mut windows = Vec::new();
        for dim in dims {
            let taps = *self.chain.choices.of(&[3, 2, 3, 1, 4, 5]);
            let (step, dilation) = match self.chain.choices.chance(45) {
                true => (*self.chain.choices.of(&[2, 2, 3]), 1),
                false => (1, *self.chain.choices.of(&[1, 1, 1, 2, 3])),
            };
            let mut window = Window {
                dim,
                taps,
                step,
                dilation,
            };
            if let Some(size) = from.sizes[dim].fixed() {
                window.dilation = 1;
                window.taps = window.taps.min(size).min(3);
            } else if self.is_many(&window) {
                window.taps = 2;
            }
            windows.push(window);
        }
        let mut from = from.clone();
        let fits = |along: &Self, from: &Value| {
            windows.iter().all(|window| {
                let size = &from.sizes[window.dim];
                (0..along.lengths).all(|length| size.at(length) >= window.reach())
            })
        };
        if !fits(self, &from) || self.chain.choices.chance(65) {
            let mut around = vec![(0, 0); from.rank()];
            for window in &windows {
                let more = window.reach() - 1;
                around[window.dim] = (more / 2, more - more / 2);
            }
            from = self.padded(&from, &around)?;
        }
        if !fits(self, &from) {
            return None;
        }
        let mut sizes = self.sizes_of(&from);
        for window in &windows {
            let rounds_up = self.chain.choices.chance(30);
            let formula = Formula::windows(window.reach(), window.step, rounds_up);
            sizes[window.dim] = self.computed(&sizes[window.dim].clone(), formula, 0)?;
        }
        let most = match kind {
            Kind::Convolution(channel) => {
                sizes[channel] = Size::Fixed(1 + self.chain.choices.below(4) as i64);
                from.sizes[channel].fixed()?
            }
            _ => 1,
        };
        let taps: i64 = windows.iter().map(|window| window.taps).product();
        if !self.affords(&sizes, taps * most) {
            return None;
        }
        let feature = match kind {
            Kind::Convolution(_) => "convolution along a length",
            Kind::Depthwise(_) => "depthwise convolution along a length",
            Kind::Pool | Kind::Sum => "pool along a length",
        };
        self.chain.feature(feature);
        let start = if kind == Kind::Pool { "%low" } else { "%zero" };
        let made = self.filled(&sizes, start);
        match named {
            true => self.named_window(kind, &windows, channel, &from, &made)?,
            false => self.generic_window(kind, &windows, &from, &made)?,
        }
        Some(made)
    }

    /// Whether a window reaches far.
    fn is_many(&self, window: &Window) -> bool {
        window.reach() > 9
    }

    /// What a window computes, its dimensions, and the one of channels.
    fn kind_of_window(&mut self, from: &Value, named: bool) -> Option<(Kind, Vec<usize>, usize)> {
        let rank = from.rank();
        let run = from.run();
        let (dims, channel) = match (named, rank) {
            (true, 4) if run.contains(&2) => (vec![2, 3], 1),
            (true, 4) if run.contains(&1) => (vec![1, 2], 3),
            (true, 3) if run == [1] => (vec![1], 2),
            (true, 3) if run == [2] => (vec![2], 1),
            (true, _) => return None,
            (false, _) => {
                let first = *self.chain.choices.of(&run);
                let mut dims = vec![first];
                for dim in 0..rank {
                    let others = from.sizes[dim].fixed() != Some(1) && dim != first;
                    if others && self.chain.choices.chance(35) && dims.len() < 2 {
                        dims.push(dim);
                    }
                }
                dims.sort_unstable();
                let channels: Vec<usize> = from.fixed();
                let channels: Vec<usize> = channels
                    .into_iter()
                    .filter(|dim| !dims.contains(dim))
                    .collect();
                match channels.is_empty() {
                    true => (dims, rank),
                    false => (dims, *self.chain.choices.of(&channels)),
                }
            }
        };
        let size = from.sizes.get(channel).and_then(Size::fixed);
        let kind = self
            .chain
            .choices
            .weighted(&[(4, 0), (2, 1), (3, 2), (1, 3)]);
        let kind = match (kind, size) {
            (0, Some(1..=16)) => Kind::Convolution(channel),
            (1, Some(_)) => Kind::Depthwise(channel),
            (3, _) => Kind::Sum,
            _ => Kind::Pool,
        };
        Some((kind, dims, channel))
    }

    fn generic_window(
        &mut self,
        kind: Kind,
        windows: &[Window],
        from: &Value,
        to: &Value,
    ) -> Option<()> {
        self.chain.feature("window of a map along a length");
        let rank = from.rank();
        let mut loops = rank;
        let mut read: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
        let (mut weights, mut shape) = (Vec::new(), Vec::new());
        match kind {
            Kind::Convolution(channel) => {
                weights.extend([channel, loops]);
                shape.extend([to.sizes[channel].fixed()?, from.sizes[channel].fixed()?]);
                read[channel] = format!("d{loops}");
                loops += 1;
            }
            Kind::Depthwise(channel) => {
                weights.push(channel);
                shape.push(from.sizes[channel].fixed()?);
            }
            Kind::Pool | Kind::Sum => {}
        }
        for window in windows {
            let (dim, step, dilation) = (window.dim, window.step, window.dilation);
            let step = if step == 1 {
                String::new()
            } else {
                format!(" * {step}")
            };
            let dilation = match dilation {
                1 => String::new(),
                dilation => format!(" * {dilation}"),
            };
            read[dim] = format!("d{dim}{step} + d{loops}{dilation}");
            weights.push(loops);
            shape.push(window.taps);
            loops += 1;
        }
        let element = self.element;
        let body = match kind {
            Kind::Pool => vec![format!("%s = arith.maximumf %e0, %o : {element}")],
            Kind::Sum => vec![format!("%s = arith.addf %e0, %o : {element}")],
            _ => vec![
                format!("%p = arith.mulf %e0, %e1 : {element}"),
                format!("%s = arith.addf %p, %o : {element}"),
            ],
        };
        let values = match kind {
            Kind::Pool | Kind::Sum => self.shape_only(&shape),
            _ => self.weights(&shape),
        };
        let out: Vec<usize> = (0..rank).collect();
        let maps = [
            map(loops, &read),
            loops_of(loops, &weights),
            loops_of(loops, &out),
        ];
        self.generic(&maps, (rank, loops - rank), &[from, &values], to, &body);
        Some(())
    }

    /// A memref that only says how large a window is.
    fn shape_only(&mut self, shape: &[i64]) -> Value {
        match self.chain.choices.chance(50) {
            false => self.weights(shape),
            true => {
                let sizes: Vec<Size> = shape.iter().map(|size| Size::Fixed(*size)).collect();
                self.filled(&sizes, "%one")
            }
        }
    }

    fn named_window(
        &mut self,
        kind: Kind,
        windows: &[Window],
        channel: usize,
        from: &Value,
        to: &Value,
    ) -> Option<()> {
        let is_first = channel == 1;
        let (before, after) = (from.sizes[channel].fixed(), to.sizes[channel].fixed());
        let taps: Vec<i64> = windows.iter().map(|window| window.taps).collect();
        let is_image = windows.len() == 2;
        let (operation, shape) = match (kind, is_image, is_first) {
            (Kind::Convolution(_), true, true) => {
                ("conv_2d_nchw_fchw", [vec![after?, before?], taps].concat())
            }
            (Kind::Convolution(_), true, false) => {
                ("conv_2d_nhwc_hwcf", [taps, vec![before?, after?]].concat())
            }
            (Kind::Convolution(_), false, true) => {
                ("conv_1d_ncw_fcw", [vec![after?, before?], taps].concat())
            }
            (Kind::Convolution(_), false, false) => {
                ("conv_1d_nwc_wcf", [taps, vec![before?, after?]].concat())
            }
            (Kind::Depthwise(_), true, true) => {
                ("depthwise_conv_2d_nchw_chw", [vec![before?], taps].concat())
            }
            (Kind::Depthwise(_), true, false) => {
                ("depthwise_conv_2d_nhwc_hwc", [taps, vec![before?]].concat())
            }
            (Kind::Depthwise(_), false, true) => {
                ("depthwise_conv_1d_ncw_cw", [vec![before?], taps].concat())
            }
            (Kind::Depthwise(_), false, false) => {
                ("depthwise_conv_1d_nwc_wc", [taps, vec![before?]].concat())
            }
            (Kind::Pool, true, true) => ("pooling_nchw_max", taps),
            (Kind::Pool, true, false) => ("pooling_nhwc_max", taps),
            (Kind::Pool, false, true) => ("pooling_ncw_max", taps),
            (Kind::Pool, false, false) => ("pooling_nwc_max", taps),
            (Kind::Sum, true, true) => ("pooling_nchw_sum", taps),
            (Kind::Sum, true, false) => ("pooling_nhwc_sum", taps),
            (Kind::Sum, false, true) => ("pooling_ncw_sum", taps),
            (Kind::Sum, false, false) => ("pooling_nwc_sum", taps),
        };
        let values = match kind {
            Kind::Pool | Kind::Sum => self.shape_only(&shape),
            _ => self.weights(&shape),
        };
        let steps: Vec<i64> = windows.iter().map(|window| window.step).collect();
        let dilations: Vec<i64> = windows.iter().map(|window| window.dilation).collect();
        let count = windows.len();
        let (types, to) = (
            format!("{}, {}", self.type_of(from), self.type_of(&values)),
            self.operand(to),
        );
        self.chain.line(format!(
            "linalg.{operation} {{dilations = dense<{dilations:?}> : vector<{count}xi64>, strides = \
             dense<{steps:?}> : vector<{count}xi64>}} ins({}, {} : {types}) outs({to})",
            from.name, values.name
        ));
        Some(())
    }

    /// Twice as many rows: each row is there two times.
    pub fn doubled(&mut self, from: &Value) -> Option<Value> {
        self.chain.feature("rows twice along a length");
        let run = from.run();
        let dim = *self.chain.choices.of(&run);
        if !self.affords(&from.sizes, 2) {
            return None;
        }
        let sizes = self.sizes_of(from);
        if self.chain.choices.chance(50) {
            let mut twice = sizes.clone();
            twice.insert(dim + 1, Size::Fixed(2));
            let made = self.allocate(&twice);
            let dims: Vec<usize> = (0..made.rank()).filter(|one| *one != dim + 1).collect();
            self.elementwise_into(&[(from, dims)], &made);
            return self.merged(&made, dim, dim + 1);
        }
        let mut twice = sizes;
        twice[dim] = self.computed(&twice[dim].clone(), Formula::times(2), 0)?;
        let made = self.allocate(&twice);
        let rank = from.rank();
        let mut read: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
        read[dim] = format!("d{dim} floordiv 2");
        let body = format!("%s = arith.addf %e0, %one : {}", self.element);
        let maps = [map(rank, &read), all_loops(rank)];
        self.generic(&maps, (rank, 0), &[from], &made, &[body]);
        Some(made)
    }
}
