//! The inputs of a run as its report lists them: which were given, which were filled.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{DrawInputs, Inputs, PushBlock};
use lanescope_base::named_enum;
use lanescope_base::text_format::counted;

named_enum!(
    /// Who decided an input.
    InputSource {
        /// The user gave it.
        Given = "given",
        /// The user gave a part of it; the run filled the rest.
        Partly = "partly",
        /// The run filled it by its formula, or with zeros.
        Filled = "filled",
    }
);

/// An input of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InputRun {
    /// `push constants`, `u0`, `set0.binding1`, `vertices`.
    pub name: String,
    /// The variable's name in the shader.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable: Option<String>,
    /// `push constants`, `uniform buffer`, `storage image`.
    pub kind: String,
    /// Who decided it.
    pub source: InputSource,
    /// What it was taken from, and how: the file of vertices, and what of it each attribute reads.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub from: Option<String>,
    /// The members of push constants, with their values.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub members: Vec<MemberRun>,
}

/// A member of a push constant block in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemberRun {
    /// Its path: `light.color`, `rows[1]`.
    pub path: String,
    /// Its offset in bytes.
    pub offset: u64,
    /// Its values.
    pub values: Vec<Value>,
    /// Whether all of its bytes were given.
    pub given: bool,
}

/// Who decided something of which so many parts were given.
pub fn source_of(given: usize, all: usize) -> InputSource {
    match given {
        0 => InputSource::Filled,
        given if given >= all => InputSource::Given,
        _ => InputSource::Partly,
    }
}

impl Inputs {
    /// The row of the push constants, whose contents these are.
    pub fn push_row(&self, block: &PushBlock, contents: &[u8]) -> InputRun {
        let mut is_given = vec![false; contents.len()];
        for given in &self.push_constants {
            let first = given.offset as usize;
            let end = first.saturating_add(given.bytes.0.len());
            is_given.get_mut(first..end).unwrap_or(&mut []).fill(true);
        }
        let mut members = Vec::new();
        let (mut numbers, mut of_user) = (0, 0);
        block.visit(contents, |path, leaf, values| {
            let bytes = leaf.scalar.bytes() as usize;
            let given = leaf.offsets().filter(|offset| {
                let first = usize::try_from(*offset).unwrap_or(usize::MAX);
                is_given.get(first..first.saturating_add(bytes)).is_some_and(|bytes| bytes.iter().all(|given| *given))
            });
            let given = given.count();
            (numbers, of_user) = (numbers + leaf.count as usize, of_user + given);
            let given = given == leaf.count as usize;
            members.push(MemberRun { path, offset: leaf.offset, values, given });
        });
        InputRun {
            name: "push constants".to_owned(),
            variable: block.variable.clone(),
            kind: "push constants".to_owned(),
            source: source_of(of_user, numbers),
            from: None,
            members,
        }
    }
}

fn indices_of(count: usize) -> String {
    if count == 1 { "1 index".to_owned() } else { format!("{count} indices") }
}

impl DrawInputs {
    /// The rows of a draw, where `scene` vertices are the scene's and its attachments are squares of `side`. Without `scene` the
    /// pipeline has no vertex input.
    pub fn rows(&self, scene: Option<u32>, side: u32) -> Vec<InputRun> {
        let row = |name: String, kind: String, given: bool| InputRun {
            name,
            variable: None,
            kind,
            source: if given { InputSource::Given } else { InputSource::Filled },
            from: None,
            members: Vec::new(),
        };
        let mut out = Vec::new();
        if scene.is_some() {
            let scenes = if self.vertices.is_some() { "vertex buffers" } else { "vertices of the scene" };
            let from = self.vertices.as_ref().map(|vertices| vertices.input.from.clone());
            let vertices = row("vertices".to_owned(), scenes.to_owned(), self.vertices.is_some());
            out.push(InputRun { from: from.filter(|from| !from.is_empty()), ..vertices });
        }
        if let Some(indices) = &self.indices {
            let kind = format!("index buffer, {}", indices_of(indices.values.len()));
            out.push(row("indices".to_owned(), kind, true));
        }
        let [width, height] = self.size(side);
        let vertices = scene.map_or_else(String::new, |scene| {
            let count = self.count(scene) as usize;
            let count = if self.indices.is_some() { indices_of(count) } else { counted(count, "vertex") };
            format!("{count} in {}, ", counted(self.instances() as usize, "instance"))
        });
        let topology = self.topology.map_or_else(String::new, |topology| format!(", {topology}"));
        let viewport = if self.viewport.is_some() { ", a viewport" } else { "" };
        let plain =
            DrawInputs { vertices: None, indices: None, clear: Vec::new(), attachments: Vec::new(), ..self.clone() };
        let test = self.depth_test.map_or_else(String::new, |test| format!(", depth test {test}, written"));
        let kind = format!("{vertices}{width}×{height} pixels{topology}{viewport}{test}");
        out.push(row("draw".to_owned(), kind, !plain.is_scene()));
        let name = |location: Option<u32>| location.map_or_else(|| "depth".to_owned(), |at| format!("color{at}"));
        let cleared = self.clear.iter().filter(|clear| self.contents(clear.location).is_none());
        out.extend(cleared.map(|clear| row(name(clear.location), "clear value".to_owned(), true)));
        out.extend(self.attachments.iter().map(|held| row(name(held.location), "attachment".to_owned(), true)));
        out
    }
}

impl InputRun {
    /// What was given, and what was filled, each as text: `scale = 2`, `set0.binding1`.
    pub fn texts(&self) -> (Vec<String>, Vec<String>) {
        let name = match self.variable.as_ref().or(self.from.as_ref()) {
            Some(more) if self.members.is_empty() => format!("{} ({more})", self.name),
            None if self.name == "draw" => self.kind.clone(),
            _ => self.name.clone(),
        };
        match (self.members.is_empty(), self.source) {
            (true, InputSource::Filled) => (Vec::new(), vec![name]),
            (true, InputSource::Given) => (vec![name], Vec::new()),
            (true, InputSource::Partly) => (vec![format!("{name}, in part")], Vec::new()),
            (false, _) => {
                let text = |member: &MemberRun| {
                    let values: Vec<String> = member.values.iter().map(Value::to_string).collect();
                    format!("{} = {}", member.path, values.join(" ").replace('"', ""))
                };
                let (given, filled): (Vec<_>, Vec<_>) = self.members.iter().partition(|member| member.given);
                (given.into_iter().map(text).collect(), filled.into_iter().map(text).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Blob, PushBytes};
    use super::*;
    use lanescope_testing::program;

    #[test]
    fn draws_without_vertex_input_list_what_else_is_given() {
        let depth_test = lanescope_pipeline::vulkan::CompareOp::named("LESS");
        let clear = vec![super::super::ClearValue { location: Some(1), words: [0; 4] }];
        let draw = DrawInputs { size: Some([8, 4]), depth_test, clear, ..DrawInputs::default() };
        let texts: Vec<String> = draw.rows(None, 64).iter().flat_map(|row| row.texts().0).collect();
        assert_eq!(texts, ["8×4 pixels, depth test LESS, written", "color1"]);
        let texts: Vec<String> = draw.rows(Some(18), 64).iter().flat_map(|row| row.texts().0).collect();
        assert_eq!(texts, ["18 vertices in 1 instance, 8×4 pixels, depth test LESS, written", "color1"]);
    }

    #[test]
    fn members_are_given_or_filled() {
        let shader = "layout(push_constant) uniform P { float scale; uvec2 size; } pc;
            layout(binding = 0) buffer B { float x; }; void main() { x = pc.scale + pc.size.x; }";
        let blocks = PushBlock::of(&program(&[("comp", shader)]));
        let given = |offset, bytes: &[u8]| Inputs {
            push_constants: vec![PushBytes { offset, bytes: Blob(bytes.to_vec()) }],
            ..Inputs::default()
        };
        let contents: Vec<u8> = [2f32.to_bits(), 0, 8, 9].iter().flat_map(|word| word.to_le_bytes()).collect();
        let row = given(0, &2f32.to_le_bytes()).push_row(&blocks[0], &contents);
        assert_eq!(row.source, InputSource::Partly);
        assert_eq!(row.texts(), (vec!["scale = 2.0".to_owned()], vec!["size = 8 9".to_owned()]));
        // Half of a vector is not all of it.
        let row = given(8, &[8, 0, 0, 0]).push_row(&blocks[0], &contents);
        assert_eq!((row.source, row.members[1].given), (InputSource::Partly, false));
        assert_eq!(given(0, &contents).push_row(&blocks[0], &contents).source, InputSource::Given);
        assert_eq!(Inputs::default().push_row(&blocks[0], &contents).source, InputSource::Filled);
    }
}
