//! Kernels that are invalid, and control flow by its definition.

use crate::generate::{SMALL, kernel};
use memplan_flow::PrimaryMap;
use memplan_workgroup::interpret::{
    Fault, Random, Run, Schedule, Timing, interpret, uniform_blocks,
};
use memplan_workgroup::{
    Action, Analysis, BlockId, Branch, Buffer, BufferId, Extent, Kernel, KernelError, Options,
    Place, PlanError, plan,
};

fn blocks(branches: &[Branch], edges: &[(u32, u32)]) -> Kernel {
    let mut kernel = Kernel::new();
    for branch in branches {
        kernel.add_block(*branch);
    }
    for (from, to) in edges {
        kernel.add_edge(BlockId(*from), BlockId(*to));
    }
    kernel
}

fn error(kernel: &Kernel) -> String {
    match plan(kernel, &Options::default()) {
        Err(error) => error.to_string(),
        Ok(plan) => panic!("{plan:?}"),
    }
}

#[test]
fn errors_name_places() {
    assert_eq!(error(&Kernel::new()), "the kernel has no block");
    let mut kernel = blocks(&[Branch::Uniform], &[]);
    kernel.push(BlockId(0), Action::Barrier);
    kernel.push(BlockId(0), Action::Read(BufferId(7)));
    let text = "action 1 of block 0 accesses buffer 7, which does not exist";
    assert_eq!(error(&kernel), text);
    let kernel = blocks(&[Branch::Uniform], &[(0, 3)]);
    let text = "block 0 has an edge to block 3, which does not exist";
    assert_eq!(error(&kernel), text);
    let kernel = blocks(&[Branch::Uniform; 3], &[(0, 1), (1, 1), (0, 2)]);
    let text = "no path leads from block 1 to the end of the kernel";
    assert_eq!(error(&kernel), text);
    let mut kernel = blocks(&[Branch::Uniform], &[]);
    kernel.add_buffer(Buffer {
        size: 4,
        alignment: 0,
    });
    assert!(matches!(
        plan(&kernel, &Options::default()),
        Err(PlanError::Planner(_))
    ));
}

#[test]
fn barriers_in_divergent_control_are_errors() {
    use Branch::{Divergent, Uniform};
    // A loop that each thread leaves by itself.
    let mut kernel = blocks(&[Uniform, Divergent, Uniform], &[(0, 1), (1, 1), (1, 2)]);
    kernel.push(BlockId(2), Action::Barrier);
    assert!(Analysis::of(&kernel).is_ok());
    kernel.push(BlockId(1), Action::Barrier);
    let text =
        "the barrier at action 0 of block 1 is in divergent control, from the branch of block 1 on";
    assert_eq!(error(&kernel), text);
    // A thread that returns early.
    let mut kernel = blocks(&[Divergent, Uniform, Uniform], &[(0, 1), (0, 2)]);
    kernel.push(BlockId(2), Action::Barrier);
    assert_eq!(
        Analysis::of(&kernel).map(|_| ()),
        Err(KernelError::DivergentBarrier {
            place: Place {
                block: BlockId(2),
                action: 0
            },
            branch: BlockId(0)
        })
    );
    // Both edges lead to the same block.
    let mut kernel = blocks(&[Divergent, Uniform], &[(0, 1), (0, 1)]);
    kernel.push(BlockId(1), Action::Barrier);
    assert!(Analysis::of(&kernel).is_ok());
}

#[test]
fn divergent_control_is_that_of_its_definition() {
    let mut divergent = 0;
    for seed in 0..500 {
        let kernel = kernel(seed, SMALL);
        let reachable = {
            let mut reached = vec![BlockId(0)];
            let mut at = 0;
            while at < reached.len() {
                let successors = &kernel.blocks[reached[at]].successors;
                let new: Vec<_> = successors
                    .iter()
                    .filter(|to| !reached.contains(to))
                    .collect();
                reached.extend(new);
                at += 1;
            }
            reached
        };
        let is_uniform = uniform_blocks(&kernel);
        for block in kernel.blocks.keys() {
            let place = Place { block, action: 0 };
            let found = Analysis::of(&kernel.with_barriers(&[place]));
            let expected = is_uniform[block.index()] || !reachable.contains(&block);
            assert_eq!(
                found.is_ok(),
                expected,
                "seed {seed}, {block:?}: {kernel:?}"
            );
            divergent += usize::from(!expected);
        }
    }
    assert!(divergent > 500, "{divergent}");
}

#[test]
fn the_interpreter_finds_barriers_that_threads_do_not_share() {
    let mut kernel = blocks(
        &[Branch::Divergent, Branch::Uniform, Branch::Uniform],
        &[(0, 1), (0, 2), (1, 2)],
    );
    kernel.push(BlockId(1), Action::Barrier);
    let run = Run {
        threads: 4,
        schedule: Schedule::RoundRobin,
        timing: Timing::Early,
        most_visits: 2,
        seed: 0,
    };
    let found = (0..10).filter_map(|seed| {
        let mut random = Random::new(seed);
        interpret(&kernel, &PrimaryMap::new(), &run, &mut random).err()
    });
    let place = Place {
        block: BlockId(1),
        action: 0,
    };
    assert!(found.clone().count() > 0);
    assert!(found.clone().all(|fault| fault == Fault::Barrier { place }));
}

/// Lost contents are found without a race, in one schedule.
#[test]
fn the_interpreter_finds_lost_contents() {
    let mut kernel = blocks(&[Branch::Uniform], &[]);
    let [one, other] = [4; 2].map(|size| kernel.add_buffer(Buffer { size, alignment: 1 }));
    let write = |buffer| Action::Write(buffer, Extent::Whole);
    for action in [
        write(one),
        Action::Barrier,
        write(other),
        Action::Barrier,
        Action::Read(one),
    ] {
        kernel.push(BlockId(0), action);
    }
    let run = Run {
        threads: 2,
        schedule: Schedule::RunAhead,
        timing: Timing::Early,
        most_visits: 1,
        seed: 0,
    };
    let offsets = PrimaryMap::from_iter([0, 3]);
    let fault = interpret(&kernel, &offsets, &run, &mut Random::new(0)).expect_err("one byte");
    assert!(
        matches!(fault, Fault::Lost { byte: 3, read } if read.buffer == one),
        "{fault}"
    );
    let offsets = PrimaryMap::from_iter([0, 4]);
    assert_eq!(
        interpret(&kernel, &offsets, &run, &mut Random::new(0)),
        Ok(())
    );
}

#[test]
fn pairs_that_interfere_and_share_bytes_are_found() {
    let mut kernel = blocks(&[Branch::Uniform], &[]);
    let [one, other] = [4, 0].map(|size| kernel.add_buffer(Buffer { size, alignment: 1 }));
    let last = kernel.add_buffer(Buffer {
        size: 2,
        alignment: 1,
    });
    for buffer in [one, other, last] {
        kernel.push(BlockId(0), Action::Write(buffer, Extent::Whole));
    }
    let analysis = Analysis::of(&kernel).expect("valid kernel");
    let overlap = |offsets: [u64; 3]| {
        let offsets = PrimaryMap::from_iter(offsets);
        analysis.interference().overlap(&kernel, &offsets)
    };
    assert_eq!(overlap([0, 2, 3]), Some((one, last)));
    assert_eq!(overlap([1, 2, 0]), Some((one, last)));
    assert_eq!(overlap([2, 3, 0]), None);
    assert_eq!(overlap([0, 0, 4]), None);
}
