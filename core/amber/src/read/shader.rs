//! Shaders and files that the script contains.

use super::{Named, Read, Reader};
use crate::script::{Line, Shader, ShaderCode, ShaderFormat, ShaderSource, ShaderStage, VirtualFile};

impl Reader<'_> {
    pub(super) fn virtual_file(&mut self) -> Read<()> {
        let path = self.path("the path of a file")?;
        let path = self.declare(Named::File, path, self.script.files.len())?;
        self.end()?;
        let (text, line) = self.text("VIRTUAL_FILE")?;
        self.script.files.push(VirtualFile { line, path, text });
        Ok(())
    }

    /// The text of a block up to its `END`, which ends its line.
    fn text(&mut self, block: &str) -> Read<(String, Line)> {
        let Some((text, line)) = self.tokens.text_to_end() else {
            return Err(self.wrong(format!("END of {block}"), "the end of the file"));
        };
        // The word that follows is longer where the text itself contains `END`.
        self.keyword("END")?;
        self.end()?;
        Ok((text.to_owned(), Line(line)))
    }

    pub(super) fn shader(&mut self) -> Read<()> {
        let line = self.line();
        let stage = self.one_of("a stage", ShaderStage::ALL, ShaderStage::name)?;
        let name = self.new_name(Named::Shader, self.script.shaders.len())?;
        let code = if self.eat("PASSTHROUGH")? {
            if stage != ShaderStage::Vertex {
                return Err(self.wrong("a vertex shader before PASSTHROUGH", format!("`{stage}`")));
            }
            self.end()?;
            ShaderCode::Passthrough
        } else {
            self.code()?
        };
        self.script.shaders.push(Shader { line, stage, name, code });
        Ok(())
    }

    fn code(&mut self) -> Read<ShaderCode> {
        let format = self.one_of("PASSTHROUGH or a language", ShaderFormat::ALL, ShaderFormat::name)?;
        let target = if self.eat("TARGET_ENV")? { Some(self.path("an environment of SPIR-V")?) } else { None };
        let source = if self.eat("VIRTUAL_FILE")? {
            let path = self.path("the path of a VIRTUAL_FILE")?;
            self.known(Named::File, &path)?;
            self.end()?;
            ShaderSource::VirtualFile(path)
        } else if self.eat("FILE")? {
            let path = self.path("the path of a file")?;
            self.end()?;
            ShaderSource::File(path)
        } else {
            self.end()?;
            ShaderSource::Text(self.text("SHADER")?.0)
        };
        Ok(ShaderCode::Given { format, target, source })
    }
}
