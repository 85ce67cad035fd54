//! One page of HTML without references to other files: sums as tables, histograms as SVG, and all rows in a table that
//! is sorted and filtered in the browser.

use std::fmt::Write as _;

use super::row::Row;
use super::{Comparison, Summary};
use crate::table::{Align, Table};

/// Rows are written one after the other: [`Page::begin`], [`Page::row`] for each, [`Page::end`].
#[derive(Debug, Clone, Default)]
pub struct Page {
    rows: u64,
}

/// Columns of the table of rows.
const COLUMNS: [&str; 8] = ["#", "Pipeline", "Kind", "Stages", "Slots before", "Slots after", "Findings", "Failure"];

/// Bars of a histogram.
const BARS: usize = 32;

impl Page {
    /// The page up to the rows.
    pub fn begin(&self, title: &str) -> String {
        let title = escaped(title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n{STYLE}</head>\n<body><h1>{title}</h1>\n<script>\nconst rows = [\n"
        )
    }

    /// One row, as an element of an array.
    pub fn row(&mut self, row: &Row) -> String {
        let stages: Vec<&str> = row.stages.iter().map(|stage| stage.stage.name()).collect();
        let slots = row.packing.as_ref().map(|packing| (packing.before, packing.after));
        let failures: Vec<&str> = row.failures().collect();
        let own = (
            row.number,
            &row.pipeline,
            row.kind.name(),
            stages.join(" "),
            slots.map(|(before, _)| before),
            slots.map(|(_, after)| after),
            row.findings.values().sum::<u64>(),
            failures.join("; "),
        );
        let values = row.values();
        let driven: Vec<(usize, &str, &str, f64)> = values
            .iter()
            .filter_map(|value| Some((value.driver?, value.of.as_ref(), value.name, value.value.number())))
            .collect();
        // Plain data always becomes JSON. A `<` may end the script.
        let json = serde_json::to_string(&(own, driven)).unwrap_or_default().replace('<', "\\u003c");
        let comma = if self.rows == 0 { "" } else { ",\n" };
        self.rows += 1;
        format!("{comma}{json}")
    }

    /// The rest of the page.
    pub fn end(&self, summary: &Summary, comparison: Option<&Comparison>) -> String {
        let mut out = String::from("\n];\n</script>\n");
        if let Some(comparison) = comparison {
            out.push_str("<h2>Comparison</h2>\n<pre>");
            out.push_str(&escaped(&comparison.lines().join("\n")));
            out.push_str("</pre>\n");
            std::iter::once(comparison.table()).chain(comparison.extremes()).for_each(|table| html(&table, &mut out));
        }
        summary.tables().iter().for_each(|table| html(table, &mut out));
        for (title, histogram) in summary.histograms() {
            out.push_str(&picture(&title, &histogram.joined(BARS)));
        }
        let titles: String = COLUMNS.iter().map(|title| format!("<th>{title}</th>")).collect();
        let _ = write!(
            out,
            "<h2>Pipelines</h2>\n<p><input id=\"filter\" placeholder=\"Filter by text\"> <span id=\"count\"></span></p>\n\
             <table id=\"rows\"><thead><tr>{titles}</tr></thead><tbody></tbody></table>\n{SCRIPT}</body></html>\n"
        );
        out
    }
}

fn html(table: &Table, out: &mut String) {
    let side = |align: Align| if align == Align::Right { " class=\"n\"" } else { "" };
    let _ = write!(out, "<h2>{}</h2>\n<table class=\"sort\"><thead><tr>", escaped(&table.title));
    for column in &table.columns {
        let _ = write!(out, "<th{}>{}</th>", side(column.align), escaped(&column.title));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            let _ = write!(out, "<td{}>{}</td>", side(column.align), escaped(&cell.text()));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
}

/// A histogram: a bar for each range, its lower bound below.
fn picture(title: &str, ranges: &[(i64, u64)]) -> String {
    const BAR: usize = 22;
    const HEIGHT: f64 = 120.0;
    let most = ranges.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let width = ranges.len() * BAR + 20;
    let mut out = format!(
        "<figure><figcaption>{}</figcaption><svg width=\"{width}\" height=\"170\" viewBox=\"0 0 {width} 170\" role=\"img\">\n",
        escaped(title)
    );
    for (at, (bound, count)) in ranges.iter().enumerate() {
        let x = at * BAR + 10;
        let height = (*count as f64 * HEIGHT / most as f64).max(1.0);
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{:.1}\" width=\"{}\" height=\"{height:.1}\"><title>from {bound}: {count}</title></rect>\
             <text x=\"{}\" y=\"136\" transform=\"rotate(60 {} 136)\">{bound}</text>",
            HEIGHT - height + 8.0,
            BAR - 4,
            x + 4,
            x + 4,
        );
    }
    out.push_str("</svg></figure>\n");
    out
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && c != '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

const STYLE: &str = "<style>
body { font: 14px sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse } td, th { padding: 2px 10px; border-bottom: 1px solid #ddd; text-align: left }
th { cursor: pointer; background: #f2f2f2; position: sticky; top: 0 } .n { text-align: right; font-variant-numeric: tabular-nums }
figure { display: inline-block; margin: 1em 1em 0 0; vertical-align: top } rect { fill: #3572b0 } svg text { font-size: 10px }
</style>
";

/// Sorts tables by the column that is clicked, and shows the first rows that match the filter.
const SCRIPT: &str = "<script>
const compare = (a, b) => { const x = Number(a), y = Number(b);
  return a !== '' && b !== '' && !isNaN(x) && !isNaN(y) ? x - y : String(a).localeCompare(String(b)) };
for (const table of document.querySelectorAll('table.sort')) {
  table.querySelectorAll('th').forEach((th, at) => th.onclick = () => {
    const body = table.tBodies[0], sign = th.dataset.up ? -1 : 1;
    th.dataset.up = sign > 0 ? '1' : '';
    [...body.rows].sort((a, b) => sign * compare(a.cells[at].textContent, b.cells[at].textContent)).forEach(r => body.append(r));
  });
}
const LIMIT = 1000, body = document.querySelector('#rows tbody'), filter = document.querySelector('#filter');
let shown = rows;
const show = () => {
  body.replaceChildren(...shown.slice(0, LIMIT).map(([own, values]) => {
    const tr = document.createElement('tr');
    own.forEach(v => { const td = document.createElement('td'); td.textContent = v ?? ''; if (typeof v === 'number') td.className = 'n'; tr.append(td) });
    tr.title = values.map(v => v[1] + ': ' + v[2] + ' ' + v[3]).join('\\n');
    return tr;
  }));
  document.querySelector('#count').textContent = shown.length + ' of ' + rows.length + (shown.length > LIMIT ? ', the first ' + LIMIT + ' shown' : '');
};
filter.oninput = () => { const text = filter.value.toLowerCase();
  shown = rows.filter(r => r[0].join(' ').toLowerCase().includes(text)); show() };
document.querySelectorAll('#rows th').forEach((th, at) => th.onclick = () => {
  const sign = th.dataset.up ? -1 : 1; th.dataset.up = sign > 0 ? '1' : '';
  shown = [...shown].sort((a, b) => sign * compare(a[0][at] ?? '', b[0][at] ?? '')); show() });
show();
</script>
";
