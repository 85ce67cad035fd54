//! The tiles that a workgroup is laid out in, and every rule that was evaluated.

use super::{Macro, Micro, Rule, tiles};
use lanescope_model::options::{Derivatives, LayoutRules, Options};
use lanescope_model::program::StageKind;
use lanescope_model::target::Target;

/// The inputs of a decision. Wave size, Z and the shader's code have no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    Deciding::by(facts, true).decision
}

/// The same without the rules.
pub(super) fn outcome(facts: &Facts) -> Decision {
    Deciding::by(facts, false).decision
}

/// A decision that is being made.
struct Deciding {
    decision: Decision,
    /// Whether rules are kept with their reasons.
    explains: bool,
}

impl Deciding {
    fn by(facts: &Facts, explains: bool) -> Deciding {
        let decision = Decision { micro: Micro::None, macro_tile: Macro::None, interleave: None, rules: Vec::new() };
        let mut deciding = Deciding { decision, explains };
        match facts.rules {
            LayoutRules::Llpc => deciding.llpc(facts),
            LayoutRules::DesignNote => deciding.design_note(facts),
        }
        deciding.apply(facts);
        deciding
    }

    fn llpc(&mut self, facts: &Facts) {
        let Facts { size: [x, y, _], force, reconfig, interleave, .. } = *facts;
        self.micro_of_derivatives(facts);

        let forced = force || interleave == [3, 3];
        let fits = x >= 16 && x % 8 == 0 && y % 4 == 0;
        self.set_macro("force-8xN", forced && fits, |_| {
            let options = format!("{}, interleave is {}", on("force", force), pair(interleave));
            match forced {
                true => format!(
                    "{options}; X = {x} (needs 16 or more), X mod 8 = {} (needs 0), Y mod 4 = {} (needs 0)",
                    x % 8,
                    y % 4
                ),
                false => format!("{options}; needs force or 3, 3"),
            }
        });

        let even = x % 2 == 0 && y % 2 == 0;
        let parity = || format!("X mod 2 = {} (needs 0), Y mod 2 = {} (needs 0)", x % 2, y % 2);
        let why =
            |rest: String| if reconfig { format!("reconfig is on; {rest}") } else { "reconfig is off".to_owned() };
        self.set_macro("reconfig-8xN", reconfig && even && x % 8 == 0, |so_far| {
            let known = if so_far.macro_tile == Macro::Block8 { "; set already" } else { "" };
            why(format!("{}, X mod 8 = {} (needs 0){known}", parity(), x % 8))
        });
        let free = self.decision.micro == Micro::None;
        self.set_quads("reconfig-2x2", reconfig && even && x % 8 != 0 && free, |so_far| {
            let so_far = tiles_so_far(so_far);
            why(format!("{}, X mod 8 = {} (needs not 0), {so_far} so far (needs no quads)", parity(), x % 8))
        });
    }

    fn design_note(&mut self, facts: &Facts) {
        let Facts { size: [x, y, _], derivatives, force, reconfig, interleave, stage, .. } = *facts;
        self.rule("note-stage", stage == StageKind::Compute, |_| match stage {
            StageKind::Compute => "the design note covers compute".to_owned(),
            stage => format!("the design note covers compute only; its table is used for {stage} too"),
        });
        self.micro_of_derivatives(facts);

        let linear = derivatives == Derivatives::Linear;
        self.rule("note-linear-only", linear, |_| {
            format!("derivatives are {derivatives}; linear derivatives forbid any remapping")
        });

        let movable = || format!("derivatives are {derivatives} (needs not linear), X mod 8 = {} (needs 0)", x % 8);
        self.set_macro("note-force-8xN", force && !linear && x % 8 == 0, |_| {
            let ignored = if interleave == [0, 0] { "" } else { "; the design note has no interleave" };
            format!("{}; {}{ignored}", on("force", force), movable())
        });
        self.set_macro("note-reconfig-8xN", reconfig && !linear && x % 8 == 0, |so_far| {
            let known = if so_far.macro_tile == Macro::Block8 { "; set already" } else { "" };
            format!("{}; {}{known}", on("reconfig", reconfig), movable())
        });

        let free = self.decision.micro == Micro::None && self.decision.macro_tile == Macro::None;
        self.set_quads("note-reconfig-2x2", reconfig && x % 2 == 0 && y % 2 == 0 && free, |so_far| {
            format!(
                "{}; X mod 2 = {} (needs 0), Y mod 2 = {} (needs 0), {} so far (needs row-major)",
                on("reconfig", reconfig),
                x % 2,
                y % 2,
                tiles_so_far(so_far)
            )
        });
    }

    fn micro_of_derivatives(&mut self, facts: &Facts) {
        let micro = match facts.derivatives {
            Derivatives::None => Micro::None,
            Derivatives::Linear => Micro::Linear,
            Derivatives::Quads => Micro::Quads,
        };
        self.decision.micro = micro;
        self.rule("derivatives-micro", facts.derivatives != Derivatives::None, |_| {
            let threads = match micro {
                Micro::None | Micro::Linear => "threads stay row by row",
                Micro::Quads => "threads form quads",
            };
            format!("{}: {threads}", facts.derivatives.words())
        });
    }

    /// Who moves the ids: the shader's arithmetic, or the hardware's walk.
    fn apply(&mut self, facts: &Facts) {
        let Decision { micro, macro_tile, .. } = self.decision;
        let moves = micro == Micro::Quads || macro_tile == Macro::Block8;
        let tiles = tiles(micro, macro_tile);
        let (target, stage) = (facts.target, facts.stage);
        if !facts.hardware_walks() {
            self.rule("remap", moves, |_| match moves {
                true => format!("{tiles}: the shader computes its ids"),
                false => format!("{tiles}: ids stay as the hardware assigns them"),
            });
            self.rule("hardware-walk", false, |_| match target.ip().walks_tiles {
                true => format!("{stage} shaders compute their ids on {target} too"),
                false => format!("{target} dispatches invocations row by row; GFX12 dispatches them in tiles"),
            });
            return;
        }
        self.rule("remap", false, |_| format!("{target} assigns {stage} IDs in tiles; no arithmetic"));
        let given = facts.interleave != [0, 0];
        let interleave = match (macro_tile, micro) {
            _ if given => Some(facts.interleave),
            (Macro::Block8, _) => Some([3, 3]),
            (Macro::None, Micro::Quads) => Some([1, 1]),
            (Macro::None, Micro::None | Micro::Linear) => None,
        };
        self.decision.interleave = interleave;
        self.rule("hardware-walk", interleave.is_some(), |_| match interleave {
            Some(given_one) if given => format!("options x_interleave, y_interleave = {}", pair(given_one)),
            Some(decided) => format!("{tiles}: x_interleave, y_interleave = {}", pair(decided)),
            None => format!("{tiles}: x_interleave and y_interleave are not written"),
        });
    }

    fn set_macro(&mut self, rule: &str, held: bool, why: impl FnOnce(&Decision) -> String) {
        self.rule(rule, held, why);
        if held {
            self.decision.macro_tile = Macro::Block8;
        }
    }

    fn set_quads(&mut self, rule: &str, held: bool, why: impl FnOnce(&Decision) -> String) {
        self.rule(rule, held, why);
        if held {
            self.decision.micro = Micro::Quads;
        }
    }

    /// Keeps a rule. Its reason is of what was decided before it.
    fn rule(&mut self, rule: &str, held: bool, why: impl FnOnce(&Decision) -> String) {
        if self.explains {
            let why = why(&self.decision);
            self.decision.rules.push(Rule::new(rule, held, why));
        }
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
