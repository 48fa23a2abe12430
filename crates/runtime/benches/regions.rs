//! Time of the allocations of one iteration and of freeing them. Regions that are cleared, released to a mark, or
//! made and released in each iteration are compared with glibc and mimalloc.
//!
//! `ci/bench regions`. Each allocator is called as a compiled program calls it: a C function through a pointer for
//! each allocation. The program writes both ends of the memory. A region that is cleared is also filled with the
//! inlined fast path, as Rust code and `memplan_region_take` in C do. The measurements alternate, so that a busy
//! machine affects all alike.

use std::ffi::c_void;
use std::hint::black_box;
use std::mem::ManuallyDrop;
use std::time::{Duration, Instant};

use memplan_runtime::{Region, c_api};

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

const SIZES: [usize; 9] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
const ROUNDS: usize = 15;
const ALLOCATIONS: usize = 200_000;

fn main() {
    println!("time of an allocation and its release, ns, median of {ROUNDS} rounds");
    for count in [1, 10, 100, 1000] {
        table(count);
    }
}

fn table(count: usize) {
    println!();
    println!("{count} for each iteration");
    println!(
        "          without call            called                        glibc over          mimalloc over"
    );
    println!(
        "   bytes       cleared  cleared   mark   made  glibc  mimalloc  no call  called  no call  called"
    );
    let mut products = [1.0; 4];
    for size in SIZES {
        let mut loops = Loops::new(count, size);
        let mut times: [Vec<f64>; 6] = Default::default();
        for round in 0..=ROUNDS {
            let took = [
                loops.without_call(),
                loops.region(),
                loops.mark(),
                loops.new_region(),
                loops.glibc(),
                loops.mimalloc(),
            ];
            // The first round warms up.
            if round > 0 {
                for (times, took) in times.iter_mut().zip(took) {
                    times.push(took.as_secs_f64() * 1e9 / (loops.iterations * count) as f64);
                }
            }
        }
        let [without, region, mark, new_region, glibc, mimalloc] = times.map(median);
        let ratios = [
            glibc / without,
            glibc / region,
            mimalloc / without,
            mimalloc / region,
        ];
        for (product, ratio) in products.iter_mut().zip(ratios) {
            *product *= ratio;
        }
        println!(
            "{size:>8}{without:>14.2}{region:>9.2}{mark:>7.2}{new_region:>7.2}{glibc:>7.2}{mimalloc:>10.2}{:>9.1}{:>8.1}{:>9.1}{:>8.1}",
            ratios[0], ratios[1], ratios[2], ratios[3],
        );
    }
    let means = products.map(|product| f64::powf(product, 1.0 / SIZES.len() as f64));
    println!(
        "geometric mean{:>57.1}{:>8.1}{:>9.1}{:>8.1}",
        means[0], means[1], means[2], means[3],
    );
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

type Allocate = unsafe extern "C" fn(i64, i64, i64) -> *mut c_void;

struct Loops {
    count: usize,
    size: usize,
    iterations: usize,
    memory: Vec<*mut u8>,
    region: i64,
}

/// Writes both ends of an allocation, as programs write what they allocate.
fn touch(memory: *mut u8, size: usize) {
    // SAFETY: so many bytes were allocated.
    unsafe {
        memory.write_volatile(1);
        memory.add(size - 1).write_volatile(1);
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

impl Loops {
    fn new(count: usize, size: usize) -> Self {
        Self {
            count,
            size,
            iterations: ALLOCATIONS / count,
            memory: vec![std::ptr::null_mut(); count],
            region: c_api::memplan_region_make(),
        }
    }

    /// The allocations of one iteration.
    #[inline(never)]
    fn fill(&self, allocate: Allocate, region: i64) {
        let size = self.size;
        for _ in 0..self.count {
            // SAFETY: this thread fills the region.
            let memory = unsafe { allocate(region, size as i64, 16) };
            touch(memory.cast(), size);
        }
    }

    /// The allocations of one iteration, with the inlined fast path.
    #[inline(never)]
    fn take(&self, region: &Region) {
        let size = self.size;
        for _ in 0..self.count {
            // SAFETY: this thread fills the region.
            let memory = unsafe { region.allocate(size as i64, 16) };
            touch(memory.expect("there is memory").as_ptr(), size);
        }
    }

    fn without_call(&mut self) -> Duration {
        // SAFETY: `Loops` owns the reference, and it is not released here.
        let region = ManuallyDrop::new(unsafe { Region::from_handle(self.region) });
        timed(|| {
            for _ in 0..self.iterations {
                self.take(&region);
                // SAFETY: this thread fills the region, and its memory is not used any more.
                unsafe { region.clear() }.expect("nobody else fills it");
            }
        })
    }

    fn region(&mut self) -> Duration {
        let allocate = black_box(c_api::memplan_region_allocate as Allocate);
        let clear = black_box(c_api::memplan_region_clear as unsafe extern "C" fn(i64));
        timed(|| {
            for _ in 0..self.iterations {
                self.fill(allocate, self.region);
                // SAFETY: this thread fills the region, and its memory is not used any more.
                unsafe { clear(self.region) };
            }
        })
    }

    fn mark(&mut self) -> Duration {
        let allocate = black_box(c_api::memplan_region_allocate as Allocate);
        let release = black_box(c_api::memplan_region_release_to as unsafe extern "C" fn(i64, i64));
        let took = timed(|| {
            let mark = c_api::memplan_region_mark(self.region);
            for _ in 0..self.iterations {
                self.fill(allocate, self.region);
                // SAFETY: this thread fills the region, and the memory after the mark is not used any more.
                unsafe { release(self.region, mark) };
            }
        });
        // SAFETY: as above.
        unsafe { c_api::memplan_region_clear(self.region) };
        took
    }

    fn new_region(&mut self) -> Duration {
        let allocate = black_box(c_api::memplan_region_allocate as Allocate);
        let make = black_box(c_api::memplan_region_make as extern "C" fn() -> i64);
        let release = black_box(c_api::memplan_region_release as unsafe extern "C" fn(i64));
        timed(|| {
            for _ in 0..self.iterations {
                let region = make();
                self.fill(allocate, region);
                // SAFETY: this thread fills the region, and its memory is not used any more.
                unsafe { release(region) };
            }
        })
    }

    fn glibc(&mut self) -> Duration {
        let (malloc, free) = (
            black_box(malloc as unsafe extern "C" fn(usize) -> *mut c_void),
            black_box(free as unsafe extern "C" fn(*mut c_void)),
        );
        // SAFETY: only memory that was allocated is freed.
        self.one_by_one(
            |size| unsafe { malloc(size) },
            |memory| unsafe { free(memory) },
        )
    }

    fn mimalloc(&mut self) -> Duration {
        let (malloc, free) = (
            black_box(libmimalloc_sys::mi_malloc as unsafe extern "C" fn(usize) -> *mut c_void),
            black_box(libmimalloc_sys::mi_free as unsafe extern "C" fn(*mut c_void)),
        );
        // SAFETY: as above.
        self.one_by_one(
            |size| unsafe { malloc(size) },
            |memory| unsafe { free(memory) },
        )
    }

    fn one_by_one(
        &mut self,
        malloc: impl Fn(usize) -> *mut c_void,
        free: impl Fn(*mut c_void),
    ) -> Duration {
        let size = self.size;
        timed(|| {
            for _ in 0..self.iterations {
                for one in &mut self.memory {
                    *one = malloc(size).cast();
                    touch(*one, size);
                }
                for one in &self.memory {
                    free(one.cast());
                }
            }
        })
    }
}

impl Drop for Loops {
    fn drop(&mut self) {
        // SAFETY: `Loops` owns the region.
        unsafe { c_api::memplan_region_release(self.region) };
    }
}
