//! Help: the manual's pages, to be searched and read.

use egui::{Align, ComboBox, Context, Id, Image, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};
use lanescope_views::tokens::space;

use lanescope_views::combo::entry_of;
use lanescope_workbench::manual::{self, PAGES, PICTURES, Page, sections};
use lanescope_workbench::state::overlay::HelpAt;

/// Below this width the list of pages is a menu above the page.
const NARROW: f32 = 620.0;
/// How wide the list of pages is.
const LIST: f32 = 230.0;
/// How many places a search lists.
const MAX_FOUND: usize = 200;

/// The pages, as they were left.
#[derive(Default)]
pub struct Help {
    cache: CommonMarkCache,
    /// Index of the page that is read.
    page: usize,
    /// Pages that were read before.
    back: Vec<usize>,
    /// Search text.
    search: String,
    /// The section that is to come into view when the page is next drawn.
    scroll_to: Option<usize>,
    /// It was opened since the last frame.
    fresh: bool,
    /// Pictures are known to the window, and links to the renderer.
    ready: bool,
}

/// A piece of a page, as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Block<'t> {
    /// Markdown without code and pictures.
    Text(&'t str),
    /// Lines of code.
    Code(&'t str),
    /// A picture: what it shows, and its path.
    Picture(&'t str, &'t str),
}

/// A place that a search has found.
#[derive(Debug, PartialEq)]
struct Found {
    page: usize,
    section: usize,
    title: &'static str,
    line: String,
}

impl Help {
    /// Opens it: at a section, or at the page that explains a tab, else where it was left.
    pub fn open(&mut self, at: HelpAt) {
        self.fresh = true;
        let (page, section) = match at {
            HelpAt::Tab(tab) => (tab.and_then(manual::of_view), 0),
            HelpAt::Section(name, section) => (manual::find(name), section),
        };
        if let Some(number) = page.and_then(|page| PAGES.iter().position(|own| own.name == page.name)) {
            if matches!(at, HelpAt::Section(..)) {
                self.search.clear();
            }
            self.go(number, section);
        }
    }

    /// The name of the page that is read.
    #[cfg(test)]
    pub fn page(&self) -> &'static str {
        PAGES[self.page].name
    }

    /// Draws it over the window. True where it is to close.
    pub fn show(&mut self, ctx: &Context) -> bool {
        self.make_ready(ctx);
        let screen = ctx.content_rect();
        let size = vec2((screen.width() - 40.0).min(1080.0), screen.height() - 60.0).max(vec2(60.0, 40.0));
        let modal = Modal::new(Id::unique("help")).show(ctx, |ui| {
            ui.set_width(size.x);
            ui.set_height(size.y);
            let close = self.head(ui);
            ui.separator();
            if size.x < NARROW {
                self.menu(ui);
                if self.search.trim().is_empty() { self.text(ui) } else { self.list(ui) }
            } else {
                ui.horizontal_top(|ui| {
                    ui.vertical(|ui| {
                        ui.set_width(LIST);
                        self.list(ui);
                    });
                    ui.separator();
                    ui.vertical(|ui| self.text(ui));
                });
            }
            close
        });
        modal.inner || modal.should_close()
    }

    fn make_ready(&mut self, ctx: &Context) {
        if std::mem::replace(&mut self.ready, true) {
            return;
        }
        egui_extras::install_image_loaders(ctx);
        for (path, bytes) in PICTURES {
            ctx.include_bytes(uri(path), *bytes);
        }
        for page in PAGES {
            self.cache.add_link_hook(format!("{}.md", page.name));
        }
    }

    /// Reads a page from one of its sections on.
    pub fn go(&mut self, page: usize, section: usize) {
        if page != self.page {
            self.back.push(self.page);
            self.page = page;
        }
        self.scroll_to = Some(section);
    }

    /// Title, search and buttons. Returns true where it is to close.
    fn head(&mut self, ui: &mut Ui) -> bool {
        ui.horizontal_wrapped(|ui| {
            let name = ui.heading("Help").id;
            let search = TextEdit::singleline(&mut self.search).hint_text("Search the manual").desired_width(200.0);
            let search = ui.add(search).labelled_by(name);
            if std::mem::take(&mut self.fresh) {
                search.request_focus();
            }
            let has_back = !self.back.is_empty();
            if ui.add_enabled(has_back, egui::Button::new("Back")).clicked()
                && let Some(page) = self.back.pop()
            {
                self.page = page;
                self.scroll_to = Some(0);
            }
            ui.button("Close").clicked()
        })
        .inner
    }

    /// The pages in a menu, for narrow windows.
    fn menu(&mut self, ui: &mut Ui) {
        let mut chosen = None;
        let menu = ComboBox::from_id_salt("pages").selected_text(PAGES[self.page].title()).show_ui(ui, |ui| {
            for (index, page) in PAGES.iter().enumerate() {
                if entry_of(ui, index == self.page, page.title()).clicked() {
                    chosen = Some(index);
                }
            }
        });
        menu.response.accessible_name("Page");
        if let Some(page) = chosen {
            self.search.clear();
            self.go(page, 0);
        }
    }

    /// All pages, or the places where the searched words are.
    fn list(&mut self, ui: &mut Ui) {
        let mut chosen = None;
        ScrollArea::vertical().id_salt("help pages").auto_shrink(false).show(ui, |ui| {
            if self.search.trim().is_empty() {
                for (index, page) in PAGES.iter().enumerate() {
                    let line = ui.selectable_label(index == self.page, page.title()).on_hover_text(page.question());
                    if line.clicked() {
                        chosen = Some((index, 0));
                    }
                }
                return;
            }
            let found = found(&self.search);
            if found.is_empty() {
                ui.weak("No page contains these words.");
            }
            for place in found {
                let title = match place.section {
                    0 => PAGES[place.page].title().to_owned(),
                    _ => format!("{}: {}", PAGES[place.page].title(), place.title),
                };
                if ui.selectable_label(false, RichText::new(title).strong()).clicked() {
                    chosen = Some((place.page, place.section));
                }
                ui.horizontal(|ui| {
                    ui.add_space(ui.spacing().button_padding.x);
                    ui.add(egui::Label::new(RichText::new(place.line).weak()).truncate());
                });
            }
        });
        if let Some((page, section)) = chosen {
            self.go(page, section);
            if ui.ctx().content_rect().width() - 40.0 < NARROW {
                self.search.clear();
            }
        }
    }

    /// The page that is read.
    fn text(&mut self, ui: &mut Ui) {
        let page = &PAGES[self.page];
        let scroll_to = self.scroll_to.take();
        ScrollArea::vertical().id_salt(("help page", page.name)).auto_shrink(false).show(ui, |ui| {
            ui.set_width(ui.available_width() - 12.0);
            scroll_by_keys(ui);
            for (index, section) in sections(page.text).into_iter().enumerate() {
                let top = ui.cursor().min;
                for (at, block) in blocks(section).into_iter().enumerate() {
                    self.block(ui, block, &format!("{} {index} {at}", page.name));
                }
                if scroll_to == Some(index) {
                    ui.scroll_to_rect(egui::Rect::from_min_size(top, vec2(1.0, 1.0)), Some(Align::TOP));
                }
                ui.add_space(space::ROW);
            }
        });
        self.follow_link();
    }

    fn block(&mut self, ui: &mut Ui, block: Block<'_>, id: &str) {
        match block {
            Block::Text(text) => {
                let text = unbroken_links(text);
                ui.push_id(id, |ui| CommonMarkViewer::new().show(ui, &mut self.cache, &text));
            }
            Block::Code(text) => {
                let frame = egui::Frame::new().fill(ui.visuals().extreme_bg_color).inner_margin(6);
                frame.show(ui, |ui| {
                    ScrollArea::horizontal().id_salt(id).show(ui, |ui| {
                        ui.set_width(ui.available_width());
                        ui.add(egui::Label::new(RichText::new(drawable(text)).monospace()).extend());
                    });
                });
                ui.add_space(space::SNUG);
            }
            Block::Picture(about, path) => {
                let width = ui.available_width();
                ui.add(Image::from_uri(uri(path)).alt_text(about).max_width(width).fit_to_original_size(0.6));
                ui.add_space(space::SNUG);
            }
        }
    }

    /// Goes to the page whose link was pressed.
    fn follow_link(&mut self) {
        let pressed = |page: &Page| self.cache.get_link_hook(&format!("{}.md", page.name)) == Some(true);
        if let Some(page) = PAGES.iter().position(pressed) {
            self.go(page, 0);
        }
    }
}

/// A text in which no link goes over the end of a line: what follows there would be a control without a name. Links
/// that begin an item, and those of tables, stay; of others the text does.
fn unbroken_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let stays = line.starts_with("- [") || line.starts_with('|');
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("](") {
            let (Some((before, label)), Some((address, after))) = (before.rsplit_once('['), after.split_once(')'))
            else {
                break;
            };
            out.push_str(before);
            match stays {
                true => out.push_str(&format!("[{}]({address})", label.replace(' ', "\u{a0}"))),
                false => out.push_str(label),
            }
            rest = after;
        }
        out.push_str(rest);
    }
    out
}

/// A text with signs that the window's fonts have.
fn drawable(text: &str) -> String {
    text.replace('✗', "×").replace('✓', "✔")
}

/// The address of an embedded picture.
fn uri(path: &str) -> String {
    format!("bytes://manual/{path}")
}

/// Page Up and Page Down scroll while the search has the keyboard too.
fn scroll_by_keys(ui: &Ui) {
    let page = ui.clip_rect().height() * 0.9;
    let by = ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        if pressed(Key::PageDown) {
            -page
        } else if pressed(Key::PageUp) {
            page
        } else {
            0.0
        }
    });
    if by != 0.0 {
        ui.scroll_with_delta(vec2(0.0, by));
    }
}

/// A section apart into text, code and pictures: those two need names that screen readers say.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let (mut begin, mut at, mut code) = (0, 0, None);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let is_fence = line.starts_with("```");
        let picture = line.trim_end().strip_prefix("![").and_then(|rest| rest.strip_suffix(')'));
        let picture = picture.and_then(|rest| rest.split_once("]("));
        match (code, picture) {
            (Some(start), _) if is_fence => {
                blocks.push(Block::Code(text[start..at].trim_end_matches('\n')));
                (code, begin) = (None, end);
            }
            (None, _) if is_fence => {
                blocks.push(Block::Text(&text[begin..at]));
                code = Some(end);
            }
            (None, Some((about, path))) => {
                blocks.push(Block::Text(&text[begin..at]));
                blocks.push(Block::Picture(about, path));
                begin = end;
            }
            _ => {}
        }
        at = end;
    }
    blocks.push(Block::Text(&text[begin..]));
    blocks.retain(|block| !matches!(block, Block::Text(text) if text.trim().is_empty()));
    blocks
}

/// The sections that contain all words, with the first line that contains the first of them.
fn found(search: &str) -> Vec<Found> {
    let search = search.to_lowercase();
    let words: Vec<&str> = search.split_whitespace().collect();
    let mut out = Vec::new();
    for (page, text) in PAGES.iter().enumerate() {
        for (section, text) in sections(text.text).into_iter().enumerate() {
            let lower = text.to_lowercase();
            if !words.iter().all(|word| lower.contains(word)) {
                continue;
            }
            let has_first = |line: &&str| words.first().is_some_and(|word| line.to_lowercase().contains(word));
            let line = text.lines().find(has_first).unwrap_or_default();
            let title = text.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']);
            let line = line.trim_start_matches(['#', '|', '-', ' ']).replace(['`', '*'], "");
            out.push(Found { page, section, title, line });
        }
    }
    // A page or a section that is called so comes first.
    out.sort_by_key(|place| !words.iter().all(|word| place.title.to_lowercase().contains(word)));
    out.truncate(MAX_FOUND);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_pages_without_losing_text() {
        for page in PAGES {
            assert_eq!(sections(page.text).concat(), page.text);
            assert!(sections(page.text).len() > 1, "{} has no sections", page.name);
        }
        let text =
            "# A\n\nOne.\n\n```console\n$ x\n## no heading\n```\nTwo.\n\n![A map](pictures/map.png)\n\n## B\nThree.\n";
        assert_eq!(sections(text).len(), 2);
        let expected = [
            Block::Text("# A\n\nOne.\n\n"),
            Block::Code("$ x\n## no heading"),
            Block::Text("Two.\n\n"),
            Block::Picture("A map", "pictures/map.png"),
        ];
        assert_eq!(blocks(sections(text)[0]), expected);
    }

    #[test]
    fn keeps_links_that_cannot_break() {
        let text =
            "See `driver[]`, [JSON report](json-report.md).\n- [Work graphs](work-graphs.md) run.\n| [A](a.md) |\n";
        let expected = "See `driver[]`, JSON report.\n- [Work\u{a0}graphs](work-graphs.md) run.\n| [A](a.md) |\n";
        assert_eq!(unbroken_links(text), expected);
    }

    #[test]
    fn fonts_have_all_characters_of_all_pages() {
        let ctx = Context::default();
        ctx.set_fonts(lanescope_views::theme::fonts());
        let mut missing = std::collections::BTreeSet::new();
        let _ = ctx.run_ui(egui::RawInput::default(), |ui| {
            for block in PAGES.iter().flat_map(|page| blocks(page.text)) {
                let (text, font) = match block {
                    Block::Text(text) => (text.to_owned(), egui::FontId::proportional(14.0)),
                    Block::Code(text) => (drawable(text), egui::FontId::monospace(14.0)),
                    Block::Picture(about, _) => (about.to_owned(), egui::FontId::proportional(14.0)),
                };
                let signs = text.chars().filter(|sign| !sign.is_whitespace());
                missing.extend(
                    ui.fonts_mut(|fonts| signs.filter(|&sign| !fonts.has_glyph(&font, sign)).collect::<Vec<_>>()),
                );
            }
        });
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn finds_sections_by_all_words_with_titles_first() {
        let places = found("PACKING");
        assert!(places.len() > 3);
        assert_eq!((PAGES[places[0].page].name, places[0].section), ("packing", 0));
        assert!(places.iter().all(|place| place.line.to_lowercase().contains("packing")), "{places:?}");
        assert!(found("packing breakpoint wombat").is_empty());
        assert!(found("breakpoint condition").iter().any(|place| PAGES[place.page].name == "work-graphs"));
    }
}
