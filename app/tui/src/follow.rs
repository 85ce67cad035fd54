//! What Enter does: the link at the cursor is selected or followed; source and assembly lead to each other.

use lanescope_inspector::ProgramId;
use lanescope_inspector::command::Command;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::stepping::StepCommand;
use lanescope_inspector::view::ViewId;
use lanescope_pictures::assembly::place;

use super::app::App;
use super::contents::LISTED;
use super::pane::{Link, Spot};
use super::pane_id::PaneId;

impl App {
    /// Selects what the cursor is on, or goes where it leads.
    pub fn follow(&mut self) {
        let Some(link) = self.focused().link().cloned() else { return };
        let before = self.focus();
        let selection = self.state.program().map(|program| program.selection.clone()).unwrap_or_default();
        let select = |selection: Selection| vec![Command::Select(selection)];
        let commands = match link {
            Link::Varying(varying) => {
                let again = selection.varying == Some(varying);
                let varying = Some(varying).filter(|_| !again);
                select(Selection { varying, code: None, ..selection.clone() })
            }
            Link::Register(name) => {
                let again = selection.register.as_ref() == Some(&name);
                select(Selection { register: Some(name).filter(|_| !again), ..selection.clone() })
            }
            Link::Invocation(at) => {
                let again = selection.invocation == Some(at);
                select(Selection { invocation: Some(at).filter(|_| !again), ..selection.clone() })
            }
            Link::Origin(origin) => match origin.next(&selection) {
                Some(next) => select(next),
                None => {
                    self.cross();
                    Vec::new()
                }
            },
            Link::Stage(stage) => {
                if let Some(program) = self.state.program().map(|program| program.id)
                    && let Some(source) = self.panes.get_mut(&PaneId::View(program, ViewId::Source))
                {
                    source.go_to_stage(stage);
                }
                self.act(Command::Select(selection.at_stage(stage)));
                Vec::new()
            }
            Link::Node(node) => vec![Command::Step(StepCommand::SelectNode(Some(node)))],
            Link::Line(line) => {
                self.focused().go_to(line);
                Vec::new()
            }
            Link::Machine(registers) => {
                self.focused().hold(Link::Machine(registers));
                Vec::new()
            }
            Link::Ask(prompt) => {
                self.ask(prompt);
                Vec::new()
            }
            Link::Change(change) => {
                if let Some(id) = self.state.program().map(|program| program.id) {
                    self.views.entry(id).or_default().change(&change);
                    self.epoch += 1;
                }
                Vec::new()
            }
            Link::Do(commands) => commands,
        };
        let selects = commands.iter().any(|command| matches!(command, Command::Select(_)));
        for command in &commands {
            if let Command::Step(StepCommand::FollowRecords { record, .. }) = command {
                self.list_record(*record);
            }
        }
        for command in commands {
            self.act(command);
        }
        if selects && let Some(program) = self.state.program() {
            let (id, selection) = (program.id, program.selection.clone());
            let others = self.panes.iter_mut().filter(|(pane, _)| pane.program() == Some(id) && **pane != before);
            others.for_each(|(_, pane)| pane.reveal(&selection));
            if self.focus() != before {
                return self.focused().go_to_code(&selection);
            }
            self.notice = self.about_code(id, &selection).or(self.notice.take());
        }
    }

    /// Lists records from before this one on, and goes to it.
    fn list_record(&mut self, record: Option<u64>) {
        self.focused().want(Spot::Record);
        let Some(id) = self.state.program().map(|program| program.id) else { return };
        let records = &mut self.views.entry(id).or_default().records;
        if let Some(record) = record.filter(|_| records.filter.is_empty() && records.sort.is_none()) {
            records.first = record.saturating_sub(LISTED / 2);
        }
    }

    /// The tab that shows the other side of selected instructions: the assembly beside the source and the other way
    /// round.
    fn other_side(&self) -> Option<ViewId> {
        let other = match self.state.tabs.focus() {
            Some(ViewId::Isa) => ViewId::Source,
            Some(ViewId::Source | ViewId::Dxil) => ViewId::Isa,
            _ => return None,
        };
        self.state.tabs.applicable().map(|info| info.id).find(|view| *view == other)
    }

    /// Goes to the selected instructions in the source, or to their assembly.
    fn cross(&mut self) {
        let Some(other) = self.other_side() else { return };
        self.act(Command::ShowTab(other));
        let selection = self.state.program().map(|program| program.selection.clone()).unwrap_or_default();
        self.focused().go_to_code(&selection);
    }

    /// Where the selected instructions come from, or how many lines of assembly they became; how to go there.
    fn about_code(&self, id: ProgramId, selection: &Selection) -> Option<String> {
        let code = selection.code.as_ref()?;
        let other = self.other_side()?;
        if other == ViewId::Source {
            let place = place(code, &self.state.program()?.texts)?;
            return Some(format!("Enter again goes to {place}"));
        }
        let pane = self.panes.get(&PaneId::View(id, other)).filter(|pane| pane.count() > 0);
        Some(match pane.map(|pane| pane.lines_of_code(selection)) {
            None => "Enter again shows the assembly of these instructions.".to_owned(),
            Some(0) => "No line of the assembly is known to come from here.".to_owned(),
            Some(1) => "1 line of the assembly comes from here. Enter again goes there.".to_owned(),
            Some(count) => format!("{count} lines of the assembly come from here. Enter again goes there."),
        })
    }
}
