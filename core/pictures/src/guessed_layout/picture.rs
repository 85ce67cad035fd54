//! Both layouts as strips to scale, the guess above the application's, and the words of the keys.

use emath::{Pos2, Rect, pos2, vec2};
use lanescope_core::guessed_layout::{
    Against, Break, BreakKind, Difference, GuessedStage, Ingredient, Node, ResourceKind, RootItem, RootNode, SLOT,
    Table,
};
use lanescope_core::options::{AutoLayoutRule, KeyRule};
use lanescope_core::pipeline::NodeType;

use super::sgprs::{root_look, sgprs};
use super::timeline::timeline;
use crate::picture::{Anchor, Font, Mark, Pattern, Picture, Shape, Stroke, elide};
use crate::theme::Theme;

/// Where strips begin, and how wide the longest is.
const LEFT: f32 = 118.0;
const WIDTH: f32 = 760.0;
const STRIP: f32 = 34.0;
/// Space between the two strips of a set, for the lines that join them.
const BETWEEN: f32 = 44.0;
const MARGIN: f32 = 20.0;
/// Points of one dword of the root.
const ROOT_DWORD: f32 = 34.0;
/// The most ingredients of a key that are listed.
const MAX_WORDS: usize = 64;
/// The most nodes of one table that are drawn.
const MAX_NODES: usize = 256;

/// One stage's layouts, targets, keys and timeline; `rule` is that of the key whose words are listed.
pub fn picture(stage: &GuessedStage, rule: KeyRule, theme: &Theme) -> Picture {
    let title = format!("Guessed layout of the {} shader {}", stage.stage, stage.entry);
    let mut drawing = Drawing { picture: Picture::new(title, theme.page), theme, y: 24.0 };
    drawing.head(stage);
    if let Some(ahead) = &stage.ahead {
        drawing.heading("Speculative compile");
        let timeline = timeline(ahead, theme);
        drawing.picture.append(&timeline, pos2(0.0, drawing.y), 1.0);
        drawing.y += timeline.size.y + 12.0;
    }
    drawing.tables(stage);
    drawing.root(stage);
    drawing.sgprs(stage);
    drawing.targets(stage);
    drawing.keys(stage, rule);
    drawing.picture.fit(MARGIN);
    drawing.picture
}

struct Drawing<'t> {
    picture: Picture,
    theme: &'t Theme,
    y: f32,
}

/// The index of a node among the application's marks: set and binding in one number.
fn mark(set: u32, binding: u32) -> Mark {
    Mark::Binding([set, binding])
}

/// The colour of the series, and the pattern, of a node type.
fn look(node: NodeType) -> (usize, Option<Pattern>) {
    match node {
        NodeType::Buffer | NodeType::ConstBuffer | NodeType::BufferCompact | NodeType::ConstBufferCompact => (0, None),
        NodeType::Sampler => (1, Some(Pattern::Bars)),
        NodeType::Resource | NodeType::Image => (2, None),
        NodeType::CombinedTexture => (3, Some(Pattern::Bars)),
        NodeType::TexelBuffer | NodeType::ConstTexelBuffer => (4, Some(Pattern::Hatch)),
        _ => (7, None),
    }
}

impl Drawing<'_> {
    fn words(&mut self, x: f32, y: f32, text: &str) {
        self.picture.words(pos2(x, y), 12.0, self.theme.ink_soft, text);
    }

    fn heading(&mut self, text: &str) {
        self.y += 14.0;
        self.picture.words(pos2(MARGIN, self.y), 15.0, self.theme.ink, text);
        self.y += 20.0;
    }

    fn head(&mut self, stage: &GuessedStage) {
        let rule = match stage.rule {
            AutoLayoutRule::Note => "a stride of 48 bytes for each binding",
            AutoLayoutRule::Sequential => "bindings one after another",
        };
        let text = format!("{} {}: {rule}", stage.stage, stage.entry);
        self.picture.words(pos2(MARGIN, self.y), 15.0, self.theme.ink, &text);
        self.y += 22.0;
        let verdict = match &stage.against {
            Some(against) if against.hit && !against.usable => {
                format!("hit, not usable by the design note: {}", against.gaps.join("; "))
            }
            Some(against) if against.hit => {
                format!("hit: the guess matches {}", against.application.origin)
            }
            Some(against) => {
                let count = against.breaks.len();
                let things = if count == 1 { "1 mismatch".to_owned() } else { format!("{count} mismatches") };
                format!("miss: {things} with {}", against.application.origin)
            }
            None => "no pipeline description to compare with".to_owned(),
        };
        let color = match &stage.against {
            Some(against) if !against.usable => self.theme.warn,
            _ => self.theme.ink,
        };
        self.picture.words(pos2(MARGIN, self.y), 13.0, color, &verdict);
        self.y += 12.0;
        for why in &stage.ineligible {
            self.y += 18.0;
            self.picture.words(pos2(MARGIN, self.y), 12.0, self.theme.warn, &format!("no layout is guessed: {why}"));
        }
    }

    fn tables(&mut self, stage: &GuessedStage) {
        let theirs = stage.against.as_ref().map(|against| &against.application.layout);
        let mut sets: Vec<u32> = stage.layout.tables.iter().map(|table| table.set).collect();
        sets.extend(theirs.iter().flat_map(|layout| &layout.tables).map(|table| table.set));
        sets.sort_unstable();
        sets.dedup();
        if sets.is_empty() {
            return;
        }
        self.heading("Descriptor tables, in bytes");
        let find = |tables: &[Table], set| tables.iter().find(|table| table.set == set).cloned();
        let longest = stage.layout.tables.iter().chain(theirs.iter().flat_map(|layout| &layout.tables));
        let longest = longest.map(|table| table.dwords).max().unwrap_or(1).max(SLOT);
        let scale = (WIDTH / longest as f32).min(12.0);
        for set in sets {
            let auto = find(&stage.layout.tables, set);
            let other = theirs.and_then(|layout| find(&layout.tables, set));
            self.set(stage, set, auto.as_ref(), other.as_ref(), scale);
        }
    }

    fn set(&mut self, stage: &GuessedStage, set: u32, auto: Option<&Table>, other: Option<&Table>, scale: f32) {
        let top = self.y + 12.0;
        self.picture.words(pos2(MARGIN, top + STRIP / 2.0), 13.0, self.theme.ink, &format!("set {set}"));
        self.words(MARGIN + 44.0, top + STRIP / 2.0, "guessed");
        self.ruler(auto.or(other), top - 6.0, scale, stage.rule);
        match auto {
            Some(table) => self.strip(table, top, scale, stage, true),
            None => self.words(LEFT, top + STRIP / 2.0, "not used by this shader"),
        }
        self.y = top + STRIP;
        let Some(against) = &stage.against else {
            self.y += 16.0;
            return;
        };
        let below = self.y + BETWEEN;
        self.words(MARGIN + 44.0, below + STRIP / 2.0, "given");
        match other {
            Some(table) => self.strip(table, below, scale, stage, false),
            None => self.words(LEFT, below + STRIP / 2.0, "table missing"),
        }
        for node in auto.iter().flat_map(|table| &table.nodes).take(MAX_NODES) {
            let target = other.and_then(|table| table.nodes.iter().find(|other| other.binding == node.binding));
            let from = middle(node, top + STRIP, scale);
            let to = target.map(|target| middle(target, below, scale));
            let breaks: Vec<&Break> =
                against.breaks.iter().filter(|one| one.binding == Some((node.set, node.binding))).collect();
            self.join(from, to, &breaks, mark(node.set, node.binding));
        }
        self.y = below + STRIP + 22.0;
    }

    /// Byte offsets above a strip: at slots, or at every few dwords.
    fn ruler(&mut self, table: Option<&Table>, y: f32, scale: f32, rule: AutoLayoutRule) {
        let Some(table) = table else { return };
        let unit = if rule == AutoLayoutRule::Note { SLOT } else { 4 };
        let mut step = unit;
        // Labels have 40 points each at least.
        while step as f32 * scale < 40.0 && step < table.dwords.max(1) {
            step = step.saturating_mul(2);
        }
        let mut at = 0u64;
        while at <= table.dwords {
            let x = LEFT + at as f32 * scale;
            self.picture.text(
                pos2(x, y),
                Anchor::Middle,
                10.0,
                Font::Code,
                self.theme.ink_soft,
                &at.saturating_mul(4).to_string(),
            );
            at = at.saturating_add(step.max(1));
        }
    }

    fn strip(&mut self, table: &Table, top: f32, scale: f32, stage: &GuessedStage, automatic: bool) {
        let whole = Rect::from_min_size(pos2(LEFT, top), vec2((table.dwords as f32 * scale).max(2.0), STRIP));
        let pattern = Some((Pattern::Hatch, self.theme.hairline));
        let stroke = Stroke::new(1.0, self.theme.outline);
        self.picture.push(Shape::Rect { rect: whole, fill: self.theme.panel, stroke, radius: 0, pattern });
        let guessed = stage.layout.by_place();
        for node in table.nodes.iter().take(MAX_NODES) {
            let used = automatic || guessed.contains_key(&node.at());
            self.node(node, top, scale, used);
        }
    }

    fn node(&mut self, node: &Node, top: f32, scale: f32, used: bool) {
        let width = (node.size as f32 * scale).clamp(3.0, 4096.0);
        let rect = Rect::from_min_size(pos2(LEFT + node.offset as f32 * scale, top), vec2(width, STRIP));
        let (series, pattern) = look(node.node);
        let series = self.theme.series(series);
        let (fill, line, pattern) = match used {
            true => (series.fill, series.line, pattern.map(|pattern| (pattern, series.pattern))),
            false => (self.theme.page, self.theme.outline, None),
        };
        let stroke = if used { Stroke::new(1.5, line) } else { Stroke::new(1.0, line).dashed(3.0) };
        let shape = Shape::Rect { rect, fill, stroke, radius: 2, pattern };
        self.picture.push(shape).mark(mark(node.set, node.binding));
        let ink = if used { self.theme.ink } else { self.theme.ink_soft };
        let count = if node.array_size == 1 { String::new() } else { format!("[{}]", node.array_size) };
        let name = node.name.as_deref().unwrap_or("");
        let lines = [format!("{}{count} {name}", node.binding), kind_name(node).to_owned()];
        for (line, dy) in lines.iter().zip([-6.0, 8.0]) {
            let text = elide(line, Font::Words, 11.0, width - 6.0);
            if !text.is_empty() && width > 14.0 {
                let at = pos2(rect.left() + 4.0, rect.center().y + dy);
                self.picture.words(at, 11.0, ink, &text);
            }
        }
    }

    /// A line between equal nodes, or a broken one that says why.
    fn join(&mut self, from: Pos2, to: Option<Pos2>, breaks: &[&Break], mark: Mark) {
        let end = to.unwrap_or(pos2(from.x, from.y + BETWEEN / 2.0));
        if breaks.is_empty() {
            let stroke = Stroke::new(1.5, self.theme.outline);
            self.picture.line(from, end, stroke).mark(mark);
            return;
        }
        let stroke = Stroke::new(2.0, self.theme.warn).dashed(4.0);
        self.picture.line(from, end, stroke).mark(mark);
        let centre = from.lerp(end, 0.5);
        let arm = 5.0;
        let stroke = Stroke::new(2.0, self.theme.warn);
        self.picture.line(centre + vec2(-arm, -arm), centre + vec2(arm, arm), stroke);
        self.picture.line(centre + vec2(-arm, arm), centre + vec2(arm, -arm), stroke);
        let words: Vec<&str> = breaks.iter().map(|one| one.kind.words()).collect();
        self.picture.words(centre + vec2(10.0, 0.0), 11.0, self.theme.warn, &words.join(", "));
    }

    fn root(&mut self, stage: &GuessedStage) {
        self.heading("Root: user data, in dwords");
        let top = self.y + 4.0;
        self.words(MARGIN + 44.0, top + STRIP / 2.0, "guessed");
        let auto = self.roots(&stage.layout.root, top);
        self.y = top + STRIP;
        if let Some(against) = &stage.against {
            let below = self.y + BETWEEN;
            self.words(MARGIN + 44.0, below + STRIP / 2.0, "given");
            let other = self.roots(&against.application.layout.root, below);
            for (from, (root, _)) in auto.iter().zip(stage.layout.root.iter().zip(0..)) {
                let same = |(_, other): &(usize, &RootNode)| same_item(&root.item, &other.item);
                let theirs = against.application.layout.root.iter().enumerate().find(same);
                let to = theirs.and_then(|(index, _)| other.get(index)).map(|rect| rect.center_top());
                let missing = against.breaks.iter().filter(|one| {
                    matches!((&root.item, one.kind), (RootItem::PushConstants, BreakKind::PushConstants))
                        || matches!(&root.item, RootItem::Buffer(node) if one.binding == Some((node.set, node.binding)))
                });
                let breaks: Vec<&Break> = missing.collect();
                if to.is_some() || !breaks.is_empty() {
                    self.join(from.center_bottom(), to, &breaks, mark(u32::MAX, 0));
                }
            }
            self.y = below + STRIP;
            for gap in &against.gaps {
                self.y += 18.0;
                self.picture.words(pos2(LEFT, self.y), 12.0, self.theme.warn, &format!("! {gap}"));
            }
        }
        self.y += 10.0;
    }

    fn sgprs(&mut self, stage: &GuessedStage) {
        let Some(data) = &stage.user_data else { return };
        self.heading("User SGPRs of the guessed code");
        let picture = sgprs(data, &stage.layout, stage.against.as_ref(), self.theme);
        self.picture.append(&picture, pos2(0.0, self.y), 1.0);
        self.y += picture.size.y + 6.0;
    }

    /// The places of the nodes of a root.
    fn roots(&mut self, root: &[RootNode], top: f32) -> Vec<Rect> {
        if root.is_empty() {
            self.words(LEFT, top + STRIP / 2.0, "empty");
        }
        let end = root.iter().map(|root| root.offset.saturating_add(root.size)).max().unwrap_or(1);
        let scale = (WIDTH / end.max(1) as f32).min(ROOT_DWORD);
        let mut places = Vec::new();
        for node in root.iter().take(MAX_NODES) {
            let left = LEFT + node.offset as f32 * scale;
            let width = (node.size as f32 * scale).clamp(4.0, 4096.0);
            let rect = Rect::from_min_size(pos2(left, top), vec2(width, STRIP));
            let (fill, line) = root_look(&node.item, self.theme);
            let text = match &node.item {
                RootItem::Table { set } => format!("set {set}"),
                RootItem::Buffer(one) => format!("buffer {}.{}", one.set, one.binding),
                item => item.what(),
            };
            self.picture.rect(rect, fill, Stroke::new(1.5, line), 2);
            let text = elide(&text, Font::Words, 11.0, width - 4.0);
            self.picture.text(rect.center() - vec2(0.0, 5.0), Anchor::Middle, 11.0, Font::Words, self.theme.ink, &text);
            let last = node.offset.saturating_add(node.size).saturating_sub(1);
            let place = if last > node.offset { format!("{}–{last}", node.offset) } else { node.offset.to_string() };
            let at = rect.center() + vec2(0.0, 9.0);
            self.picture.text(at, Anchor::Middle, 9.0, Font::Code, self.theme.ink_soft, &place);
            places.push(rect);
        }
        places
    }

    fn targets(&mut self, stage: &GuessedStage) {
        if stage.outputs.is_empty() {
            return;
        }
        self.heading("Outputs and color attachments");
        const COLUMNS: [f32; 6] = [MARGIN, 84.0, 240.0, 386.0, 496.0, 692.0];
        const SIGN: f32 = 484.0;
        let given = if stage.against.is_some() { ["given", "exported as"] } else { ["", ""] };
        let titles = ["location", "output", "guessed", "exported as", given[0], given[1]];
        for (title, x) in titles.into_iter().zip(COLUMNS) {
            self.words(x, self.y, title);
        }
        self.y += 20.0;
        for output in &stage.outputs {
            let auto = stage.colors.iter().find(|color| color.location == output.location && output.index == 0);
            let colors = stage.against.as_ref().map(|against| &against.application.colors);
            let other = colors.and_then(|all| all.iter().find(|color| color.location == output.location));
            let index = if output.index > 0 { format!(" index {}", output.index) } else { String::new() };
            let name = output.name.as_deref().unwrap_or("");
            let cells = [
                format!("{}{index}", output.location),
                elide(&format!("{name} {} x {}", output.basic_type, output.components), Font::Words, 12.0, 148.0),
                output.format.clone(),
                auto.map_or_else(String::new, |color| color.export_name.clone()),
                other.map_or_else(String::new, |color| {
                    format!("{}{}", color.format, if color.blend { " blended" } else { "" })
                }),
                other.map_or_else(String::new, |color| color.export_name.clone()),
            ];
            for (cell, x) in cells.iter().zip(COLUMNS) {
                self.picture.words(pos2(x, self.y), 12.0, self.theme.ink, cell);
            }
            if let (Some(a), Some(b)) = (auto, other) {
                self.sign(SIGN, a.export == b.export);
            }
            self.y += 20.0;
        }
    }

    /// The keys by every rule, then the words of one of them with their place among the bytes that are hashed.
    fn keys(&mut self, stage: &GuessedStage, rule: KeyRule) {
        const COLUMNS: [f32; 4] = [MARGIN, 66.0, 390.0, 570.0];
        const SIGN: f32 = 552.0;
        self.heading("Keys");
        let theirs = stage.against.as_ref().map(|against| &against.keys);
        for (index, key) in stage.keys.iter().enumerate() {
            self.words(MARGIN, self.y, key.rule.words());
            self.code(COLUMNS[2], 12.0, self.theme.ink, &key.hash.to_string());
            if let Some(other) = theirs.and_then(|keys| keys.get(index)) {
                self.code(COLUMNS[3], 12.0, self.theme.ink, &other.hash.to_string());
                self.sign(SIGN, key.hash == other.hash);
            }
            self.y += 18.0;
        }
        let at = stage.keys.iter().position(|key| key.rule == rule).unwrap_or(0);
        let mine = &stage.keys[at];
        self.heading(&format!("Words of the key ({})", mine.rule.words()));
        let guess = if theirs.is_some() { "guessed" } else { "" };
        let given = if theirs.is_some() { "given" } else { "" };
        for (title, x) in ["byte", "", guess, given].into_iter().zip(COLUMNS) {
            self.words(x, self.y, title);
        }
        self.y += 17.0;
        let rows: Vec<Difference<'_>> = match theirs.and_then(|keys| keys.get(at)) {
            Some(theirs) => mine.beside(theirs),
            None => mine.ingredients.iter().map(|one| (&one.label, Some(one), None)).collect(),
        };
        let differs = |(_, a, b): &Difference<'_>| theirs.is_some() && a.map(|a| a.value) != b.map(|b| b.value);
        let mut shown: Vec<(usize, &Difference<'_>)> = rows.iter().enumerate().collect();
        if shown.len() > MAX_WORDS {
            // What differs is looked for.
            shown.sort_by_key(|(_, row)| !differs(row));
        }
        let value = |one: &Option<&Ingredient>| one.map_or_else(|| "–".to_owned(), |one| one.value.to_string());
        for (index, row) in shown.into_iter().take(MAX_WORDS) {
            let (label, a, b) = row;
            let ink = if differs(row) { self.theme.warn } else { self.theme.ink_soft };
            if a.is_some() {
                self.code(COLUMNS[0], 11.0, ink, &format!("{:#06x}", index * 4));
            }
            self.picture.words(pos2(COLUMNS[1], self.y), 11.0, ink, &label.to_string());
            self.code(COLUMNS[2], 11.0, ink, &value(a));
            if theirs.is_some() {
                self.code(COLUMNS[3], 11.0, ink, &value(b));
                if differs(row) {
                    self.sign(SIGN, false);
                }
            }
            self.y += 15.0;
        }
        if rows.len() > MAX_WORDS {
            let more = format!("{} more words", rows.len() - MAX_WORDS);
            self.words(MARGIN, self.y, &more);
        }
    }

    fn code(&mut self, x: f32, size: f32, ink: ecolor::Color32, text: &str) {
        self.picture.text(pos2(x, self.y), Anchor::Start, size, Font::Code, ink, text);
    }

    /// Whether two values are the same.
    fn sign(&mut self, x: f32, same: bool) {
        let (sign, ink) = if same { ("=", self.theme.ink_soft) } else { ("≠", self.theme.warn) };
        self.picture.text(pos2(x, self.y), Anchor::Middle, 14.0, Font::Code, ink, sign);
    }
}

fn middle(node: &Node, y: f32, scale: f32) -> Pos2 {
    let width = (node.size as f32 * scale).clamp(3.0, 4096.0);
    pos2(LEFT + node.offset as f32 * scale + width / 2.0, y)
}

fn kind_name(node: &Node) -> &'static str {
    match node.kind {
        Some(ResourceKind::UniformBlock) => "uniform",
        Some(ResourceKind::StorageBlock) => "storage",
        Some(ResourceKind::Sampler) => "sampler",
        Some(ResourceKind::SampledImage) => "image",
        Some(ResourceKind::CombinedImage) => "image + sampler",
        Some(ResourceKind::StorageImage) => "storage image",
        Some(ResourceKind::InputAttachment) => "input attachment",
        Some(ResourceKind::UniformTexels) => "texel buffer",
        Some(ResourceKind::StorageTexels) => "storage texels",
        Some(ResourceKind::AccelerationStructure) => "acceleration structure",
        Some(ResourceKind::Other) | None => node.node.name().trim_start_matches("Descriptor"),
    }
}

fn same_item(a: &RootItem, b: &RootItem) -> bool {
    match (a, b) {
        (RootItem::Table { set: a }, RootItem::Table { set: b }) => a == b,
        (RootItem::Buffer(a), RootItem::Buffer(b)) => (a.set, a.binding) == (b.set, b.binding),
        (RootItem::PushConstants, RootItem::PushConstants) => true,
        _ => false,
    }
}

/// Text for the item under the pointer.
pub fn describe(stage: &GuessedStage, set: u32, binding: u32) -> Vec<String> {
    let mut out = Vec::new();
    let line = |name: &str, node: &Node, at_root: bool| {
        let place = if at_root { "root dword" } else { "dword" };
        format!(
            "{name}: {} at {place} {} (byte {}), {} dwords",
            node.node,
            node.offset,
            node.offset.saturating_mul(4),
            node.size
        )
    };
    out.push(format!("set {set} binding {binding}"));
    out.extend(stage.layout.find(set, binding).map(|(node, root)| line("guessed", node, root)));
    if let Some(Against { application, breaks, .. }) = &stage.against {
        out.extend(application.layout.find(set, binding).map(|(node, root)| line("given", node, root)));
        out.extend(breaks.iter().filter(|one| one.binding == Some((set, binding))).map(Break::message));
    }
    out
}
