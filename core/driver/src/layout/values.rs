//! What the stage before writes, as the driver's intermediate form (Mesa's NIR) of that stage has it: which value stands
//! in which channel, followed to where it is made.

use std::collections::{BTreeMap, BTreeSet};

use super::nir::{Nir, Node, Statement};
use super::urb::Urb;

/// What a component of an output carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Carries<'t> {
    /// A number, as printed.
    Constant(&'t str),
    /// A component of a computed value.
    Computed(Node),
}

/// The values of the outputs, by location and component as the module has them.
#[derive(Debug)]
pub(super) struct Written<'t> {
    /// The form of the stage that they are of.
    pub nir: Nir<'t>,
    /// The value, and how many stores come before it.
    values: BTreeMap<(u32, u8), (Node, usize)>,
    /// The components of the position.
    pub position: Vec<Node>,
}

/// Where varyings begin among the driver's output numbers, and how many there are; where they begin among the targets of
/// exports, and the target of the position.
const FIRST: u32 = 32;
const COUNT: u32 = 32;
const FIRST_PARAMETER: u32 = 32;
const POSITION: u32 = 12;
/// Bytes of one slot of a wave in the buffer of attributes, 16 for each of 32 lanes; and of one slot of a lane, which
/// Mesa 25 counts in.
const WAVE_SLOT_BYTES: u32 = 16 * 32;
const LANE_SLOT_BYTES: u32 = 16;
/// The most statements that a value is followed through: moves of moves.
const MAX_STEPS: usize = 64;

/// Channels that a store writes: each channel with the component of the value that goes there.
type Channels = Vec<(u8, u8)>;

impl<'t> Written<'t> {
    /// The outputs of a form. Exports, and from GFX11 on stores to a buffer, name slots, which are in the order of
    /// `locations`. Intel's stores to the URB name rows ([`Urb`]).
    pub fn of(nir: Nir<'t>, locations: &BTreeSet<u32>) -> Written<'t> {
        let mut values: BTreeMap<(u32, u8), Option<(Node, usize)>> = BTreeMap::new();
        let mut position = Vec::new();
        let slot = |slot: u32| locations.iter().nth(slot as usize).copied();
        for statement in nir.statements.iter().filter(|statement| statement.is_intrinsic) {
            let Some(value) = statement.operands.first().and_then(|operand| nir.nodes(operand)) else { continue };
            let stored = match statement.op {
                "store_output" => {
                    if is_position(statement) {
                        position.clone_from(&value);
                    }
                    store(statement)
                }
                "export_amd" => {
                    let target = statement.number("target").or_else(|| statement.number("base"));
                    if target == Some(POSITION) {
                        position.clone_from(&value);
                    }
                    target.and_then(|target| slot(target.checked_sub(FIRST_PARAMETER)?)).zip(exported(statement))
                }
                "store_buffer_amd" => buffered(&nir, statement).and_then(slot).zip(whole()),
                _ => None,
            };
            for (channel, component) in stored.iter().flat_map(|(_, channels)| channels) {
                let Some((location, _)) = stored else { continue };
                let Some(node) = value.get(usize::from(*component)) else { continue };
                let order = values.len();
                // Written on several ways through the shader: no one value.
                let known = values.contains_key(&(location, *channel));
                values.insert((location, *channel), (!known).then_some((*node, order)));
            }
        }
        let mut values: BTreeMap<_, _> =
            values.into_iter().filter_map(|(place, value)| Some((place, value?))).collect();
        if let Some(urb) = Urb::of(&nir).filter(|_| values.is_empty()) {
            let of_urb = urb.varyings.into_iter().zip(0usize..);
            values.extend(of_urb.map(|((place, node), order)| (place, (node, order))));
            position = urb.position;
        }
        Written { nir, values, position }
    }

    /// What a place carries; none where nothing is known to be written there.
    pub fn get(&self, location: u32, component: u8) -> Option<Carries<'t>> {
        self.carries(self.values.get(&(location, component))?.0)
    }

    /// What half of a place carries: 16 bits.
    pub fn half(&self, location: u32, component: u8, high: bool) -> Option<Carries<'t>> {
        let Carries::Computed((index, component)) = self.get(location, component)? else { return None };
        let made = self.nir.statements.get(index)?;
        let part = match made.op {
            "pack_32_2x16_split" => usize::from(high),
            "u2u32" | "i2i32" if !high => 0,
            _ => return None,
        };
        let operand = made.operands.get(part).filter(|operand| operand.plain)?;
        let narrow = self.nir.made(operand.name)?.1.dest?.bits == 16;
        self.carries(*self.nir.nodes(operand)?.get(usize::from(component)).filter(|_| narrow)?)
    }

    /// How many stores come before that of a place.
    pub fn position(&self, location: u32, component: u8) -> Option<usize> {
        self.get(location, component)?;
        self.values.get(&(location, component)).map(|(_, position)| *position)
    }

    fn carries(&self, node: Node) -> Option<Carries<'t>> {
        let node = follow(&self.nir, node)?;
        Some(self.nir.constant(node).map_or(Carries::Computed(node), Carries::Constant))
    }
}

/// Whether a store is of the position, which is the first of the driver's output numbers.
fn is_position(statement: &Statement<'_>) -> bool {
    let location = statement.index("io location").and_then(|location| location.split(' ').next());
    location.is_some_and(|location| ["VARYING_SLOT_POS", "0"].contains(&location))
}

/// The location and the channels of a store to an output: `(base=33, wrmask=xy, component=0, …`. Bits of the mask count
/// from the value's first component, which goes to the first channel.
fn store(statement: &Statement<'_>) -> Option<(u32, Channels)> {
    let by_number = || statement.number("base")?.checked_sub(FIRST).filter(|location| *location < COUNT);
    let location = match statement.index("io location") {
        Some(_) => statement.io()?.location?,
        None => by_number()?,
    };
    let first = u8::try_from(statement.number("component")?).ok()?;
    let channels = mask(statement)?.into_iter().filter_map(|component| {
        let channel = first.checked_add(component).filter(|channel| *channel < 4)?;
        Some((channel, component))
    });
    Some((location, channels.collect()))
}

/// The channels of an export: those of its value that are on.
fn exported(statement: &Statement<'_>) -> Option<Channels> {
    let on = match statement.number("enabled_channels") {
        Some(bits) => (0u8..4).filter(|channel| bits & 1 << channel != 0).collect(),
        None => mask(statement)?,
    };
    Some(on.into_iter().map(|channel| (channel, channel)).collect())
}

fn whole() -> Option<Channels> {
    Some((0..4).map(|channel| (channel, channel)).collect())
}

fn mask(statement: &Statement<'_>) -> Option<Vec<u8>> {
    statement.index("wrmask")?.chars().map(|c| u8::try_from("xyzw".find(c)?).ok()).collect()
}

/// The slot of a store to the buffer of attributes: `store_buffer_amd (VALUE, buffer, 0, OFFSET, lane) (base=16, …`.
fn buffered(nir: &Nir<'_>, statement: &Statement<'_>) -> Option<u32> {
    statement.index("mem_modes").filter(|modes| *modes == "shader_out")?;
    // The first slot's offset is what all others add to.
    let (index, _) = follow(nir, *nir.nodes(statement.operands.get(3)?)?.first()?)?;
    let made = nir.statements.get(index)?;
    let bytes = if made.op == "iadd" { nir.number(made.operands.get(1)?)? } else { 0 };
    let added = statement.number("base").unwrap_or(0);
    (bytes / WAVE_SLOT_BYTES).checked_add(added / LANE_SLOT_BYTES)
}

/// Where a component of a value is made, through moves and vectors put together; none where it is undefined.
pub(super) fn follow(nir: &Nir<'_>, node: Node) -> Option<Node> {
    let (mut index, mut component) = node;
    for _ in 0..MAX_STEPS {
        let here = (index, component);
        let Some(made) = nir.statements.get(index).filter(|made| made.operands.iter().all(|o| o.plain)) else {
            return Some(here);
        };
        let operand = match made.op {
            "undefined" => return None,
            "vec2" | "vec3" | "vec4" | "vec5" | "vec8" | "vec16" => made.operands.get(usize::from(component)),
            "mov" => made.operands.first(),
            // Lanes that do not run leave nothing.
            "phi" => {
                let defined = |name: &&str| nir.made(name).is_none_or(|(_, made)| made.op != "undefined");
                let defined: BTreeSet<&str> = made.operands.iter().map(|o| o.name).filter(defined).collect();
                let one = defined.first().filter(|_| defined.len() == 1);
                one.and_then(|one| made.operands.iter().find(|operand| operand.name == *one))
            }
            _ => None,
        };
        let Some(nodes) = operand.and_then(|operand| nir.nodes(operand)) else { return Some(here) };
        let letter = if made.op.starts_with("vec") { 0 } else { usize::from(component) };
        let Some(next) = nodes.get(letter) else { return Some(here) };
        (index, component) = *next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "shader: MESA_SHADER_VERTEX\n";

    fn written<'t>(text: &'t str, locations: &[u32]) -> Written<'t> {
        Written::of(Nir::read(text).expect("a form"), &locations.iter().copied().collect())
    }

    /// What a place carries, as the value's name and component, or as the number.
    fn at(written: &Written<'_>, location: u32, component: u8) -> Option<String> {
        named(written, written.get(location, component)?)
    }

    fn named(written: &Written<'_>, carries: Carries<'_>) -> Option<String> {
        Some(match carries {
            Carries::Constant(text) => text.to_owned(),
            Carries::Computed((index, component)) => {
                format!("{}.{component}", written.nir.statements.get(index)?.dest?.name)
            }
        })
    }

    #[test]
    fn values_are_followed_to_where_they_are_made() {
        let text = format!(
            "{HEAD}\tvec1 32 con ssa_1 = load_const (0x00000000 = 0.000000)\n\
            \tvec4 32 div ssa_4 = intrinsic load_buffer_amd (ssa_1) (base=0)\n\
            \tvec1 32 con ssa_5 = load_const (0x3f800000 = 1.000000)\n\
            \tvec3 32 div ssa_6 = vec3 ssa_4.y, ssa_5, ssa_4.x\n\
            \tvec2 32 div ssa_7 = mov ssa_4.yx\n\
            \tintrinsic store_output (ssa_6, ssa_1) (base=33, wrmask=xyz /*7*/, component=0, src_type=float32)\n\
            \tintrinsic store_output (ssa_7, ssa_1) (base=34, wrmask=xy /*3*/, component=2, src_type=float32)\n\
            \tintrinsic store_output (ssa_7, ssa_1) (base=0, wrmask=xy /*3*/, component=0, src_type=float32)\n\
            \tintrinsic store_output (ssa_5, ssa_1) (base=35, wrmask=x /*1*/, component=0, src_type=float32)\n\
            \tintrinsic store_output (ssa_4, ssa_1) (base=35, wrmask=x /*1*/, component=0, src_type=float32)\n"
        );
        let written = written(&text, &[]);
        let of = |component| Some(format!("ssa_4.{component}"));
        let one = Some("0x3f800000".to_owned());
        assert_eq!([at(&written, 1, 0), at(&written, 1, 1), at(&written, 1, 2)], [of(1), one, of(0)]);
        assert_eq!([at(&written, 2, 0), at(&written, 2, 2), at(&written, 2, 3)], [None, of(1), of(0)]);
        assert_eq!(at(&written, 3, 0), None, "two stores");
        let stored = "32x4 %1 = @load_input (%0) (base=0)\n\
            @store_output (%1, %0) (base=0, wrmask=xyzw, component=0, io location=VARYING_SLOT_POS slots=1)\n\
            @store_output (%1, %0) (base=33, wrmask=x, component=0, io location=VARYING_SLOT_VAR0_16BIT slots=1)\n";
        let text = format!("{HEAD}{stored}");
        let other = self::written(&text, &[]);
        assert_eq!((other.position.len(), at(&other, 1, 0)), (4, None), "not by another number");
    }

    #[test]
    fn stores_to_the_buffer_of_attributes_are_slots_in_order() {
        let text = format!(
            "{HEAD}\tvec1 32 con ssa_1 = load_const (0x00000000 = 0.000000)\n\
            \tvec1 32 con ssa_2 = undefined\n\
            \tvec1 32 div ssa_3 = phi block_1: ssa_1, block_2: ssa_2\n\
            \tvec1 32 div ssa_4 = fadd ssa_3, ssa_3\n\
            \tvec1 32 con ssa_70 = ishl ssa_68, ssa_69\n\
            \tvec1 32 con ssa_71 = load_const (0x00000200 = 0.000000)\n\
            \tvec1 32 con ssa_72 = iadd ssa_70, ssa_71\n\
            \tvec4 32 div ssa_77 = vec4 ssa_3, ssa_4, ssa_2, ssa_2\n\
            \tintrinsic store_buffer_amd (ssa_77, ssa_76, ssa_1, ssa_70, ssa_71) (base=0, mem_modes=shader_out /*8*/)\n\
            \tintrinsic store_buffer_amd (ssa_77, ssa_76, ssa_1, ssa_72, ssa_71) (base=0, mem_modes=shader_out /*8*/)\n\
            \tintrinsic store_buffer_amd (ssa_77, ssa_76, ssa_1, ssa_70, ssa_71) (base=0, mem_modes=ssbo /*8*/)\n"
        );
        let old = written(&text, &[3, 7]);
        let zero = Some("0x00000000".to_owned());
        let other = Some("ssa_4.0".to_owned());
        assert_eq!([at(&old, 3, 0), at(&old, 3, 1), at(&old, 3, 2)], [zero.clone(), other.clone(), None]);
        assert_eq!([at(&old, 7, 0), at(&old, 0, 0)], [zero, None]);
        // Mesa 25 adds bytes of a lane to one base.
        let text = "shader: MESA_SHADER_VERTEX\n\
            div 32 %4 = fadd %3, %3\n\
            con 32 %7 = ishl %5, %6\n\
            div 32x4 %8 = vec4 %4, %4, %4, %4\n\
            @store_buffer_amd (%8, %1, %2 (0x0), %7, %3) (base=16, wrmask=xyzw, mem_modes=shader_out, access=coherent)\n";
        let new = written(text, &[3, 7]);
        assert_eq!([at(&new, 3, 0), at(&new, 7, 0)], [None, Some("%4.0".to_owned())]);
    }

    #[test]
    fn exports_are_slots_in_order_and_may_hold_halves() {
        let text = "shader: MESA_SHADER_VERTEX\n\
            div 32x4 %1 = @load_buffer_amd (%0) (base=0)\n\
            con 16 %2 = load_const (0x3c00 = 1.000000)\n\
            div 16 %3 = f2f16 %1.y\n\
            div 32 %4 = pack_32_2x16_split %3, %2 (0x3c00)\n\
            div 32x4 %5 = vec4 %1.w, %4, %1.x, %1.x\n\
            @export_amd (%1) (base=12, wrmask=xyzw, flags=2)\n\
            @export_amd (%5) (base=33, wrmask=xy, flags=0)\n\
            @export_amd (%5) (target=32, enabled_channels=4, flags=0)\n";
        let written = written(text, &[2, 6]);
        assert_eq!(written.position.len(), 4);
        assert_eq!([at(&written, 6, 0), at(&written, 6, 2)], [Some("%1.3".to_owned()), None]);
        assert_eq!([at(&written, 2, 0), at(&written, 2, 2)], [None, Some("%1.0".to_owned())]);
        let half = |high| written.half(6, 1, high).and_then(|carries| named(&written, carries));
        assert_eq!([half(false), half(true)], [Some("%3.0".to_owned()), Some("0x3c00".to_owned())]);
        assert_eq!(written.half(6, 0, false), None, "32 bits");
    }
}
