//! Sentences of a report.

use crate::report::{AccessSite, Advice, Cost, Dependence, LayoutCost, MemoryKind, Orders, Verdict};
use crate::touch::WaveTouch;

/// Instructions, or lines, that are listed.
const LISTED: usize = 8;

impl Cost {
    /// The dispatch, and what its figures assume.
    pub fn dispatch(&self) -> String {
        let [x, y, z] = self.groups;
        format!(
            "{x}×{y}×{z} workgroups, {}; {} counted. Images: {}. What is not given: {}.",
            self.groups_reason, self.counted, self.tiling, self.contents
        )
    }

    /// What matters of an access in a layout: lines and sectors, or passes of LDS.
    pub fn figures(&self, layout: &LayoutCost, access: usize) -> String {
        let counts = layout.accesses.get(access).copied().unwrap_or_default();
        match self.accesses.get(access).map(|site| site.memory) {
            Some(MemoryKind::Shared) => format!("{} LDS passes, at least {}", counts.lds_passes, counts.lds_least),
            _ => format!("{} lines, {} sectors", counts.lines(self.line), counts.sectors),
        }
    }

    /// The orders of workgroups, if there is more than one: one alone says nothing.
    pub fn told_orders(&self) -> Option<&Orders> {
        self.orders.as_ref().filter(|orders| orders.advice.verdict != Verdict::Nothing)
    }
}

impl AccessSite {
    /// Its source line without the folder; empty where it has none.
    pub fn place(&self) -> &str {
        let line = self.line.as_deref().unwrap_or_default();
        line.rsplit(['/', '\\']).next().unwrap_or(line)
    }
}

impl Advice {
    /// The verdict as a sentence.
    pub fn sentence(&self) -> String {
        let text = &self.text;
        match self.verdict {
            Verdict::Keep => format!("Recommended: the selected one, {text}."),
            Verdict::Change => format!("Recommended: {text}."),
            Verdict::NoDifference | Verdict::TradeOff | Verdict::Nothing => {
                let mut letters = text.chars();
                letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
            }
        }
    }
}

impl Dependence {
    /// What depends on the input; `contents` are those of inputs that are not given.
    pub fn sentence(&self, contents: &str) -> String {
        let place =
            self.descriptor.map(|[set, binding]| format!(" (set {set}, binding {binding})")).unwrap_or_default();
        let held = if self.given { "given" } else { contents };
        let mut parts = Vec::new();
        if !self.addresses.is_empty() {
            let list = listed(self.addresses.iter().map(|inst| format!("#{inst}")));
            parts.push(format!("addresses of {list}"));
        }
        if self.branches {
            parts.push("branches".to_owned());
        }
        let what = parts.join(" and ");
        format!("{what} may depend on the contents of {}{place}, which are {held}", self.resource)
    }
}

impl WaveTouch {
    /// How many lines or banks the wave touches, and which: `2: 4, 5`.
    pub fn words(&self) -> String {
        let list = listed(self.touched.iter().map(u32::to_string));
        if self.touched.is_empty() { "0".to_owned() } else { format!("{}: {list}", self.touched.len()) }
    }
}

/// The first of them, and how many more there are.
fn listed(all: impl ExactSizeIterator<Item = String>) -> String {
    let more = all.len().saturating_sub(LISTED);
    let list: Vec<String> = all.take(LISTED).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", list.join(", "))
}
