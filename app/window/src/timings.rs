//! Frame timings: `lanescope --timings`.

use std::time::{Duration, Instant};

/// Counts frames from the start of the program on.
#[derive(Debug)]
pub struct Timings {
    begin: Instant,
    frames: u64,
}

impl Timings {
    /// Nothing was drawn yet.
    pub fn new() -> Timings {
        Timings { begin: Instant::now(), frames: 0 }
    }

    /// The line for a frame that has just been laid out.
    pub fn frame(&mut self, work: Duration) -> String {
        self.frames += 1;
        let (after, work) = (self.begin.elapsed().as_secs_f64() * 1e3, work.as_secs_f64() * 1e3);
        format!("frame {}: {after:.1} ms after start, {work:.2} ms", self.frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_numbered_and_timed() {
        let mut timings = Timings::new();
        timings.frame(Duration::ZERO);
        let line = timings.frame(Duration::from_micros(1250));
        assert!(line.starts_with("frame 2: ") && line.ends_with(" ms after start, 1.25 ms"), "{line}");
    }
}
