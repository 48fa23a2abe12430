//! Barriers that are added.

use memplan_workgroup::{
    Action, Branch, Buffer, BufferId, Extent, Inserted, Kernel, Options, Place, plan,
};

/// A block of phases without barriers; each writes and reads a buffer.
fn phases(sizes: &[u64]) -> Kernel {
    let mut kernel = Kernel::new();
    let entry = kernel.add_block(Branch::Uniform);
    for &size in sizes {
        let buffer = kernel.add_buffer(Buffer { size, alignment: 1 });
        kernel.push(entry, Action::Write(buffer, Extent::Whole));
        kernel.push(entry, Action::Read(buffer));
    }
    kernel
}

fn inserted(kernel: &Kernel, most_barriers: usize) -> (u64, Vec<(usize, u64)>) {
    let options = Options {
        insert_barriers: true,
        most_barriers,
        ..Options::default()
    };
    let plan = plan(kernel, &options).expect("valid kernel");
    let places = plan.inserted.iter();
    let places = places.map(|barrier| (barrier.place.action, barrier.saved_bytes));
    (plan.bytes, places.collect())
}

#[test]
fn each_barrier_says_what_it_saves() {
    let kernel = phases(&[100, 40, 10]);
    assert_eq!(inserted(&kernel, 8), (100, vec![(2, 50)]));
    let kernel = phases(&[100, 100]);
    assert_eq!(inserted(&kernel, 8), (100, vec![(2, 100)]));
    // The first barrier alone leaves 20 + 60, the second alone 100 + 20.
    let kernel = phases(&[100, 20, 90]);
    assert_eq!(inserted(&kernel, 8), (100, vec![(2, 20), (4, 10)]));
    assert_eq!(inserted(&kernel, 1), (110, vec![(2, 100)]));
    assert_eq!(inserted(&kernel, 0), (210, vec![]));
}

/// Eight phases of equal sizes: all seven barriers are needed for the fewest bytes. The first ones save nothing alone, as
/// other intervals stay as large.
#[test]
fn barriers_that_lower_one_of_several_intervals_come_first() {
    let kernel = phases(&[16; 8]);
    let saved = |places: &[usize]| places.iter().map(|place| (*place, 16)).collect();
    assert_eq!(inserted(&kernel, 8), (16, saved(&[2, 4, 6, 8, 10, 12, 14])));
    assert_eq!(inserted(&kernel, 1), (64, vec![(8, 64)]));
    let (bytes, places) = inserted(&kernel, 3);
    assert_eq!((bytes, places.len()), (32, 3));
}

/// In a loop, one barrier separates nothing: the next iteration follows without one.
#[test]
fn a_pair_of_barriers_saves_together() {
    let mut kernel = phases(&[64, 64]);
    let entry = kernel.blocks.keys().next().expect("a block");
    kernel.add_edge(entry, entry);
    let end = kernel.add_block(Branch::Uniform);
    kernel.add_edge(entry, end);
    let (bytes, places) = inserted(&kernel, 8);
    assert_eq!((bytes, places), (64, vec![(0, 64), (2, 64)]));
    assert_eq!(inserted(&kernel, 1), (128, vec![]));
}

/// Each of the four phases must be apart from the next one.
#[test]
fn three_barriers_that_save_only_together() {
    let mut kernel = phases(&[64, 64]);
    let entry = kernel.blocks.keys().next().expect("a block");
    let again = kernel.blocks[entry].actions.clone();
    kernel.blocks[entry].actions.extend(again);
    let expected = vec![(2, 64), (4, 64), (6, 64)];
    assert_eq!(inserted(&kernel, 8), (64, expected));
    assert_eq!(inserted(&kernel, 2), (128, vec![]));
}

/// No barrier is added where none saves anything.
#[test]
fn contents_that_live_on_need_no_barrier() {
    let mut kernel = phases(&[64, 64]);
    let entry = kernel.blocks.keys().next().expect("a block");
    kernel.push(entry, Action::Read(BufferId(0)));
    assert_eq!(inserted(&kernel, 8), (128, vec![]));
}

/// Few attempts give another answer, but always a valid one, and the same each time.
#[test]
fn attempts_are_counted() {
    let kernel = phases(&[8, 7, 6, 5, 4, 3, 2, 1]);
    let with = |attempts| {
        let options = Options {
            insert_barriers: true,
            attempts,
            ..Options::default()
        };
        plan(&kernel, &options).expect("valid kernel")
    };
    let (none, few, many) = (with(0), with(5), with(1000));
    assert_eq!((none.bytes, many.bytes), (36, 8));
    assert!(few.bytes < none.bytes && few.bytes >= many.bytes);
    assert_eq!(with(5).inserted, few.inserted);
    let sorted: Vec<Inserted> = many.inserted.clone();
    assert!(sorted.is_sorted_by_key(|barrier: &Inserted| -> Place { barrier.place }));
}
