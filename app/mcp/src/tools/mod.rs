//! The tools: what each does, and which flags of the command line it accepts.

pub mod arguments;
pub mod schema;

use lanescope_host::flags::members::Flag;
use serde_json::Value;

/// What a tool takes besides flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// `files`: one program.
    Files,
    /// `files`, and what is to be explained.
    Question,
    /// `left` and `right`: two programs.
    Sides,
    /// Nothing.
    Nothing,
}

/// What a tool does outside of its own process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// It writes files where an argument names them.
    Writes,
}

/// A tool.
#[derive(Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// What it does, for an agent.
    pub about: &'static str,
    /// The command whose flags it accepts; absent for one without flags.
    pub command: Option<&'static str>,
    /// What it takes besides flags.
    pub input: Input,
    /// What it does outside.
    pub effect: Effect,
    /// The flags that its schema lists; it accepts others too.
    pub listed: &'static [&'static str],
    /// The flags that a call must have.
    pub required: &'static [&'static str],
}

/// All tools.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "open",
        title: "Open shaders",
        about: "Loads shaders or a pipeline and says in a few lines what they are: stages, attribute slots before and after \
                packing, waves of the workgroup, nodes of a work graph, findings. Begin here.",
        command: Some("inspect"),
        input: Input::Files,
        effect: Effect::None,
        listed: &["entry", "pipeline", "stage", "target", "wave", "define", "include-dir"],
        required: &[],
    },
    Tool {
        name: "inspect",
        title: "Report of the layout",
        about: "The whole report: how fragment inputs pack into attribute slots, which lane runs which invocation, register \
                values, guessed pipeline layout, DXIL container, work graph, findings. Also shows saved runs and AMD code \
                objects.",
        command: Some("inspect"),
        input: Input::Files,
        effect: Effect::None,
        listed: &[
            "entry",
            "pipeline",
            "stage",
            "target",
            "wave",
            "reconfig",
            "group-size",
            "spec",
            "no-pack",
            "producer",
            "part-pipeline",
            "guessed-layout",
            "define",
            "include-dir",
        ],
        required: &[],
    },
    Tool {
        name: "why",
        title: "Explain one value",
        about: "Why one thing is as it is: the attribute slot of a varying, what a slot has, the lane of an invocation or the \
                invocation of a lane, a register and its fields, the offset of a descriptor, what feeds a node of a work \
                graph. Give exactly one of varying, slot, lane, invocation, register, descriptor, node.",
        command: Some("inspect"),
        input: Input::Question,
        effect: Effect::None,
        listed: &["entry", "pipeline", "stage", "target", "wave", "reconfig", "group-size", "spec", "define"],
        required: &[],
    },
    Tool {
        name: "isa",
        title: "Assembly and statistics",
        about: "What drivers' compilers make of the shaders: statistics, assembly, and where each compiler puts the varyings. \
                With `chip` no GPU is required. `stat` is the shortest answer.",
        command: Some("isa"),
        input: Input::Files,
        effect: Effect::Writes,
        listed: &[
            "chip",
            "all-chips",
            "stat",
            "varyings",
            "ir",
            "variant",
            "pipeline-libraries",
            "device",
            "entry",
            "spec",
            "output",
            "force",
        ],
        required: &[],
    },
    Tool {
        name: "compare",
        title: "Compare two programs",
        about: "What differs between two programs, or between two JSON reports, section by section. With `chip` also the \
                statistics and the assembly of a driver's compiler.",
        command: Some("diff"),
        input: Input::Sides,
        effect: Effect::None,
        listed: &["chip", "variant", "target", "wave", "reconfig", "no-pack", "all"],
        required: &[],
    },
    Tool {
        name: "run",
        title: "Run a program",
        about: "Runs a compute, vertex or fragment program and shows what it writes, and whether the rewritten program writes \
                the same. Without --allow-run of the server on the interpreter, which also finds data races; with it on the first \
                device, or on `device`.",
        command: Some("run"),
        input: Input::Files,
        effect: Effect::Writes,
        listed: &[
            "device",
            "groups",
            "buffer",
            "push",
            "seed",
            "zeros",
            "original-only",
            "against",
            "vertices",
            "indices",
            "size",
            "spec",
            "wave",
            "output",
            "force",
        ],
        required: &[],
    },
    Tool {
        name: "debug_step",
        title: "Step a shader",
        about: "Steps a shader in the interpreter, without a device: carries out `commands` from the start of the run and shows \
                where they lead, with values of all lanes. A session has no state between calls: repeat the commands, and add \
                more. Commands: step [N], next [N], stepi [N], finish, continue, back [N], reverse-continue, break WHERE [if \
                CONDITION], print NAME, lanes NAME, info locals, info waves.",
        command: Some("debug"),
        input: Input::Files,
        effect: Effect::None,
        listed: &[
            "commands",
            "lane",
            "invocation",
            "group",
            "pixel",
            "vertex",
            "break",
            "watch",
            "trace",
            "rewritten",
            "beside",
            "buffer",
            "push",
            "seed",
            "zeros",
            "spec",
            "max-steps",
        ],
        required: &[],
    },
    Tool {
        name: "graph_run",
        title: "Run a work graph",
        about: "Runs a D3D12 work graph on a Vulkan device, generation by generation, and shows the records that each node \
                gets. Only where the server was started with --allow-run.",
        command: Some("run"),
        input: Input::Files,
        effect: Effect::Writes,
        listed: &[
            "entry", "input", "records", "until", "break", "edit", "show", "device", "seed", "zeros", "buffer", "save",
            "resume", "from", "output", "force",
        ],
        required: &[],
    },
    Tool {
        name: "reduce",
        title: "Reduce a program",
        about: "Makes a program smaller while a condition holds, such as `finding E001` or `text matches /v_rsq/ on gfx1100`, \
                and writes it to a folder of the workspace. It can take minutes; a cancelled call writes nothing.",
        command: Some("reduce"),
        input: Input::Files,
        effect: Effect::Writes,
        listed: &["while", "output", "force", "chip", "device", "text", "allow-undefined", "jobs"],
        required: &["while", "output"],
    },
    Tool {
        name: "doctor",
        title: "What this machine offers",
        about: "Which devices, offline compilers, HLSL and Slang compilers and validators this machine has, and what is missing. \
                Shaders are tried on the devices only where the server was started with --allow-run.",
        command: None,
        input: Input::Nothing,
        effect: Effect::None,
        listed: &[],
        required: &[],
    },
];

/// A tool by its name.
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// A flag of a tool's command.
#[derive(Debug, Clone)]
pub struct ToolFlag {
    /// The flag.
    pub flag: Flag,
    /// What its help says.
    pub help: String,
    /// Its value, as its help writes it: `N=FILE`.
    pub value_name: String,
    /// The values that it accepts, where these are few.
    pub values: Vec<String>,
}

/// A tool with what the command line knows of it.
#[derive(Debug)]
pub struct Offered {
    /// The tool.
    pub tool: &'static Tool,
    /// The flags of its command, without hidden ones.
    pub flags: Vec<ToolFlag>,
    /// The schema of its result, with its definitions.
    pub result: Value,
}

impl Offered {
    /// A flag by its name, without the dashes.
    pub fn flag(&self, name: &str) -> Option<&ToolFlag> {
        self.flags.iter().find(|one| one.flag.name == name)
    }
}
