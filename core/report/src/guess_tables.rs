//! What guesses achieve over all pipelines of an application, as parts with facts and tables.

use lanescope_base::text_format::counted;
use lanescope_passes::speculative_corpus::{
    Searched, Span, Timeline, Variants, search_table, timeline_table, variants_table,
};

use crate::dxil_tables::Section;

/// The most rows of stages with several maps.
pub const MAX_VARIANTS: usize = 50;

/// The name of an application: its database, or what all other files are called together.
pub fn application_name(application: &str) -> &str {
    if application.is_empty() { "pipeline files" } else { application }
}

/// The best guess of an application: `best: --guessed-color unorm8`.
pub fn best_guess(searched: &Searched) -> String {
    let best = searched.guesses.first().map(|tally| tally.guess.flags()).unwrap_or_default();
    if best.is_empty() { "the default fits best".to_owned() } else { format!("best: {best}") }
}

/// What is compiled while an application waits.
pub fn waits(timeline: &Timeline) -> String {
    let Span { shaders, compiled, .. } = timeline.all;
    format!("{compiled} of {} compiled while the application waits", counted(shaders, "shader"))
}

/// Sums of the location maps: how many shaders, how many maps.
pub fn variant_facts(all: &[Variants]) -> [(&'static str, String); 2] {
    let sum = |of: fn(&Variants) -> usize| all.iter().map(of).sum::<usize>();
    let pipelines: u64 = all.iter().map(|row| row.pipelines).sum();
    let fragments = sum(|row| row.fragments);
    let (packed, renumbered) = (sum(|row| row.packed), sum(|row| row.renumbered));
    [
        (
            "shaders",
            format!("{} before the rasterizer in {pipelines} pipelines, with {fragments} fragment shaders", all.len()),
        ),
        ("maps", format!("{packed} packed, {renumbered} with renumbered locations")),
    ]
}

/// Which guesses fit best.
pub fn guesses_section(all: &[Searched]) -> Section {
    let mut out =
        Section::new("Guesses", "What each combination of guesses achieves, the best first, without compiling");
    for searched in all {
        let mut table = search_table(searched);
        table.title = format!("{}: {}", application_name(&searched.application), best_guess(searched));
        out.add(table);
    }
    out
}

/// Which cache serves which shader.
pub fn caches_section(all: &[Timeline]) -> Section {
    let about =
        "What serves the shaders in the order of the pipelines: the cache per stage, a guess, or a full compile";
    let mut out = Section::new("Caches", about);
    for timeline in all {
        let mut table = timeline_table(timeline);
        table.title = format!("{}: {}", application_name(&timeline.application), waits(timeline));
        out.add(table);
    }
    out
}

/// How many location maps the stages before the rasterizer have.
pub fn maps_section(all: &[Variants]) -> Section {
    let about = "Location maps that fragment shaders give the stages before the rasterizer: each takes a cache entry";
    let mut out = Section::new("Location maps", about);
    out.facts.extend(variant_facts(all));
    let mut table = variants_table(all, MAX_VARIANTS);
    table.title = "Shaders with several maps".to_owned();
    let several = several_maps(all);
    if several > MAX_VARIANTS {
        out.fact("listed", format!("{MAX_VARIANTS} of {several} shaders with several maps"));
    }
    out.add(table);
    out
}

/// Shaders with several maps.
pub fn several_maps(all: &[Variants]) -> usize {
    all.iter().filter(|row| row.packed > 1 || row.renumbered > 1).count()
}
