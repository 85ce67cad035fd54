//! Timings of drawings: `lanescope tui --timings`.

use std::time::{Duration, Instant};

/// How many drawings are kept: the median is over the last ones.
const KEPT: usize = 4096;

/// The time of each drawing, and of the first one that shows a program.
#[derive(Debug, Default)]
pub struct Timings {
    drawn: Vec<Duration>,
    count: usize,
    loaded: Option<Instant>,
    first: Option<Duration>,
}

impl Timings {
    /// A program was loaded.
    pub fn loaded(&mut self) {
        self.loaded.get_or_insert_with(Instant::now);
    }

    /// A drawing took so long.
    pub fn drawn(&mut self, took: Duration) {
        if self.drawn.len() < KEPT {
            self.drawn.push(took);
        } else {
            self.drawn[self.count % KEPT] = took;
        }
        self.count += 1;
        if self.first.is_none() {
            self.first = self.loaded.map(|loaded| loaded.elapsed());
        }
    }

    /// All of it as a line: `first screen 12.3 ms after loading; 57 frames: median 0.61 ms, most 3.20 ms`.
    pub fn summary(&self) -> String {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let mut sorted = self.drawn.clone();
        sorted.sort_unstable();
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        let most = sorted.last().copied().unwrap_or_default();
        let first = self.first.map(|first| format!("first screen {:.1} ms after loading; ", ms(first)));
        let (median, most) = (ms(median), ms(most));
        format!("{}{} frames: median {median:.2} ms, most {most:.2} ms", first.unwrap_or_default(), self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_of_all_drawings() {
        let mut timings = Timings::default();
        for took in [1, 2, 9] {
            timings.drawn(Duration::from_millis(took));
        }
        assert_eq!(timings.summary(), "3 frames: median 2.00 ms, most 9.00 ms");
        timings.loaded();
        timings.drawn(Duration::ZERO);
        assert!(timings.summary().starts_with("first screen 0.0 ms after loading; 4 frames"), "{}", timings.summary());
    }
}
