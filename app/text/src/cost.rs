//! The costs of workgroup layouts as text.

use std::io::{self, Write};

use lanescope_core::cost::{
    Advice, Cost, Dependence, Verdict, accesses_table, layouts_table, orders_table, sources_table,
};
use lanescope_core::text_format::counted;

use super::Style;
use super::page::{Line, Page};

/// Writes what `cost` prints.
///
/// # Errors
/// Those of `out`.
pub fn write(cost: &Cost, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let page = &mut Page::new(out, style);
    let ([x, y, z], [gx, gy, gz]) = (cost.size, cost.groups);
    page.heading("Costs", &format!("{} {x}×{y}×{z}, waves of {}, {}", cost.entry, cost.wave, cost.chip))?;
    let dispatch = format!(
        "{gx}×{gy}×{gz} workgroups, {}; {} counted. Images: {}. What is not given: {}.",
        cost.groups_reason, cost.counted, cost.tiling, cost.contents
    );
    page.prose(Line::from(" "), &dispatch)?;
    page.blank()?;
    page.table(&layouts_table(cost), 1)?;
    page.blank()?;
    page.prose(Line::from(" "), &advice(&cost.advice))?;
    page.blank()?;
    page.heading("Accesses", &counted(cost.accesses.len(), "instruction"))?;
    page.table(&accesses_table(cost), 1)?;
    // One order alone says nothing.
    let orders = cost.orders.as_ref().filter(|orders| orders.advice.verdict != Verdict::Nothing);
    if let (Some(table), Some(orders)) = (orders_table(cost), orders) {
        page.blank()?;
        page.heading("Orders of workgroups", &format!("windows of {}", orders.window))?;
        page.table(&table, 1)?;
        page.blank()?;
        page.prose(Line::from(" "), &advice(&orders.advice))?;
    }
    if !cost.depends.is_empty() || !cost.notes.is_empty() {
        page.blank()?;
        page.heading("Notes", "")?;
    }
    for one in &cost.depends {
        page.prose(Line::from(" · "), &dependence(one, &cost.contents))?;
    }
    for note in &cost.notes {
        page.prose(Line::from(" · "), note)?;
    }
    page.blank()?;
    page.heading("Sources", "D documented, S read in source, C computed, G a guess")?;
    page.table(&sources_table(cost), 1)
}

/// The verdict, as a sentence.
fn advice(advice: &Advice) -> String {
    let text = &advice.text;
    match advice.verdict {
        Verdict::Keep => format!("Recommended: the selected one, {text}."),
        Verdict::Change => format!("Recommended: {text}."),
        Verdict::NoDifference | Verdict::TradeOff | Verdict::Nothing => {
            let mut letters = text.chars();
            letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
        }
    }
}

/// What depends on an input.
fn dependence(one: &Dependence, contents: &str) -> String {
    let place = one.descriptor.map(|[set, binding]| format!(" (set {set}, binding {binding})")).unwrap_or_default();
    let held = if one.given { "given" } else { contents };
    let mut parts = Vec::new();
    if !one.addresses.is_empty() {
        let list: Vec<String> = one.addresses.iter().take(LISTED).map(|inst| format!("#{inst}")).collect();
        let more = one.addresses.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        parts.push(format!("addresses of {}{more}", list.join(", ")));
    }
    if one.branches {
        parts.push("branches".to_owned());
    }
    let what = parts.join(" and ");
    format!("{what} may depend on the contents of {}{place}, which are {held}", one.resource)
}

/// Instructions that are listed.
const LISTED: usize = 8;
