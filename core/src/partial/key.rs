//! The keys under which a compiled stage is kept: their ingredients, word by word, and their hash.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::application::Color;
use super::coarse;
use super::label::Label;
use super::layout::{Layout, Node, RootItem};
use crate::ids::{Hash64, Hex, RegisterValue};
use crate::options::{KeyRule, Options};
use crate::pipeline::{NodeType, layout::LLPC_STAGES};
use crate::program::StageKind;
use crate::run::hash;
use crate::spirv::{EntryPoint, Module};

/// One word that entered a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ingredient {
    /// What it is: `set 0 binding 2: offset`.
    pub label: Label,
    /// Its value.
    pub value: RegisterValue,
}

/// A key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The rule that says what enters it.
    pub rule: KeyRule,
    /// XXH3 of the words, little-endian.
    pub hash: Hash64,
    /// The words, in order.
    pub ingredients: Vec<Ingredient>,
}

/// A label, and the words under it in two keys.
pub type Difference<'k> = (&'k Label, Option<&'k Ingredient>, Option<&'k Ingredient>);

impl Key {
    /// The words that the two keys do not share, in order: label, value here, value there.
    pub fn difference<'k>(&'k self, other: &'k Key) -> Vec<Difference<'k>> {
        // A layout may have thousands of bindings, each of which has half a dozen words.
        let texts = |key: &'k Key| -> Vec<(String, &'k Ingredient)> {
            key.ingredients.iter().map(|one| (one.label.to_string(), one)).collect()
        };
        let (here, there) = (texts(self), texts(other));
        // Of equal labels the first one counts.
        let by_label = |all: &[(String, &'k Ingredient)]| -> BTreeMap<String, &'k Ingredient> {
            all.iter().rev().cloned().collect()
        };
        let (mine, theirs) = (by_label(&here), by_label(&there));
        let all = here.iter().map(|(label, one)| (&one.label, Some(*one), theirs.get(label).copied()));
        let more = there.iter().filter(|(label, _)| !mine.contains_key(label));
        let more = more.map(|(_, one)| (&one.label, None, Some(*one)));
        all.chain(more).filter(|(_, a, b)| a.map(|a| a.value) != b.map(|b| b.value)).collect()
    }
}

/// What a key is made of.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The module's: see [`module_hash`].
    pub hash: Hash64,
    /// The entry point.
    pub entry: &'a EntryPoint,
    /// Its stage.
    pub stage: StageKind,
    /// Every knob.
    pub options: &'a Options,
    /// The bindings that the shader uses, once each.
    pub active: &'a [(u32, u32)],
    /// Bindings that the layout hides from the stage.
    pub hidden: &'a [(u32, u32)],
    /// Bindings whose descriptors are part of the layout.
    pub fixed: &'a [(u32, u32)],
    /// Whether the shader uses push constants.
    pub push: bool,
    /// The layout.
    pub layout: &'a Layout,
    /// Colour targets by location.
    pub colors: &'a [Color],
    /// The values of specialization constants that are set, by id.
    pub spec: &'a [(u32, String)],
}

#[derive(Default)]
struct Words(Vec<Ingredient>);

impl Words {
    fn put(&mut self, label: impl Into<Label>, value: u64) {
        // A word holds what fits: offsets and sizes that do not are refused before a key is asked for.
        let value = Hex(u64::from(u32::try_from(value).unwrap_or(u32::MAX)));
        self.0.push(Ingredient { label: label.into(), value });
    }

    fn bytes(&mut self, label: impl Into<Label>, bytes: &[u8]) {
        let label = label.into();
        self.put(label.bytes(), bytes.len() as u64);
        for (index, chunk) in (0..).zip(bytes.chunks(4)) {
            let word = chunk.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
            self.put(label.word(index), word);
        }
    }

    /// Which binding a node is, and how far its elements stand apart.
    fn place(&mut self, at: &Arc<str>, node: &Node) {
        self.put(Label::of(at, "set"), u64::from(node.set));
        self.put(Label::of(at, "binding"), u64::from(node.binding));
        self.put(Label::of(at, "stride"), node.stride);
    }

    fn finish(self, rule: KeyRule) -> Key {
        let bytes: Vec<u8> = self.0.iter().flat_map(|one| (one.value.0 as u32).to_le_bytes()).collect();
        Key { rule, hash: hash(&bytes), ingredients: self.0 }
    }
}

/// A module's part of a key.
pub fn module_hash(module: &Module) -> Hash64 {
    hash(&module.words().iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())
}

/// The key of a stage with a layout, under a rule.
pub fn key(subject: &Subject<'_>, rule: KeyRule) -> Key {
    let mut words = Words::default();
    let Hex(module) = subject.hash;
    words.put("module hash: low", module & 0xffff_ffff);
    words.put("module hash: high", module >> 32);
    words.bytes("entry name", subject.entry.name.as_bytes());
    words.put("stage", stage_number(subject.stage));
    words.put("specialization constants", subject.spec.len() as u64);
    for (id, value) in subject.spec {
        words.put(format!("constant {id}: id"), u64::from(*id));
        words.bytes(format!("constant {id}"), value.as_bytes());
    }
    words.bytes("chip", subject.options.target.name().as_bytes());
    words.bytes("wave size", subject.options.wave.name().as_bytes());
    match rule {
        KeyRule::Note => active(&mut words, subject),
        KeyRule::Llpc => whole(&mut words, subject),
    }
    for color in subject.colors.iter().filter(|color| color.export != 0) {
        let at: Arc<str> = format!("target {}", color.location).into();
        words.put(Label::of(&at, "location"), u64::from(color.location));
        match rule {
            KeyRule::Note => words.put(Label::of(&at, "export format"), u64::from(color.export)),
            KeyRule::Llpc => {
                words.bytes(Label::of(&at, "format"), color.format.as_bytes());
                words.put(Label::of(&at, "blend"), u64::from(color.blend));
            }
        }
    }
    words.finish(rule)
}

/// LLPC's number of a stage: the bit of its visibility.
fn stage_number(stage: StageKind) -> u64 {
    LLPC_STAGES.iter().position(|known| *known == stage).map_or(0, |at| at as u64)
}

/// The note's rule: nodes that the shader uses, by set and binding; those of tables with their offset, then those of
/// the root without; then whether there are push constants.
fn active(words: &mut Words, subject: &Subject<'_>) {
    let seen = subject.active.iter().filter(|place| !subject.hidden.contains(place));
    let mut found: Vec<(&Node, bool)> = seen.filter_map(|&(set, binding)| subject.layout.find(set, binding)).collect();
    found.sort_by_key(|(node, at_root)| (*at_root, node.set, node.binding));
    for (node, at_root) in found {
        let at: Arc<str> = format!("{}{}", node.place(), if at_root { " (root)" } else { "" }).into();
        words.put(Label::of(&at, "type"), u64::from(coarse(node.node).number()));
        words.put(Label::of(&at, "size"), node.size);
        if !at_root {
            words.put(Label::of(&at, "offset"), node.offset);
        }
        words.place(&at, node);
        if subject.fixed.contains(&(node.set, node.binding)) {
            words.put(Label::of(&at, "sampler of the layout"), 1);
        }
    }
    if subject.push && subject.layout.push_constants().is_some() {
        words.put("push constants: type", u64::from(NodeType::PushConst.number()));
    }
}

/// Today's rule: the whole root that the stage sees, in its order, offsets of the root included.
fn whole(words: &mut Words, subject: &Subject<'_>) {
    words.put("static descriptors", subject.fixed.len() as u64);
    for (index, (set, binding)) in subject.fixed.iter().enumerate() {
        words.put(format!("static descriptor {index}: set"), u64::from(*set));
        words.put(format!("static descriptor {index}: binding"), u64::from(*binding));
    }
    words.put("root nodes", subject.layout.root.len() as u64);
    for (index, root) in subject.layout.root.iter().enumerate() {
        let at: Arc<str> = format!("root {index}").into();
        let kind = match &root.item {
            RootItem::Table { .. } => NodeType::TablePointer,
            RootItem::Buffer(node) => node.node,
            RootItem::PushConstants => NodeType::PushConst,
            RootItem::Other { node } => *node,
        };
        words.put(Label::of(&at, "type"), u64::from(kind.number()));
        words.put(Label::of(&at, "size"), root.size);
        words.put(Label::of(&at, "offset"), root.offset);
        match &root.item {
            RootItem::Buffer(node) => words.place(&at, node),
            RootItem::Table { set } => {
                let table = subject.layout.tables.iter().find(|table| table.set == *set);
                for node in table.iter().flat_map(|table| &table.nodes) {
                    let at: Arc<str> = format!("{at}, {}", node.place()).into();
                    words.put(Label::of(&at, "type"), u64::from(node.node.number()));
                    words.put(Label::of(&at, "size"), node.size);
                    words.put(Label::of(&at, "offset"), node.offset);
                    words.place(&at, node);
                }
            }
            RootItem::PushConstants | RootItem::Other { .. } => {}
        }
    }
}
