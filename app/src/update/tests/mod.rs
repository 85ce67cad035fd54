//! Every command, without a window.
