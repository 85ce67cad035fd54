//! Work graphs on the software device, under the validation layer, against the answers that their sources state. Never
//! skipped: without either the tests fail.

mod common;
mod entries;
mod faults;
mod led;
mod lineage;
mod reference;
mod resume;
mod samples;
mod shapes;
