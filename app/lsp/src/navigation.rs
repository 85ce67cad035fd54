//! From a name to its declarations and uses, across the stages of a pipeline.

use std::ops::Range;
use std::path::PathBuf;

use lanescope_inspector::selection::Varying;

use crate::sites::{Role, Site, Source};

/// A part of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The file.
    pub path: PathBuf,
    /// The first and the last byte, the latter excluded.
    pub bytes: (usize, usize),
}

impl Spot {
    fn of(source: &Source, range: &Range<usize>) -> Spot {
        Spot { path: source.path.clone(), bytes: (range.start, range.end) }
    }
}

/// Where the things at a name are declared: of an input the output of the stage before it that shares a location, of the
/// declaration of an output (`at` is in its name) the inputs that read it, else the declaration itself. Of a node the outputs
/// that lead to it, and of its output the nodes.
pub fn definitions(sources: &[Source], sites: &[&Site], source: &Source, at: usize) -> Vec<Spot> {
    let mut out = Vec::new();
    for site in sites {
        let is_here = |other: &Site| other.range.start <= at && at <= other.range.end;
        let declares =
            is_output(&site.role) && source.sites.iter().any(|other| other.role == site.role && is_here(other));
        let others = linked(sources, &site.role).filter(|(_, other)| is_output(&other.role) != declares);
        let is_joined = !matches!(site.role, Role::Descriptor { .. } | Role::Workgroup(_));
        let found: Vec<Spot> =
            others.filter(|_| is_joined).map(|(source, other)| Spot::of(source, &other.range)).collect();
        if found.is_empty() {
            out.extend(same(sources, &site.role).map(|(source, other)| Spot::of(source, &other.range)));
        }
        out.extend(found);
    }
    out.sort();
    out.dedup();
    out
}

/// Where the things at a name are declared, in all stages, and used.
pub fn references(sources: &[Source], sites: &[&Site], with_declarations: bool) -> Vec<Spot> {
    let (mut out, mut declared) = (Vec::new(), Vec::new());
    for site in sites {
        for (source, other) in linked(sources, &site.role).chain(same(sources, &site.role)) {
            declared.push(Spot::of(source, &other.range));
            // A name is looked for in all files of its stage.
            for with in sources.iter().filter(|with| with.is_compiled_with(source)) {
                out.extend(with.uses(&other.name).iter().map(|range| Spot::of(with, range)));
            }
        }
    }
    out.retain(|spot| !declared.contains(spot));
    if with_declarations {
        out.extend(declared);
    }
    out.sort();
    out.dedup();
    out
}

fn is_output(role: &Role) -> bool {
    matches!(role, Role::Varying { is_output: true, .. } | Role::NodeOutput { .. })
}

/// The sites of the same thing, on the same side.
fn same<'s>(sources: &'s [Source], role: &'s Role) -> impl Iterator<Item = (&'s Source, &'s Site)> {
    all(sources).filter(move |(_, other)| other.role == *role)
}

/// The varyings of the same interface that share a scalar with one, on both sides. Descriptors: of all stages. Nodes and the
/// outputs that lead to them.
pub(crate) fn linked<'s>(sources: &'s [Source], role: &'s Role) -> impl Iterator<Item = (&'s Source, &'s Site)> {
    all(sources).filter(move |(_, other)| match (role, &other.role) {
        (Role::Varying { interface: a, scalars: one, .. }, Role::Varying { interface: b, scalars: other, .. }) => {
            a == b && share(one, other)
        }
        (Role::Descriptor { set: a, binding: b, .. }, Role::Descriptor { set, binding, .. }) => {
            (a, b) == (set, binding)
        }
        (Role::NodeOutput { targets, .. }, Role::Node(node)) | (Role::Node(node), Role::NodeOutput { targets, .. }) => {
            targets.contains(node)
        }
        _ => false,
    })
}

fn share(one: &[Varying], other: &[Varying]) -> bool {
    one.iter().any(|scalar| other.contains(scalar))
}

fn all(sources: &[Source]) -> impl Iterator<Item = (&Source, &Site)> {
    sources.iter().flat_map(|source| source.sites.iter().map(move |site| (source, site)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::position::Lines;
    use crate::source::Language;

    fn source(path: &str, text: &str, name: &str, role: Role) -> Source {
        let at = text.find(name).expect("is there");
        let site = Site { range: at..at + name.len(), name: name.to_owned(), role };
        let (path, lines) = (Path::new(path).to_owned(), Lines::of(text));
        Source {
            path,
            text: text.to_owned(),
            lines,
            section: None,
            language: Some(Language::Glsl),
            sites: vec![site],
            modules: BTreeSet::new(),
            variables: BTreeSet::new(),
        }
    }

    #[test]
    fn inputs_lead_to_the_outputs_at_their_locations() {
        let varying = |is_output, location| Role::Varying {
            interface: 0,
            is_output,
            scalars: vec![Varying { location, component: Some(0) }],
        };
        let sources = [
            source("a.vert", "out float v; v = 1; // v\n", "v", varying(true, 3)),
            source("a.frag", "in float w; x = w + w;", "w", varying(false, 3)),
            source("b.vert", "out float u;", "u", varying(true, 4)),
        ];
        let spots = |all: Vec<Spot>| {
            all.into_iter().map(|spot| format!("{}:{}", spot.path.display(), spot.bytes.0)).collect::<Vec<_>>()
        };
        let of = |index: usize| [&sources[index].sites[0]];
        let definitions = |index: usize, at| spots(definitions(&sources, &of(index), &sources[index], at));
        assert_eq!(definitions(1, 9), ["a.vert:10"]);
        assert_eq!(definitions(0, 10), ["a.frag:9"], "of the declaration, who reads it");
        assert_eq!(definitions(0, 13), ["a.vert:10"], "of a use, the declaration");
        assert_eq!(definitions(2, 1), ["b.vert:1"], "nothing reads it");
        assert_eq!(
            spots(references(&sources, &of(1), true)),
            ["a.frag:9", "a.frag:16", "a.frag:20", "a.vert:10", "a.vert:13"]
        );
        assert_eq!(spots(references(&sources, &of(1), false)), ["a.frag:16", "a.frag:20", "a.vert:13"]);
        // A use leads as its declaration does.
        assert_eq!(sources[1].at(16), [&sources[1].sites[0]]);
        assert!(sources[0].at(23).is_empty(), "in a comment");
    }
}
