//! The tiles that a workgroup is laid out in, and every rule that was evaluated.

use super::{Macro, Micro, Rule, tiles};
use lanescope_model::options::{Derivatives, LayoutRules, Options};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// The inputs of a decision. Wave size, Z and the shader's code have no effect.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// The stage.
    pub stage: StageKind,
    /// X, Y, Z, none of them 0.
    pub size: [u32; 3],
    /// The derivative groups.
    pub derivatives: Derivatives,
    /// The rule set.
    pub rules: LayoutRules,
    /// `forceCsThreadIdSwizzling`.
    pub force: bool,
    /// `reconfigWorkgroupLayout`.
    pub reconfig: bool,
    /// `xInterleave`, `yInterleave`.
    pub interleave: [u32; 2],
    /// The chip.
    pub target: Target,
}

impl Facts {
    /// The facts of a stage under the options.
    pub fn new(stage: StageKind, size: [u32; 3], derivatives: Derivatives, options: &Options) -> Facts {
        Facts {
            stage,
            size,
            derivatives,
            rules: options.layout_rules,
            force: options.force_swizzle,
            reconfig: options.reconfig,
            interleave: options.interleave,
            target: options.target,
        }
    }

    /// Whether the hardware hands the ids out in tiles itself: graphics IP 12, but not for mesh shaders.
    pub fn hardware_walks(&self) -> bool {
        self.target.ip().walks_tiles && self.stage != StageKind::Mesh
    }
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The small tile.
    pub micro: Micro,
    /// The large tile.
    pub macro_tile: Macro,
    /// log2 of the tile that the hardware is programmed to walk, if any.
    pub interleave: Option<[u32; 2]>,
    /// Every rule, in the order of evaluation.
    pub rules: Vec<Rule>,
}

/// Decides. Sources: LLPC's `calculateWorkgroupLayout`; the design note's table.
pub fn decide(facts: &Facts) -> Decision {
    let mut decision = Decision { micro: Micro::None, macro_tile: Macro::None, interleave: None, rules: Vec::new() };
    match facts.rules {
        LayoutRules::Llpc => llpc(facts, &mut decision),
        LayoutRules::DesignNote => design_note(facts, &mut decision),
    }
    apply(facts, &mut decision);
    decision
}

fn llpc(facts: &Facts, decision: &mut Decision) {
    let Facts { size: [x, y, _], force, reconfig, interleave, .. } = *facts;
    micro_of_derivatives(facts, decision);

    let forced = force || interleave == [3, 3];
    let fits = x >= 16 && x % 8 == 0 && y % 4 == 0;
    let options = format!("{}, interleave is {}", on("force", force), pair(interleave));
    let why = if forced {
        format!("{options}; X = {x} (needs 16 or more), X mod 8 = {} (needs 0), Y mod 4 = {} (needs 0)", x % 8, y % 4)
    } else {
        format!("{options}; needs force or 3, 3")
    };
    decision.set_macro("force-8xN", forced && fits, why);

    let even = x % 2 == 0 && y % 2 == 0;
    let parity = format!("X mod 2 = {} (needs 0), Y mod 2 = {} (needs 0)", x % 2, y % 2);
    let why = |rest: String| if reconfig { format!("reconfig is on; {rest}") } else { "reconfig is off".to_owned() };
    let known = if decision.macro_tile == Macro::Block8 { "; set already" } else { "" };
    let why_block = why(format!("{parity}, X mod 8 = {} (needs 0){known}", x % 8));
    decision.set_macro("reconfig-8xN", reconfig && even && x % 8 == 0, why_block);
    let free = decision.micro == Micro::None;
    let why_quads =
        why(format!("{parity}, X mod 8 = {} (needs not 0), {} so far (needs no quads)", x % 8, tiles_so_far(decision)));
    decision.set_quads("reconfig-2x2", reconfig && even && x % 8 != 0 && free, why_quads);
}

fn design_note(facts: &Facts, decision: &mut Decision) {
    let Facts { size: [x, y, _], derivatives, force, reconfig, interleave, stage, .. } = *facts;
    let why = format!("the design note covers compute only; its table is used for {stage} too");
    let why = if stage == StageKind::Compute { "the design note covers compute".to_owned() } else { why };
    decision.rules.push(Rule::new("note-stage", stage == StageKind::Compute, why));
    micro_of_derivatives(facts, decision);

    let linear = derivatives == Derivatives::Linear;
    let why = format!("derivatives are {derivatives}; linear derivatives forbid any remapping");
    decision.rules.push(Rule::new("note-linear-only", linear, why));

    let movable = format!("derivatives are {derivatives} (needs not linear), X mod 8 = {} (needs 0)", x % 8);
    let ignored = if interleave == [0, 0] { "" } else { "; the design note has no interleave" };
    let why = format!("{}; {movable}{ignored}", on("force", force));
    decision.set_macro("note-force-8xN", force && !linear && x % 8 == 0, why);
    let known = if decision.macro_tile == Macro::Block8 { "; set already" } else { "" };
    let why = format!("{}; {movable}{known}", on("reconfig", reconfig));
    decision.set_macro("note-reconfig-8xN", reconfig && !linear && x % 8 == 0, why);

    let free = decision.micro == Micro::None && decision.macro_tile == Macro::None;
    let why = format!(
        "{}; X mod 2 = {} (needs 0), Y mod 2 = {} (needs 0), {} so far (needs row-major)",
        on("reconfig", reconfig),
        x % 2,
        y % 2,
        tiles_so_far(decision)
    );
    decision.set_quads("note-reconfig-2x2", reconfig && x % 2 == 0 && y % 2 == 0 && free, why);
}

fn micro_of_derivatives(facts: &Facts, decision: &mut Decision) {
    decision.micro = match facts.derivatives {
        Derivatives::None => Micro::None,
        Derivatives::Linear => Micro::Linear,
        Derivatives::Quads => Micro::Quads,
    };
    let threads = match decision.micro {
        Micro::None | Micro::Linear => "threads stay row by row",
        Micro::Quads => "threads form quads",
    };
    let why = format!("{}: {threads}", facts.derivatives.words());
    decision.rules.push(Rule::new("derivatives-micro", facts.derivatives != Derivatives::None, why));
}

/// Who moves the ids: the shader's arithmetic, or the hardware's walk.
fn apply(facts: &Facts, decision: &mut Decision) {
    let Decision { micro, macro_tile, .. } = *decision;
    let moves = micro == Micro::Quads || macro_tile == Macro::Block8;
    let tiles = tiles(micro, macro_tile);
    let (target, stage) = (facts.target, facts.stage);
    if !facts.hardware_walks() {
        let why = match moves {
            true => format!("{tiles}: the shader computes its ids"),
            false => format!("{tiles}: ids stay as the hardware assigns them"),
        };
        decision.rules.push(Rule::new("remap", moves, why));
        let why = match target.ip().walks_tiles {
            true => format!("{stage} shaders compute their ids on {target} too"),
            false => format!("{target} dispatches invocations row by row; GFX12 dispatches them in tiles"),
        };
        decision.rules.push(Rule::new("hardware-walk", false, why));
        return;
    }
    decision.rules.push(Rule::new("remap", false, format!("{target} assigns {stage} IDs in tiles; no arithmetic")));
    let (interleave, why) = if facts.interleave != [0, 0] {
        let why = format!("options x_interleave, y_interleave = {}", pair(facts.interleave));
        (Some(facts.interleave), why)
    } else if macro_tile == Macro::Block8 {
        (Some([3, 3]), format!("{tiles}: x_interleave, y_interleave = 3, 3"))
    } else if micro == Micro::Quads {
        (Some([1, 1]), format!("{tiles}: x_interleave, y_interleave = 1, 1"))
    } else {
        (None, format!("{tiles}: x_interleave and y_interleave are not written"))
    };
    decision.interleave = interleave;
    decision.rules.push(Rule::new("hardware-walk", interleave.is_some(), why));
}

impl Decision {
    fn set_macro(&mut self, rule: &str, held: bool, why: String) {
        if held {
            self.macro_tile = Macro::Block8;
        }
        self.rules.push(Rule::new(rule, held, why));
    }

    fn set_quads(&mut self, rule: &str, held: bool, why: String) {
        if held {
            self.micro = Micro::Quads;
        }
        self.rules.push(Rule::new(rule, held, why));
    }
}

fn tiles_so_far(decision: &Decision) -> &'static str {
    tiles(decision.micro, decision.macro_tile)
}

fn on(name: &str, value: bool) -> String {
    format!("{name} is {}", if value { "on" } else { "off" })
}

fn pair([x, y]: [u32; 2]) -> String {
    format!("{x}, {y}")
}
