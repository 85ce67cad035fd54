//! Comparing the shown program with another one: the choice, both sides, and opening files for it.

use std::path::PathBuf;

use lanescope_core::compare::Side;
use lanescope_core::driver::DriverStage;
use lanescope_inspector::comparing::{Comparing, Partner};
use lanescope_inspector::settings::CompileSettings;
use lanescope_inspector::tasks::{Compiled, Task};

use super::app::App;
use super::command::Command;
use super::dialog::Purpose;
use super::program::{OpenProgram, ProgramId};

/// What a program is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Against {
    /// Which it is.
    pub with: Partner,
    /// Its files, where it is another program.
    pub paths: Option<Vec<PathBuf>>,
}

/// Two programs that are to be compared once both are open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairRequest {
    /// The files of the one that is shown.
    pub shown: Vec<PathBuf>,
    /// The files of the one that it is held against.
    pub with: Vec<PathBuf>,
    /// The comparison is shown then.
    pub show: bool,
}

/// Names and partners, for one drawing.
pub struct Told {
    pub partners: Vec<(Partner, String)>,
    names: [String; 2],
}

impl Told {
    /// What the program that is shown could be compared with, and what both sides are called.
    pub fn new(programs: &[OpenProgram], active: usize) -> Told {
        let Some(shown) = programs.get(active) else {
            return Told { partners: Vec::new(), names: [String::new(), String::new()] };
        };
        let alike = |title: &str| programs.iter().filter(|program| program.title() == title).count() > 1;
        let name = |program: &OpenProgram| {
            let title = program.title();
            let folder = program.paths.first().and_then(|path| path.parent()).and_then(|folder| folder.file_name());
            match folder {
                Some(folder) if alike(&title) => format!("{}/{title}", folder.to_string_lossy()),
                _ => title,
            }
        };
        let others = programs.iter().filter(|program| program.id != shown.id);
        let others = others.map(|program| (Partner::Program(program.id), name(program)));
        let second = shown.other.is_some().then(|| (Partner::SecondSetting, "the second setting".to_owned()));
        let partners: Vec<_> = second.into_iter().chain(others).collect();
        let with = shown.against.as_ref().map(|against| against.with);
        let names = match with {
            Some(Partner::SecondSetting) => ["first setting".to_owned(), "second setting".to_owned()],
            Some(with) => {
                let other = partners.iter().find(|(partner, _)| *partner == with).map(|(_, name)| name.clone());
                [other.unwrap_or_default(), name(shown)]
            }
            None => [String::new(), name(shown)],
        };
        Told { partners, names }
    }

    /// Inputs of views.
    pub fn comparing<'a>(
        &'a self,
        programs: &'a [OpenProgram],
        active: usize,
        settings: &CompileSettings,
    ) -> Comparing<'a> {
        let [a, b] = &self.names;
        let mut out = Comparing { partners: &self.partners, names: [a, b], ..Comparing::NOTHING };
        let Some(shown) = programs.get(active) else { return out };
        match shown.against.as_ref().map(|against| against.with) {
            None => {}
            Some(Partner::SecondSetting) => {
                let Some(other) = &shown.analysis.other else { return out };
                let second = shown.made.second.done().map(|compiled| compiled.sections.stages.as_slice());
                out.with = Some(Partner::SecondSetting);
                out.sides = Some([side(shown), Side { report: other, driver: second.unwrap_or(&other.driver) }]);
                out.shown = 0;
                // Of one program, so the keys of two programs cannot mix.
                let made = &shown.made;
                out.key = [shown.revision, u64::MAX, answers(&made.compiled), answers(&made.second)];
                out.compiling = made.compiled.underway || made.second.underway;
                out.stale = [&made.compiled, &made.second].iter().any(|made| is_stale(shown, made, settings));
            }
            Some(with @ Partner::Program(id)) => {
                let Some(other) = programs.iter().find(|program| program.id == id) else { return out };
                out.with = Some(with);
                out.sides = Some([side(other), side(shown)]);
                out.shown = 1;
                let [old, new] = [other, shown].map(|program| answers(&program.made.compiled));
                out.key = [other.revision, shown.revision, old, new];
                out.compiling = [other, shown].iter().any(|program| program.made.compiled.underway);
                out.stale = [other, shown].iter().any(|program| is_stale(program, &program.made.compiled, settings));
            }
        }
        out
    }
}

fn side(program: &OpenProgram) -> Side<'_> {
    Side { report: &program.analysis.report, driver: driver_rows(program) }
}

/// What compilers made of a program: what was requested in the window, else what its report holds.
fn driver_rows(program: &OpenProgram) -> &[DriverStage] {
    let made = program.made.compiled.done().map(|compiled| compiled.sections.stages.as_slice());
    made.unwrap_or(&program.analysis.report.driver)
}

/// Whether the results are of another state or other settings of a program. Never true for a report.
fn is_stale(program: &OpenProgram, made: &Task<Compiled>, settings: &CompileSettings) -> bool {
    !program.frozen && made.done().is_some() && !made.is_fresh(program.revision, settings)
}

/// Counts the answers of compilers.
fn answers(asked: &Task<Compiled>) -> u64 {
    asked.answer.as_ref().map_or(0, |answer| answer.number.wrapping_add(1))
}

impl App {
    /// Compares the program that is shown with another, or with nothing.
    pub(super) fn compare_with(&mut self, with: Option<Partner>) {
        let paths = match with {
            Some(Partner::Program(id)) => {
                let Some(other) = self.programs.iter().find(|program| program.id == id) else { return };
                Some(other.paths.clone())
            }
            _ => None,
        };
        let Some(program) = self.program_mut() else { return };
        program.against = with.map(|with| Against { with, paths });
        self.touch_session();
        if with.is_some() {
            self.show_tab("compare");
        }
        self.ctx.request_repaint();
    }

    /// Compares the program that is shown with files; where none is shown, opens them.
    pub(super) fn compare_files(&mut self, files: Vec<PathBuf>) {
        match self.program().map(|program| program.id) {
            Some(id) => self.compare_program(id, files),
            None => self.act(Command::OpenFiles(files)),
        }
    }

    /// Opens files, or takes those that are open, and compares a program with them. Opens nothing where that program
    /// was closed meanwhile.
    pub(super) fn compare_program(&mut self, id: ProgramId, files: Vec<PathBuf>) {
        let with: Vec<_> = files.into_iter().map(|path| std::path::absolute(&path).unwrap_or(path)).collect();
        let Some(shown) = self.programs.iter().find(|program| program.id == id).map(|program| program.paths.clone())
        else {
            self.toasts.info("The program to compare with is closed.");
            return;
        };
        if shown == with {
            self.toasts.info("A program cannot be compared with itself.");
            return;
        }
        self.pairs.push(PairRequest { shown, with: with.clone(), show: true });
        if self.programs.iter().any(|program| program.paths == with) {
            self.pair_up();
        } else {
            self.open(with);
        }
    }

    /// Asks for files to compare with.
    pub(super) fn ask_to_compare(&mut self) {
        if let Some(program) = self.program() {
            self.ask_for_files(Purpose::Compare(program.id));
        }
    }

    /// Compares what was waiting for both of its programs to be open.
    pub(super) fn pair_up(&mut self) {
        for wanted in std::mem::take(&mut self.pairs) {
            let find = |paths: &[PathBuf]| self.programs.iter().position(|program| program.paths == paths);
            let (Some(shown), Some(with)) = (find(&wanted.shown), find(&wanted.with)) else {
                self.pairs.push(wanted);
                continue;
            };
            let Some(id) = self.programs.get(with).map(|program| program.id).filter(|_| shown != with) else {
                continue;
            };
            if let Some(program) = self.programs.get_mut(shown) {
                program.against = Some(Against { with: Partner::Program(id), paths: Some(wanted.with) });
            }
            if wanted.show {
                self.show_program(shown);
                self.show_tab("compare");
            }
        }
    }

    /// Forgets that these files were to be compared: they do not open.
    pub(super) fn forget_pairs(&mut self, paths: &[PathBuf]) {
        self.pairs.retain(|wanted| wanted.shown != paths && wanted.with != paths);
    }

    /// Forgets a program that is closed.
    pub(super) fn forget_partner(&mut self, id: ProgramId) {
        for program in &mut self.programs {
            if program.against.as_ref().is_some_and(|against| against.with == Partner::Program(id)) {
                program.against = None;
            }
        }
    }

    /// Shows the partner, compared with what is shown now.
    pub(super) fn swap_compared(&mut self) {
        let Some(shown) = self.program() else { return };
        let (id, paths) = (shown.id, shown.paths.clone());
        let Some(Partner::Program(with)) = shown.against.as_ref().map(|against| against.with) else { return };
        let Some(index) = self.programs.iter().position(|program| program.id == with) else { return };
        if let Some(program) = self.programs.get_mut(index) {
            program.against = Some(Against { with: Partner::Program(id), paths: Some(paths) });
        }
        self.show_program(index);
        self.touch_session();
    }

    /// Has compilers make both sides.
    pub(super) fn compile_compared(&mut self) {
        self.begin_compile_of(self.active, false);
        match (self.compared_with(), self.partner()) {
            (Some(Partner::SecondSetting), _) => self.begin_compile_of(self.active, true),
            (_, Some(partner)) => self.begin_compile_of(partner, false),
            _ => {}
        }
    }

    /// What the program that is shown is compared with, where that is there.
    pub(super) fn compared_with(&self) -> Option<Partner> {
        let program = self.program()?;
        let with = program.against.as_ref()?.with;
        let there = match with {
            Partner::SecondSetting => program.analysis.other.is_some(),
            Partner::Program(_) => self.partner().is_some(),
        };
        there.then_some(with)
    }

    /// Index of the program that the one that is shown is compared with.
    pub(super) fn partner(&self) -> Option<usize> {
        let against = self.program()?.against.as_ref()?;
        let Partner::Program(id) = against.with else { return None };
        self.programs.iter().position(|program| program.id == id)
    }

    /// Compiles again what was compiled for the comparison and has changed since.
    pub(super) fn follow_compared(&mut self) {
        if !self.devices.compile.automatic || !self.dock.shows("compare") {
            return;
        }
        let Some(with) = self.compared_with() else { return };
        let other = match with {
            Partner::SecondSetting => Some((self.active, true)),
            Partner::Program(_) => self.partner().map(|partner| (partner, false)),
        };
        for (index, second) in [Some((self.active, false)), other].into_iter().flatten() {
            let Some(program) = self.programs.get(index) else { continue };
            let question = (program.revision, self.devices.compile.clone());
            let [first_asked, second_asked] = &program.compiling;
            let (asked, made) =
                if second { (second_asked, &program.made.second) } else { (first_asked, &program.made.compiled) };
            if made.answer.is_some() && asked.as_ref().is_some_and(|last| *last != question) {
                self.begin_compile_of(index, second);
            }
        }
    }
}
