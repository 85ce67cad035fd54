//! Metadata written inline instead of by number.

use super::local::Local;
use super::value::Scope;
use crate::module::{Body, Metadata, MetadataId, Module, NodeKind};

/// Maximum depth to which nodes are written.
const DEEPEST: u32 = 12;
/// Bytes of one piece of metadata.
const LONGEST: usize = 2048;

/// Metadata of a module, or of one of its functions.
#[derive(Clone, Copy)]
pub struct Inline<'m> {
    pub module: &'m Module,
    pub body: Option<&'m Body>,
}

impl<'m> Inline<'m> {
    /// A piece of metadata: `{@main, "main", {1, 2}, null}`.
    pub fn node(&self, id: MetadataId) -> String {
        let mut out = String::new();
        self.write(id, &mut out, 0);
        out
    }

    /// An attachment of an instruction. Of TBAA metadata only the name of the accessed type is useful.
    pub fn attached(&self, kind: &str, id: MetadataId) -> String {
        let first = |id: MetadataId| self.metadata(id)?.operands(id)?.next().flatten();
        match first(id).filter(|_| kind == "tbaa").and_then(first) {
            Some(name) => self.node(name),
            None => self.node(id),
        }
    }

    fn metadata(&self, id: MetadataId) -> Option<&'m Metadata> {
        let own = self.body.map(|body| &body.metadata).filter(|metadata| metadata.node(id).is_some());
        own.or_else(|| self.module.metadata.node(id).map(|_| &self.module.metadata))
    }

    fn write(&self, id: MetadataId, out: &mut String, depth: u32) {
        if depth > DEEPEST || out.len() > LONGEST {
            return out.push('…');
        }
        let Some(metadata) = self.metadata(id) else { return out.push_str("<bad node>") };
        match metadata.node(id).map(|node| node.kind) {
            Some(NodeKind::Text) => {
                let text = metadata.text(id).unwrap_or_default().replace('"', "\\22");
                let end = text.floor_char_boundary(LONGEST / 4);
                let more = if end < text.len() { "…" } else { "" };
                out.push_str(&format!("\"{}{more}\"", text.get(..end).unwrap_or_default()));
            }
            Some(NodeKind::Value(_, value)) => {
                let scope = Scope { module: self.module, body: self.body, local: &Local::default() };
                out.push_str(&scope.value(value));
            }
            Some(NodeKind::Tuple | NodeKind::DistinctTuple) => {
                out.push('{');
                for (at, part) in metadata.operands(id).into_iter().flatten().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    if out.len() > LONGEST {
                        out.push('…');
                        break;
                    }
                    match part {
                        Some(part) => self.write(part, out, depth + 1),
                        None => out.push_str("null"),
                    }
                }
                out.push('}');
            }
            Some(NodeKind::Debug(code)) => out.push_str(&format!("<debug {code}>")),
            None => out.push_str("<bad node>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitstream::writer::Writer;

    /// Two nodes that name each other twice: written out in full they would have no end.
    #[test]
    fn cyclic_metadata_terminates() {
        let mut writer = Writer::bitcode();
        writer.block(2, 8, 4, |w| w.inner(15, |w| w.record(3, &[2, 2]).record(3, &[1, 1])).fixed(0, 4));
        let module = Module::parse(&writer.bytes(), 0).unwrap_or_else(|fault| panic!("{fault}"));
        let text = Inline { module: &module, body: None }.node(MetadataId(0));
        assert!(text.starts_with("{{{") && text.contains('…') && text.len() < 2 * LONGEST, "{text}");
    }
}
