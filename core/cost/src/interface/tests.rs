//! Interfaces of small programs, and the worked sheet of a sample.

use super::table::*;
use super::*;
use lanescope_model::options::PackingOrder;
use lanescope_model::target::Target;
use lanescope_testing::program;

fn of(vertex: &str, fragment: &str, options: &Options) -> InterfaceCost {
    let program = program(&[("vert", vertex), ("frag", fragment)]);
    interface_cost(&program, options, Draw::default()).expect("no constants").expect("a fragment shader")
}

const VERTEX: &str = "layout(location = 0) out vec3 a; layout(location = 1) out vec3 b; layout(location = 2) out vec2 c;
    layout(location = 3) flat out int d; layout(location = 4) flat out int16_t e; layout(location = 9) out vec4 unread;
    void main() {
        gl_Position = vec4(0); a = gl_Position.xyz; b = a; c = a.xy; d = gl_VertexIndex; e = int16_t(d); unread = vec4(d);
    }";
const FRAGMENT: &str = "layout(location = 0) in vec3 a; layout(location = 1) in vec3 b; layout(location = 2) in vec2 c;
    layout(location = 3) flat in int d; layout(location = 4) flat in int16_t e; layout(location = 0) out vec4 color;
    void main() { color = vec4(a + b, c.x + c.y + float(d) + float(e)); }";

fn on(target: Target) -> Options {
    Options { target, ..Options::default() }
}

fn figure<'c>(figures: &'c [CostFigure], name: &str) -> &'c CostFigure {
    figures.iter().find(|row| row.figure == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn optimum_shares_slots_of_flat_scalars_and_says_why_it_is_less() {
    let cost = of(VERTEX, FRAGMENT, &on(Target::Gfx1030));
    let generic: Vec<_> = cost.slots.rows.iter().map(|row| (row.by, row.order, row.generic)).collect();
    let expected = [
        (SlotsBy::Written, None, 6),
        (SlotsBy::Original, None, 5),
        (SlotsBy::Order, Some(PackingOrder::Llpc), 4),
        (SlotsBy::Order, Some(PackingOrder::DesignNote), 3),
        (SlotsBy::Order, Some(PackingOrder::NoteUnion), 4),
        (SlotsBy::Optimum, None, 3),
    ];
    assert_eq!(generic, expected);
    assert_eq!(cost.slots.sentence, "LLPC 4, optimum 3: class 16-bit flat starts a slot of its own");
    let note = of(VERTEX, FRAGMENT, &Options { order: PackingOrder::DesignNote, ..on(Target::Gfx1030) });
    assert!(note.slots.sentence.starts_with("Design note 3, optimum 3: 32-bit interpolated takes 2 with no component"));
    let off = of(VERTEX, FRAGMENT, &Options { no_pack: true, ..on(Target::Gfx1030) });
    assert_eq!(off.slots.sentence, "Not packed 5, optimum 3: packing is switched off");
    assert!(off.slots.rows.iter().filter(|row| row.selected).all(|row| row.by == SlotsBy::Original));
}

#[test]
fn figures_follow_the_slots_of_the_chip() {
    let cost = of(VERTEX, FRAGMENT, &on(Target::Gfx1030));
    let exports = figure(&cost.previous, "exp param per wave");
    assert_eq!([exports.original.text(), exports.selected.text()], ["5", "4"]);
    assert_eq!(exports.optimum, Some(Value::Number(3)));
    assert_eq!(cost.lds.bytes_per_primitive, [240, 192, 144]);
    // 8 interpolated scalars, 2 flat ones.
    assert_eq!(figure(&cost.interpolation, "interpolation instructions").selected, Value::Number(18));
    let ring = of(VERTEX, FRAGMENT, &on(Target::Gfx1100));
    assert_eq!(figure(&ring.interpolation, "interpolation instructions").selected, Value::Number(28));
    assert_eq!(figure(&ring.previous, "attribute stores per wave").selected, Value::Number(4));
    let unknown = of(VERTEX, FRAGMENT, &on(Target::of_driver("gfx9999").expect("a name")));
    assert!(unknown.lds.rows.is_empty());
    assert!(matches!(figure(&unknown.interpolation, "interpolation instructions").selected, Value::Unknown(_)));
}

#[test]
fn fragment_shader_alone_has_no_exports() {
    let alone = program(&[("frag", FRAGMENT)]);
    let cost = interface_cost(&alone, &on(Target::Gfx906), Draw::default()).expect("no constants").expect("a sheet");
    assert!(matches!(figure(&cost.previous, "exp param per wave").selected, Value::Unknown(_)));
    assert!(cost.slots.rows.iter().all(|row| row.by != SlotsBy::Written));
    let compute = program(&[("comp", "void main() {}")]);
    assert_eq!(interface_cost(&compute, &Options::default(), Draw::default()).expect("no constants"), None);
}

#[test]
fn tables_have_a_mark_in_each_row() {
    for target in [Target::Gfx906, Target::Gfx1030, Target::Gfx1100, Target::Gfx1201] {
        let cost = of(VERTEX, FRAGMENT, &on(target));
        let tables = [
            slots_table(&cost),
            previous_table(&cost),
            interpolation_table(&cost),
            draw_table(&cost.draw),
            vendors_table(&cost),
        ];
        for table in tables {
            let at = table.columns.iter().position(|column| column.title == "mark").expect("marks");
            assert!(!table.rows.is_empty() && table.rows.iter().all(|row| row.cell(at).is_some()), "{table:?}");
        }
        assert!(lds_table(&cost).columns.iter().take(8).skip(1).all(|column| !column.note.is_empty()));
    }
}

/// Buffer stores of a stage that writes other memory are not those of attributes alone.
#[test]
fn stores_to_other_memory_are_known() {
    let has_stores = |declared: &str| {
        let vertex = VERTEX.replace("void main", &format!("{declared} void main"));
        of(&vertex, FRAGMENT, &on(Target::Gfx1100)).stores_of_its_own
    };
    let found = [
        "",
        "layout(binding = 0) uniform Block { vec4 color; };",
        "layout(binding = 0) buffer Log { vec4 logged[]; };",
        "layout(binding = 0, rgba8) uniform writeonly image2D picture;",
    ];
    assert_eq!(found.map(has_stores), [false, false, true, true]);
}
