//! The state of a session as plain data.

use super::super::{Stop, WaveState, WaveStatus, describe};
use super::{Chosen, CommandError, LaneMask, Session};
use crate::draw::FragmentAt;
use crate::value::{MAX_ELEMENTS_IN_LIST, Value};
use lanescope_base::StageKind;
use lanescope_base::ids::Id;
use lanescope_spirv::{SourceFile, SourceLine, source_files};
use serde::Serialize;
use std::borrow::Cow;

/// Lines of source or instructions before and after the current one.
const CONTEXT: u32 = 3;

/// Where a session is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct State {
    /// Instructions run so far by all waves.
    pub step: u64,
    /// Whether the run has ended.
    pub finished: bool,
    /// The workgroup.
    pub group: [u32; 3],
    /// The chosen wave.
    pub wave: u32,
    /// The chosen lane.
    pub lane: u32,
    /// Its local invocation index; absent for a lane without an invocation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<u32>,
    /// The fragment that the chosen lane is; absent in other stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<FragmentAt>,
    /// The vertex that the chosen lane is; absent in other stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex: Option<u32>,
    /// Whether the chosen lane runs the next instruction.
    pub active: bool,
    /// The next instruction.
    pub instruction: String,
    /// Its source line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<SourceLine>,
    /// The source or, without it, the instructions around.
    pub source: Vec<SourceText>,
    /// Functions that are being called, the outermost first.
    pub calls: Vec<String>,
    /// The waves of the workgroup.
    pub waves: Vec<WaveRow>,
}

/// A line of what is debugged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceText {
    /// The line, from 1; of instructions the index in the module.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// Whether it is the next one.
    pub current: bool,
}

/// A wave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WaveRow {
    /// Its index.
    pub wave: u32,
    /// `running`, `at barrier`, `done`.
    pub status: &'static str,
    /// Its lanes.
    pub exec: LaneMask,
    /// How many run it.
    pub active: u32,
    /// The next instruction.
    pub instruction: String,
}

/// A variable of the chosen lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VariableValue {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its value.
    pub value: String,
}

/// A value in all lanes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lanes {
    /// Its name.
    pub name: String,
    /// By wave, then by lane: the value; absent for a lane without an invocation.
    pub values: Vec<Vec<Option<String>>>,
    /// By wave, then by lane: the value as a number, where it is a scalar.
    #[serde(skip)]
    pub numbers: Vec<Vec<Option<f64>>>,
    /// By wave, then by lane: whether it runs the wave's next instruction.
    pub active: Vec<Vec<bool>>,
    /// By wave, then by lane: whether it is a helper invocation. Empty in other stages than fragment shaders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub helpers: Vec<Vec<bool>>,
    /// By wave, then by lane: local invocation index.
    pub invocations: Vec<Vec<Option<u32>>>,
}

impl Lanes {
    /// Where an invocation is shown in a workgroup of a size, row-major: where it is in the workgroup; of fragments beside
    /// the others of its quad.
    pub fn position(&self, invocation: u32, size: [u32; 3]) -> u32 {
        if self.helpers.is_empty() {
            return invocation;
        }
        let width = size[0].max(2);
        let (quad, corner) = (invocation / 4, invocation % 4);
        let (x, y) = (quad % (width / 2) * 2 + corner % 2, quad / (width / 2) * 2 + corner / 2);
        y * width + x
    }
}

impl State {
    /// Where the chosen lane is, as text: `workgroup 0,0,0`, `pixel 20,40, triangle 1, wave 12`, `vertex 3, wave 0`.
    pub fn place(&self) -> String {
        let [x, y, z] = self.group;
        match (&self.fragment, self.vertex) {
            (Some(fragment), _) => {
                let ([px, py], triangle) = (fragment.pixel, fragment.triangle);
                let sample = fragment.sample.map_or_else(String::new, |sample| format!(", sample {sample}"));
                let helper = if fragment.helper { ", helper invocation" } else { "" };
                format!("pixel {px},{py}{sample}, triangle {triangle}{helper}, wave {x}")
            }
            (None, Some(vertex)) => format!("vertex {vertex}, wave {x}"),
            (None, None) => format!("workgroup {x},{y},{z}"),
        }
    }
}

/// An instruction of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TraceRow {
    /// The step.
    pub step: u64,
    /// The lanes of the wave that runs it.
    pub exec: LaneMask,
    /// How many.
    pub active: u32,
    /// The instruction.
    pub instruction: String,
    /// Its source line: `a.comp:12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Watched values in the chosen lane, before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<String>,
}

impl Session {
    /// Where the session is.
    pub fn state(&self) -> State {
        let debugger = self.debugger();
        let program = debugger.machine().program();
        let Chosen { wave, lane } = self.chosen();
        let now = self.wave_state();
        let place = now.as_ref().map(|now| now.place);
        let module = program.module();
        let calls = now.iter().flat_map(|now| &now.calls).map(|call| describe::name(module, call.function));
        State {
            step: debugger.position(),
            finished: debugger.machine().is_finished(),
            group: debugger.machine().group(),
            wave,
            lane,
            invocation: now.as_ref().and_then(|now| now.invocations.get(lane as usize).copied().flatten()),
            fragment: debugger.machine().fragment(lane),
            vertex: debugger.machine().vertex(lane),
            active: now.as_ref().is_some_and(|now| now.exec >> lane & 1 == 1 && now.status == WaveStatus::Running),
            instruction: place.map_or_else(String::new, |place| describe::instruction(program, place)),
            line: now.as_ref().and_then(|now| now.line.clone()),
            source: now.as_ref().map_or_else(Vec::new, |now| self.source(now)),
            calls: calls.collect(),
            waves: self.waves(),
        }
    }

    /// The text of a file that lines name, if the session or the module has it.
    pub fn source_text(&self, name: &str) -> Option<String> {
        self.source_file(name).map(|file| file.into_owned().text)
    }

    /// The text of a file, which the session or the module has.
    fn source_file(&self, name: &str) -> Option<Cow<'_, SourceFile>> {
        let own = self.sources.iter().find(|file| file.file == name).map(Cow::Borrowed);
        let carried = || source_files(self.debugger().machine().program().module()).into_iter();
        own.or_else(|| carried().find(|file| file.file == name).map(Cow::Owned))
    }

    /// The lines around the next instruction, from a text that the session or the module has; else the instructions
    /// around it.
    fn source(&self, now: &WaveState) -> Vec<SourceText> {
        let program = self.debugger().machine().program();
        let module = program.module();
        if let Some(line) = &now.line
            && let Some(file) = self.source_file(&line.file)
        {
            let first = line.line.saturating_sub(CONTEXT).max(1);
            let lines = file.text.lines().skip(first as usize - 1).take(2 * CONTEXT as usize + 1);
            let row = |(number, text): (u32, &str)| SourceText {
                line: number,
                text: text.to_owned(),
                current: number == line.line,
            };
            return (first..).zip(lines).map(row).collect();
        }
        let at = now.place.inst.0;
        let row = |inst| SourceText {
            line: inst,
            text: describe::instruction(
                program,
                crate::program::Place {
                    inst: lanescope_spirv::InstId(inst),
                    result: module.inst(lanescope_spirv::InstId(inst)).result(),
                    ..now.place
                },
            ),
            current: inst == at,
        };
        let end = (module.insts().count() as u32).min(at.saturating_add(CONTEXT + 1));
        (at.saturating_sub(CONTEXT)..end).map(row).collect()
    }

    /// The waves of the workgroup.
    pub fn waves(&self) -> Vec<WaveRow> {
        let program = self.debugger().machine().program();
        let row = |wave: WaveState| WaveRow {
            wave: wave.wave,
            status: match wave.status {
                WaveStatus::Running => "running",
                WaveStatus::AtBarrier => "at barrier",
                WaveStatus::Done => "done",
            },
            exec: LaneMask::of(&wave),
            active: wave.exec.count_ones(),
            instruction: describe::instruction(program, wave.place),
        };
        self.debugger().waves().into_iter().map(row).collect()
    }

    /// Variables, and values with a name, of the chosen lane.
    pub fn locals(&self) -> Vec<VariableValue> {
        let Chosen { wave, lane } = self.chosen();
        let function = self.wave_state().map_or(Id(0), |now| now.place.function);
        let all = describe::variables(self.debugger().machine().program(), function);
        let value = |variable: describe::Variable| {
            let value = self.debugger().value_at(wave, lane, (variable.id, &[]), MAX_ELEMENTS_IN_LIST)?;
            Some(VariableValue { name: variable.name, ty: variable.ty, value: value.to_string() })
        };
        all.into_iter().filter_map(value).collect()
    }

    /// Buffers, workgroup variables and push constants, with the first of their elements.
    pub fn memory(&self) -> Vec<VariableValue> {
        let all = describe::memory_variables(self.debugger().machine().program());
        let value = |variable: describe::Variable| {
            let value = self.debugger().memory(variable.id, &[])?;
            Some(VariableValue { name: variable.name, ty: variable.ty, value: value.to_string() })
        };
        all.into_iter().filter_map(value).collect()
    }

    /// A value in all lanes of the workgroup.
    ///
    /// # Errors
    /// A name that the program does not have here.
    pub fn lanes(&self, text: &str) -> Result<Lanes, CommandError> {
        let target = self.target(text)?;
        let waves = self.debugger().waves();
        let value = |wave: &WaveState, lane: u32| self.value(&target, Chosen { wave: wave.wave, lane });
        let of = |wave: &WaveState| {
            let lanes = (0u32..).zip(&wave.invocations);
            lanes.map(|(lane, invocation)| invocation.and_then(|_| value(wave, lane))).collect::<Vec<_>>()
        };
        let values: Vec<Vec<Option<Value>>> = waves.iter().map(of).collect();
        let shown = |value: &Option<Value>| value.as_ref().map(Value::to_string);
        let number = |value: &Option<Value>| value.as_ref().and_then(Value::number);
        let active = |wave: &WaveState| (0..wave.invocations.len()).map(|lane| wave.exec >> lane & 1 == 1).collect();
        Ok(Lanes {
            name: text.to_owned(),
            numbers: values.iter().map(|wave| wave.iter().map(number).collect()).collect(),
            values: values.iter().map(|wave| wave.iter().map(shown).collect()).collect(),
            active: waves.iter().map(active).collect(),
            helpers: self.helpers(&waves),
            invocations: waves.iter().map(|wave| wave.invocations.clone()).collect(),
        })
    }

    fn helpers(&self, waves: &[WaveState]) -> Vec<Vec<bool>> {
        if self.debugger().machine().program().stage() != StageKind::Fragment {
            return Vec::new();
        }
        let of = |wave: &WaveState| (0..wave.invocations.len()).map(|lane| wave.helpers >> lane & 1 == 1).collect();
        waves.iter().map(of).collect()
    }

    /// All lanes of the workgroup, without a value.
    pub fn bare_lanes(&self) -> Lanes {
        let waves = self.debugger().waves();
        let active = |wave: &WaveState| (0..wave.invocations.len()).map(|lane| wave.exec >> lane & 1 == 1).collect();
        Lanes {
            name: String::new(),
            values: waves.iter().map(|wave| vec![None; wave.invocations.len()]).collect(),
            numbers: waves.iter().map(|wave| vec![None; wave.invocations.len()]).collect(),
            active: waves.iter().map(active).collect(),
            helpers: self.helpers(&waves),
            invocations: waves.iter().map(|wave| wave.invocations.clone()).collect(),
        }
    }

    /// Runs to the end, and lists the instructions of the chosen wave: at most `most`. The flag says whether there are
    /// more.
    ///
    /// # Errors
    /// A watched name that the program does not have.
    pub fn trace(&mut self, watched: &[String], most: usize) -> Result<(Vec<TraceRow>, bool), CommandError> {
        let mut rows = Vec::new();
        let stepped = self.debugger().machine().program().origin.iter().copied().collect();
        while let Some(now) = self.wave_state() {
            let turn = self.debugger().current_wave() == self.chosen().wave;
            if turn && now.status == WaveStatus::Running && !self.debugger().machine().is_finished() {
                if rows.len() >= most {
                    return Ok((rows, true));
                }
                for place in describe::unlisted(self.debugger().machine().program(), &stepped, now.place) {
                    if rows.len() < most {
                        rows.push(self.row(&WaveState { place, ..now.clone() }, watched)?);
                    }
                }
                if rows.len() >= most {
                    return Ok((rows, true));
                }
                rows.push(self.row(&now, watched)?);
            }
            if self.debugger.step() == Stop::End {
                break;
            }
        }
        Ok((rows, false))
    }

    fn row(&self, now: &WaveState, watched: &[String]) -> Result<TraceRow, CommandError> {
        let program = self.debugger().machine().program();
        let value = |text: &String| {
            let value = self.value(&self.target(text)?, self.chosen()).map(|value| value.to_string());
            Ok(value.unwrap_or_else(|| "-".to_owned()))
        };
        Ok(TraceRow {
            step: self.debugger().position(),
            exec: LaneMask::of(now),
            active: now.exec.count_ones(),
            instruction: describe::instruction(program, now.place),
            line: now.line.as_ref().map(|line| format!("{}:{}", line.file, line.line)),
            watched: watched.iter().map(value).collect::<Result<_, _>>()?,
        })
    }
}
