//! LLPC's `.pipe` text: its shaders become modules.

use std::path::{Path, PathBuf};

use super::described::{Described, Origin};
use super::error::Problem;
use super::given::Given;
use super::included::SourceOrigin;
use super::{LoadOptions, Loaded, glsl, hlsl, in_folder, spirv, spvasm};
use crate::findings::{self, Place};
use lanescope_model::program::StageKind;
use lanescope_pipeline::pipe::{self, Form, LibraryFile, PipeFile, Shader, Source};
use lanescope_pipeline::{Layout, Library, Pipeline, StaticDescriptor};

/// The part of a library list that exports colours.
const COLOR_EXPORT: &str = "colorExport";

pub(super) fn load(path: &Path, bytes: Vec<u8>, wanted: &LoadOptions) -> Result<Loaded, Problem> {
    let (name, folder) = (path.to_string_lossy().into_owned(), wanted.folder_of(path));
    let PipeFile { pipeline, shaders, libraries } = pipe::read(&name, &bytes).map_err(Problem::Description)?;
    drop(bytes);
    let mut described = Described::of(pipeline);
    let mut budget = Budget(Budget::ALL);
    for (stage, shader) in shaders.into_iter().enumerate() {
        give(&mut described, stage, shader, (folder, &name), &mut budget, wanted);
    }
    for library in libraries {
        link(&mut described, &library, (folder, &name), &mut budget, wanted);
    }
    Ok(Loaded::Described(Box::new(described)))
}

/// What files beside a description may still hold, in bytes.
struct Budget(u64);

impl Budget {
    /// All of them together are no larger than one file may be.
    const ALL: u64 = lanescope_base::files::MAX_FILE;

    /// Reads a file.
    fn read(&mut self, path: &Path, given: Given<'_>) -> Result<Vec<u8>, Problem> {
        let bytes = given.read(path)?;
        self.0 = self.0.checked_sub(bytes.len() as u64).ok_or(Problem::FilesTooLarge { limit: Budget::ALL })?;
        Ok(bytes)
    }
}

/// Makes a stage's module of its text or file.
fn give(
    described: &mut Described,
    stage: usize,
    shader: Shader,
    (folder, name): (&Path, &str),
    budget: &mut Budget,
    wanted: &LoadOptions,
) {
    let Some((kind, entry)) = described.pipeline.stages.get(stage).map(|stage| (stage.stage, stage.entry.clone()))
    else {
        return;
    };
    let origin = match shader.source {
        Source::Text(text) => {
            let made = make((shader.form, &entry), kind, text, shader.line, (folder, name), wanted);
            let origin = Origin::Part(stage);
            described.made(origin.clone(), made.map_err(|problem| problem.to_string()));
            origin
        }
        Source::File { name: file_name, line } => {
            let place = Some(Place::line(line).in_file(name));
            let path = match beside(folder, &file_name) {
                Ok(path) => path,
                Err(why) => {
                    let outside = findings::PIPE_PATH_OUTSIDE.at(Some(kind), place, why);
                    return described.pipeline.findings.push(outside);
                }
            };
            let compiled = matches!(shader.form, Form::Glsl | Form::Hlsl);
            let origin = Origin::File(path.clone(), shader.form, compiled.then_some((kind, entry.clone())));
            if !described.knows(&origin) {
                let named = |problem| format!("{}: {problem}", path.display());
                match budget.read(&path, Given::of(wanted)) {
                    Ok(bytes) => {
                        let made = of_file((shader.form, &entry), kind, (folder, &path), bytes, wanted).map_err(named);
                        described.made(origin.clone(), made);
                    }
                    Err(problem) => {
                        let missing = findings::PIPE_MISSING_FILE.at(Some(kind), place, named(problem));
                        return described.pipeline.findings.push(missing);
                    }
                }
            }
            origin
        }
    };
    described.give(stage, &origin, &shader.constants, findings::PIPE_STAGE_UNUSABLE, name);
}

/// SPIR-V of a text that begins after a line of the description, with its entry point.
fn make(
    (form, entry): (Form, &str),
    stage: StageKind,
    text: String,
    line: u32,
    (folder, name): (&Path, &str),
    wanted: &LoadOptions,
) -> Result<Loaded, Problem> {
    let origin = SourceOrigin::in_document(folder, Path::new(name));
    match form {
        Form::Glsl => glsl::compile_text(text, stage, line, origin, wanted),
        Form::Hlsl => hlsl::load_section(text, (stage, entry), line, origin, wanted),
        Form::Spvasm | Form::Spv => spvasm::load(text.into_bytes(), wanted).map_err(|problem| match problem {
            // Lines of the file, not of the section.
            Problem::Assembly { line: within, column, message } => {
                Problem::Assembly { line: within + line as usize, column, message }
            }
            problem => problem,
        }),
    }
}

fn of_file(
    (form, entry): (Form, &str),
    stage: StageKind,
    (bounds, path): (&Path, &Path),
    bytes: Vec<u8>,
    wanted: &LoadOptions,
) -> Result<Loaded, Problem> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let origin = SourceOrigin { folder, path, bounds: Some(bounds) };
    let text = |bytes: Vec<u8>| {
        String::from_utf8(bytes).map_err(|error| Problem::NotUtf8 { offset: error.utf8_error().valid_up_to() })
    };
    let mut loaded = match form {
        Form::Spv if matches!(bytes.first_chunk(), Some([3, 2, 0x23, 7] | [7, 0x23, 2, 3])) => {
            spirv::load(bytes, wanted)
        }
        Form::Spv => {
            let found = bytes.iter().take(4).rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
            Err(Problem::Parse(lanescope_spirv::ParseError::Magic { found }))
        }
        Form::Spvasm => spvasm::load(bytes, wanted),
        Form::Glsl => glsl::compile_text(text(bytes)?, stage, 0, origin, wanted),
        Form::Hlsl => hlsl::load_section(text(bytes)?, (stage, entry), 0, origin, wanted),
    }?;
    if let Loaded::Module(module) = &mut loaded {
        module.includes.push(path.as_os_str().to_owned());
    }
    Ok(loaded)
}

/// A file of the description's folder; why a name is outside of it, if it is.
fn beside(folder: &Path, name: &str) -> Result<PathBuf, String> {
    in_folder(folder, name).map_err(|why| format!("`{name}` {why}; files are read from the description's folder only"))
}

/// Adds what a library file describes: its stages, and state that is not given yet.
fn link(
    described: &mut Described,
    library: &LibraryFile,
    (folder, name): (&Path, &str),
    budget: &mut Budget,
    wanted: &LoadOptions,
) {
    let place = Some(Place::line(library.line).in_file(name));
    let path = match beside(folder, &library.name) {
        Ok(path) => path,
        Err(why) => return described.pipeline.findings.push(findings::PIPE_PATH_OUTSIDE.at(None, place, why)),
    };
    let read = budget.read(&path, Given::of(wanted)).map_err(|problem| problem.to_string());
    let inner_name = path.to_string_lossy().into_owned();
    let read = read.and_then(|bytes| pipe::read(&inner_name, &bytes).map_err(|fault| fault.to_string()));
    let inner = match read {
        Ok(inner) => inner,
        Err(why) => {
            let missing = findings::PIPE_MISSING_FILE.at(None, place, format!("{}: {why}", path.display()));
            return described.pipeline.findings.push(missing);
        }
    };
    if !inner.libraries.is_empty() {
        let message = format!("{} lists libraries itself; nested lists are not supported", path.display());
        described.pipeline.findings.push(findings::PIPE_DEPTH_LIMIT.at(None, place, message));
    }
    let first = described.pipeline.stages.len();
    let inner_folder = path.parent().unwrap_or(Path::new("")).to_owned();
    described.pipeline.origin.libraries.push(Library {
        hash: None,
        name: Some(library.name.clone()),
        parts: vec![library.part.clone()],
    });
    merge(&mut described.pipeline, inner.pipeline, library);
    for (stage, shader) in inner.shaders.into_iter().enumerate() {
        give(described, first + stage, shader, (&inner_folder, &inner_name), budget, wanted);
    }
    for module in described.pipeline.stages.iter().skip(first).filter_map(|stage| stage.module) {
        // Modules may be of several stages and libraries.
        if let Some(module) = described.modules.get_mut(module)
            && !module.includes.contains(&path.as_os_str().to_owned())
        {
            module.includes.push(path.clone().into_os_string());
        }
    }
}

/// Takes what `from` says and `into` does not: of structures their members, of user data the nodes of all parts.
fn merge(into: &mut Pipeline, from: Pipeline, library: &LibraryFile) {
    let place = |text: &str| format!("{}, {text}", library.name);
    into.stages.extend(from.stages.into_iter().map(|mut stage| {
        stage.from = place(&stage.from);
        stage
    }));
    let Layout { from: line, nodes, static_descriptors, .. } = from.layout;
    into.layout.from = into.layout.from.take().or_else(|| line.as_deref().map(place));
    for root in nodes {
        match into.layout.nodes.iter_mut().find(|known| known.is_same(&root)) {
            Some(known) => known.join(root),
            None => into.layout.nodes.push(root),
        }
    }
    for descriptor in static_descriptors {
        let at = |one: &StaticDescriptor| (one.set, one.binding);
        if !into.layout.static_descriptors.iter().any(|known| at(known) == at(&descriptor)) {
            into.layout.static_descriptors.push(descriptor);
        }
    }
    let (mine, mut theirs) = (&mut into.state, from.state);
    for from in [
        theirs.vertex_input.as_mut().map(|input| &mut input.from),
        theirs.raster.as_mut().map(|raster| &mut raster.from),
        theirs.multisample.as_mut().map(|samples| &mut samples.from),
        theirs.attachments.as_mut().map(|attachments| &mut attachments.from),
    ]
    .into_iter()
    .flatten()
    {
        *from = place(from);
    }
    fn take<T>(mine: &mut Option<T>, theirs: Option<T>) {
        if mine.is_none() {
            *mine = theirs;
        }
    }
    take(&mut mine.vertex_input, theirs.vertex_input);
    take(&mut mine.topology, theirs.topology);
    take(&mut mine.patch_control_points, theirs.patch_control_points);
    match (&mut mine.raster, theirs.raster) {
        (Some(known), Some(raster)) => known.add(raster),
        (known, raster) => take(known, raster),
    }
    match (&mut mine.multisample, theirs.multisample) {
        (Some(known), Some(samples)) => known.add(samples),
        (known, samples) => take(known, samples),
    }
    // The export part decides what is drawn to, regardless of the others.
    if library.part == COLOR_EXPORT && theirs.attachments.is_some() {
        mine.attachments = None;
    }
    take(&mut mine.attachments, theirs.attachments);
    into.settings.extend(from.settings.into_iter().map(|mut setting| {
        setting.from = place(&setting.from);
        setting
    }));
    into.kept.extend(from.kept);
    into.findings.extend(from.findings);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_library_list_add_up() {
        let table = |visibility: u32, binding: u32| {
            format!(
                "[ResourceMapping]\nuserDataNode[0].type = DescriptorTableVaPtr\nuserDataNode[0].visibility = \
                 {visibility}\nuserDataNode[0].offsetInDwords = 4\nuserDataNode[0].sizeInDwords = 1\n\
                 userDataNode[0].next[0].type = DescriptorConstBuffer\nuserDataNode[0].next[0].offsetInDwords = {}\n\
                 userDataNode[0].next[0].sizeInDwords = 4\nuserDataNode[0].next[0].set = 0\n\
                 userDataNode[0].next[0].binding = {binding}\n",
                binding * 4
            )
        };
        let push = "userDataNode[1].type = PushConst\nuserDataNode[1].visibility = 2\nuserDataNode[1].offsetInDwords = 0\n\
                    userDataNode[1].sizeInDwords = 4\n";
        let pre = format!(
            "{}{push}[GraphicsPipelineState]\ndepthClipEnable = 1\ncolorBuffer[0].format = VK_FORMAT_R8_UNORM\n",
            table(2, 0)
        );
        let fragment = table(64, 1) + "[GraphicsPipelineState]\nrasterStream = 1\nperSampleShading = 1\n";
        let export = "[GraphicsPipelineState]\ncolorBuffer[0].format = VK_FORMAT_R16G16B16A16_UNORM\nnumSamples = 4\n";
        let read = |text: &str| pipe::read("a.pipe", text.as_bytes()).expect("reads").pipeline;
        let mut all = read("[GraphicsLibrary]\npreRaster = pre.pipe\n");
        for (part, text) in [("preRaster", pre.as_str()), ("fragment", &fragment), ("colorExport", export)] {
            let library = LibraryFile { part: part.to_owned(), name: format!("{part}.pipe"), line: 2 };
            merge(&mut all, read(text), &library);
        }
        let roots: Vec<_> = all.layout.nodes.iter().map(|root| (root.visibility, root.node.children.len())).collect();
        assert_eq!(roots, [(66, 2), (2, 0)]);
        let raster = all.state.raster.expect("rasterises");
        assert_eq!((raster.depth_clip, raster.stream), (Some(true), Some(1)));
        let samples = all.state.multisample.expect("samples");
        assert_eq!((samples.samples, samples.sample_shading), (Some(4), Some(true)));
        let attachments = all.state.attachments.expect("drawn to");
        let format = attachments.colors[0].format.and_then(|format| format.name());
        assert_eq!((format, attachments.from.as_str()), (Some("R16G16B16A16_UNORM"), "colorExport.pipe, line 2"));
    }

    #[test]
    fn distinguishes_constants_of_wrong_size_from_undeclared_ones() {
        let entry = |at: u32, id: u32, size: u32| {
            let entry = format!("specConst.mapEntry[{at}]");
            format!("{entry}.constantID = {id}\n{entry}.offset = 0\n{entry}.size = {size}\n")
        };
        let text = format!(
            "[CsGlsl]\n#version 450\nlayout(local_size_x = 8) in;\nlayout(constant_id = 2) const bool c = false;\n\
             layout(set = 0, binding = 0) buffer B {{ uint x; }};\nvoid main() {{ x = c ? 1 : 0; }}\n[CsInfo]\n\
             entryPoint = main\n{}{}specConst.uintData = 7\n",
            entry(0, 2, 1),
            entry(1, 9, 4)
        );
        let Ok(Loaded::Described(described)) = load(Path::new("a.pipe"), text.into_bytes(), &LoadOptions::default())
        else {
            panic!("loads")
        };
        let tables = described.pipeline.tables();
        let constants = tables.iter().find(|table| table.title.contains("onstants")).expect("a table");
        let values: Vec<_> = constants.rows.iter().map(|row| [row[1].as_str(), row[2].as_str()]).collect();
        assert_eq!(values, [["2", "wrong size"], ["9", "not declared"]]);
    }

    #[test]
    fn stages_share_a_module_where_they_specialise_it_alike() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "#version 460\n#extension GL_EXT_ray_tracing : require\nlayout(constant_id = 0) const int n = 1;\n\
                    layout(location = 0) rayPayloadInEXT int x;\nvoid main() { x = n; }";
        let module = glsl::compile_own(text, StageKind::Miss).expect("compiles");
        let bytes: Vec<u8> = module.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(folder.path().join("miss.spv"), bytes).expect("writes");
        let shader = "[missSpvFile]\nfileName = miss.spv\n[missInfo]\nentryPoint = main\n";
        let constant = "specConst.mapEntry[0].constantID = 0\nspecConst.mapEntry[0].offset = 0\n\
                        specConst.mapEntry[0].size = 4\nspecConst.uintData = 7\n";
        let text = format!("[Version]\nversion = 75\n{}{shader}{constant}{shader}{constant}", shader.repeat(400));
        let path = folder.path().join("a.pipe");
        let Ok(Loaded::Described(described)) = load(&path, text.into_bytes(), &LoadOptions::default()) else {
            panic!("loads")
        };
        let modules: Vec<_> = described.pipeline.stages.iter().map(|stage| stage.module).collect();
        assert!(modules == [vec![Some(0); 400], vec![Some(1); 2]].concat(), "{:#?}", described.pipeline.findings);
        assert_eq!(described.modules.len(), 2);
    }

    #[test]
    fn files_beside_a_description_have_a_limit_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.spv");
        std::fs::write(&path, [0; 8]).expect("writes");
        let mut budget = Budget(20);
        assert!(budget.read(&path, Given::default()).is_ok() && budget.read(&path, Given::default()).is_ok());
        let error = budget.read(&path, Given::default()).expect_err("24 bytes");
        assert!(error.to_string().contains("have more than 256 MiB"), "{error}");
        // What is smaller still fits.
        std::fs::write(&path, [0; 4]).expect("writes");
        assert!(budget.read(&path, Given::default()).is_ok());
    }

    #[test]
    fn names_stay_inside_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("writable");
        std::fs::write(folder.path().join("x.spv"), "x").expect("writable");
        for (name, inside) in [
            ("a.spv", true),
            ("sub/a.spv", true),
            ("sub/../a.spv", true),
            ("../x.spv", false),
            ("sub/../../x.spv", false),
            ("/etc/passwd", false),
            ("C:\\a.spv", false),
            ("\\\\host\\a.spv", false),
        ] {
            assert_eq!(beside(&inner, name).is_ok(), inside, "{name}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("x.spv"), inner.join("link.spv")).expect("links");
            assert!(beside(&inner, "link.spv").expect_err("leads out").contains("out of the folder"));
        }
    }
}
