//! app

// Until a command calls it, only the tests use what is here.
#[cfg_attr(not(test), allow(dead_code))]
mod cli;

fn main() {}
