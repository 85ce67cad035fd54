//! Resource mappings: user data nodes and static descriptors.

use std::collections::{BTreeMap, BTreeSet};

use super::keys::{Keys, MAX_INDEX, Path, Refusal, check, refuse};
use super::lines::{KeyLine, clip};
use super::table::{Known, NODE, RANGE, known};
use super::value;
use crate::findings;
use crate::layout::{LLPC_STAGES, NodeType, ResourceNode, RootNode, StageMask, StaticDescriptor};
use crate::notes::Notes;

/// Maximum nesting of tables.
const MAX_DEPTH: usize = 8;

/// A mapping as it is read.
#[derive(Debug, Default)]
pub struct Mapping {
    roots: BTreeMap<u32, Draft>,
    ranges: Keys,
    /// Its first line.
    pub line: Option<u32>,
}

/// A node whose keys are being collected.
#[derive(Debug, Default)]
struct Draft {
    own: Own,
    children: BTreeMap<u32, Draft>,
}

/// The node's own members.
#[derive(Debug, Default)]
struct Own {
    line: u32,
    visibility: Option<u32>,
    ty: Option<NodeType>,
    offset: Option<u32>,
    size: Option<u32>,
    set: Option<u32>,
    binding: Option<u32>,
    stride: Option<u32>,
    indirect: Option<u32>,
}

impl Own {
    fn take(&mut self, member: &str, text: &str) {
        let number = Some(value::int(text).value);
        match member {
            "type" => {
                let named = NodeType::ALL.iter().copied().find(|ty| ty.name() == text);
                self.ty = named.or_else(|| NodeType::of_number(value::int(text).value));
            }
            "visibility" => self.visibility = number,
            "offsetInDwords" => self.offset = number,
            "sizeInDwords" => self.size = number,
            "set" => self.set = number,
            "binding" => self.binding = number,
            "strideInDwords" => self.stride = number,
            _ => self.indirect = number,
        }
    }
}

impl Mapping {
    /// Takes the lines that belong to a mapping; returns the others.
    pub fn take<'l>(&mut self, lines: &'l [KeyLine], notes: &mut Notes<'_>) -> Vec<&'l KeyLine> {
        let mut others = Vec::new();
        let mut ranges = Vec::new();
        for line in lines {
            match line.key.split(['.', '[']).next().unwrap_or_default() {
                "userDataNode" => match Path::of(&line.key) {
                    Ok(path) => self.node(line, &path, notes),
                    Err(why) => refuse(line, why, notes),
                },
                "descriptorRangeValue" => ranges.push(line),
                _ => {
                    others.push(line);
                    continue;
                }
            }
            self.line.get_or_insert(line.line);
        }
        let tables: [&[Known]; 1] = [RANGE];
        self.ranges.entries.extend(Keys::of(&tables, ranges.into_iter(), notes).entries);
        others
    }

    fn node(&mut self, line: &KeyLine, path: &Path, notes: &mut Notes<'_>) {
        let Some(((member, index), tables)) = path.parts.split_last() else { return };
        let nested = tables.iter().skip(1).all(|(name, _)| name == "next");
        let (Some((first, below)), true, None, Some(row)) = (tables.split_first(), nested, index, known(NODE, member))
        else {
            return refuse(line, Refusal::Unknown, notes);
        };
        if below.len() > MAX_DEPTH {
            return refuse(line, Refusal::Deep, notes);
        }
        if let Some(index) = tables.iter().filter_map(|part| part.1).find(|index| *index >= MAX_INDEX) {
            let message = format!("index {index} of `{}`, expected less than {MAX_INDEX}", clip(&line.key));
            notes.add(findings::PIPE_INDEX_LIMIT, line.line, message);
            return notes.keep(line.line, clip(&line.key), clip(&line.value));
        }
        let fresh = || Draft { own: Own { line: line.line, ..Own::default() }, children: BTreeMap::new() };
        let mut draft = self.roots.entry(first.1.unwrap_or(0)).or_insert_with(fresh);
        for (_, index) in below {
            draft = draft.children.entry(index.unwrap_or(0)).or_insert_with(fresh);
        }
        check(line, member, row.ty, notes);
        draft.own.take(member, &line.value);
    }

    /// The nodes and the static descriptors, with what is wrong with them. Those that do not say who sees them are seen
    /// by `unsaid`.
    pub fn done(self, unsaid: u32, notes: &mut Notes<'_>) -> (Vec<RootNode>, Vec<StaticDescriptor>) {
        holes(&self.roots, "userDataNode", notes);
        let mut roots = Vec::new();
        for (_, draft) in self.roots {
            let visibility = draft.own.visibility.unwrap_or(unsaid);
            let node = finished(draft, true, notes);
            roots.push(RootNode { visibility, stages: StageMask::of_llpc(visibility), node });
        }
        let mut said = BTreeSet::new();
        for bit in 0..LLPC_STAGES.len() {
            let seen = roots.iter().filter(|root| root.visibility >> bit & 1 == 1).map(|root| &root.node);
            overlaps(seen, &mut said, notes);
        }
        (roots, static_descriptors(&self.ranges, unsaid, notes))
    }
}

/// Says which indices below the highest are not given.
fn holes(nodes: &BTreeMap<u32, Draft>, list: &str, notes: &mut Notes<'_>) {
    for (expected, (index, draft)) in (0u32..).zip(nodes) {
        if *index != expected {
            let message = format!("{list}[{expected}] is missing, found {list}[{index}]");
            return notes.add(findings::PIPE_NODE_SHAPE, draft.own.line, message);
        }
    }
}

fn finished(draft: Draft, is_root: bool, notes: &mut Notes<'_>) -> ResourceNode {
    let Draft { own, children } = draft;
    let mut shape = |message: String| notes.add(findings::PIPE_NODE_SHAPE, own.line, message);
    if own.ty.is_none() {
        shape("the node has no type".to_owned());
    }
    if !children.is_empty() && own.ty.is_some_and(|ty| ty != NodeType::TablePointer) {
        let ty = own.ty.map_or("?", NodeType::name);
        shape(format!("a {ty} has no table, so LLPC drops the nodes under `next`"));
    }
    if own.indirect.is_some() && own.set.is_some() {
        shape("LLPC reads set and indirectUserDataCount as one number: the last one counts".to_owned());
    }
    if !is_root && own.visibility.is_some() {
        shape("visibility has an effect at the root only".to_owned());
    }
    if own.ty.is_some_and(|ty| ty.is_descriptor() && ty != NodeType::InlineBuffer)
        && (own.set.is_none() || own.binding.is_none())
    {
        shape("a descriptor needs a set and a binding; a missing one counts as 0".to_owned());
    }
    if let Some(problem) = size_problem(&own) {
        notes.add(findings::PIPE_NODE_SIZE, own.line, problem);
    }
    holes(&children, "next", notes);
    let children: Vec<_> = children.into_values().map(|child| finished(child, false, notes)).collect();
    overlaps(children.iter(), &mut BTreeSet::new(), notes);
    let descriptor = own.ty.is_none_or(NodeType::is_descriptor);
    ResourceNode {
        from: format!("line {}", own.line),
        ty: own.ty,
        offset_dwords: own.offset.unwrap_or(0),
        size_dwords: own.size.unwrap_or(0),
        set: if descriptor { Some(own.set.unwrap_or(0)) } else { own.set },
        binding: if descriptor { Some(own.binding.unwrap_or(0)) } else { own.binding },
        stride_dwords: own.stride,
        indirect_dwords: own.indirect,
        children,
    }
}

/// Why a node's size contradicts its type, if it does.
fn size_problem(own: &Own) -> Option<String> {
    let ty = own.ty?;
    let Some(size) = own.size.filter(|size| *size > 0) else {
        return Some(format!("a {ty} has no size"));
    };
    if own.offset.unwrap_or(0).checked_add(size).is_none() {
        return Some(format!(
            "the end of {size} dwords from dword {} does not fit in 32 bits",
            own.offset.unwrap_or(0)
        ));
    }
    if !ty.is_descriptor() {
        let one = ty.dwords().filter(|one| *one != size)?;
        return Some(format!("a {ty} has {one} dword, found {size}"));
    }
    let stride = own.stride.filter(|stride| *stride > 0);
    match (stride, ty.dwords()) {
        (Some(stride), _) if size % stride != 0 => {
            Some(format!("{size} dwords are not a multiple of the element size of {stride} dwords (strideInDwords)"))
        }
        (Some(stride), Some(one)) if stride < one => {
            Some(format!("elements of {stride} dwords (strideInDwords) are too short for a {ty} of {one} dwords"))
        }
        (None, Some(one)) if size % one != 0 => {
            Some(format!("{size} dwords are not a multiple of the {one} dwords of a {ty}"))
        }
        _ => None,
    }
}

/// Says which nodes of one level lie on each other; each once.
fn overlaps<'n>(
    nodes: impl Iterator<Item = &'n ResourceNode>,
    said: &mut BTreeSet<(u32, u32, String)>,
    notes: &mut Notes<'_>,
) {
    let mut sorted: Vec<_> = nodes.filter(|node| node.size_dwords > 0).collect();
    sorted.sort_by_key(|node| node.offset_dwords);
    let end = |node: &ResourceNode| u64::from(node.offset_dwords) + u64::from(node.size_dwords);
    let mut last: Option<&ResourceNode> = None;
    for node in sorted {
        if let Some(before) = last.filter(|before| u64::from(node.offset_dwords) < end(before))
            && said.insert((before.offset_dwords, node.offset_dwords, node.from.clone()))
        {
            let range = |node: &ResourceNode| format!("dwords {} to {}", node.offset_dwords, end(node) - 1);
            let message = format!("{} overlap {} of {}", range(node), range(before), before.from);
            notes.add_at(findings::PIPE_NODE_OVERLAP, &node.from, message);
        }
        last = Some(last.filter(|before| end(before) > end(node)).unwrap_or(node));
    }
}

fn static_descriptors(keys: &Keys, unsaid: u32, notes: &mut Notes<'_>) -> Vec<StaticDescriptor> {
    let mut out: BTreeMap<u32, StaticDescriptor> = BTreeMap::new();
    for entry in &keys.entries {
        let index = entry.indices.first().copied().unwrap_or(0);
        let found = out.entry(index).or_insert_with(|| StaticDescriptor {
            from: format!("line {}", entry.line),
            ty: None,
            set: 0,
            binding: 0,
            array_size: 0,
            visibility: unsaid,
            stages: StageMask::of_llpc(unsaid),
            data: Vec::new(),
        });
        match entry.path.rsplit('.').next().unwrap_or_default() {
            "type" => found.ty = entry.known_enum().and_then(|value| NodeType::of_number(value as u32)),
            "set" => found.set = entry.int(),
            "binding" => found.binding = entry.int(),
            "arraySize" => found.array_size = entry.int(),
            "visibility" => {
                found.visibility = entry.int();
                found.stages = StageMask::of_llpc(found.visibility);
            }
            _ => found.data.extend(value::elements(&entry.text).map(|part| value::int(part).value)),
        }
    }
    for descriptor in out.values() {
        let one = match descriptor.ty {
            Some(NodeType::YcbcrSampler) => 8,
            ty => ty.and_then(NodeType::dwords).unwrap_or(4),
        };
        let needed = u64::from(one) * u64::from(descriptor.array_size.max(1));
        // A separator at the end of a written line adds a zero.
        let found = descriptor.data.len() as u64;
        if found < needed || found > needed + needed.div_ceil(8) + 1 {
            let message = format!(
                "{} descriptors of {one} dwords need {needed} dwords, found {found}",
                descriptor.array_size.max(1)
            );
            notes.add_at(findings::PIPE_NODE_SIZE, &descriptor.from, message);
        }
    }
    out.into_values().collect()
}

/// The nodes of stages that have a mapping each, as one. Roots at one place become one node, whose table has the
/// children of all.
pub fn merged(stages: Vec<(String, Vec<RootNode>)>, notes: &mut Notes<'_>) -> Vec<RootNode> {
    let mut out: BTreeMap<u32, RootNode> = BTreeMap::new();
    for (stage, roots) in stages {
        for root in roots {
            let Some(known) = out.get_mut(&root.node.offset_dwords) else {
                out.insert(root.node.offset_dwords, root);
                continue;
            };
            let bare = |node: &ResourceNode| ResourceNode { from: String::new(), children: Vec::new(), ..node.clone() };
            let have: BTreeSet<_> = known.node.children.iter().map(ResourceNode::place).collect();
            let theirs: BTreeSet<_> = root.node.children.iter().map(ResourceNode::place).collect();
            if have != theirs || bare(&known.node) != bare(&root.node) {
                let message = format!(
                    "the node at dword {} of {stage} differs from the one of {}; LLPC uses the first stage's children \
                     only",
                    root.node.offset_dwords, known.node.from
                );
                notes.add_at(findings::PIPE_STAGE_TABLES_DIFFER, &root.node.from, message);
            }
            known.join(root);
        }
    }
    out.into_values().collect()
}
