//! The verdict of a run in one line: equal, different, order-dependent, or not comparable.

use lanescope_core::run::{Execution, OutputCompare, Ran};

/// How good the news is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// As it should be.
    Good,
    /// Nothing to judge.
    Plain,
    /// Worth a look.
    Warning,
    /// Wrong.
    Bad,
}

/// A line with its sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) tone: Tone,
    pub(super) sign: &'static str,
    pub(super) text: String,
}

/// The verdict of a run.
pub(super) fn verdict(ran: &Ran) -> Verdict {
    let run = &ran.execution.run;
    let Some(compare) = &run.compare else {
        return match &run.not_rewritten {
            Some(why) if run.unchanged => Verdict {
                tone: Tone::Plain,
                sign: "·",
                text: format!("The program ran; rewriting would not change it: {why}"),
            },
            Some(why) => Verdict {
                tone: Tone::Warning,
                sign: "!",
                text: format!("The original ran; it cannot be rewritten: {why}"),
            },
            None => {
                Verdict { tone: Tone::Plain, sign: "·", text: "The program ran; nothing to compare with".to_owned() }
            }
        };
    };
    let different: Vec<_> = compare.outputs.iter().filter(|output| !output.is_equal()).collect();
    if different.is_empty() {
        let text = "Equal, bit for bit: original and rewritten program wrote the same bytes".to_owned();
        return Verdict { tone: Tone::Good, sign: "=", text };
    }
    let list: Vec<_> = different.iter().map(|output| differs(&ran.execution, output)).collect();
    let text = format!("{} of {} outputs differ: {}", different.len(), compare.outputs.len(), list.join("; "));
    if run.differs() {
        Verdict { tone: Tone::Bad, sign: "≠", text }
    } else {
        let text = format!("Order-dependent, so not a failure. {text}");
        Verdict { tone: Tone::Warning, sign: "≈", text }
    }
}

/// How much of an output differs: `color0 in 3 of 16,384 samples`.
pub(super) fn differs(of: &Execution, output: &OutputCompare) -> String {
    if let Some(unlike) = output.unlike {
        return format!("{} {}", output.name, unlike.sentence());
    }
    let (all, unit) = units(of, &output.name);
    format!("{} in {} of {all} {unit}", output.name, output.differing)
}

/// How many units an output has, and what they are.
fn units(of: &Execution, name: &str) -> (u64, &'static str) {
    let run = &of.run;
    if let Some(a) = run.attachments.iter().find(|a| a.name == name) {
        return (a.bytes / 16, if a.samples > 1 { "samples" } else { "pixels" });
    }
    if let Some(image) = run.images.iter().find(|image| image.name == name) {
        return (image.bytes / u64::from(image.texel_bytes.max(1)), "texels");
    }
    let bytes = run.buffers.iter().find(|buffer| buffer.name == name).map_or(0, |buffer| buffer.bytes);
    (bytes.div_ceil(4), "words")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery;

    #[test]
    fn every_verdict_has_a_sign_and_a_text() {
        let equal = gallery::compute_run(false);
        let different = gallery::compute_run(true);
        let mut ordered = different.clone();
        ordered.execution.run.order_dependent = vec!["atomic counters".to_owned()];
        let mut alone = equal.clone();
        (alone.execution.run.compare, alone.against) = (None, None);
        let mut refused = alone.clone();
        refused.execution.run.not_rewritten = Some("OpFoo".to_owned());
        let mut unchanged = alone.clone();
        let why = "the layout does not change the ids".to_owned();
        (unchanged.execution.run.not_rewritten, unchanged.execution.run.unchanged) = (Some(why), true);
        for (ran, tone, sign, words) in [
            (&equal, Tone::Good, "=", "Equal, bit for bit"),
            (&different, Tone::Bad, "≠", "1 of 1 outputs differ: set0.binding0 in 3 of 1024 words"),
            (&ordered, Tone::Warning, "≈", "Order-dependent"),
            (&alone, Tone::Plain, "·", "nothing to compare with"),
            (&unchanged, Tone::Plain, "·", "rewriting would not change it: the layout does not change the ids"),
            (&refused, Tone::Warning, "!", "cannot be rewritten: OpFoo"),
        ] {
            let found = verdict(ran);
            assert_eq!((found.tone, found.sign), (tone, sign));
            assert!(found.text.contains(words), "{}", found.text);
        }
    }
}
