//! DXIL, the form in which Direct3D 12 takes shaders.
//!
//! * [`ops`]: the intrinsics that it calls, stable and experimental.

pub mod ops;
