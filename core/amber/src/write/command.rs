//! Commands.

use super::{Out, single};
use crate::number::float;
use crate::script::command::{Check, Command, Expect, Run, RunKind, Tolerance};

impl Expect {
    /// What it says before the numbers: `EXPECT a IDX 0 TOLERANCE 0.1 EQ`.
    pub fn head(&self) -> String {
        let mut out = Out { text: String::new() };
        match &self.check {
            Check::Values { offset, comparison, tolerances, .. } => {
                let check = Check::Values {
                    offset: *offset,
                    comparison: *comparison,
                    tolerances: tolerances.clone(),
                    values: Vec::new(),
                };
                out.expect(&Expect { line: self.line, buffer: self.buffer.clone(), check });
            }
            _ => out.expect(self),
        }
        out.text.trim_end().to_owned()
    }
}

impl Out {
    pub(super) fn command(&mut self, one: &Command, indent: &str) {
        self.text.push_str(indent);
        match one {
            Command::Run(run) => self.run(run),
            Command::Clear { pipeline, .. } => self.add(format_args!("CLEAR {pipeline}\n")),
            Command::ClearColor { pipeline, color: [r, g, b, a], .. } => {
                self.add(format_args!("CLEAR_COLOR {pipeline} {r} {g} {b} {a}\n"));
            }
            Command::ClearDepth { pipeline, depth, .. } => {
                self.add(format_args!("CLEAR_DEPTH {pipeline} {}\n", single(*depth)));
            }
            Command::ClearStencil { pipeline, stencil, .. } => {
                self.add(format_args!("CLEAR_STENCIL {pipeline} {stencil}\n"));
            }
            Command::Expect(expect) => self.expect(expect),
            Command::Copy { from, to, .. } => self.add(format_args!("COPY {from} TO {to}\n")),
            Command::Repeat { count, commands, .. } => {
                self.add(format_args!("REPEAT {count}\n"));
                // A repetition in a repetition is not of the language: its text does not read.
                for command in commands {
                    match command {
                        Command::Repeat { .. } => self.text.push_str("  REPEAT\n"),
                        command => self.command(command, "  "),
                    }
                }
                self.text.push_str("END\n");
            }
        }
    }

    fn run(&mut self, one: &Run) {
        self.text.push_str(if one.timed { "RUN TIMED_EXECUTION " } else { "RUN " });
        self.text.push_str(&one.pipeline);
        match &one.kind {
            RunKind::Compute { groups: [x, y, z] } => self.add(format_args!(" {x} {y} {z}")),
            RunKind::DrawRect { at, size } => {
                self.add(format_args!(" DRAW_RECT POS {} {} SIZE {} {}", at[0], at[1], size[0], size[1]));
            }
            RunKind::DrawGrid { at, size, cells } => {
                self.add(format_args!(" DRAW_GRID POS {} {} SIZE {} {}", at[0], at[1], size[0], size[1]));
                self.add(format_args!(" CELLS {} {}", cells[0], cells[1]));
            }
            RunKind::DrawArray { topology, indexed, start, count, start_instance, instances } => {
                self.add(format_args!(" DRAW_ARRAY AS {topology}{}", if *indexed { " INDEXED" } else { "" }));
                self.option("START_IDX", *start);
                self.option("COUNT", *count);
                self.option("START_INSTANCE", *start_instance);
                self.option("INSTANCE_COUNT", *instances);
            }
            RunKind::Rays { raygen, miss, hit, call, size: [x, y, z] } => {
                for (keyword, table) in [("RAYGEN", raygen), ("MISS", miss), ("HIT", hit), ("CALL", call)] {
                    self.option(keyword, table.as_ref());
                }
                self.add(format_args!(" {x} {y} {z}"));
            }
        }
        self.end_line();
    }

    fn expect(&mut self, one: &Expect) {
        self.add(format_args!("EXPECT {}", one.buffer));
        match &one.check {
            Check::Values { offset, comparison, tolerances, values } => {
                self.add(format_args!(" IDX {offset}"));
                self.tolerances(tolerances);
                self.add(format_args!(" {comparison}"));
                for value in values {
                    self.add(format_args!(" {value}"));
                }
            }
            Check::Pixels { at, size, color: [r, g, b], alpha, tolerances } => {
                self.add(format_args!(" IDX {} {} SIZE {} {}", at[0], at[1], size[0], size[1]));
                match alpha {
                    Some(alpha) => self.add(format_args!(" EQ_RGBA {r} {g} {b} {alpha}")),
                    None => self.add(format_args!(" EQ_RGB {r} {g} {b}")),
                }
                self.tolerances(tolerances);
            }
            Check::EqualBuffer(other) => self.add(format_args!(" EQ_BUFFER {other}")),
            Check::Rmse { other, tolerance } => {
                self.add(format_args!(" RMSE_BUFFER {other} TOLERANCE {}", single(*tolerance)));
            }
            Check::HistogramEmd { other, tolerance } => {
                self.add(format_args!(" EQ_HISTOGRAM_EMD_BUFFER {other} TOLERANCE {}", single(*tolerance)));
            }
        }
        self.end_line();
    }

    fn tolerances(&mut self, all: &[Tolerance]) {
        for (index, one) in all.iter().enumerate() {
            let keyword = if index == 0 { " TOLERANCE" } else { "" };
            self.add(format_args!("{keyword} {}{}", float(one.value), if one.is_percent { "%" } else { "" }));
        }
    }
}
