//! A module as text, for people: functions as LLVM writes them, with calls of ops by name
//! (`%3 = dx.op LoadInput.f32(inputSigId 1, row 0, col 1)`), handles with their resource, and
//! metadata instead of its numbers.
//!
//! Values and blocks have the numbers that LLVM's own disassembler gives them. Every instruction is on one line, so
//! that a place in the module is a line of the text.

mod instruction;
mod local;
mod metadata;
mod op;
mod resource;
mod value;

use std::collections::BTreeMap;

use super::metadata::{Dx, EntryPoint};
use super::module::{Body, Function, Module, Operand, Type, symbol};
use super::source_lines::SourceLines;
use local::Local;
use metadata::Inline;
pub(crate) use resource::Handles;

/// Bytes of one line: constants and metadata may name the same parts again and again.
const LONGEST_LINE: usize = 4096;
/// Bytes of the whole text.
const LONGEST_TEXT: usize = 32 << 20;

/// The text, and the lines of its instructions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disassembly {
    /// The text.
    pub text: String,
    /// For each function with a body its index, and the line (from 1) of each instruction.
    lines: Vec<(usize, Vec<u32>)>,
}

impl Disassembly {
    /// The line, from 1, of an instruction of a function, both by index.
    pub fn line(&self, function: usize, instruction: usize) -> Option<u32> {
        let at = self.lines.binary_search_by_key(&function, |(index, _)| *index).ok()?;
        self.lines.get(at)?.1.get(instruction).copied()
    }
}

/// Names of one function's values, as the text has them.
pub(crate) struct Namer<'m> {
    module: &'m Module,
    body: &'m Body,
    local: Local,
}

impl<'m> Namer<'m> {
    /// The names of a function that has a body.
    pub fn new(module: &'m Module, function: &'m Function) -> Option<Namer<'m>> {
        let body = function.body.as_ref()?;
        Some(Namer { module, body, local: Local::new(module, function, body) })
    }

    /// An operand: `%3`, `1.5`, `undef`.
    pub fn operand(&self, operand: &Operand) -> String {
        value::Scope { module: self.module, body: Some(self.body), local: &self.local }.operand(operand)
    }

    /// The integer that an operand is, if it is a constant one.
    pub fn integer(&self, operand: &Operand) -> Option<i64> {
        match operand {
            Operand::Value(id) => self.module.integer(Some(self.body), *id),
            _ => None,
        }
    }
}

/// The text of a module whose metadata was read, with the lines of its instructions.
pub fn disassemble(module: &Module, dx: &Dx, lines: &SourceLines) -> Disassembly {
    let mut out = Text { out: Disassembly::default(), line: 1, full: false };
    let entries = Entries::of(dx);
    header(&mut out, module, dx);
    for (index, function) in module.functions.iter().enumerate() {
        if let Some(body) = &function.body {
            out.line("");
            define(&mut out, module, (dx, &entries, lines), (index, function, body));
        }
    }
    named_metadata(&mut out, module);
    out.out
}

/// The text under construction.
struct Text {
    out: Disassembly,
    /// The number of the next line, from 1.
    line: u32,
    full: bool,
}

impl Text {
    /// Writes one line, cut at its limit.
    fn line(&mut self, line: &str) {
        if self.full {
            return;
        }
        if self.out.text.len().saturating_add(line.len()) > LONGEST_TEXT {
            self.full = true;
            self.out.text.push_str("; truncated: the text is too long\n");
            return;
        }
        let end = line.floor_char_boundary(LONGEST_LINE);
        self.out.text.push_str(line.get(..end).unwrap_or_default());
        self.out.text.push_str(if end < line.len() { "…\n" } else { "\n" });
        self.line = self.line.saturating_add(1);
    }
}

fn header(out: &mut Text, module: &Module, dx: &Dx) {
    if let Some(model) = dx.model {
        let minor = if model.minor == 15 { "x".to_owned() } else { model.minor.to_string() };
        let kind = crate::ops::ShaderKind::of_number(model.kind).map_or("unknown", |kind| kind.name());
        let version = dx.version.map(|(major, minor)| format!(", DXIL {major}.{minor}")).unwrap_or_default();
        out.line(&format!("; {kind} shader, model {}.{minor}{version}", model.major));
    }
    if let Some(compiler) = &dx.compiler {
        out.line(&format!("; {compiler}"));
    }
    if !dx.resources.0.is_empty() {
        out.line("; resources");
        for resource in &dx.resources.0 {
            out.line(&format!(";   {}", resource::description(resource)));
        }
    }
    for entry in &dx.entries {
        let title = if dx.entries.len() > 1 { format!(" of {}", entry.name) } else { String::new() };
        signature(out, &format!("inputs{title}"), &entry.signatures.input);
        signature(out, &format!("outputs{title}"), &entry.signatures.output);
        signature(out, &format!("patch constants or primitives{title}"), &entry.signatures.patch);
    }
    out.line(&format!("target datalayout = \"{}\"", module.data_layout));
    out.line(&format!("target triple = \"{}\"", module.triple));
    let structs = module.types.all().iter().filter_map(|ty| match ty {
        Type::Struct { name: Some(name), members, packed } => Some((name, members, *packed)),
        _ => None,
    });
    for (at, (name, members, packed)) in structs.enumerate() {
        if at == 0 {
            out.line("");
        }
        let members: Vec<String> = members.iter().map(|member| module.types.name(*member)).collect();
        let (open, close) = if packed { ("<{ ", " }>") } else { ("{ ", " }") };
        out.line(&format!("{} = type {open}{}{close}", symbol('%', name), members.join(", ")));
    }
    for (at, global) in module.globals.iter().enumerate() {
        if at == 0 {
            out.line("");
        }
        let scope = value::Scope { module, body: None, local: &Local::default() };
        let space =
            if global.address_space == 0 { String::new() } else { format!("addrspace({}) ", global.address_space) };
        let kind = if global.constant { "constant" } else { "global" };
        let initial = global.initial.map(|id| format!(" {}", scope.value(id))).unwrap_or_default();
        let align = if global.align > 0 { format!(", align {}", global.align) } else { String::new() };
        let (name, ty) = (scope.value(global.value), module.types.name(global.ty));
        out.line(&format!("{name} = {space}{kind} {ty}{initial}{align}"));
    }
    let declared = |function: &&Function| {
        function.body.is_none() && !module.function_name(function).starts_with(crate::ops::CALLEE_PREFIX)
    };
    for (at, function) in module.functions.iter().filter(declared).enumerate() {
        if at == 0 {
            out.line("");
        }
        let name = symbol('@', module.function_name(function));
        out.line(&format!("declare {} {name}", module.types.name(function.ty)));
    }
}

fn signature(out: &mut Text, title: &str, elements: &[super::metadata::SignatureElement]) {
    if elements.is_empty() {
        return;
    }
    out.line(&format!("; {title}"));
    for element in elements {
        let register = element.register.map_or("no register".to_owned(), |register| {
            let columns: String = "xyzw".chars().skip(element.column as usize).take(element.columns as usize).collect();
            format!("register {register}.{columns}")
        });
        let rows = if element.rows > 1 { format!(", {} rows", element.rows) } else { String::new() };
        let (id, name) = (element.id, resource::semantic(element, 0));
        out.line(&format!(
            ";   {id} {name} {} x{}, {register}{rows}, {}",
            element.component_type, element.columns, element.interpolation
        ));
    }
}

fn define(
    out: &mut Text,
    module: &Module,
    (dx, entries, source): (&Dx, &Entries<'_>, &SourceLines),
    (index, function, body): (usize, &Function, &Body),
) {
    let local = Local::new(module, function, body);
    let scope = value::Scope { module, body: Some(body), local: &local };
    let handles = Handles::new(module, body, dx);
    let name = module.function_name(function);
    let (own, patch_of) = (entries.own.get(name).copied(), entries.patch.get(name).copied());
    let entry = own.or(patch_of);
    let inline = Inline { module, body: Some(body) };
    if let Some(entry) = own {
        out.line(&format!("; entry point {} ({})", entry.name, entry.kind));
    } else if let Some(entry) = patch_of {
        out.line(&format!("; patch function of {}", entry.name));
    }
    out.line(&format!("define {} {{", prototype(&scope, function)));
    let mut lines = Vec::with_capacity(body.instructions.len());
    let mut attachments = body.attachments.iter().filter(|attachment| attachment.instruction.is_some()).peekable();
    for (at, block) in body.blocks.iter().enumerate() {
        if at > 0 {
            out.line("");
        }
        if at > 0 || local.names_blocks() {
            out.line(&format!("{}:", local.block_label(at)));
        }
        for (number, is) in body.block(block) {
            let mut line = String::from("  ");
            if let Some(result) = is.result {
                line.push_str(&format!("{} = ", scope.value(result)));
            }
            let comment = instruction::write(&mut line, &scope, is, &handles, entry);
            while let Some(attachment) = attachments.next_if(|a| a.instruction.is_some_and(|a| a as usize <= number)) {
                if attachment.instruction == u32::try_from(number).ok() {
                    let kind = module
                        .metadata
                        .kind_name(attachment.kind)
                        .map_or_else(|| attachment.kind.to_string(), str::to_owned);
                    line.push_str(&format!(", !{kind} {}", inline.attached(&kind, attachment.node)));
                }
            }
            let from = source.place(index, number).map(|(at, column)| {
                let file = at.file.rsplit(['/', '\\']).next().unwrap_or_default();
                format!("{file}:{}:{column}", at.line)
            });
            let comments: Vec<String> = comment.into_iter().chain(from).collect();
            if !comments.is_empty() {
                line.push_str(&format!("  ; {}", comments.join("; ")));
            }
            lines.push(out.line);
            out.line(&line);
        }
    }
    out.line("}");
    if !out.full {
        out.out.lines.push((index, lines));
    }
}

/// `void @main(i32 %0) nounwind`.
fn prototype(scope: &value::Scope<'_>, function: &Function) -> String {
    let module = scope.module;
    let name = symbol('@', module.function_name(function));
    let Some(Type::Function { result, parameters, .. }) = module.types.get(function.ty) else { return name };
    let parameters: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(at, ty)| format!("{} {}", module.types.name(*ty), scope.local.argument(at)))
        .collect();
    let attributes: Vec<String> = module.attributes.of_function(function.attributes).collect();
    let attributes = if attributes.is_empty() { String::new() } else { format!(" {}", attributes.join(" ")) };
    format!("{} {name}({}){attributes}", module.types.name(*result), parameters.join(", "))
}

/// Entry points by the names of their functions; the first one of each.
struct Entries<'d> {
    own: BTreeMap<&'d str, &'d EntryPoint>,
    /// Hull shaders by the functions that give their patch constants.
    patch: BTreeMap<&'d str, &'d EntryPoint>,
}

impl<'d> Entries<'d> {
    fn of(dx: &'d Dx) -> Entries<'d> {
        let (mut own, mut patch) = (BTreeMap::new(), BTreeMap::new());
        for entry in &dx.entries {
            own.entry(entry.function.as_deref().unwrap_or(&entry.name)).or_insert(entry);
            if let Some(hull) = &entry.properties.hull {
                patch.entry(&*hull.patch_function).or_insert(entry);
            }
        }
        Entries { own, patch }
    }
}

fn named_metadata(out: &mut Text, module: &Module) {
    let inline = Inline { module, body: None };
    for (at, (name, nodes)) in module.metadata.named().enumerate() {
        if at == 0 {
            out.line("");
        }
        for node in nodes {
            out.line(&format!("!{name} = {}", inline.node(*node)));
        }
    }
}

#[cfg(test)]
mod tests;
