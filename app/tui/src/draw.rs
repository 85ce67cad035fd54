//! The screen: title and modes, the strip, panes in the arrangement of the window, messages, the status line.

use lanescope_core::findings::Severity;
use lanescope_core::table::elide;
use lanescope_inspector::command::Command;
use lanescope_inspector::corpus::{CorpusCommand, CorpusPart};
use lanescope_inspector::layout::Layout;
use lanescope_inspector::mode::FINDINGS;
use lanescope_inspector::selection::Selection;
use lanescope_inspector::strip::{Fact, FactState, StripCx, facts};
use lanescope_inspector::tasks::Task;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout as Split, Rect};
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr as _;

use super::app::App;
use super::contents::corpus::Title;
use super::contents::{Shown, contents, corpus, failure, gallery};
use super::divider::Divider;
use super::overlay::footer;
use super::pane::{Contents, MadeFor};
use super::pane_id::PaneId;
use super::printable::line;
use super::views::Views;
use lanescope_inspector::view::ViewId;
use lanescope_workbench::state::messages::MOST;

/// The least height of a terminal that shows more than one pane.
const LOW: u16 = 20;
/// Columns and rows below which nothing can be read.
const LEAST: (u16, u16) = (20, 5);

impl App {
    /// Draws everything.
    pub fn draw(&mut self, area: Rect, buffer: &mut Buffer) {
        self.sized(area);
        self.areas.clear();
        self.dividers.clear();
        self.buttons.clear();
        self.caret = None;
        if area.width < LEAST.0 || area.height < LEAST.1 {
            buffer.set_stringn(area.x, area.y, "Too small.", usize::from(area.width), Style::new());
            return;
        }
        self.follow_order();
        for command in self.dialog.begin(&self.state) {
            self.act(command);
        }
        let messages = self.messages(usize::from(area.width));
        let strip = u16::from(self.state.in_front().is_some());
        let told = u16::try_from(messages.len()).unwrap_or(0);
        let [title, facts, middle, notes, status] = Split::vertical([
            Constraint::Length(1),
            Constraint::Length(strip),
            Constraint::Min(1),
            Constraint::Length(told),
            Constraint::Length(1),
        ])
        .areas(area);
        self.title_bar(title, buffer);
        if strip > 0 {
            self.strip(facts, buffer);
        }
        self.middle(middle, buffer);
        for (y, (text, error)) in (notes.y..notes.bottom()).zip(&messages) {
            let style = if *error { self.look.problem() } else { self.look.title() };
            buffer.set_stringn(notes.x, y, text, usize::from(notes.width), style);
        }
        let caret = self.dialog.draw(&self.state, self.look, middle, buffer);
        self.caret = caret;
        self.status(status, buffer);
        self.look.finish(buffer);
        self.graphics(buffer);
    }

    /// Draws images over their text, where the terminal has graphics and nothing is above them.
    fn graphics(&mut self, buffer: &mut Buffer) {
        let Some(graphics) = self.graphics else { return };
        let mut images = Vec::new();
        if !self.has_dialog() {
            for (area, id) in &self.areas {
                let shown = self.panes.get(id).into_iter().flat_map(|pane| pane.images(*area));
                images.extend(shown);
            }
        }
        self.images.draw(graphics, &images, buffer);
    }

    /// The newest messages in lines.
    fn messages(&self, width: usize) -> Vec<(String, bool)> {
        let all = self.state.messages.all();
        let newest = all.iter().skip(all.len().saturating_sub(MOST));
        newest.map(|message| (elide(&line(&message.text.replace('\n', " ")), width), message.error)).collect()
    }

    fn title_bar(&mut self, area: Rect, buffer: &mut Buffer) {
        buffer.set_style(area, self.look.bar());
        let mut x = area.x;
        let count = self.state.programs.len();
        let title = match self.state.in_front() {
            Some(program) if count > 1 => format!(" {} [{}/{count}]", program.title(), self.state.active + 1),
            Some(program) => format!(" {}", program.title()),
            None => match self.state.corpus_in_front() {
                Some(page) => format!(" {}", page.title()),
                None => " Lanescope".to_owned(),
            },
        };
        let modes = if self.state.in_front().is_some() { self.state.tabs.modes() } else { Vec::new() };
        let wide: usize = modes.iter().map(|mode| mode.title().len() + 4).sum();
        let room = usize::from(area.width).saturating_sub(wide + 1).max(8);
        let title = elide(&line(&title), room);
        x = buffer.set_stringn(x, area.y, &title, room, self.look.bar().add_modifier(Modifier::BOLD)).0 + 1;
        for mode in modes {
            let number = lanescope_inspector::mode::Mode::ALL.iter().position(|other| *other == mode).unwrap_or(0) + 1;
            let text = format!(" {number} {} ", mode.title());
            let style = if self.state.tabs.mode() == mode { self.look.cursor() } else { self.look.bar() };
            let left = usize::from(area.right().saturating_sub(x));
            let end = buffer.set_stringn(x, area.y, &text, left, style).0;
            self.buttons.push((Rect::new(x, area.y, end - x, 1), Command::SetMode(mode)));
            x = end;
        }
    }

    fn strip(&mut self, area: Rect, buffer: &mut Buffer) {
        let Some(program) = self.state.in_front() else { return };
        let cx = StripCx {
            report: &program.analysis.report,
            results: &program.results,
            revision: program.revision,
            compile: &self.state.settings.compile,
            findings: program.found(&self.state.settings.compile).counts(),
            frozen: program.frozen,
        };
        let mut x = area.x + 1;
        let shown = fitting(facts(&cx), usize::from(area.width.saturating_sub(1)));
        for (index, fact) in shown.into_iter().enumerate() {
            let left = usize::from(area.right().saturating_sub(x));
            let before = if index > 0 { BETWEEN } else { "" };
            x = buffer.set_stringn(x, area.y, before, left, self.look.dim()).0;
            let style = match fact.state {
                FactState::Known => Style::new(),
                FactState::Open => self.look.dim(),
                FactState::Warning => self.look.warning(),
                FactState::Error => self.look.problem(),
            };
            let end = buffer.set_stringn(x, area.y, line(&fact.text), usize::from(area.right() - x), style).0;
            self.buttons.push((Rect::new(x, area.y, end - x, 1), fact.command));
            x = end;
        }
    }

    fn middle(&mut self, area: Rect, buffer: &mut Buffer) {
        if self.state.failure.is_some() {
            return self.pane(PaneId::Failure, area, buffer);
        }
        if self.state.corpus_in_front().is_some() {
            return self.corpus(area, buffer);
        }
        let Some(program) = self.state.in_front() else {
            return self.pane(self.focus(), area, buffer);
        };
        let id = program.id;
        let stale = program.stale.as_ref().map(ToString::to_string).or(program.misfit.clone());
        let mut area = area;
        if let Some(why) = stale {
            let text = format!(" Not current: {}", line(&why.replace('\n', " ")));
            buffer.set_stringn(area.x, area.y, text, usize::from(area.width), self.look.problem());
            area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        }
        // Where there is no room for several, the pane with the keys has all of it.
        if area.height < LOW && !self.state.tabs.folded() {
            let focus: Vec<ViewId> = self.state.tabs.focus().into_iter().collect();
            return self.group(id, &focus, 0, area, buffer);
        }
        let drawer = self.state.tabs.drawer();
        let below = self.state.tabs.shows_findings();
        let [main, findings] = Split::vertical([Constraint::Fill(3), Constraint::Fill(u16::from(below))]).areas(area);
        let [main, side] =
            Split::horizontal([Constraint::Fill(3), Constraint::Fill(if drawer.is_some() { 2 } else { 0 })])
                .spacing(u16::from(drawer.is_some()))
                .areas(main);
        let layout = self.state.tabs.layout().clone();
        self.layout(id, &layout, &mut Vec::new(), main, buffer);
        if let Some(drawer) = drawer {
            for y in side.top()..side.bottom() {
                buffer.set_string(side.x.saturating_sub(1), y, "│", self.look.dim());
            }
            let views = self.state.tabs.drawer_views();
            let active = views.iter().position(|view| *view == drawer).unwrap_or(0);
            self.group(id, &views, active, side, buffer);
        }
        if below {
            self.group(id, &[FINDINGS], 0, findings, buffer);
        }
    }

    /// Draws an arrangement of panes.
    fn layout(&mut self, id: u64, layout: &Layout, path: &mut Vec<usize>, area: Rect, buffer: &mut Buffer) {
        match layout {
            Layout::View(name) => self.group(id, std::slice::from_ref(name), 0, area, buffer),
            Layout::Tabs { children, active } => {
                let name = |child: &Layout| match child {
                    Layout::View(view) => Some(*view),
                    _ => None,
                };
                let names: Vec<ViewId> = children.iter().filter_map(name).collect();
                self.group(id, &names, *active, area, buffer);
            }
            Layout::Row(children) | Layout::Column(children) => {
                let share = |share: f32| Constraint::Fill((share.clamp(0.05, 100.0) * 100.0) as u16);
                let shares = children.iter().map(|(part, _)| share(*part));
                let is_row = matches!(layout, Layout::Row(_));
                let split = if is_row { Split::horizontal(shares).spacing(1) } else { Split::vertical(shares) };
                let parts = split.split(area);
                for (at, (area, (_, child))) in parts.iter().zip(children).enumerate() {
                    path.push(at);
                    self.layout(id, child, path, *area, buffer);
                    path.pop();
                }
                for (at, pair) in parts.windows(2).enumerate() {
                    let second = pair[1];
                    let line = match is_row {
                        true => Rect { x: second.x.saturating_sub(1), width: 1, ..second },
                        // The line of the tabs, where no tab is.
                        false => Rect { height: 1, ..second },
                    };
                    self.dividers.push(Divider { area: line, both: pair[0].union(second), path: path.clone(), at });
                }
                if is_row {
                    for part in split.split(area).iter().skip(1).filter(|part| part.x > area.x) {
                        for y in area.top()..area.bottom() {
                            buffer.set_string(part.x - 1, y, "│", self.look.dim());
                        }
                    }
                }
            }
        }
    }

    /// Draws the tabs of a group, and the pane in front.
    fn group(&mut self, id: u64, views: &[ViewId], active: usize, area: Rect, buffer: &mut Buffer) {
        if area.height < 2 || area.width < 4 {
            return;
        }
        let focus = self.state.tabs.focus();
        let mut x = area.x;
        for (at, view) in views.iter().enumerate() {
            let title = self.state.tabs.views().iter().find(|info| info.id == *view).map_or("", |info| info.title);
            let style = match () {
                () if Some(*view) == focus => self.look.title().add_modifier(Modifier::REVERSED),
                () if at == active => self.look.title(),
                () => self.look.dim(),
            };
            let left = usize::from(area.right().saturating_sub(x));
            let end = buffer.set_stringn(x, area.y, format!(" {title} "), left, style).0;
            self.buttons.push((Rect::new(x, area.y, end - x, 1), Command::ShowTab(*view)));
            x = end;
        }
        for x in x..area.right() {
            buffer.set_string(x, area.y, "─", self.look.dim());
        }
        if let Some(view) = views.get(active) {
            let below = Rect { y: area.y + 1, height: area.height - 1, ..area };
            self.pane(PaneId::View(id, *view), below, buffer);
        }
    }

    /// Draws the result over many pipelines: its parts and its filter, the titles of the table, the pane.
    fn corpus(&mut self, area: Rect, buffer: &mut Buffer) {
        let Some(page) = self.state.corpus_in_front() else { return };
        let mut x = area.x;
        for (at, part) in CorpusPart::ALL.into_iter().enumerate() {
            let style =
                if part == page.part { self.look.title().add_modifier(Modifier::REVERSED) } else { self.look.dim() };
            let left = usize::from(area.right().saturating_sub(x));
            let end = buffer.set_stringn(x, area.y, format!(" {} {} ", at + 1, part.title()), left, style).0;
            self.buttons.push((Rect::new(x, area.y, end - x, 1), Command::Corpus(CorpusCommand::Part(part))));
            x = end;
        }
        let (text, style) = match (&page.misfit, &page.result.note) {
            (Some(why), _) => (format!("filter: {why}"), self.look.problem()),
            (None, Some(note)) if page.filter.is_empty() => (format!("{}. {note}", page.count()), self.look.problem()),
            _ if page.filter.is_empty() => (format!("{}; / filters", page.count()), self.look.dim()),
            _ => (format!("{} with {}", page.count(), page.filter), self.look.title()),
        };
        let left = usize::from(area.right().saturating_sub(x + 1));
        buffer.set_stringn(x + 1, area.y, elide(&line(&text), left), left, style);
        let mut below = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        if page.part != CorpusPart::Rows {
            return self.pane(self.focus(), below, buffer);
        }
        let (id, widths) = (self.focus(), corpus::widths(page));
        let pane = self.panes.entry(id).or_default();
        let left = pane.left();
        for Title { column, text, sorts } in corpus::titles(page, &widths, self.look) {
            let Some(from) = column.checked_sub(left) else { continue };
            let x = area.x.saturating_add(1).saturating_add(u16::try_from(from).unwrap_or(u16::MAX));
            if x >= area.right() {
                break;
            }
            let room = usize::from(area.right() - x);
            let end = buffer.set_stringn(x, below.y, &text, room, self.look.title()).0;
            self.buttons.push((Rect::new(x, below.y, end - x, 1), sorts));
        }
        below = Rect { y: below.y + 1, height: below.height.saturating_sub(1), ..below };
        pane.fill_view(page.rows.len(), below.height, |at| corpus::row(page, &widths, at));
        let focused = matches!(self.state.overlay, lanescope_workbench::state::overlay::Overlay::None);
        pane.draw(below, buffer, self.look, &Selection::default(), focused);
        self.areas.push((below, id));
    }

    fn pane(&mut self, id: PaneId, area: Rect, buffer: &mut Buffer) {
        let focused =
            self.focus() == id && matches!(self.state.overlay, lanescope_workbench::state::overlay::Overlay::None);
        let width = usize::from(area.width.saturating_sub(1));
        let pane = self.panes.entry(id).or_default();
        let (state, look, graphics) = (&self.state, self.look, self.graphics.is_some());
        let none = Views::default();
        let views = id.program().and_then(|program| self.views.get(&program)).unwrap_or(&none);
        let tints = state.settings.texts.tints;
        let (number, part) = match (id.view(), state.program()) {
            // Long texts, which commands do not change.
            (Some(ViewId::Source), Some(program)) => {
                let answer = program.results.compiled.answer.as_ref().filter(|_| tints);
                (program.loaded_at, answer.map(|answer| answer.number.to_string()))
            }
            (Some(ViewId::Isa), Some(program)) => {
                (program.revision, Some(format!("{} {tints}", progress(&program.results.compiled))))
            }
            (Some(ViewId::Rewritten), Some(program)) => (program.revision, Some(progress(&program.results.rewriting))),
            // The selected lane is explained.
            (Some(ViewId::Workgroup), Some(program)) => {
                (self.epoch, program.selection.invocation.map(|[x, y, z]| format!("{x} {y} {z}")))
            }
            // Selecting a register unfolds it.
            (Some(ViewId::Registers), Some(program)) => (self.epoch, program.selection.register.clone()),
            (Some(ViewId::Graph), _) => (self.epoch, Some(format!("{} {}", views.records.first, views.order.number))),
            _ => (self.epoch, state.corpus_in_front().map(|page| page.revision.to_string())),
        };
        let is_new = pane.count() == 0;
        pane.fill(MadeFor { state: number, width, part }, || match (id, state.program()) {
            (PaneId::Failure, _) => {
                state.failure.as_ref().map(|page| failure(page, look, width)).unwrap_or_default().into()
            }
            (PaneId::Gallery, _) => gallery(state, look, width).into(),
            (PaneId::Corpus(_), _) => {
                state.corpus.as_ref().map(|page| corpus::part(page, look, width)).unwrap_or_default().into()
            }
            (PaneId::View(_, view), Some(program)) => {
                contents(Shown { view, program, views, graphics }, state, look, width)
            }
            (PaneId::View(..), None) | (PaneId::Loading, _) => Contents::default(),
        });
        let selection = state.program().map(|program| program.selection.clone()).unwrap_or_default();
        if is_new {
            pane.reveal(&selection);
        }
        if id.view() == Some(ViewId::Source) {
            pane.follow_stage(selection.stage);
        }
        pane.draw(area, buffer, look, &selection, focused);
        self.areas.push((area, id));
    }

    fn status(&mut self, area: Rect, buffer: &mut Buffer) {
        buffer.set_style(area, self.look.bar());
        let width = usize::from(area.width);
        if let Some((prompt, field)) = &mut self.prompt {
            self.caret = Some(field.draw(prompt.title(), area, buffer, self.look.bar()));
            return;
        }
        let work =
            self.state.running.iter().filter(|(tag, _)| !self.is_paused(tag)).max_by_key(|(_, status)| status.since);
        let work_is_quiet = work.is_none();
        let text = match (&self.notice, work) {
            (Some(notice), _) => notice.clone(),
            (None, Some((_, status))) => {
                let progress =
                    if status.progress.is_empty() { String::new() } else { format!(" ({})", status.progress) };
                format!("{}{progress}, {} s; Esc cancels", status.name, status.since.as_secs())
            }
            (None, None) => self.place(),
        };
        let quiet = self.notice.is_none() && work_is_quiet;
        // What is said about a key comes before what is always there.
        let right = self.about();
        let fits = text.width() + right.width() + 3 <= width;
        let right = if self.notice.is_some() && !fits { String::new() } else { right };
        let room = width.saturating_sub(right.width() + 2);
        let text = elide(&line(&text), room.saturating_sub(1));
        let mut end = buffer.set_stringn(area.x + 1, area.y, text, room, self.look.bar()).0;
        if quiet {
            let left = |end: u16| (room + 1).saturating_sub(usize::from(end - area.x));
            if let Some((severity, text)) = self.found() {
                let text = elide(&line(&text), left(end).saturating_sub(3));
                let style = if severity == Severity::Error { self.look.problem() } else { self.look.title() };
                end = buffer.set_stringn(end + 2, area.y, text, left(end), self.look.bar().patch(style)).0;
            }
            let focus = self.state.in_front().and_then(|_| self.state.tabs.focus());
            for (key, what) in focus.into_iter().flat_map(footer) {
                let text = format!("{key} {what}");
                if text.width() + 3 > left(end) {
                    break;
                }
                end =
                    buffer.set_stringn(end + 3, area.y, key, left(end), self.look.bar().add_modifier(Modifier::BOLD)).0;
                end = buffer.set_stringn(end, area.y, format!(" {what}"), left(end), self.look.bar()).0;
            }
        }
        let x = area.right().saturating_sub(u16::try_from(right.width() + 1).unwrap_or(0));
        buffer.set_stringn(x.max(area.x), area.y, right, width, self.look.bar());
    }

    /// The worst error or warning of the debugged launch, or of the last run.
    fn found(&self) -> Option<(Severity, String)> {
        let program = self.state.in_front()?;
        let stop = program.debugging.stop.iter().flat_map(|stop| &stop.findings);
        let ran = program.results.run.done().into_iter().flat_map(|ran| &ran.execution.run.findings);
        let all: Vec<_> = stop.chain(ran).collect();
        [Severity::Error, Severity::Warning].into_iter().find_map(|severity| {
            let first = all.iter().find(|finding| finding.severity == severity)?;
            let sign = if severity == Severity::Error { "✗" } else { "!" };
            Some((severity, format!("{sign} {}: {}", first.code, first.message.replace('\n', " "))))
        })
    }

    /// Where the cursor is.
    fn place(&mut self) -> String {
        let pane = self.focused();
        let (at, of) = (pane.cursor() + 1, pane.count());
        format!("{at}/{of}")
    }

    /// The target, and the keys that lead to all others.
    fn about(&self) -> String {
        let keys = "? keys  : commands  q quit";
        let Some(program) = self.state.in_front() else { return keys.to_owned() };
        format!("{}  {keys}", program.target_line())
    }
}

/// How far a task is: another text where it has another result.
fn progress<T>(task: &Task<T>) -> String {
    let answer = task.answer.as_ref().map_or(0, |answer| answer.number.wrapping_add(1));
    format!("{answer} {}", task.underway)
}

/// Between two facts of the strip.
const BETWEEN: &str = " · ";

/// The facts that fit a width: reasons in parentheses are left out first, then the least important facts; findings, the
/// last of them, stay as long as anything does.
fn fitting(mut facts: Vec<Fact>, width: usize) -> Vec<Fact> {
    let fits = |facts: &[Fact]| {
        let texts: usize = facts.iter().map(|fact| fact.text.width()).sum();
        texts + BETWEEN.width() * facts.len().saturating_sub(1) <= width
    };
    if !fits(&facts) {
        for fact in &mut facts {
            if let Some((before, _)) = fact.text.split_once(" (").filter(|_| fact.text.ends_with(')')) {
                fact.text = before.to_owned();
            }
        }
    }
    while facts.len() > 1 && !fits(&facts) {
        let other = facts.iter().skip(1).rposition(|fact| fact.command != Command::Findings);
        facts.remove(other.map_or(facts.len() - 1, |at| at + 1));
    }
    facts
}

#[cfg(test)]
mod tests {
    use lanescope_inspector::command::Command;

    use super::*;

    #[test]
    fn the_strip_keeps_what_is_important() {
        let fact = |text: &str| Fact {
            text: text.to_owned(),
            about: String::new(),
            state: FactState::Known,
            command: if text.contains("error") { Command::Findings } else { Command::ShowTab(ViewId::Packing) },
        };
        let all = ["5 → 4 slots", "RADV gfx1030: 3 slots (color is constant)", "24 VGPRs, 16 waves", "1 error"];
        let shown = |width: usize| {
            let shown = fitting(all.iter().map(|text| fact(text)).collect(), width);
            shown.into_iter().map(|fact| fact.text).collect::<Vec<_>>()
        };
        assert_eq!(shown(100), all);
        assert_eq!(shown(75), ["5 → 4 slots", "RADV gfx1030: 3 slots", "24 VGPRs, 16 waves", "1 error"]);
        assert_eq!(shown(60), ["5 → 4 slots", "RADV gfx1030: 3 slots", "1 error"]);
        assert_eq!(shown(30), ["5 → 4 slots", "1 error"]);
        assert_eq!(shown(12), ["5 → 4 slots"]);
    }
}
