//! The manual: the pages of `assets/manual`, embedded, as `lanescope help` and the window show them.

use lanescope_inspector::view::ViewId;

/// One page.
#[derive(Debug)]
pub struct Page {
    /// Its file's name without the extension; what a user types after `lanescope help`.
    pub name: &'static str,
    /// Other names that find it: commands that it explains, and former names.
    pub aliases: &'static [&'static str],
    /// The command whose usage ends the page in a terminal.
    pub command: Option<&'static str>,
    /// The tabs of the window that it explains.
    pub tabs: &'static [ViewId],
    /// Its text, as Markdown.
    pub text: &'static str,
}

macro_rules! page {
    ($name:literal, $aliases:expr, $command:expr, $tabs:expr) => {
        Page {
            name: $name,
            aliases: &$aliases,
            command: $command,
            tabs: &$tabs,
            text: include_str!(concat!("../../../assets/manual/", $name, ".md")),
        }
    };
}

/// All pages, in reading order.
pub const PAGES: &[Page] = &[
    page!("packing", [], None, [ViewId::Packing]),
    page!("workgroups", ["swizzle", "workgroup", "probe"], Some("probe"), [ViewId::Workgroup]),
    page!("costs", ["cost"], Some("cost"), []),
    page!("interface-costs", ["interface-cost"], None, []),
    page!("registers", [], None, [ViewId::Registers]),
    page!("rewriting", ["rewrite"], Some("rewrite"), [ViewId::Rewritten]),
    page!("running", ["run"], Some("run"), [ViewId::Run]),
    page!("debugging", ["debug", "debugger"], Some("debug"), [ViewId::Debug]),
    page!("hunting", ["hunt", "bisect", "bugs"], Some("hunt"), []),
    page!("reducing", ["reduce"], Some("reduce"), []),
    page!("drivers", ["isa"], Some("isa"), [ViewId::Isa, ViewId::Statistics, ViewId::Source]),
    page!("varyings", ["compilers"], None, []),
    page!("guessed-layouts", ["partial", "guess-layout"], Some("guess-layout"), [ViewId::GuessedLayout]),
    page!("pipeline-files", ["foz", "amber", "export"], Some("foz"), []),
    page!("d3d12-pipelines", ["sodb"], Some("sodb"), []),
    page!("code-objects", ["elf", "repack", "user-data"], Some("repack"), [ViewId::CodeObject]),
    page!("source-files", ["sources", "glsl"], None, []),
    page!("workspace-file", ["lanescope.toml", "workspace"], None, []),
    page!("dxil", ["hlsl"], None, [ViewId::Dxil]),
    page!("opcodes", ["opcode-table"], Some("opcodes"), []),
    page!("wgsl", ["naga"], None, []),
    page!("slang", ["slangc"], None, []),
    page!("work-graphs", ["graph", "graphs"], Some("graph"), [ViewId::Graph]),
    page!("graph-costs", ["graph-cost"], None, []),
    page!("comparing", ["diff"], Some("diff"), [ViewId::Compare]),
    page!("corpus", ["slots"], Some("corpus"), []),
    page!("window", [], None, [ViewId::Overview, ViewId::Findings]),
    page!("tui", ["terminal"], Some("tui"), []),
    page!("editors", ["lsp", "language-server"], Some("lsp"), []),
    page!("debug-adapter", ["dap"], Some("dap"), []),
    page!("agents", ["mcp", "agent"], Some("mcp"), []),
    page!("json-report", ["json"], None, []),
    page!("scripts", ["ci", "sarif", "schema", "watch"], Some("schema"), []),
    page!("limits", ["promises"], None, []),
    page!("troubleshooting", ["doctor"], Some("doctor"), []),
];

/// The pictures that pages show, by the path that a page names.
pub const PICTURES: &[(&str, &[u8])] = &[
    ("pictures/window.png", include_bytes!("../../../assets/manual/pictures/window.png")),
    ("pictures/varyings.png", include_bytes!("../../../assets/manual/pictures/varyings.png")),
    ("pictures/workgroup.png", include_bytes!("../../../assets/manual/pictures/workgroup.png")),
    ("pictures/costs.png", include_bytes!("../../../assets/manual/pictures/costs.png")),
    ("pictures/work-graph.png", include_bytes!("../../../assets/manual/pictures/work-graph.png")),
    ("pictures/terminal-settings.png", include_bytes!("../../../assets/manual/pictures/terminal-settings.png")),
    ("pictures/terminal.png", include_bytes!("../../../assets/manual/pictures/terminal.png")),
];

impl Page {
    /// Its heading.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// The question that it answers: its first paragraph, in one line.
    pub fn question(&self) -> String {
        let paragraph =
            self.text.lines().skip(1).skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
        paragraph.collect::<Vec<_>>().join(" ")
    }
}

/// A page apart at its second-level headings; the first piece has the title.
pub fn sections(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let (mut at, mut is_code) = (0, false);
    for line in text.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with("## ") {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
}

/// The title of a section of a page, by its number; of the first one that of the page.
pub fn section_title(section: &'static str) -> &'static str {
    section.lines().next().unwrap_or_default().trim_start_matches('#').trim()
}

/// Finds a page by its name or another one that it goes by.
pub fn find(name: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.name == name || page.aliases.contains(&name))
}

/// The page that explains a tab.
pub fn of_view(view: ViewId) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.tabs.contains(&view))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Links and pictures of a page.
    fn destinations(text: &str) -> Vec<String> {
        use pulldown_cmark::{Event, Options, Parser, Tag};
        let of = |event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
            _ => None,
        };
        Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(of).collect()
    }

    /// The page that a link of another page names, and the anchor of the heading where it names one.
    fn linked(link: &str) -> Option<(&'static Page, Option<&str>)> {
        let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
        let name = file.strip_suffix(".md")?;
        Some((PAGES.iter().find(|page| page.name == name)?, anchor))
    }

    fn folder() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/manual")
    }

    #[test]
    fn embeds_every_page_and_picture_of_the_folder() {
        let mut files: BTreeSet<String> = BTreeSet::new();
        for below in ["", "pictures/"] {
            let entries = std::fs::read_dir(folder().join(below)).expect("the folder exists");
            let names = entries.map(|entry| entry.expect("reads").file_name().to_string_lossy().into_owned());
            files.extend(names.filter(|name| name.contains('.')).map(|name| format!("{below}{name}")));
        }
        let mut embedded: BTreeSet<String> = PAGES.iter().map(|page| format!("{}.md", page.name)).collect();
        embedded.extend(PICTURES.iter().map(|(path, _)| (*path).to_owned()));
        embedded.insert("SUMMARY.md".to_owned());
        assert_eq!(files, embedded);
    }

    #[test]
    fn every_page_starts_with_a_title_and_a_question() {
        for page in PAGES {
            assert!(page.text.starts_with("# ") && page.title().len() < 40, "{}", page.name);
            assert!(page.question().ends_with('?'), "{}: {}", page.name, page.question());
            let has_example = page.text.contains("\n```console") && page.text.contains("\n$ lanescope ");
            assert!(has_example, "{} has no worked example", page.name);
        }
    }

    #[test]
    fn the_page_on_dxil_lists_every_switch_of_the_conversion() {
        let page = find("dxil").expect("there is one");
        for switch in lanescope_core::options::ConversionSwitch::ALL {
            assert!(page.text.contains(&format!("\n| `{}` | ", switch.name())), "{}", switch.name());
        }
    }

    #[test]
    fn names_find_one_page_each() {
        let mut names = BTreeSet::new();
        for page in PAGES {
            for name in std::iter::once(&page.name).chain(page.aliases) {
                assert!(names.insert(name), "two pages are called {name}");
                assert_eq!(find(name).map(|found| found.name), Some(page.name));
            }
        }
    }

    #[test]
    fn the_book_lists_every_page() {
        let summary = std::fs::read_to_string(folder().join("SUMMARY.md")).expect("the summary exists");
        let listed: Vec<_> = destinations(&summary).iter().filter_map(|link| Some(linked(link)?.0.name)).collect();
        assert_eq!(listed, PAGES.iter().map(|page| page.name).collect::<Vec<_>>());
    }

    #[test]
    fn links_refer_to_existing_pages_and_pictures() {
        let mut links = 0;
        for page in PAGES {
            for link in destinations(page.text) {
                links += 1;
                let is_picture = PICTURES.iter().any(|(path, _)| *path == link);
                // A terminal shows no addresses and the window opens no browser, so links stay inside.
                let is_page = linked(&link).is_some_and(|(_, anchor)| anchor.is_none());
                assert!(is_picture || is_page, "{} links to {link}", page.name);
            }
        }
        assert!(links > PAGES.len(), "{links}");
    }
}
