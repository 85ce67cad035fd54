//! The total figures as text, for the text report and the window.

use super::{Row, Summary};
use crate::speculative::change;
use lanescope_base::text_format::{counted, duration};

impl Summary<'_> {
    /// The rows that have a time: how many, the sum of it, and of the times without speculative compiles.
    fn sum_of(&self, time: impl Fn(&Row) -> Option<u64>) -> (usize, u64, u64) {
        self.rows.iter().filter_map(|row| Some((time(row)?, row.without))).fold((0, 0, 0), |sum, (time, without)| {
            (sum.0 + 1, sum.1.saturating_add(time), sum.2.saturating_add(without))
        })
    }

    /// The figures: what each is, and its text. The pipelines that were left out are counted, not listed.
    pub fn figures(&self) -> Vec<(&'static str, String)> {
        let stages = counted(self.stages, "stage");
        let hits =
            format!("{} of {stages} ({:.0} %); a layout was guessed for {}", self.hits, self.rate(), self.eligible);
        let mut out = vec![("hits", hits)];
        let breaks: Vec<String> =
            self.breaks().iter().map(|(kind, count)| format!("{} ({count})", kind.words())).collect();
        if !breaks.is_empty() {
            out.push(("breaks", breaks.join(", ")));
        }
        let [with, without] = [self.with_ns, self.without_ns].map(duration);
        out.push(("waits", format!("{with} with it, {without} without: {}", change(self.saved()))));
        if self.usable < self.hits {
            let saved = change(self.usable_saved());
            let text = format!("{} of {stages} by the note ({:.0} %): {saved}", self.usable, self.usable_rate());
            out.push(("usable", text));
        }
        if self.linked > 0 {
            let [linked, without] = [self.linked_ns, self.linked_without_ns].map(duration);
            let text = format!("{} from libraries in {linked}, {without} without", counted(self.linked, "pipeline"));
            out.push(("linked", text));
        }
        let kept = [
            ("objects", "as shader objects", self.sum_of(|row| row.objects)),
            ("binaries", "from pipeline binaries", self.sum_of(|row| row.binaries)),
        ];
        for (what, how, (count, time, without)) in kept.into_iter().filter(|(.., (count, ..))| *count > 0) {
            let [time, without] = [time, without].map(duration);
            out.push((
                what,
                format!("{} {how} that were kept in {time}, {without} without", counted(count, "pipeline")),
            ));
        }
        out.push(("wasted", format!("{}, {}", counted(self.wasted, "compile"), duration(self.wasted_ns))));
        out.push(("cache", counted(self.bytes, "byte")));
        let others = [
            (self.without_stage, "without a fragment or compute shader"),
            (self.unreadable, "that could not be read"),
            (self.left_out.len(), "left out"),
        ];
        let others = others.iter().filter(|(count, _)| *count > 0);
        let others: Vec<_> = others.map(|(count, what)| format!("{} {what}", counted(*count, "pipeline"))).collect();
        if !others.is_empty() {
            out.push(("not", others.join(", ")));
        }
        if self.damages > 0 {
            out.push(("damages", format!("{} of databases", counted(self.damages, "finding"))));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speculative_corpus::Rows;

    #[test]
    fn times_have_at_most_three_digits() {
        let table = [
            (0, "0 µs"),
            (400, "0.4 µs"),
            (5_000, "5.0 µs"),
            (42_000, "42 µs"),
            (1_250_000, "1.25 ms"),
            (250_000_000, "250 ms"),
        ];
        for (nanoseconds, text) in table {
            assert_eq!(duration(nanoseconds), text);
        }
    }

    #[test]
    fn counts_pipelines_left_out_of_the_sums() {
        let all = Rows { unreadable: 2, without_stage: 1, damages: 1, ..Rows::default() };
        let figures = Summary::of(&all).figures();
        let text = |name: &str| figures.iter().find(|(what, _)| *what == name).map(|(_, text)| text.as_str());
        let not = "1 pipeline without a fragment or compute shader, 2 pipelines that could not be read";
        assert_eq!((text("not"), text("damages")), (Some(not), Some("1 finding of databases")));
        assert_eq!((text("breaks"), text("usable"), text("linked")), (None, None, None));
    }
}
