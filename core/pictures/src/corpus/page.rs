//! One page of HTML without references to other files: sums as tables, histograms as SVG, and all rows in a table that
//! is sorted and filtered in the browser.

use std::fmt::Write as _;

use lanescope_core::corpus::{Comparison, Row, Summary};
use lanescope_core::foreign::{escape_json, is_obeyed};
use lanescope_core::table::{Align, Table};

use super::histogram;
use crate::picture::svg;
use crate::theme::Theme;

/// Rows are written one after the other: [`Page::begin`], [`Page::row`] for each, [`Page::end`].
#[derive(Debug, Clone, Default)]
pub struct Page {
    rows: u64,
}

/// Columns of the table of rows.
const COLUMNS: [&str; 8] = ["#", "Pipeline", "Kind", "Stages", "Slots before", "Slots after", "Findings", "Failure"];

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
            .filter_map(|value| Some((value.driver?, value.of, value.name, value.value.number())))
            .collect();
        // Plain data always becomes JSON. A `<` may end the script.
        let json = serde_json::to_string(&(own, driven)).unwrap_or_default();
        let json = escape_json(&json).replace('<', "\\u003c");
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
        out.push_str("<h2>Histograms</h2>\n");
        // One statistic of several compilers is one row of figures.
        for (name, compilers) in summary.histograms_by_name() {
            out.push_str("<div>");
            for (place, values) in compilers {
                let title = if place.is_empty() { name.to_owned() } else { format!("{place}: {name}") };
                // In a page of HTML the name of the format is known.
                let drawn = svg(&histogram(&title, values, &Theme::light()));
                out.push_str("<figure>");
                out.push_str(&drawn.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1));
                out.push_str("</figure>");
            }
            out.push_str("</div>\n");
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

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if is_obeyed(c) && c != '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

const STYLE: &str = "<style>
body { font: 14px sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse } td, th { padding: 2px 10px; border-bottom: 1px solid #ddd; text-align: left }
th { cursor: pointer; background: #f2f2f2; position: sticky; top: 0 } .n { text-align: right; font-variant-numeric: tabular-nums }
figure { display: inline-block; margin: 1em 1em 0 0; vertical-align: top }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole_and_shows_names_as_text() {
        let row = |number: u64, name: &str, vgprs: u64| -> Row {
            let json = serde_json::json!({
                "number": number, "pipeline": name, "database": "a.foz", "kind": "compute",
                "drivers": [{ "place": "gfx1030", "driver": "radv", "variant": "original", "executables": [
                    { "name": "Compute Shader", "subgroup_size": 64, "statistics": { "VGPRs": vgprs } },
                ] }],
            });
            serde_json::from_value(json).expect("a row")
        };
        let mut page = Page::default();
        let mut summary = Summary::default();
        let mut html = page.begin("corpus <1>");
        for row in [row(0, "</script><b>", 24), row(1, "7cd9", 300)] {
            summary.add(&row);
            html += &page.row(&row);
        }
        html += &page.end(&summary, None);
        assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
        assert!(html.contains("<title>corpus &lt;1&gt;</title>"), "titles are text");
        assert!(!html.contains("</script><b>"), "a name cannot end the script");
        assert!(html.contains("<rect ") && html.contains("gfx1030: VGPRs"), "it has a histogram");
        assert!(!html.contains("http"), "it refers to nothing else");
    }
}
