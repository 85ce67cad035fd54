//! The keys under which a compiled stage is kept: their ingredients, word by word, and their hash.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::Color;
use super::coarse;
use super::label::{Label, Of};
use super::layout::{Layout, Node};
use super::mapping::Mapping;
use lanescope_base::ids::{Hash64, Hex, RegisterValue, hash};
use lanescope_model::options::{KeyRule, Options};
use lanescope_model::program::StageKind;
use lanescope_pipeline::NodeType;
use lanescope_pipeline::layout::{ResourceNode, StaticDescriptor, llpc_bit};
use lanescope_spirv::{EntryPoint, Module};

/// One word that entered a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ingredient {
    /// Its label: `set 0 binding 2: offset`.
    pub label: Label,
    /// Its value.
    pub value: RegisterValue,
}

/// A key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Key {
    /// The rule that selects its inputs.
    pub rule: KeyRule,
    /// XXH3 of the words, little-endian.
    pub hash: Hash64,
    /// The words, in order.
    pub ingredients: Vec<Ingredient>,
}

/// A label, and the words under it in two keys.
pub type Difference<'k> = (&'k Label, Option<&'k Ingredient>, Option<&'k Ingredient>);

impl Key {
    /// The words of both keys side by side, in order: label, word here, word there. Those of the other key alone
    /// follow.
    ///
    /// Equal labels are paired in order: the first here with the first there, the second with the second.
    pub fn beside<'k>(&'k self, other: &'k Key) -> Vec<Difference<'k>> {
        let texts = |key: &'k Key| -> Vec<((String, u32), &'k Ingredient)> {
            let mut met: BTreeMap<String, u32> = BTreeMap::new();
            let mut numbered = |one: &'k Ingredient| {
                let text = one.label.to_string();
                let times = met.entry(text.clone()).or_default();
                *times += 1;
                ((text, *times), one)
            };
            key.ingredients.iter().map(&mut numbered).collect()
        };
        let (here, there) = (texts(self), texts(other));
        // A layout may have thousands of bindings, each of which has half a dozen words.
        let by_label = |all: &[((String, u32), &'k Ingredient)]| -> BTreeMap<(String, u32), &'k Ingredient> {
            all.iter().cloned().collect()
        };
        let (mine, theirs) = (by_label(&here), by_label(&there));
        let all = here.iter().map(|(label, one)| (&one.label, Some(*one), theirs.get(label).copied()));
        let more = there.iter().filter(|(label, _)| !mine.contains_key(label));
        all.chain(more.map(|(_, one)| (&one.label, None, Some(*one)))).collect()
    }

    /// The words that the two keys do not share, in order.
    pub fn difference<'k>(&'k self, other: &'k Key) -> Vec<Difference<'k>> {
        let mut all = self.beside(other);
        all.retain(|(_, a, b)| a.map(|a| a.value) != b.map(|b| b.value));
        all
    }
}

/// The inputs of a key.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The module's: see [`module_hash`].
    pub hash: Hash64,
    /// The entry point.
    pub entry: &'a EntryPoint,
    /// Its stage.
    pub stage: StageKind,
    /// All options.
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
    /// The layout in LLPC's form, for today's rule.
    pub mapping: &'a Mapping<'a>,
    /// Colour targets by location.
    pub colors: &'a [Color],
    /// The values of specialization constants that are set, by id.
    pub spec: &'a [(u32, String)],
}

struct Words(Vec<Ingredient>);

/// About as many words as the key of a small shader has.
const SOME: usize = 48;

impl Words {
    fn put(&mut self, label: impl Into<Label>, value: u64) {
        // A word holds what fits: offsets and sizes that do not are refused before a key is requested.
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

    /// The binding of a node, and the stride of its elements.
    fn place(&mut self, at: &Of, [set, binding]: [u32; 2], stride: u64) {
        self.put(Label::of(at, "set"), u64::from(set));
        self.put(Label::of(at, "binding"), u64::from(binding));
        self.put(Label::of(at, "stride"), stride);
    }

    fn finish(self, rule: KeyRule) -> Key {
        let words = self.0.iter().map(|one| one.value.0 as u32);
        Key { rule, hash: hash_of(words), ingredients: self.0 }
    }
}

/// A module's part of a key.
pub fn module_hash(module: &Module) -> Hash64 {
    hash_of(module.words().iter().copied())
}

/// The hash of words, little-endian.
fn hash_of(words: impl Iterator<Item = u32>) -> Hash64 {
    let bytes: Vec<[u8; 4]> = words.map(u32::to_le_bytes).collect();
    hash(bytes.as_flattened())
}

/// The key of a stage with a layout, under a rule.
pub fn key(subject: &Subject<'_>, rule: KeyRule) -> Key {
    let mut words = Words(Vec::with_capacity(SOME));
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
    options_of(&mut words, subject, rule);
    match rule {
        KeyRule::Note => active(&mut words, subject),
        KeyRule::Llpc => mapped(&mut words, subject.mapping, Some(subject.stage)),
        KeyRule::LlpcPipeline => mapped(&mut words, subject.mapping, None),
    }
    let targets = || subject.colors.iter().filter(|color| color.export != 0);
    words.put("targets", targets().count() as u64);
    for color in targets() {
        let at = Of::Numbered("target", color.location);
        words.put(Label::of(&at, "location"), u64::from(color.location));
        match rule {
            KeyRule::Note => words.put(Label::of(&at, "export format"), u64::from(color.export)),
            KeyRule::Llpc | KeyRule::LlpcPipeline => {
                words.bytes(Label::of(&at, "format"), color.format.as_bytes());
                words.put(Label::of(&at, "blend"), u64::from(color.blend));
                words.put(Label::of(&at, "blend by alpha"), u64::from(color.blends_by_alpha));
            }
        }
    }
    words.finish(rule)
}

/// LLPC's number of a stage: the bit of its visibility.
fn stage_number(stage: StageKind) -> u64 {
    u64::from(llpc_bit(stage).checked_ilog2().unwrap_or(0))
}

/// The options that change the code of a stage, each always there: 0 where it is off.
fn options_of(words: &mut Words, subject: &Subject<'_>, rule: KeyRule) {
    let options = subject.options;
    match subject.stage {
        StageKind::Compute => {
            words.put("thread ids swizzled", u64::from(options.force_swizzle));
            words.put("workgroup layout reconfigured", u64::from(options.reconfig));
            let sizes = ["workgroup size: x", "workgroup size: y", "workgroup size: z"];
            for (label, size) in sizes.into_iter().zip(options.group_size.unwrap_or_default()) {
                words.put(label, u64::from(size));
            }
            words.put("workgroup tile", u64::from(options.group_tile.unwrap_or(0)));
        }
        // State of the pipeline, of which the note's rule takes the export formats alone.
        StageKind::Fragment if rule != KeyRule::Note => {
            words.put("sample shading", u64::from(options.sample_shading));
        }
        _ => {}
    }
}

/// The note's rule: nodes that the shader uses, by set and binding; those of tables with their offset, then those of
/// the root without; then whether there are push constants. Each list starts with its length and each node has all of
/// its words, so that no two layouts have the same ones.
fn active(words: &mut Words, subject: &Subject<'_>) {
    let hidden: BTreeSet<&(u32, u32)> = subject.hidden.iter().collect();
    let fixed: BTreeSet<&(u32, u32)> = subject.fixed.iter().collect();
    let all = subject.layout.by_place();
    let seen = subject.active.iter().filter(|place| !hidden.contains(place));
    let mut found: Vec<(&Node, bool)> = seen.filter_map(|place| all.get(place).copied()).collect();
    found.sort_by_key(|(node, at_root)| (*at_root, node.at()));
    let (in_tables, roots) = found.split_at(found.partition_point(|(_, at_root)| !at_root));
    for (label, nodes) in [("nodes in tables", in_tables), ("nodes at the root", roots)] {
        words.put(label, nodes.len() as u64);
        for (node, at_root) in nodes {
            let at = Of::from(format!("{}{}", node.place(), if *at_root { " (root)" } else { "" }));
            words.put(Label::of(&at, "type"), u64::from(coarse(node.node).number()));
            words.put(Label::of(&at, "size"), node.size);
            if !at_root {
                words.put(Label::of(&at, "offset"), node.offset);
            }
            words.place(&at, [node.set, node.binding], node.stride);
            words.put(Label::of(&at, "immutable sampler"), u64::from(fixed.contains(&node.at())));
        }
    }
    let has_push = subject.push && subject.layout.push_constants().is_some();
    words.put("push constants: type", if has_push { u64::from(NodeType::PushConst.number()) } else { 0 });
}

/// Today's rule: static descriptors, then the root in its order, with its offsets and with what its tables hold.
///
/// For one stage, what others alone see counts without saying what it is, but for the values of static descriptors,
/// which enter in any case. For all stages each says who sees it. A layout's hash that a client supplies would replace
/// all of this in compute and for all stages; no description holds one.
fn mapped(words: &mut Words, mapping: &Mapping<'_>, stage: Option<StageKind>) {
    let sees = |mask: u32| stage.is_none_or(|stage| mask & llpc_bit(stage) != 0);
    words.put("static descriptors", mapping.static_descriptors.len() as u64);
    for (index, one) in (0..).zip(mapping.static_descriptors.iter()) {
        let at = Of::Numbered("static descriptor", index);
        if stage.is_none() {
            words.put(Label::of(&at, "visibility"), u64::from(one.visibility));
        }
        if sees(one.visibility) {
            words.put(Label::of(&at, "type"), number(one.ty));
            words.put(Label::of(&at, "set"), u64::from(one.set));
            words.put(Label::of(&at, "binding"), u64::from(one.binding));
            words.put(Label::of(&at, "array size"), u64::from(one.array_size));
        }
        let value = Label::of(&at, "value");
        for (index, word) in (0..).zip(values(one)) {
            words.put(value.word(index), u64::from(*word));
        }
    }
    words.put("root nodes", mapping.roots.len() as u64);
    for (index, root) in (0..).zip(mapping.roots.iter()).filter(|(_, root)| sees(root.visibility)) {
        let at = Of::Numbered("root", index);
        if stage.is_none() {
            words.put(Label::of(&at, "visibility"), u64::from(root.visibility));
        }
        mapped_node(words, &at, &root.node, true);
    }
}

/// The dwords of a static descriptor that LLPC looks at: four for each, and four more where it converts colours.
pub(super) fn values(descriptor: &StaticDescriptor) -> impl Iterator<Item = &u32> {
    let each = if descriptor.ty == Some(NodeType::YcbcrSampler) { 8 } else { 4 };
    let all = usize::try_from(descriptor.array_size).unwrap_or(usize::MAX).saturating_mul(each);
    descriptor.data.iter().take(all)
}

fn mapped_node(words: &mut Words, at: &Of, node: &ResourceNode, is_root: bool) {
    words.put(Label::of(at, "type"), number(node.ty));
    words.put(Label::of(at, "size"), u64::from(node.size_dwords));
    words.put(Label::of(at, "offset"), u64::from(node.offset_dwords));
    let place = [node.set.unwrap_or(0), node.binding.unwrap_or(0)];
    match node.ty {
        Some(NodeType::TablePointer) => {
            for (index, child) in node.children.iter().enumerate() {
                let at = match (child.set, child.binding) {
                    (Some(set), Some(binding)) => format!("{at}, set {set} binding {binding}"),
                    _ => format!("{at}, node {index}"),
                };
                mapped_node(words, &at.into(), child, false);
            }
        }
        Some(NodeType::IndirectPointer) => {
            words.put(Label::of(at, "dwords of its table"), u64::from(node.indirect_dwords.unwrap_or(0)));
        }
        Some(NodeType::StreamOutPointer) | None => {}
        // In place they belong to no set.
        Some(NodeType::PushConst | NodeType::InlineBuffer) if is_root => {}
        Some(_) => words.place(at, place, u64::from(node.stride_dwords.unwrap_or(0))),
    }
}

/// LLPC's number of a node type; 0 for what has none.
fn number(ty: Option<NodeType>) -> u64 {
    ty.map_or(0, |ty| u64::from(ty.number()))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use lanescope_pipeline::{RootNode, StageMask};
    use lanescope_testing::glsl;

    const VERTEX: u32 = 2;
    const FRAGMENT: u32 = 64;

    fn node(
        ty: NodeType,
        offset: u32,
        size: u32,
        place: Option<[u32; 3]>,
        children: Vec<ResourceNode>,
    ) -> ResourceNode {
        ResourceNode {
            from: String::new(),
            ty: Some(ty),
            offset_dwords: offset,
            size_dwords: size,
            set: place.map(|place| place[0]),
            binding: place.map(|place| place[1]),
            stride_dwords: place.map(|place| place[2]),
            indirect_dwords: None,
            children,
        }
    }

    fn root(visibility: u32, node: ResourceNode) -> RootNode {
        RootNode { visibility, stages: StageMask::of_llpc(visibility), node }
    }

    fn descriptor(visibility: u32, [set, binding]: [u32; 2], data: Vec<u32>) -> StaticDescriptor {
        StaticDescriptor {
            from: String::new(),
            ty: Some(NodeType::Sampler),
            set,
            binding,
            array_size: data.len() as u32 / 4,
            visibility,
            stages: StageMask::of_llpc(visibility),
            data,
        }
    }

    static SHADER: LazyLock<Module> = LazyLock::new(|| glsl(StageKind::Fragment, "void main() {}"));

    /// The key of a fragment shader with that mapping.
    fn key_of(mapping: &Mapping<'_>, rule: KeyRule) -> Key {
        let subject = Subject {
            hash: module_hash(&SHADER),
            entry: &SHADER.entry_points()[0],
            stage: StageKind::Fragment,
            options: &Options::default(),
            active: &[],
            hidden: &[],
            fixed: &[],
            push: false,
            layout: &Layout::default(),
            mapping,
            colors: &[],
            spec: &[],
        };
        key(&subject, rule)
    }

    #[test]
    fn todays_key_contains_the_words_llpc_hashes() {
        let table = node(
            NodeType::TablePointer,
            0,
            1,
            None,
            vec![
                node(NodeType::ConstBuffer, 0, 4, Some([1, 0, 0]), Vec::new()),
                node(NodeType::InlineBuffer, 4, 2, Some([1, 1, 0]), Vec::new()),
            ],
        );
        let indirect =
            ResourceNode { indirect_dwords: Some(256), ..node(NodeType::IndirectPointer, 7, 1, None, vec![]) };
        let mapping = Mapping {
            static_descriptors: vec![
                descriptor(FRAGMENT | VERTEX, [0, 3], vec![10, 11, 12, 13]),
                descriptor(VERTEX, [0, 4], vec![20, 21, 22, 23]),
            ]
            .into(),
            roots: vec![
                root(FRAGMENT, table),
                root(FRAGMENT | VERTEX, node(NodeType::PushConst, 1, 5, Some([9, 9, 9]), Vec::new())),
                root(VERTEX, indirect),
                root(FRAGMENT, node(NodeType::BufferCompact, 8, 2, Some([2, 6, 0]), Vec::new())),
            ]
            .into(),
        };
        let words = |rule: KeyRule| -> Vec<String> {
            let all = key_of(&mapping, rule).ingredients;
            let own = all.iter().skip_while(|one| one.label.to_string() != "static descriptors");
            own.map(|one| format!("{} {}", one.label, one.value.0)).collect()
        };
        let stage = [
            "static descriptors 2",
            "static descriptor 0: type 2",
            "static descriptor 0: set 0",
            "static descriptor 0: binding 3",
            "static descriptor 0: array size 1",
            "static descriptor 0: value: word 0 10",
            "static descriptor 0: value: word 1 11",
            "static descriptor 0: value: word 2 12",
            "static descriptor 0: value: word 3 13",
            // Its values enter, whoever sees it.
            "static descriptor 1: value: word 0 20",
            "static descriptor 1: value: word 1 21",
            "static descriptor 1: value: word 2 22",
            "static descriptor 1: value: word 3 23",
            "root nodes 4",
            "root 0: type 7",
            "root 0: size 1",
            "root 0: offset 0",
            "root 0, set 1 binding 0: type 14",
            "root 0, set 1 binding 0: size 4",
            "root 0, set 1 binding 0: offset 0",
            "root 0, set 1 binding 0: set 1",
            "root 0, set 1 binding 0: binding 0",
            "root 0, set 1 binding 0: stride 0",
            "root 0, set 1 binding 1: type 18",
            "root 0, set 1 binding 1: size 2",
            "root 0, set 1 binding 1: offset 4",
            "root 0, set 1 binding 1: set 1",
            "root 0, set 1 binding 1: binding 1",
            "root 0, set 1 binding 1: stride 0",
            // Push constants at the root have no set and no binding.
            "root 1: type 9",
            "root 1: size 5",
            "root 1: offset 1",
            "root 3: type 10",
            "root 3: size 2",
            "root 3: offset 8",
            "root 3: set 2",
            "root 3: binding 6",
            "root 3: stride 0",
            "targets 0",
        ];
        assert_eq!(words(KeyRule::Llpc), stage);
        let all = words(KeyRule::LlpcPipeline);
        let more: Vec<&str> = all.iter().map(String::as_str).filter(|word| !stage.contains(word)).collect();
        let expected = [
            "static descriptor 0: visibility 66",
            "static descriptor 1: visibility 2",
            "static descriptor 1: type 2",
            "static descriptor 1: set 0",
            "static descriptor 1: binding 4",
            "static descriptor 1: array size 1",
            "root 0: visibility 64",
            "root 1: visibility 66",
            "root 2: visibility 2",
            "root 2: type 8",
            "root 2: size 1",
            "root 2: offset 7",
            "root 2: dwords of its table 256",
            "root 3: visibility 64",
        ];
        assert_eq!(more, expected);
        assert_eq!(all.len(), stage.len() + expected.len());
        // Visibility comes first.
        assert_eq!(all[1], expected[0]);
    }

    #[test]
    fn compares_words_of_one_label_in_order() {
        let twice = |sizes: [u32; 2]| {
            let child = |size| node(NodeType::Buffer, 0, size, Some([0, 0, 0]), Vec::new());
            let table = node(NodeType::TablePointer, 0, 1, None, sizes.map(child).into());
            key_of(&Mapping { roots: vec![root(FRAGMENT, table)].into(), ..Mapping::default() }, KeyRule::Llpc)
        };
        let (one, other) = (twice([4, 4]), twice([4, 8]));
        let difference = one.difference(&other);
        let values = |one: Option<&Ingredient>| one.map(|one| one.value.0);
        let all: Vec<_> = difference.iter().map(|(label, a, b)| (label.to_string(), values(*a), values(*b))).collect();
        assert_eq!(all, [("root 0, set 0 binding 0: size".to_owned(), Some(4), Some(8))]);
    }

    /// What a change of a mapping does to the two keys: whether it can be seen in that of the stage, where the stage
    /// sees the node or not, and in that of all stages.
    #[derive(Debug, Clone, Copy)]
    struct Seen {
        stage: [bool; 2],
        pipeline: bool,
    }

    const ALWAYS: Seen = Seen { stage: [true, true], pipeline: true };
    const NEVER: Seen = Seen { stage: [false, false], pipeline: false };
    const WHERE_VISIBLE: Seen = Seen { stage: [true, false], pipeline: true };
    const FOR_ALL_STAGES: Seen = Seen { stage: [false, false], pipeline: true };

    type OfRoot = (&'static str, fn(&mut RootNode), Seen);
    type OfStatic = (&'static str, fn(&mut StaticDescriptor), Seen);

    const OF_ROOTS: [OfRoot; 11] = [
        ("type", |root| root.node.ty = Some(NodeType::StreamOutPointer), WHERE_VISIBLE),
        ("size", |root| root.node.size_dwords += 1, WHERE_VISIBLE),
        ("offset", |root| root.node.offset_dwords += 1, WHERE_VISIBLE),
        ("who else sees it", |root| root.visibility ^= VERTEX, FOR_ALL_STAGES),
        ("whether the stage sees it", |root| root.visibility ^= FRAGMENT, ALWAYS),
        ("where it was written", |root| root.node.from.push('x'), NEVER),
        ("a place that a pointer has not", |root| root.node.set = Some(77), NEVER),
        ("a child's type", |root| root.node.children[0].ty = Some(NodeType::Fmask), WHERE_VISIBLE),
        ("a child's offset", |root| root.node.children[0].offset_dwords += 1, WHERE_VISIBLE),
        ("a child's binding", |root| root.node.children[0].binding = Some(99), WHERE_VISIBLE),
        ("a child's stride", |root| root.node.children[0].stride_dwords = Some(99), WHERE_VISIBLE),
    ];

    const OF_STATICS: [OfStatic; 8] = [
        ("type", |one| one.ty = Some(NodeType::CombinedTexture), WHERE_VISIBLE),
        ("set", |one| one.set += 1, WHERE_VISIBLE),
        ("binding", |one| one.binding += 1, WHERE_VISIBLE),
        ("array size", |one| one.array_size += 1, WHERE_VISIBLE),
        ("value", |one| one.data[3] ^= 1, ALWAYS),
        ("dwords past the array", |one| one.data.push(5), NEVER),
        ("who else sees it", |one| one.visibility ^= VERTEX, FOR_ALL_STAGES),
        ("whether the stage sees it", |one| one.visibility ^= FRAGMENT, ALWAYS),
    ];

    fn visibility() -> impl Strategy<Value = u32> {
        proptest::sample::select(vec![VERTEX, FRAGMENT, FRAGMENT | VERTEX, 0])
    }

    fn mapping() -> impl Strategy<Value = (Vec<StaticDescriptor>, Vec<RootNode>)> {
        let value = proptest::collection::vec(any::<u32>(), 4);
        let statics =
            (visibility(), [0u32..4, 0u32..4], value).prop_map(|(seen, place, data)| descriptor(seen, place, data));
        let child = (0u32..9, 1u32..9, [0u32..4, 0u32..9, 0u32..5])
            .prop_map(|(offset, size, place)| node(NodeType::Buffer, offset, size, Some(place), Vec::new()));
        let table = (visibility(), 0u32..9, proptest::collection::vec(child, 1..4))
            .prop_map(|(seen, offset, children)| root(seen, node(NodeType::TablePointer, offset, 1, None, children)));
        (proptest::collection::vec(statics, 1..4), proptest::collection::vec(table, 1..5))
    }

    proptest! {
        #[test]
        fn todays_keys_ignore_facts_that_do_not_enter_them(
            (statics, roots) in mapping(), at in any::<proptest::sample::Index>()
        ) {
            let of = |statics: &[StaticDescriptor], roots: &[RootNode]| {
                let mapping = Mapping { static_descriptors: statics.into(), roots: roots.into() };
                [KeyRule::Llpc, KeyRule::LlpcPipeline].map(|rule| key_of(&mapping, rule).hash)
            };
            let before = of(&statics, &roots);
            prop_assert_eq!(before, of(&statics, &roots));
            let expected = |seen: Seen, visibility: u32| {
                [seen.stage[usize::from(visibility & FRAGMENT == 0)], seen.pipeline]
            };
            let differs = |after: [Hash64; 2]| [after[0] != before[0], after[1] != before[1]];
            for (what, change, seen) in OF_ROOTS {
                let mut other = roots.clone();
                let one = at.get(&other).visibility;
                change(&mut other[at.index(roots.len())]);
                prop_assert_eq!(differs(of(&statics, &other)), expected(seen, one), "a root's {}", what);
            }
            for (what, change, seen) in OF_STATICS {
                let mut other = statics.clone();
                let one = at.get(&other).visibility;
                change(&mut other[at.index(statics.len())]);
                prop_assert_eq!(differs(of(&other, &roots)), expected(seen, one), "a static descriptor's {}", what);
            }
            // Each is counted, whoever sees it.
            prop_assert_eq!(differs(of(&statics[1..], &roots)), [true, true]);
            prop_assert_eq!(differs(of(&statics, &roots[1..])), [true, true]);
        }
    }
}
