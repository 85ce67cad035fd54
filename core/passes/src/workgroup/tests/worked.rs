//! The worked layouts, value for value: the tables of `worked.md`.

use super::*;
use crate::workgroup::{LaneMap, WaveExtent};
use lanescope_base::ids::{Thread, Wave};
use lanescope_model::options::WaveChoice;

const WORKED: &str = include_str!("worked.md");

/// One layout of `worked.md`.
#[derive(Debug, Default)]
struct Section {
    title: String,
    /// Rows of y: the thread that owns each x.
    grid: Vec<Vec<u32>>,
    /// Wave tables: rows of wave, x, y, z, lanes.
    waves: Vec<Vec<[String; 5]>>,
    /// `thread:(x,y,z)`.
    threads: Vec<(u32, [u32; 3])>,
}

fn sections() -> Vec<Section> {
    let mut out: Vec<Section> = Vec::new();
    for line in WORKED.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            out.push(Section { title: title.to_owned(), ..Section::default() });
        }
        let Some(section) = out.last_mut() else { continue };
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if line.starts_with("| wave") {
            section.waves.push(Vec::new());
        } else if line.starts_with("| **") {
            section.grid.push(cells[1..].iter().map(|c| c.parse().expect("a thread")).collect());
        } else if line.starts_with("| ") && cells[0].parse::<u32>().is_ok() {
            let row = std::array::from_fn(|i| cells[i].to_owned());
            section.waves.last_mut().expect("a wave table's head").push(row);
        } else if line.starts_with("0:(") {
            for entry in line.split_whitespace() {
                let (thread, id) = entry.split_once(':').expect("thread:(id)");
                let id: Vec<u32> =
                    id.trim_matches(['(', ')']).split(',').map(|v| v.parse().expect("a number")).collect();
                section.threads.push((thread.parse().expect("a thread"), [id[0], id[1], id[2]]));
            }
        }
    }
    out
}

fn wave_row(wave: &WaveExtent) -> [String; 5] {
    let range = |[low, high]: [u32; 2]| format!("{low}..{high}");
    [wave.wave.to_string(), range(wave.x), range(wave.y), range(wave.z), wave.lanes.to_string()]
}

#[test]
fn matches_every_worked_table() {
    use Derivatives::{Linear, None, Quads};
    type Settings<'a> = &'a [(Derivatives, bool, bool)];
    let every: Vec<(Derivatives, bool, bool)> = Derivatives::ALL
        .iter()
        .flat_map(|&d| [(d, false, false), (d, true, false), (d, false, true), (d, true, true)])
        .collect();
    let (force, reconfig) = (true, true);
    // A title's prefix; the size; the tiles; the settings for it.
    let cases: &[(&str, [u32; 3], &str, Settings<'_>)] = &[
        ("8×8×1, 2×2", [8, 8, 1], "2x2", &[(Quads, false, false)]),
        ("8×8×1, 8×N (reconfig", [8, 8, 1], "8xN", &[(None, false, reconfig), (Linear, false, reconfig)]),
        ("8×8×1, 8×N (reconfig", [8, 8, 1], "-", &[(None, force, false)]),
        ("8×8×1, 8×N + 2×2", [8, 8, 1], "8xN+2x2", &[(Quads, false, reconfig)]),
        ("16×16×1, 8×N (", [16, 16, 1], "8xN", &[(None, force, false), (None, false, reconfig)]),
        ("16×16×1, 8×N + 2×2", [16, 16, 1], "8xN+2x2", &[(Quads, force, false), (Quads, false, reconfig)]),
        ("16×8×1, wave32, no options", [16, 8, 1], "-", &[(None, false, false)]),
        ("16×8×1, wave32, 8×N", [16, 8, 1], "8xN", &[(None, force, false), (None, false, reconfig)]),
        ("6×4×2, 2×2", [6, 4, 2], "2x2", &[(None, false, reconfig), (Quads, false, false)]),
        ("6×6 slice, 2×2", [6, 6, 5], "2x2", &[(None, false, reconfig)]),
        ("5×6×7", [5, 6, 7], "-", &every[..4]),
    ];
    let sections = sections();
    for section in &sections {
        assert!(cases.iter().any(|(start, ..)| section.title.starts_with(start)), "{} is not tried", section.title);
        assert!(!(section.grid.is_empty() && section.waves.is_empty() && section.threads.is_empty()));
    }
    for &(start, size, expected, settings) in cases {
        let section = sections.iter().find(|s| s.title.starts_with(start)).expect("a section of that title");
        for &(derivatives, force, reconfig) in settings {
            let (layout, findings) = compute(size, &switches(derivatives, force, reconfig));
            let layout = layout.expect("a compute shader has a layout");
            assert_eq!((tiles(layout.micro, layout.macro_tile), findings), (expected, vec![]), "{start}");
            check_section(section, &layout);
        }
    }
}

fn check_section(section: &Section, layout: &Layout) {
    let title = &section.title;
    let map = layout.lane_map().expect("lanes");
    let [size_x, size_y, size_z] = layout.size;
    if !section.grid.is_empty() {
        for z in 0..size_z {
            let row = |y| (0..size_x).map(|x| map.thread([x, y, z]).expect("inside").0 - z * size_x * size_y).collect();
            let grid: Vec<Vec<u32>> = (0..size_y).map(row).collect();
            assert_eq!(grid, section.grid, "{title}, z = {z}");
        }
        for (h, &[x, y, z]) in layout.lanes.as_ref().expect("lanes").iter().enumerate() {
            assert_eq!(section.grid[y as usize][x as usize] + z * size_x * size_y, h as u32, "{title}");
        }
    }
    for &(thread, id) in &section.threads {
        assert_eq!(map.invocation(Thread(thread)), Some(id), "{title}");
    }
    for (table, wave) in section.waves.iter().zip([32, 64]) {
        let layout = Layout { wave, ..layout.clone() };
        let waves: Vec<_> = layout.waves().iter().map(wave_row).collect();
        assert_eq!(&waves, table, "{title}, wave{wave}");
        assert!(layout.waves().iter().all(WaveExtent::is_box));
    }
}

#[test]
fn reads_all_worked_tables() {
    let count = |n: fn(&Section) -> usize| sections().iter().map(n).sum::<usize>();
    assert_eq!(count(|_| 1), 10);
    assert_eq!(count(|s| s.grid.len()), 8 + 8 + 8 + 16 + 16 + 8 + 4 + 6, "grid rows");
    assert_eq!(count(|s| s.waves.iter().map(Vec::len).sum()), 8 + 4 + 4 + 4, "wave rows");
    assert_eq!(count(|s| s.threads.len()), 48 + 32, "listed threads");
}

#[test]
fn waves_of_6x4x2_continue_in_the_next_z() {
    let options = Options { wave: WaveChoice::Wave32, ..switches(Derivatives::Quads, false, false) };
    let layout = compute([6, 4, 2], &options).0.expect("a layout");
    let lanes = layout.lanes.as_ref().expect("lanes");
    assert!(lanes[..24].iter().all(|id| id[2] == 0));
    assert_eq!(lanes[24..32], [0, 1, 2, 3, 4, 5, 6, 7].map(|i: u32| [i / 4 * 2 + i % 2, i / 2 % 2, 1]));
    assert_eq!(layout.waves().iter().map(|w| w.lanes).collect::<Vec<_>>(), [32, 16]);
    assert!(!layout.waves()[0].is_box());
}

#[test]
fn first_wave_covers_expected_invocations() {
    // Tiles and size: width and height under wave32, under wave64.
    type Row = (Micro, Macro, [u32; 3], [u32; 2], [u32; 2]);
    let rows: &[Row] = &[
        (Micro::None, Macro::None, [16, 16, 1], [16, 2], [16, 4]),
        (Micro::Quads, Macro::None, [32, 8, 1], [16, 2], [32, 2]),
        (Micro::None, Macro::Block8, [16, 8, 1], [8, 4], [8, 8]),
        (Micro::None, Macro::Block8, [32, 32, 1], [8, 4], [8, 8]),
        (Micro::Quads, Macro::Block8, [16, 8, 1], [8, 4], [8, 8]),
        (Micro::Quads, Macro::Block8, [32, 32, 1], [8, 4], [8, 8]),
    ];
    let base = compute([1, 1, 1], &Options::default()).0.expect("a layout");
    for &(micro, macro_tile, size, by_32, by_64) in rows {
        let map = LaneMap::new(micro, macro_tile, size).expect("valid");
        for (wave, [width, height]) in [(32, by_32), (64, by_64)] {
            let layout = Layout { wave, size, lanes: Some(map.invocations()), ..base.clone() };
            let first = layout.waves()[0];
            assert_eq!((first.x, first.y), ([0, width - 1], [0, height - 1]), "{micro} {macro_tile} wave{wave}");
            assert!(layout.waves().iter().all(WaveExtent::is_box), "{micro} {macro_tile} wave{wave}");
        }
    }
}

/// 16x6: strips of 6 rows, waves of 4: the second wave wraps from the first strip into the next.
#[test]
fn a_wave_wraps_into_the_next_strip() {
    let map = LaneMap::new(Micro::None, Macro::Block8, [16, 6, 1]).expect("a multiple of 8");
    let ids = map.invocations();
    assert_eq!([ids[32], ids[47], ids[48], ids[63]], [[0, 4, 0], [7, 5, 0], [8, 0, 0], [15, 1, 0]]);
    let base = compute([16, 6, 1], &Options::default()).0.expect("a layout");
    let layout = Layout { wave: 32, lanes: Some(ids), ..base };
    let boxes: Vec<_> = layout.waves().iter().map(|w| (w.wave, w.is_box())).collect();
    assert_eq!(boxes, [(Wave(0), true), (Wave(1), false), (Wave(2), true)]);
}

#[test]
fn rejects_derivatives_at_5x6x7() {
    for (derivatives, code) in [(Derivatives::Linear, "W004"), (Derivatives::Quads, "W003")] {
        let (layout, findings) = compute([5, 6, 7], &switches(derivatives, true, true));
        assert_eq!(findings, [code]);
        assert_eq!(layout.expect("still a layout").lanes, None);
    }
}
