#![forbid(unsafe_code)]
mod kernels;
