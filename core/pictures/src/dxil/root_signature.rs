//! A root signature as it lies in the root arguments: parameters by dword, their tables, and what the shader declares there.

use emath::{Rect, pos2, vec2};
use lanescope_core::dxil::Summary;
use lanescope_core::dxil::parts::{Parameter, Range, RootSignature};
use lanescope_core::dxil::root_places::{PlacedResource, RootPlace};
use lanescope_core::text_format::counted;

use crate::picture::{Anchor, Font, Picture, Stroke};
use crate::theme::Theme;

/// Left edges and widths of the root arguments, of ranges, and of what is declared.
const LEFT: f32 = 76.0;
const WIDTH: f32 = 216.0;
const RANGES: f32 = 380.0;
const RANGE: f32 = 200.0;
const GAP: f32 = 14.0;
const MARGIN: f32 = 20.0;
/// Height of a dword, and the most of one parameter that is drawn to scale.
const DWORD: f32 = 24.0;
const MOST_DWORDS: u32 = 6;
/// The most ranges of one table, and the most parameters and samplers, that are drawn.
const MOST: usize = 64;
/// Classes of descriptors by the colour of the series.
const CLASSES: [&str; 4] = ["cbv", "sampler", "srv", "uav"];

/// Draws the root signature of a container; `None` where it has none, or one whose tables are not read.
pub fn root_signature(summary: &Summary, theme: &Theme) -> Option<Picture> {
    let root = summary.root_signature.as_ref().filter(|root| root.is_read())?;
    let size = root.dwords().map_or_else(|| "unknown size".to_owned(), |dwords| format!("{dwords} of 64 dwords"));
    let picture = Picture::new(format!("Root signature {} with {size}", root.version), theme.page);
    let mut drawing = Drawing { picture, theme, summary, free: 36.0 };
    drawing.small(LEFT, 20.0, &format!("root arguments, {size}"));
    drawing.picture.text(pos2(LEFT - 10.0, 20.0), Anchor::End, 12.0, Font::Words, theme.ink_soft, "dword");
    if root.parameters.iter().any(|parameter| !parameter.ranges.is_empty()) {
        drawing.small(RANGES, 20.0, "descriptors of the table");
    }
    let bottom = drawing.parameters(root);
    let bottom = drawing.samplers(root, bottom.max(drawing.free) + 16.0);
    drawing.uncovered(bottom + 16.0);
    drawing.picture.fit(MARGIN);
    Some(drawing.picture)
}

struct Drawing<'d> {
    picture: Picture,
    theme: &'d Theme,
    summary: &'d Summary,
    /// The height below which no table is drawn.
    free: f32,
}

/// The register letter of a class.
fn letter(class: &str) -> char {
    match class {
        "srv" => 't',
        "uav" => 'u',
        "sampler" => 's',
        _ => 'b',
    }
}

/// `t0`, `t0 to t3`, `t8 and up`; with the space where it is not 0.
fn registers(class: &str, first: u32, count: Option<u32>, space: u32) -> String {
    let letter = letter(class);
    let text = match count {
        Some(0 | 1) => format!("{letter}{first}"),
        Some(count) => format!("{letter}{first} to {letter}{}", first.saturating_add(count - 1)),
        None => format!("{letter}{first} and up"),
    };
    if space == 0 { text } else { format!("{text}, space {space}") }
}

impl Drawing<'_> {
    fn small(&mut self, x: f32, y: f32, text: &str) {
        self.picture.words(pos2(x, y), 12.0, self.theme.ink_soft, text);
    }

    /// A box with a text; `class` chooses its colour.
    fn block(&mut self, rect: Rect, class: &str, text: &str) {
        let (fill, line) = match CLASSES.iter().position(|known| *known == class) {
            Some(index) => (self.theme.series(index).fill, self.theme.series(index).line),
            None => (self.theme.panel, self.theme.hairline),
        };
        self.picture.rect(rect, fill, Stroke::new(1.0, line), 3);
        self.picture.text(
            pos2(rect.min.x + 8.0, rect.center().y),
            Anchor::Start,
            13.0,
            Font::Words,
            self.theme.ink,
            text,
        );
    }

    fn more(&mut self, x: f32, y: f32, all: usize, what: &str) {
        if let Some(more) = all.checked_sub(MOST).filter(|more| *more > 0) {
            self.small(x, y, &format!("and {}", counted(more, what)));
        }
    }

    /// The parameters below each other; returns where they end.
    fn parameters(&mut self, root: &RootSignature) -> f32 {
        let mut top = 36.0;
        for (number, parameter) in (0u32..).zip(&root.parameters).take(MOST) {
            let rows = parameter.dwords.unwrap_or(1).clamp(1, MOST_DWORDS);
            // A table is beside its ranges, as far as there is room.
            let rect = Rect::from_min_size(pos2(LEFT, top), vec2(WIDTH, rows as f32 * DWORD - 3.0));
            let dword = parameter.dword.to_string();
            let at = pos2(LEFT - 10.0, rect.min.y + 10.0);
            self.picture.text(at, Anchor::End, 12.0, Font::Code, self.theme.ink_soft, &dword);
            let class = if parameter.kind == "constants" { "" } else { &*parameter.kind };
            self.block(rect, class, &parameter_text(number, parameter));
            if parameter.ranges.is_empty() {
                let here = |place: &RootPlace| match place {
                    RootPlace::Constants { parameter, .. } | RootPlace::Descriptor { parameter, .. } => {
                        *parameter == number
                    }
                    _ => false,
                };
                let declared = self.declared(here);
                self.picture.words(pos2(rect.max.x + GAP, rect.center().y), 12.0, self.theme.ink_soft, &declared);
            } else {
                self.table(number, parameter, rect);
            }
            top += rows as f32 * DWORD;
        }
        self.more(LEFT, top + 10.0, root.parameters.len(), "more parameter");
        top
    }

    /// The ranges of a table, joined with its parameter.
    fn table(&mut self, number: u32, parameter: &Parameter, from: Rect) {
        let mut y = self.free.max(from.min.y);
        let line = Stroke::new(1.0, self.theme.ink_soft);
        let (start, knee) = (pos2(from.max.x, from.center().y), RANGES - 34.0);
        self.picture.line(start, pos2(knee, start.y), line);
        let first = y + (DWORD - 3.0) / 2.0;
        let last = first + DWORD * (parameter.ranges.len().min(MOST) as f32 - 1.0);
        if last > start.y || first < start.y {
            self.picture.line(pos2(knee, start.y.min(first)), pos2(knee, last.max(start.y)), line);
        }
        for range in parameter.ranges.iter().take(MOST) {
            let rect = Rect::from_min_size(pos2(RANGES, y), vec2(RANGE, DWORD - 3.0));
            self.picture.line(pos2(knee, rect.center().y), pos2(knee + 8.0, rect.center().y), line);
            let begin = range.begin.map_or_else(|| "?".to_owned(), |begin| begin.to_string());
            let at = pos2(RANGES - 6.0, rect.center().y);
            self.picture.text(at, Anchor::End, 12.0, Font::Code, self.theme.ink_soft, &begin);
            let text = format!("{} {}", range.class, registers(&range.class, range.register, range.count, range.space));
            self.block(rect, &range.class, &text);
            let declared = self.declared(|place| is_in(place, number, range));
            self.picture.words(pos2(rect.max.x + GAP, rect.center().y), 12.0, self.theme.ink_soft, &declared);
            y += DWORD;
        }
        self.more(RANGES, y + 8.0, parameter.ranges.len(), "more range");
        self.free = y + if parameter.ranges.len() > MOST { DWORD } else { 6.0 };
    }

    /// Static samplers, which take no argument; returns where they end.
    fn samplers(&mut self, root: &RootSignature, mut y: f32) -> f32 {
        if root.samplers.is_empty() {
            return y;
        }
        self.small(LEFT, y, "static samplers, no argument");
        y += 14.0;
        for (number, sampler) in (0u32..).zip(&root.samplers).take(MOST) {
            let rect = Rect::from_min_size(pos2(LEFT, y), vec2(WIDTH, DWORD - 3.0));
            let text = format!(
                "{} for {}",
                registers("sampler", sampler.register, Some(1), sampler.space),
                sampler.visibility
            );
            self.block(rect, "sampler", &text);
            let declared = self.declared(|place| *place == RootPlace::StaticSampler { number });
            self.picture.words(pos2(rect.max.x + GAP, rect.center().y), 12.0, self.theme.ink_soft, &declared);
            y += DWORD;
        }
        self.more(LEFT, y + 8.0, root.samplers.len(), "more sampler");
        y
    }

    /// What the shader declares and no parameter covers.
    fn uncovered(&mut self, mut y: f32) {
        let summary = self.summary;
        for resource in summary.root_places.iter().filter(|resource| resource.place.is_none()).take(MOST) {
            let text = format!("{} is not covered", self.name(resource));
            self.picture.words(pos2(LEFT, y), 13.0, self.theme.warn, &text);
            y += 18.0;
        }
    }

    /// The declared resources at a place.
    fn declared(&self, at: impl Fn(&RootPlace) -> bool) -> String {
        let here = |resource: &&PlacedResource| resource.place.as_ref().is_some_and(&at);
        let all: Vec<String> =
            self.summary.root_places.iter().filter(here).map(|resource| self.name(resource)).take(8).collect();
        if all.is_empty() { "not declared by the shader".to_owned() } else { all.join("; ") }
    }

    /// `t0 to t3 Layers`.
    fn name(&self, resource: &PlacedResource) -> String {
        let PlacedResource { class, space, lower, .. } = resource;
        let mut all = self.summary.resources.iter();
        let named = all.find(|one| one.class == *class && one.space == *space && one.lower == *lower);
        let name = named.map(|named| named.name.as_str()).filter(|name| !name.is_empty());
        name.map_or_else(|| resource.registers(), |name| format!("{} {name}", resource.registers()))
    }
}

/// `[2] cbv b0`, `[1] 6 constants b2`, `[0] table of 2 ranges`, and for whom, where not for all.
fn parameter_text(number: u32, parameter: &Parameter) -> String {
    let Parameter { kind, register, space, constants, ranges, visibility, .. } = parameter;
    let place = register.zip(*space).map(|(register, space)| registers(kind, register, Some(1), space));
    let what = match (&**kind, place) {
        ("constants", Some(place)) => format!("{} {place}", counted(constants.unwrap_or(0), "constant")),
        (kind, Some(place)) => format!("{kind} {place}"),
        (kind, None) => format!("{kind} of {}", counted(ranges.len(), "range")),
    };
    let whom = if *visibility == "all" { String::new() } else { format!(" for {visibility}") };
    format!("[{number}] {what}{whom}")
}

/// Whether a place is in a range of a table.
fn is_in(place: &RootPlace, number: u32, range: &Range) -> bool {
    let RootPlace::Table { parameter, offset, .. } = place else { return false };
    if *parameter != number {
        return false;
    }
    match (*offset, range.begin) {
        (Some(offset), Some(begin)) => offset >= begin && range.count.is_none_or(|count| offset - begin < count),
        // Both follow an unbounded range.
        (None, None) => true,
        _ => false,
    }
}
