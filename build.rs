//! Sets up the cdylib.
fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmemplan.so");
}
