//! Commands.

use super::tokens::Token;
use super::{Named, Read, Reader, quoted};
use crate::script::Line;
use crate::script::command::{Check, Command, Comparison, Expect, Run, RunKind, Tolerance, Topology};
use crate::script::pipeline::PipelineKind;

impl Reader<'_> {
    /// A command that can be repeated; none where the word begins no such one.
    pub(super) fn command(&mut self, word: &str) -> Read<Option<Command>> {
        let line = self.line();
        Ok(Some(match word {
            "RUN" => Command::Run(self.run(line)?),
            "CLEAR" => {
                let pipeline = self.graphics()?;
                self.end()?;
                Command::Clear { line, pipeline }
            }
            "CLEAR_COLOR" => {
                let pipeline = self.graphics()?;
                let color = [self.byte("red")?, self.byte("green")?, self.byte("blue")?, self.byte("alpha")?];
                self.end()?;
                Command::ClearColor { line, pipeline, color }
            }
            "CLEAR_DEPTH" => {
                let (pipeline, depth) = (self.graphics()?, self.float("a depth")?);
                self.end()?;
                Command::ClearDepth { line, pipeline, depth }
            }
            "CLEAR_STENCIL" => {
                let (pipeline, stencil) = (self.graphics()?, self.byte("a stencil value")?);
                self.end()?;
                Command::ClearStencil { line, pipeline, stencil }
            }
            "COPY" => {
                let (from, _) = self.known_name(Named::Buffer)?;
                self.keyword("TO")?;
                let (to, _) = self.known_name(Named::Buffer)?;
                if from == to {
                    return Err(self.wrong("another buffer after TO", quoted(&to)));
                }
                self.end()?;
                Command::Copy { line, from, to }
            }
            "EXPECT" => Command::Expect(self.expect(line)?),
            _ => return Ok(None),
        }))
    }

    pub(super) fn repeat(&mut self) -> Read<()> {
        let line = self.line();
        let count = self.positive("how often")?;
        self.end()?;
        let mut commands = Vec::new();
        while let Some(word) = self.in_block("REPEAT")? {
            let command = self.command(word)?;
            commands.push(command.ok_or_else(|| {
                let all = "RUN, CLEAR, CLEAR_COLOR, CLEAR_DEPTH, CLEAR_STENCIL, COPY or EXPECT in REPEAT";
                self.wrong(all, quoted(word))
            })?);
        }
        self.script.commands.push(Command::Repeat { line, count, commands });
        self.end()
    }

    /// The name of a pipeline of this kind.
    fn of_kind(&mut self, kind: PipelineKind) -> Read<String> {
        let (name, index) = self.known_name(Named::Pipeline)?;
        let found = self.script.pipelines[index].kind;
        if found == kind {
            Ok(name)
        } else {
            Err(self.wrong(format!("a {kind} pipeline"), format!("a {found} pipeline")))
        }
    }

    fn graphics(&mut self) -> Read<String> {
        self.of_kind(PipelineKind::Graphics)
    }

    fn run(&mut self, line: Line) -> Read<Run> {
        let timed = self.eat("TIMED_EXECUTION")?;
        let (pipeline, index) = self.known_name(Named::Pipeline)?;
        let kind = match self.script.pipelines[index].kind {
            PipelineKind::Compute => RunKind::Compute { groups: self.three("a count of workgroups")? },
            PipelineKind::Graphics => self.draw()?,
            PipelineKind::RayTracing => self.trace(index)?,
        };
        self.end()?;
        Ok(Run { line, timed, pipeline, kind })
    }

    fn three(&mut self, expected: &str) -> Read<[u32; 3]> {
        Ok([self.count(expected)?, self.count(expected)?, self.count(expected)?])
    }

    fn two(&mut self, keyword: &str, expected: &str) -> Read<[u32; 2]> {
        self.keyword(keyword)?;
        Ok([self.count(expected)?, self.count(expected)?])
    }

    fn draw(&mut self) -> Read<RunKind> {
        match self.one_of("what is drawn", &["DRAW_RECT", "DRAW_GRID", "DRAW_ARRAY"], |word| word)? {
            "DRAW_RECT" => {
                Ok(RunKind::DrawRect { at: self.two("POS", "a pixel")?, size: self.two("SIZE", "a size in pixels")? })
            }
            "DRAW_GRID" => Ok(RunKind::DrawGrid {
                at: self.two("POS", "a pixel")?,
                size: self.two("SIZE", "a size in pixels")?,
                cells: self.two("CELLS", "a count of cells")?,
            }),
            _ => self.draw_array(),
        }
    }

    fn draw_array(&mut self) -> Read<RunKind> {
        self.keyword("AS")?;
        let topology = self.one_of("a topology", Topology::ALL, Topology::name)?;
        let (mut indexed, mut start, mut count, mut start_instance, mut instances) = (false, None, None, None, None);
        while let Some(option) = self.option()? {
            match option {
                "INDEXED" => indexed = true,
                "START_IDX" => start = Some(self.count("a vertex")?),
                "COUNT" => count = Some(self.positive("a count of vertices")?),
                "START_INSTANCE" => start_instance = Some(self.count("an instance")?),
                "INSTANCE_COUNT" => instances = Some(self.positive("a count of instances")?),
                other => {
                    let expected = "INDEXED, START_IDX, COUNT, START_INSTANCE or INSTANCE_COUNT";
                    return Err(self.wrong(expected, quoted(other)));
                }
            }
        }
        Ok(RunKind::DrawArray { topology, indexed, start, count, start_instance, instances })
    }

    fn trace(&mut self, pipeline: usize) -> Read<RunKind> {
        let mut tables: [Option<String>; 4] = Default::default();
        while let Token::Word(_) = self.tokens.peek()? {
            let which = self.one_of("a table", &[0, 1, 2, 3], |index| ["RAYGEN", "MISS", "HIT", "CALL"][index])?;
            let name = self.word("the name of a table")?;
            let known = self.script.pipelines[pipeline].rays.tables.iter().any(|table| table.name == name);
            if !known {
                return Err(self.wrong("a table of the pipeline", quoted(name)));
            }
            if tables[which].replace(name.to_owned()).is_some() {
                return Err(self.wrong("each table once", quoted(name)));
            }
        }
        let [raygen, miss, hit, call] = tables;
        Ok(RunKind::Rays { raygen, miss, hit, call, size: self.three("a count of rays")? })
    }

    fn expect(&mut self, line: Line) -> Read<Expect> {
        let (buffer, index) = self.known_name(Named::Buffer)?;
        let known = ["IDX", "EQ_BUFFER", "RMSE_BUFFER", "EQ_HISTOGRAM_EMD_BUFFER"];
        let check = match self.one_of("what is expected", &known, |word| word)? {
            "IDX" => self.place(index)?,
            "EQ_BUFFER" => Check::EqualBuffer(self.known_name(Named::Buffer)?.0),
            of => {
                let (other, _) = self.known_name(Named::Buffer)?;
                self.keyword("TOLERANCE")?;
                let tolerance = self.float("a tolerance")?;
                match of {
                    "RMSE_BUFFER" => Check::Rmse { other, tolerance },
                    _ => Check::HistogramEmd { other, tolerance },
                }
            }
        };
        self.end()?;
        Ok(Expect { line, buffer, check })
    }

    /// What is expected at a place of a buffer.
    fn place(&mut self, buffer: usize) -> Read<Check> {
        let x = self.count("a place")?;
        if let Token::Number(_) = self.tokens.peek()? {
            return self.pixels(x);
        }
        let tolerances = self.tolerances(4)?;
        let comparison = self.one_of("a comparison", Comparison::ALL, Comparison::name)?;
        if comparison != Comparison::Equal && !tolerances.is_empty() {
            return Err(self.wrong("EQ after TOLERANCE", format!("`{comparison}`")));
        }
        let declared = &self.script.buffers[buffer];
        let layout = self.layout_of(&declared.ty, declared.packing())?;
        let mut values = Vec::new();
        while !self.tokens.at_line_end()? {
            let number = self.number("a number")?;
            self.fits(&layout, values.len(), number)?;
            values.push(number);
        }
        if values.is_empty() {
            return Err(self.wrong("a number", "the end of the line"));
        }
        Ok(Check::Values { offset: x, comparison, tolerances, values })
    }

    fn pixels(&mut self, x: u32) -> Read<Check> {
        let at = [x, self.count("a pixel")?];
        self.keyword("SIZE")?;
        let size = [self.positive("a width")?, self.positive("a height")?];
        let has_alpha =
            self.one_of("a comparison of pixels", &[false, true], |alpha| if alpha { "EQ_RGBA" } else { "EQ_RGB" })?;
        let color = [self.byte("red")?, self.byte("green")?, self.byte("blue")?];
        let alpha = if has_alpha { Some(self.byte("alpha")?) } else { None };
        let tolerances = self.tolerances(if has_alpha { 4 } else { 3 })?;
        Ok(Check::Pixels { at, size, color, alpha, tolerances })
    }

    /// Tolerances, if they are next.
    fn tolerances(&mut self, most: usize) -> Read<Vec<Tolerance>> {
        let mut out = Vec::new();
        if !self.eat("TOLERANCE")? {
            return Ok(out);
        }
        while let Token::Number(number) = self.tokens.peek()? {
            self.tokens.next()?;
            if number.value().is_nan() {
                return Err(self.wrong("a tolerance", "`nan`"));
            }
            out.push(Tolerance { value: number.value(), is_percent: self.eat("%")? });
            if out.len() > most {
                return Err(self.wrong(format!("at most {most} tolerances"), format!("`{number}`")));
            }
        }
        if out.is_empty() { Err(self.wrong("a tolerance", self.tokens.peek()?.called())) } else { Ok(out) }
    }
}
