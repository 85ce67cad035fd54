//! Code lenses, and the commands that they name.

use std::path::Path;

use lanescope_host::files::text_at_most;
use lsp_server::{ErrorCode, RequestId};
use lsp_types::{CodeLens, Command, ExecuteCommandParams, MessageType};
use serde_json::{Value, json};

use super::Server;
use super::pipelines::{Held, MAX_DOCUMENT};
use crate::commands::{Argument, COMPILE, DEBUG, PERFORMED, RUN, SHOW, flags, open_window, shortened, statistics};
use crate::project::Pipeline;
use crate::source::Language;
use crate::uri::path_of;

impl Server {
    /// The lenses of a document: at the entry point that its text has, else at its first line.
    pub(super) fn lenses(&self, path: &Path, held: &[&Held]) -> Value {
        let (Some(first), Some((text, lines))) = (held.first(), self.text(path)) else { return json!([]) };
        let Some(uri) = self.uri(path) else { return json!([]) };
        if !first.pipeline.files.iter().any(|file| file == path) {
            return json!([]);
        }
        let entry = first.report.as_ref().and_then(|reported| {
            let own = reported
                .report
                .stages
                .iter()
                .filter(|stage| first.pipeline.files.get(stage.input).is_some_and(|file| file == path));
            let mut places = own.filter_map(|stage| entry_point(Language::of_name(path)?, &text, &stage.entry));
            places.next()
        });
        let at = entry.unwrap_or(0);
        let range = lines.range_of(&text, &(at..at), self.abilities.encoding);
        let chip = first.pipeline.options.target.name();
        let all = [
            ("Run".to_owned(), RUN, json!({ "uri": uri })),
            ("Debug".to_owned(), DEBUG, launch(&first.pipeline)),
            ("Show in Lanescope".to_owned(), SHOW, json!({ "uri": uri })),
            (format!("Compile for {chip}"), COMPILE, json!({ "uri": uri, "chip": chip })),
        ];
        let is_performed = |command: &str| PERFORMED.contains(&command) || self.abilities.debugs;
        let lenses: Vec<CodeLens> = all
            .into_iter()
            .filter(|(_, command, _)| is_performed(command))
            .map(|(title, command, argument)| {
                let command = Command { title, command: command.to_owned(), arguments: Some(vec![argument]) };
                CodeLens { range, command: Some(command), data: None }
            })
            .collect();
        serde_json::to_value(lenses).unwrap_or(Value::Null)
    }

    /// Performs a command; the answer follows when it is done.
    pub(super) fn execute(&mut self, id: RequestId, params: ExecuteCommandParams) {
        let ExecuteCommandParams { command, arguments, .. } = params;
        if !PERFORMED.contains(&command.as_str()) {
            let why = format!("`{command}` is not a command of the server: {}", PERFORMED.join(", "));
            return self.client.refuse(id, ErrorCode::InvalidParams, &why);
        }
        let argument: Result<Argument, String> = match arguments.as_slice() {
            [one] => serde_json::from_value(one.clone()).map_err(|error| error.to_string()),
            _ => Err("expected one argument: an object with `uri`".to_owned()),
        };
        let begun = argument.and_then(|argument| self.begin_command(id.clone(), &command, &argument));
        if let Err(why) = begun {
            self.client.refuse(id, ErrorCode::RequestFailed, &format!("{command}: {why}"));
        }
    }

    fn begin_command(&mut self, id: RequestId, command: &str, argument: &Argument) -> Result<(), String> {
        let path = path_of(&argument.uri).ok_or("not a file of this machine")?;
        let pipeline = self.pipelines.with(&path).next().cloned();
        let pipeline = pipeline.ok_or("the file is not part of a pipeline of an open document")?;
        // The command line reads files.
        let is_saved = |file: &Path| match self.documents.get(file) {
            Some(document) => text_at_most(file, MAX_DOCUMENT as u64).is_ok_and(|text| text == document.text),
            None => true,
        };
        let involved = self.pipelines.involved_with(&path);
        if let Some(file) = pipeline.files.iter().chain(&involved).find(|file| !is_saved(file)) {
            return Err(format!("{} is not saved", file.display()));
        }
        let mut arguments = flags(&pipeline);
        let mut before: Vec<&str> = Vec::new();
        let chip = argument.chip.clone().map(|chip| format!("--chip={chip}"));
        let device = format!("--device={}", argument.device.as_deref().unwrap_or("interpreter"));
        match command {
            COMPILE => {
                before.extend(["isa", "--stat", "--format=csv"]);
                before.extend(chip.as_deref());
            }
            RUN => before.extend(["run", &device]),
            _ => return self.show(id, &pipeline),
        }
        arguments.splice(0..0, before.into_iter().map(Into::into));
        let reply = self.client.reply(id);
        let is_compile = command == COMPILE;
        let done = move |result: Result<String, String>| match result {
            Ok(text) => {
                let text = if is_compile { statistics(&text) } else { text };
                if !text.is_empty() {
                    reply.show(MessageType::INFO, &shortened(&text));
                }
                reply.answer(json!({ "text": text }));
            }
            Err(why) => {
                reply.show(MessageType::ERROR, &shortened(&why));
                reply.refuse(&why);
            }
        };
        self.command.start(arguments, done).map_err(|error| error.to_string())
    }

    /// Opens a pipeline in the window, which reads the workspace file itself.
    fn show(&self, id: RequestId, pipeline: &Pipeline) -> Result<(), String> {
        if ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| std::env::var_os(name).is_none()) {
            return Err("no display is available".to_owned());
        }
        let reply = self.client.reply(id.clone());
        let failed = move |why: &str| reply.show(MessageType::ERROR, &shortened(&format!("the window ended: {why}")));
        open_window(&pipeline.files, failed).map_err(|error| error.to_string())?;
        self.client.answer(id, json!({ "text": "" }));
        Ok(())
    }
}

/// The arguments of a launch of `lanescope dap` for a pipeline.
fn launch(pipeline: &Pipeline) -> Value {
    let files: Vec<String> = pipeline.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let mut out = json!({
        "type": "lanescope",
        "request": "launch",
        "name": pipeline.name,
        "program": files,
        "target": pipeline.options.target.name(),
        "stopOnEntry": true,
    });
    let conversion = &pipeline.options.dxil;
    for (name, values) in
        [("define", &conversion.defines), ("include-dir", &conversion.include_dirs), ("entry", &pipeline.options.entry)]
    {
        if !values.is_empty() {
            out[name] = json!(values);
        }
    }
    if let Some(profile) = &conversion.profile {
        out["profile"] = json!(profile);
    }
    if let Some(stage) = pipeline.options.stage {
        out["stage"] = json!(stage.name());
    }
    out
}

/// The offset of the function of an entry point: the begin of its line.
fn entry_point(language: Language, text: &str, name: &str) -> Option<usize> {
    let tokens = language.tokens(text);
    let at = tokens.windows(3).position(|three| {
        let is_defined = three[0].is_word() && !["return", "else"].contains(&three[0].text);
        is_defined && three[1].text == name && three[2].text == "("
    })?;
    let start = tokens.get(at)?.at;
    Some(text.get(..start)?.rfind('\n').map_or(0, |end| end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_points_are_functions_of_their_name() {
        let at = |language, text: &str, name| {
            entry_point(language, text, name).map(|at| text[at..].lines().next().map(str::to_owned))
        };
        let glsl = "// main()\nvec4 f() { return main2(); }\nvoid main() {}";
        assert_eq!(at(Language::Glsl, glsl, "main"), Some(Some("void main() {}".to_owned())));
        let wgsl = "@compute @workgroup_size(8)\nfn go() {}\nfn other() { go(); }";
        assert_eq!(at(Language::Wgsl, wgsl, "go"), Some(Some("fn go() {}".to_owned())));
        assert_eq!(at(Language::Glsl, "x = main();", "main"), None);
    }
}
