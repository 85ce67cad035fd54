//! Tables written in the forms of DXC's files, for tests.

use super::super::symbol::TypeSymbol;
use super::super::table::{Attribute, Database, Flag, Op, OpTable, Operand};
use super::Text;
use super::draft::{LETTERS, RESERVED, coarse};

fn text(name: &str, text: String) -> Text {
    Text { name: name.to_owned(), text }
}

fn attribute(attribute: Attribute) -> &'static str {
    match attribute {
        Attribute::None => "",
        Attribute::ReadNone => "rn",
        Attribute::ReadOnly => "ro",
        Attribute::NoDuplicate => "nd",
        Attribute::NoReturn => "nr",
        Attribute::ArgMemOnly => "amo",
    }
}

fn parameter(position: usize, operand: &Operand) -> String {
    let mut out = format!("db_dxil_param({position}, \"{}\", '{}', \"a\" \"b\"", operand.type_symbol, operand.name);
    if operand.immediate {
        out.push_str(", is_const=True");
    }
    if let Some(enumeration) = &operand.enumeration {
        out.push_str(&format!(", enum_name=\"{enumeration}\""));
    }
    if let Some(max) = operand.max {
        out.push_str(&format!(", max_value={max}"));
    }
    out + ")"
}

/// A table as `hctdb.py` fills it.
pub fn hctdb(database: &Database) -> Text {
    let mut out = "class db_dxil(object):\n    \"Made up.\"\n".to_owned();
    for (table, method) in database.tables.iter().zip(["populate_CoreOps", "populate_ExperimentalOps"]) {
        out.push_str(&format!("    def {method}(self):\n        \"Fills a table.\"\n"));
        let id = table.feature_id.0;
        out.push_str(&format!(
            "        op_table = self.add_dxil_op_table(\n            {id:#x}, \"{}\", \"x\"\n        )\n",
            table.name
        ));
        out.push_str("        add_dxil_op = op_table.add_dxil_op\n");
        out.push_str("        set_op_count_for_version = op_table.set_op_count_for_version\n");
        out.push_str("        retvoid_param = db_dxil_param(0, \"v\", \"\", \"no return value\")  # nothing\n");
        for (index, op) in table.ops.iter().enumerate() {
            let sizes = database.core_table_size_by_dxil_version.iter().filter(|_| !table.experimental);
            for (version, _) in sizes.filter(|(_, size)| usize::from(**size) == index) {
                out.push_str(&cap(*version));
            }
            out.push_str(&op_statement(op));
        }
        let sizes = database.core_table_size_by_dxil_version.iter().filter(|_| !table.experimental);
        for (version, size) in sizes.filter(|(_, size)| usize::from(**size) == table.ops.len()) {
            out.push_str(&cap(*version));
            out.push_str(&format!("        assert op_count == {size}, (\n            \"odd\"\n        )\n"));
        }
    }
    out.push_str("    def finalize_dxil_operations(self):\n        self.op_tables.sort(key=lambda t: t.id)\n");
    out.push_str("    def populate_categories_and_models(self):\n");
    models(&mut out, &database.tables[0], "self.name_idx[i]");
    out.push_str("        self.populate_categories_and_models_ExperimentalOps()\n");
    out.push_str("    def populate_categories_and_models_ExperimentalOps(self):\n");
    let model = database.source.highest_shader_model;
    out.push_str(&format!(
        "        experimental_sm = {}, {}\n        insts = self.get_insts_by_names\n",
        model.major, model.minor
    ));
    models(&mut out, &database.tables[1], "i");
    text("hctdb.py", out)
}

fn cap(version: super::super::Version) -> String {
    format!("        op_count = set_op_count_for_version({}, {})\n", version.major, version.minor)
}

fn op_statement(op: &Op) -> String {
    if op.reserved {
        return format!("        op_table.add_dxil_op_reserved(\"{}\")\n", op.name);
    }
    let result = match op.returns {
        TypeSymbol::Void => "retvoid_param".to_owned(),
        symbol => format!("db_dxil_param(0, \"{symbol}\", \"\", \"result\")"),
    };
    let operands = op.operands.iter().skip(1).enumerate().map(|(at, operand)| parameter(at + 2, operand));
    let list: Vec<String> = std::iter::once(result).chain(operands).collect();
    format!(
        "        add_dxil_op(\n            \"{}\",\n            \"{}\",\n            \"text\",\n            \"{}\",\n            \"{}\",\n            [\n                {},\n            ],\n            counters=(\"x\",),\n        )\n",
        op.name,
        op.class,
        op.overload_string,
        attribute(op.attribute),
        list.join(",\n                ")
    )
}

fn models(out: &mut String, table: &OpTable, of: &str) {
    for op in table.ops.iter().filter(|op| !op.reserved) {
        match of {
            "i" => out.push_str(&format!("        for i in insts(\"{}\"):\n", op.name)),
            _ => out.push_str(&format!("        for (\n            i\n        ) in (\"{}\").split(\",\"):\n", op.name)),
        }
        let mut field = |name: &str, value: String| out.push_str(&format!("            {of}.{name} = {value}\n"));
        if let Some(category) = &op.category {
            field("category", format!("(\n                \"{category}\"\n            )"));
        }
        let version = |version: super::super::Version| format!("{}, {}", version.major, version.minor);
        let model = op.min_shader_model.expect("a live op has a model");
        match table.experimental {
            true => field("shader_model", "experimental_sm".to_owned()),
            false => field("shader_model", version(model)),
        }
        if let Some(translated) = op.since_translated {
            field("shader_model_translated", version(translated));
        }
        if !op.stages.is_empty() {
            let stages: Vec<String> = op.stages.iter().map(|stage| format!("\"{stage}\",")).collect();
            field("shader_stages", format!("({})", stages.join(" ")));
        }
        for flag in &op.flags {
            field(
                match flag {
                    Flag::Wave => "is_wave",
                    Flag::Gradient => "is_gradient",
                    Flag::Derivative => "is_deriv",
                    Flag::Convergent => "is_convergent",
                    Flag::Barrier => "is_barrier",
                    Flag::SamplerFeedback => "is_feedback",
                },
                "True".to_owned(),
            );
        }
    }
}

/// A table as DXC generates it into `DxilOperations.cpp`.
pub fn operations(database: &Database) -> Text {
    let mut out = "#include \"x.h\"\n".to_owned();
    for table in &database.tables {
        out.push_str(&format!("static const OP::OpCodeProperty {}_OpCodeProps[] = {{\n", table.name));
        for op in &table.ops {
            out.push_str(&row(op));
        }
        out.push_str("};\n");
    }
    for (name, flag) in [
        ("OPCODE-WAVE", Flag::Wave),
        ("OPCODE-GRADIENT", Flag::Gradient),
        ("OPCODE-CONVERGENT", Flag::Convergent),
        ("OPCODE-FEEDBACK", Flag::SamplerFeedback),
        ("OPCODE-BARRIER", Flag::Barrier),
    ] {
        let ops = database.tables.iter().flat_map(|table| &table.ops).filter(|op| op.flags.contains(&flag));
        let names: Vec<String> = ops.map(|op| format!("{}={}", op.name, op.opcode.0)).collect();
        out.push_str(&format!(
            "  // {name}:BEGIN\n  // Instructions: {}\n  return op;\n  // {name}:END\n",
            names.join(",\n  // ")
        ));
    }
    out.push_str("  // OPCODE-SMMASK:BEGIN\n");
    for op in database.tables.iter().flat_map(|table| &table.ops).filter(|op| !op.reserved) {
        let model = op.min_shader_model.expect("a live op has a model");
        out.push_str(&format!("  // Instructions: {}={}\n  if (op == {}) {{\n", op.name, op.opcode.0, op.opcode.0));
        let version = |out: &mut String, version: super::super::Version| {
            out.push_str(&format!("    major = {};\n    minor = {};\n", version.major, version.minor));
        };
        if let Some(translated) = op.since_translated {
            out.push_str("    if (bWithTranslation) {\n");
            version(&mut out, translated);
            out.push_str("    } else {\n");
            version(&mut out, model);
            out.push_str("    }\n");
        } else {
            version(&mut out, model);
        }
        let stages: Vec<String> = op.stages.iter().map(|stage| format!("SFLAG({})", pascal(stage.name()))).collect();
        if !stages.is_empty() {
            out.push_str(&format!("    mask = {};\n", stages.join(" |\n           ")));
        }
        out.push_str("    return;\n  }\n");
    }
    out.push_str("  // OPCODE-SMMASK:END\n  switch (opCode) {\n  // OPCODE-OLOAD-FUNCS:BEGIN\n");
    for op in database.tables.iter().flat_map(|table| &table.ops) {
        out.push_str(&format!("  case OpCode::{}:\n", op.name));
        let operands = op.operands.iter().map(|operand| operand.type_symbol);
        for symbol in std::iter::once(op.returns).chain(operands) {
            let known = super::cpp::TYPES.iter().find(|(_, known)| *known == coarse(symbol));
            out.push_str(&format!("    {};\n", known.expect("each type has a macro").0));
        }
        out.push_str("    break;\n");
    }
    out.push_str("  // OPCODE-OLOAD-FUNCS:END\n  }\n");
    text("DxilOperations.cpp", out)
}

/// `Pixel`; the names of ray tracing have two capitals.
fn pascal(name: &str) -> String {
    match name {
        "raygeneration" => "RayGeneration".to_owned(),
        "anyhit" => "AnyHit".to_owned(),
        "closesthit" => "ClosestHit".to_owned(),
        name => name[..1].to_uppercase() + &name[1..],
    }
}

fn row(op: &Op) -> String {
    let bits = |letters: &str| {
        let bit = |letter: char| 1u32 << LETTERS.iter().position(|(of, _)| *of == letter).expect("known");
        letters.chars().fold(0, |all, letter| all | bit(letter))
    };
    let dimensions: Vec<&str> =
        if op.overload_string == "v" { Vec::new() } else { op.overload_string.split(',').collect() };
    let (mut scalars, mut vectors) = (Vec::new(), Vec::new());
    for dimension in &dimensions {
        let (scalar, vector) = dimension.split_once('<').map_or((*dimension, None), |(s, v)| (s, Some(v)));
        scalars.push(format!("{{{:#x}}}", bits(scalar) | if vector.is_some() { 1 << 10 } else { 0 }));
        vectors.push(format!("{{{:#x}}}", bits(vector.unwrap_or(""))));
    }
    let callee = op.function_prefix.as_deref().and_then(|prefix| prefix.strip_prefix("dx.op.")).unwrap_or("reserved");
    format!(
        "    // A group\n    {{OC::{0},\n     \"{0}\",\n     OCC::{1},\n     \"{callee}\",\n     Attribute::{2:?},\n     {3},\n     {{{4}}},\n     {{{5}}}}}, // Overloads: {6}\n\n",
        op.name,
        if op.reserved { RESERVED } else { &op.class },
        op.attribute,
        dimensions.len(),
        scalars.join(", "),
        vectors.join(", "),
        op.overload_string
    )
}

/// The operands' names as DXC generates them into `DxilInstructions.h`.
pub fn instructions(database: &Database) -> Text {
    let mut out = String::new();
    for op in database.tables.iter().flat_map(|table| &table.ops).filter(|op| !op.reserved) {
        out.push_str(&format!("struct DxilInst_{} {{\n  llvm::Instruction *Instr;\n", op.name));
        let operands: Vec<String> = op
            .operands
            .iter()
            .skip(1)
            .map(|operand| format!("    arg_{} = {},\n", operand.name, operand.position))
            .collect();
        if !operands.is_empty() {
            out.push_str(&format!("  enum OperandIdx {{\n{}  }};\n", operands.concat()));
        }
        out.push_str("};\n");
    }
    text("DxilInstructions.h", out)
}

/// The released shader model as `DxilShaderModel.h` has it.
pub fn shader_model(database: &Database) -> Text {
    let source = &database.source;
    let (known, released) = (source.highest_shader_model, source.released_shader_model);
    let out = format!(
        "  static const unsigned kHighestMajor = {};\n  static const unsigned kHighestMinor = {};\n  \
         static const unsigned kHighestReleasedMajor = {};\n  static const unsigned kHighestReleasedMinor = {};\n",
        known.major, known.minor, released.major, released.minor
    );
    text("DxilShaderModel.h", out)
}

/// The sizes of the stable table as `DxilConstants.h` has them.
pub fn constants(database: &Database) -> Text {
    let source = &database.source;
    let mut out = format!(
        "const unsigned kDxilMajor = {};\nconst unsigned kDxilMinor = {};\nconst unsigned kDxilReleasedMinor = {};\n",
        source.highest_dxil_version.major, source.highest_dxil_version.minor, source.released_dxil_version.minor
    );
    for (version, size) in &database.core_table_size_by_dxil_version {
        out.push_str(&format!("  NumOpCodes_Dxil_{}_{} = {size},\n", version.major, version.minor));
    }
    text("DxilConstants.h", out)
}
