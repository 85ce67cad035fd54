//! SPIR-V assembly for tests, without the C++ assembler, and shaders around a body.
#![allow(dead_code, reason = "each test program and benchmark uses a part")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;

use lanescope_spirv::Module;
use rspirv::grammar::{GLSL_STD_450_INSTRUCTION_TABLE, INSTRUCTION_TABLE};
use rspirv::spirv as s;

/// Assembles a module.
///
/// Beyond SPIR-V's assembly: `%u:7`, `%i:-7`, `%f:1.5` are constants of `%uint`, `%int` and `%float`, declared before the
/// first function.
pub fn assemble(text: &str) -> Module {
    let mut assembler = Assembler::default();
    let text = declare_constants(text);
    for line in text.lines() {
        let line = line.split(';').next().unwrap_or_default().trim();
        if !line.is_empty() {
            assembler.line(line);
        }
    }
    let mut words = vec![0x0723_0203, 0x0001_0600, 0, assembler.ids.len() as u32 + 1, 0];
    words.extend(assembler.words);
    Module::parse(words).expect("a module")
}

fn declare_constants(text: &str) -> String {
    let mut found = BTreeMap::new();
    for word in text.split_whitespace() {
        for (prefix, ty) in [("%u:", "%uint"), ("%i:", "%int"), ("%f:", "%float")] {
            if let Some(value) = word.strip_prefix(prefix) {
                found.insert(word.to_owned(), format!("{word} = OpConstant {ty} {value}\n"));
            }
        }
    }
    let at = text.find("%main = OpFunction").or_else(|| text.find("= OpFunction ")).unwrap_or(text.len());
    let at = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let declared: String = found.into_values().collect();
    format!("{}{declared}{}", &text[..at], &text[at..])
}

#[derive(Default)]
struct Assembler {
    words: Vec<u32>,
    ids: BTreeMap<String, u32>,
    /// By type: width in bits, whether it is a float.
    types: BTreeMap<u32, (u32, bool)>,
    /// By value: its type.
    of: BTreeMap<u32, u32>,
}

fn tokens(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let end = if let Some(text) = rest.strip_prefix('"') {
            text.find('"').expect("a closing quote") + 2
        } else {
            rest.find(char::is_whitespace).unwrap_or(rest.len())
        };
        out.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
    }
    out
}

impl Assembler {
    fn id(&mut self, name: &str) -> u32 {
        let next = self.ids.len() as u32 + 1;
        *self.ids.entry(name.to_owned()).or_insert(next)
    }

    fn line(&mut self, line: &str) {
        let mut tokens = tokens(line);
        let result = if tokens.get(1).is_some_and(|token| token == "=") {
            let name = tokens.remove(0);
            tokens.remove(0);
            Some(self.id(&name))
        } else {
            None
        };
        let name = tokens.remove(0);
        let info = INSTRUCTION_TABLE.iter().find(|info| format!("Op{}", info.opname) == name);
        let op = info.unwrap_or_else(|| panic!("unknown opcode: {line}")).opcode;
        let mut operands = Vec::new();
        let typed = info.is_some_and(|info| info.operands.iter().any(|o| format!("{:?}", o.kind) == "IdResultType"));
        let mut tokens = tokens.into_iter();
        let mut ty = 0;
        if typed {
            ty = self.id(&tokens.next().expect("a type"));
            operands.push(ty);
        }
        operands.extend(result);
        if let (true, Some(result)) = (typed, result) {
            self.of.insert(result, ty);
        }
        let mut previous = String::new();
        let mut selector = 0;
        for (at, token) in tokens.enumerate() {
            if token.starts_with('%') {
                operands.push(self.id(&token));
                if op == s::Op::Switch && at == 0 {
                    selector = *operands.last().expect("a word");
                }
            } else if let Some(text) = token.strip_prefix('"') {
                let mut bytes = text.trim_end_matches('"').as_bytes().to_vec();
                bytes.resize((bytes.len() / 4 + 1) * 4, 0);
                operands.extend(bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])));
            } else if matches!(op, s::Op::Constant | s::Op::SpecConstant) {
                operands.extend(self.literal(ty, &token));
            } else if op == s::Op::Switch {
                operands.extend(self.literal(self.of.get(&selector).copied().unwrap_or(0), &token));
            } else if let Some(number) = number(&token) {
                operands.push(number as u32);
            } else {
                operands.push(enumerant(op, &previous, &token).unwrap_or_else(|| panic!("`{token}` in {line}")));
            }
            previous = token;
        }
        match op {
            s::Op::TypeInt => _ = self.types.insert(operands[0], (operands[1], false)),
            s::Op::TypeFloat => _ = self.types.insert(operands[0], (operands[1], true)),
            _ => {}
        }
        self.words.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.words.extend(operands);
    }

    fn literal(&self, ty: u32, token: &str) -> Vec<u32> {
        let (bits, float) = self.types.get(&ty).copied().unwrap_or((32, false));
        let value = match (float, bits) {
            (true, 64) => token.parse::<f64>().expect("a number").to_bits(),
            (true, 32) => u64::from(token.parse::<f32>().expect("a number").to_bits()),
            _ => number(token).expect("a number") as u64,
        };
        if bits == 64 { vec![value as u32, (value >> 32) as u32] } else { vec![value as u32] }
    }
}

fn number(token: &str) -> Option<i128> {
    match token.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => token.parse().ok(),
    }
}

fn enumerant(op: s::Op, previous: &str, token: &str) -> Option<u32> {
    use s::Op::*;
    fn of<T: FromStr + Copy>(token: &str, value: impl Fn(T) -> u32) -> Option<u32> {
        token.parse::<T>().ok().map(value)
    }
    if token == "None" {
        return Some(0);
    }
    match op {
        Capability => of::<s::Capability>(token, |v| v as u32),
        MemoryModel => of::<s::AddressingModel>(token, |v| v as u32)
            .filter(|_| previous.is_empty())
            .or_else(|| of::<s::MemoryModel>(token, |v| v as u32)),
        EntryPoint => of::<s::ExecutionModel>(token, |v| v as u32),
        ExecutionMode | ExecutionModeId => of::<s::ExecutionMode>(token, |v| v as u32),
        Decorate | MemberDecorate => match previous {
            "BuiltIn" => of::<s::BuiltIn>(token, |v| v as u32),
            "FPRoundingMode" => of::<s::FPRoundingMode>(token, |v| v as u32),
            _ => of::<s::Decoration>(token, |v| v as u32),
        },
        TypePointer | Variable => of::<s::StorageClass>(token, |v| v as u32),
        TypeImage => match token {
            "1D" => Some(0),
            "2D" => Some(1),
            "3D" => Some(2),
            _ => of::<s::Dim>(token, |v| v as u32).or_else(|| of::<s::ImageFormat>(token, |v| v as u32)),
        },
        ExtInst => {
            let found = GLSL_STD_450_INSTRUCTION_TABLE.iter().find(|info| info.opname == token);
            found.map(|info| u32::from(info.opcode))
        }
        SpecConstantOp => {
            let info = INSTRUCTION_TABLE.iter().find(|info| info.opname == token);
            info.map(|info| info.opcode as u32)
        }
        Load | Store => (token == "Aligned").then_some(2),
        ImageRead | ImageWrite | ImageFetch | ImageSampleExplicitLod | ImageSampleImplicitLod | ImageGather => {
            Some(match token {
                "Bias" => 1,
                "Lod" => 2,
                "Grad" => 4,
                "ConstOffset" => 8,
                "Offset" => 16,
                "Sample" => 64,
                _ => return None,
            })
        }
        _ => of::<s::GroupOperation>(token, |v| v as u32),
    }
}

/// A compute shader around a body, and what it declares.
///
/// It has the types `%uint %int %float %bool %v2uint %v3uint %v4uint %v2float %v4float %int64 %double %half %short %byte`,
/// pointers named `%ptr_Function_uint`, the buffers `%out` (binding 0) and `%in` (binding 1) of `uint`, workgroup memory
/// `%shared` of 256 `uint`, and these values: `%index` (local invocation index), `%global` (global invocation id, x),
/// `%group` (workgroup id, x), `%lane`, `%size` (subgroup).
///
/// Lines of the body may also be `store I V` (to `%out`), `%x = fetch I` (from `%in`), `share I V`, `%x = shared I` (workgroup
/// memory) and `barrier`.
pub struct Shader {
    pub local_size: [u32; 3],
    /// Declarations after the standard ones.
    pub declarations: String,
    pub decorations: String,
    /// Built-ins beyond the standard ones are named here.
    pub interface: String,
    /// Execution modes.
    pub modes: String,
    pub body: String,
    /// Functions after the entry point.
    pub functions: String,
}

impl Shader {
    pub fn new(local_size: u32, body: &str) -> Shader {
        Shader {
            local_size: [local_size, 1, 1],
            declarations: String::new(),
            decorations: String::new(),
            interface: String::new(),
            modes: String::new(),
            body: body.to_owned(),
            functions: String::new(),
        }
    }

    pub fn declare(mut self, text: &str) -> Shader {
        self.declarations.push_str(text);
        self.declarations.push('\n');
        self
    }

    pub fn function(mut self, text: &str) -> Shader {
        self.functions.push_str(text);
        self
    }

    pub fn text(&self) -> String {
        let [x, y, z] = self.local_size;
        let mut out = String::new();
        let Shader { declarations, decorations, interface, modes, body, functions, .. } = self;
        write!(
            out,
            "OpCapability Shader
             %glsl = OpExtInstImport \"GLSL.std.450\"
             OpMemoryModel Logical GLSL450
             OpEntryPoint GLCompute %main \"main\" %v_index %v_global %v_group %v_lane %v_size {interface}
             OpExecutionMode %main LocalSize {x} {y} {z}
             {modes}
             %file = OpString \"test.comp\"
             OpDecorate %v_index BuiltIn LocalInvocationIndex
             OpDecorate %v_global BuiltIn GlobalInvocationId
             OpDecorate %v_group BuiltIn WorkgroupId
             OpDecorate %v_lane BuiltIn SubgroupLocalInvocationId
             OpDecorate %v_size BuiltIn SubgroupSize
             OpDecorate %words ArrayStride 4
             OpMemberDecorate %block 0 Offset 0
             OpDecorate %block Block
             OpDecorate %out DescriptorSet 0
             OpDecorate %out Binding 0
             OpDecorate %in DescriptorSet 0
             OpDecorate %in Binding 1
             OpDecorate %in NonWritable
             {decorations}
             %void = OpTypeVoid
             %bool = OpTypeBool
             %uint = OpTypeInt 32 0
             %int = OpTypeInt 32 1
             %float = OpTypeFloat 32
             %int64 = OpTypeInt 64 1
             %uint64 = OpTypeInt 64 0
             %double = OpTypeFloat 64
             %half = OpTypeFloat 16
             %short = OpTypeInt 16 1
             %byte = OpTypeInt 8 0
             %v2uint = OpTypeVector %uint 2
             %v3uint = OpTypeVector %uint 3
             %v4uint = OpTypeVector %uint 4
             %v2float = OpTypeVector %float 2
             %v3float = OpTypeVector %float 3
             %v4float = OpTypeVector %float 4
             %true = OpConstantTrue %bool
             %false = OpConstantFalse %bool
             %ptr_Input_uint = OpTypePointer Input %uint
             %ptr_Input_v3uint = OpTypePointer Input %v3uint
             %v_index = OpVariable %ptr_Input_uint Input
             %v_global = OpVariable %ptr_Input_v3uint Input
             %v_group = OpVariable %ptr_Input_v3uint Input
             %v_lane = OpVariable %ptr_Input_uint Input
             %v_size = OpVariable %ptr_Input_uint Input
             %words = OpTypeRuntimeArray %uint
             %block = OpTypeStruct %words
             %ptr_block = OpTypePointer StorageBuffer %block
             %ptr_StorageBuffer_uint = OpTypePointer StorageBuffer %uint
             %out = OpVariable %ptr_block StorageBuffer
             %in = OpVariable %ptr_block StorageBuffer
             %n256 = OpConstant %uint 256
             %shared_array = OpTypeArray %uint %n256
             %ptr_shared = OpTypePointer Workgroup %shared_array
             %ptr_Workgroup_uint = OpTypePointer Workgroup %uint
             %shared = OpVariable %ptr_shared Workgroup
             %ptr_Function_uint = OpTypePointer Function %uint
             %ptr_Function_float = OpTypePointer Function %float
             {declarations}
             %fn_void = OpTypeFunction %void
             %main = OpFunction %void None %fn_void
             %entry = OpLabel
             VARIABLES
             %index = OpLoad %uint %v_index
             %global3 = OpLoad %v3uint %v_global
             %global = OpCompositeExtract %uint %global3 0
             %group3 = OpLoad %v3uint %v_group
             %group = OpCompositeExtract %uint %group3 0
             %lane = OpLoad %uint %v_lane
             {body}
             OpReturn
             OpFunctionEnd
             {functions}"
        )
        .expect("writes");
        expand(&out)
    }

    pub fn module(&self) -> Module {
        assemble(&self.text())
    }
}

/// Replaces the short forms, and moves variables of the entry point to its start.
fn expand(text: &str) -> String {
    let mut lines = Vec::new();
    let mut variables = Vec::new();
    let mut place = 0;
    let mut temporary = 0;
    for line in text.lines().map(str::trim) {
        if line == "VARIABLES" {
            place = lines.len();
            continue;
        }
        if line.contains("OpVariable") && line.contains("Function") && place > 0 && !line.contains("local") {
            variables.push(line.to_owned());
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        temporary += 1;
        match words.as_slice() {
            ["store", index, value] => lines.extend([
                format!("%t{temporary} = OpAccessChain %ptr_StorageBuffer_uint %out %u:0 {index}"),
                format!("OpStore %t{temporary} {value}"),
            ]),
            ["share", index, value] => lines.extend([
                format!("%t{temporary} = OpAccessChain %ptr_Workgroup_uint %shared {index}"),
                format!("OpStore %t{temporary} {value}"),
            ]),
            [result, "=", "fetch", index] => lines.extend([
                format!("%t{temporary} = OpAccessChain %ptr_StorageBuffer_uint %in %u:0 {index}"),
                format!("{result} = OpLoad %uint %t{temporary}"),
            ]),
            [result, "=", "shared", index] => lines.extend([
                format!("%t{temporary} = OpAccessChain %ptr_Workgroup_uint %shared {index}"),
                format!("{result} = OpLoad %uint %t{temporary}"),
            ]),
            ["barrier"] => lines.push("OpControlBarrier %u:2 %u:2 %u:264".to_owned()),
            _ => lines.push(line.to_owned()),
        }
    }
    lines.splice(place..place, variables);
    lines.join("\n")
}
