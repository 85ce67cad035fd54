//! Objects of the compiler that are deleted once.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::ptr::NonNull;

use glslang_sys as sys;

/// A shader. The compiler keeps pointers into its input, which therefore does not move as long as the shader lives.
pub struct Shader<'i> {
    handle: NonNull<sys::glslang_shader_t>,
    input: &'i sys::glslang_input_t,
}

impl<'i> Shader<'i> {
    /// A shader of an input whose pointers are valid.
    pub fn new(input: &'i sys::glslang_input_t) -> Option<Shader<'i>> {
        // SAFETY: the input is complete, and stays where it is for `'i`.
        let handle = unsafe { sys::glslang_shader_create(input) };
        NonNull::new(handle).map(|handle| Shader { handle, input })
    }

    /// Names the function that is the entry point.
    pub fn set_entry_point(&self, name: &CStr) {
        // SAFETY: the shader lives; the name is copied.
        unsafe { sys::glslang_shader_set_entry_point(self.handle.as_ptr(), name.as_ptr()) };
    }

    /// Sets what is read before the text.
    pub fn set_preamble(&self, text: &CStr) {
        // SAFETY: the shader lives; the text is copied.
        unsafe { sys::glslang_shader_set_preamble(self.handle.as_ptr(), text.as_ptr()) };
    }

    /// Reads the text as GLSL for OpenGL: what Vulkan has no words for is replaced, and locations and bindings are given.
    pub fn take_opengl(&self) {
        use sys::glslang_shader_options_t as O;
        let options = O::AUTO_MAP_BINDINGS | O::AUTO_MAP_LOCATIONS | O::VULKAN_RULES_RELAXED;
        // SAFETY: the shader lives; nothing of it was read yet.
        unsafe { sys::glslang_shader_set_options(self.handle.as_ptr(), options.0) };
    }

    /// Preprocesses the text.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn preprocess(&self) -> Result<(), String> {
        // SAFETY: the shader was made of this input.
        match unsafe { sys::glslang_shader_preprocess(self.handle.as_ptr(), self.input) } {
            0 => Err(self.messages()),
            _ => Ok(()),
        }
    }

    /// Replaces the text after preprocessing.
    pub fn set_preprocessed(&self, text: &CStr) {
        // SAFETY: the shader lives; the text is copied.
        unsafe { sys::glslang_shader_set_preprocessed_code(self.handle.as_ptr(), text.as_ptr()) };
    }

    /// Parses the text after preprocessing.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn parse(&self) -> Result<(), String> {
        // SAFETY: the shader was made of this input.
        let parsed = unsafe { sys::glslang_shader_parse(self.handle.as_ptr(), self.input) } != 0;
        let messages = self.messages();
        // It goes on after some errors, such as a profile that SPIR-V does not have.
        if parsed && !messages.lines().any(|line| line.starts_with("ERROR:")) { Ok(()) } else { Err(messages) }
    }

    fn messages(&self) -> String {
        let handle = self.handle.as_ptr();
        // SAFETY: the shader lives, and its texts as long as it.
        let [log, more] = unsafe {
            [sys::glslang_shader_get_info_log(handle), sys::glslang_shader_get_info_debug_log(handle)]
                .map(|log| text(log))
        };
        joined(&log, &more)
    }

    /// The text after preprocessing.
    pub fn preprocessed(&self) -> String {
        // SAFETY: the shader lives, and its text as long as it.
        unsafe { text(sys::glslang_shader_get_preprocessed_code(self.handle.as_ptr())) }
    }
}

impl Drop for Shader<'_> {
    fn drop(&mut self) {
        // SAFETY: deleted once; the program that used it borrows it, and so is gone.
        unsafe { sys::glslang_shader_delete(self.handle.as_ptr()) };
    }
}

/// A program of one or more shaders.
pub struct Program<'s> {
    handle: NonNull<sys::glslang_program_t>,
    shader: PhantomData<&'s Shader<'s>>,
}

impl<'s> Program<'s> {
    /// A program of a parsed shader.
    pub fn new(shader: &'s Shader<'_>) -> Option<Program<'s>> {
        // SAFETY: makes an object and hands it over.
        let handle = NonNull::new(unsafe { sys::glslang_program_create() })?;
        // SAFETY: both live, the shader for as long as the program.
        unsafe { sys::glslang_program_add_shader(handle.as_ptr(), shader.handle.as_ptr()) };
        Some(Program { handle, shader: PhantomData })
    }

    /// Adds a parsed shader.
    pub fn add(&self, shader: &'s Shader<'_>) {
        // SAFETY: both live, the shader for as long as the program.
        unsafe { sys::glslang_program_add_shader(self.handle.as_ptr(), shader.handle.as_ptr()) };
    }

    /// The module of the program's shader, which is of that stage.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn compile(&self, stage: sys::glslang_stage_t, lines: bool) -> Result<Vec<u32>, String> {
        self.link()?;
        Ok(self.words(stage, lines))
    }

    /// Links the shaders.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn link(&self) -> Result<(), String> {
        use sys::glslang_messages_t as M;
        // SAFETY: the program lives and has its shaders.
        match unsafe {
            sys::glslang_program_link(self.handle.as_ptr(), M::DEFAULT.0 | M::VULKAN_RULES.0 | M::SPV_RULES.0)
        } {
            0 => Err(self.messages()),
            _ => Ok(()),
        }
    }

    /// Gives locations and bindings to what has none: what has one name in two stages gets the same. `stage` is one of the
    /// program's.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn map_io(&self, stage: sys::glslang_stage_t) -> Result<(), String> {
        let handle = self.handle.as_ptr();
        // SAFETY: the program lives, is linked and has a shader of that stage; the two objects are deleted once, after
        // their use.
        let mapped = unsafe {
            let resolver = sys::glslang_glsl_resolver_create(handle, stage);
            let mapper = sys::glslang_glsl_mapper_create();
            let mapped = sys::glslang_program_map_io_with_resolver_and_mapper(handle, resolver, mapper);
            sys::glslang_glsl_mapper_delete(mapper);
            sys::glslang_glsl_resolver_delete(resolver);
            mapped
        };
        if mapped == 0 { Err(self.messages()) } else { Ok(()) }
    }

    fn messages(&self) -> String {
        let handle = self.handle.as_ptr();
        // SAFETY: the program lives, and its texts as long as it.
        let [log, more] = unsafe {
            [sys::glslang_program_get_info_log(handle), sys::glslang_program_get_info_debug_log(handle)]
                .map(|log| text(log))
        };
        joined(&log, &more)
    }

    /// The module of a stage of a program that is linked.
    pub fn words(&self, stage: sys::glslang_stage_t, lines: bool) -> Vec<u32> {
        let handle = self.handle.as_ptr();
        let mut options = sys::glslang_spv_options_t {
            generate_debug_info: lines,
            strip_debug_info: false,
            // It is not part of this build.
            disable_optimizer: true,
            optimize_size: false,
            optimize_performance: false,
            disassemble: false,
            validate: false,
            emit_nonsemantic_shader_debug_info: false,
            emit_nonsemantic_shader_debug_source: false,
            compile_only: false,
            optimize_allow_expanded_id_bound: false,
            compiler_signature: std::ptr::null(),
            command_line_arguments: std::ptr::null(),
            current_working_directory: std::ptr::null(),
        };
        // SAFETY: the program is linked and has a shader of this stage; the words are copied into memory of their size.
        unsafe {
            sys::glslang_program_SPIRV_generate_with_options(handle, stage, &raw mut options);
            let mut words = vec![0; sys::glslang_program_SPIRV_get_size(handle)];
            sys::glslang_program_SPIRV_get(handle, words.as_mut_ptr());
            words
        }
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: deleted once, before its shader.
        unsafe { sys::glslang_program_delete(self.handle.as_ptr()) };
    }
}

/// A text of the compiler's; empty if there is none.
///
/// # Safety
/// `text` is null or a string that ends with a zero.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn joined(log: &str, more: &str) -> String {
    let lines = log.lines().chain(more.lines()).map(str::trim_end).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
