//! Timeline of the application's thread and the worker, to scale.

use emath::{Rect, pos2, vec2};
use lanescope_core::driver::speculative::{Lane, SpeculativeCompile};
use lanescope_core::text_format::duration;

use crate::picture::{Anchor, Font, Pattern, Picture, Shape, Stroke, elide};
use crate::theme::Theme;

const LEFT: f32 = 118.0;
const WIDTH: f32 = 760.0;
const BAR: f32 = 26.0;
const LANE: f32 = 34.0;

/// Module creation, the worker's compile, pipeline creation; below, how long the application waits with and without.
pub fn timeline(ahead: &SpeculativeCompile, theme: &Theme) -> Picture {
    let title = format!("Speculative compile on {}", ahead.device);
    let mut picture = Picture::new(title, theme.page);
    let end = ahead.events.iter().map(|event| event.span[1]).max().unwrap_or(1).max(1);
    let scale = WIDTH / end as f32;
    let mut y = 16.0;
    for (lane, name) in [(Lane::Application, "application"), (Lane::Worker, "worker")] {
        picture.words(pos2(20.0, y + BAR / 2.0), 12.0, theme.ink_soft, name);
        let base = y + BAR + 3.0;
        picture.line(pos2(LEFT, base), pos2(LEFT + WIDTH, base), Stroke::new(1.0, theme.hairline));
        for event in ahead.events.iter().filter(|event| event.lane == lane) {
            let [begin, finish] = event.span;
            let width = ((finish - begin.min(finish)) as f32 * scale).max(1.5);
            let rect = Rect::from_min_size(pos2(LEFT + begin as f32 * scale, y), vec2(width, BAR));
            // What the application waits for is solid and outlined; what it does not is striped.
            let series = theme.series(if event.critical { 5 } else { 4 });
            let pattern = (!event.critical).then_some((Pattern::Hatch, series.pattern));
            let stroke = Stroke::new(if event.critical { 1.5 } else { 1.0 }, series.line);
            picture.push(Shape::Rect { rect, fill: series.fill, stroke, radius: 1, pattern });
            let text = format!("{} {}", event.what, duration(finish.saturating_sub(begin)));
            let text = elide(&text, Font::Words, 11.0, width - 8.0);
            if width > 40.0 {
                picture.words(pos2(rect.left() + 4.0, rect.center().y), 11.0, theme.ink, &text);
            }
        }
        y += LANE;
    }
    for tick in 0..=4u64 {
        let at = end / 4 * tick;
        let x = LEFT + at as f32 * scale;
        picture.text(pos2(x, y + 6.0), Anchor::Middle, 10.0, Font::Code, theme.ink_soft, &duration(at));
    }
    y += 26.0;
    for event in &ahead.events {
        // Bars of a few microseconds hold no words: the same in lines.
        let [begin, finish] = event.span;
        let series = theme.series(if event.critical { 5 } else { 4 });
        let pattern = (!event.critical).then_some((Pattern::Hatch, series.pattern));
        let rect = Rect::from_min_size(pos2(LEFT, y + 3.0), vec2(10.0, 10.0));
        let stroke = Stroke::new(1.0, series.line);
        picture.push(Shape::Rect { rect, fill: series.fill, stroke, radius: 1, pattern });
        let at = |x: f32| pos2(x, y + 8.0);
        picture.text(
            at(LEFT + 80.0),
            Anchor::End,
            11.0,
            Font::Code,
            theme.ink,
            &duration(finish.saturating_sub(begin)),
        );
        picture.text(
            at(LEFT + 160.0),
            Anchor::End,
            11.0,
            Font::Code,
            theme.ink_soft,
            &format!("at {}", duration(begin)),
        );
        let waits = if event.critical { ": the application waits" } else { "" };
        picture.words(at(LEFT + 180.0), 12.0, theme.ink, &format!("{} · {}{waits}", event.lane, event.what));
        y += 17.0;
    }
    y += 8.0;
    let (with, without) = (SpeculativeCompile::median(&ahead.with), SpeculativeCompile::median(&ahead.without));
    let mut rows = vec![("with guess", with), ("without guess", without)];
    if let Some(libraries) = &ahead.libraries {
        rows.push(("library link", libraries.link));
    }
    if let Some(objects) = &ahead.objects {
        rows.push(("kept objects", objects.restored));
    }
    if let Some(binaries) = &ahead.binaries {
        rows.push(("kept binaries", binaries.restore.saturating_add(binaries.create)));
    }
    let longest = rows.iter().map(|row| row.1).max().unwrap_or(1).max(1);
    for (name, value) in rows {
        picture.words(pos2(20.0, y + 8.0), 12.0, theme.ink_soft, name);
        let width = (value as f32 / longest as f32 * (WIDTH - 120.0)).max(1.5);
        let rect = Rect::from_min_size(pos2(LEFT, y), vec2(width, 16.0));
        let series = theme.series(if name == "without guess" { 7 } else { 5 });
        picture.rect(rect, series.fill, Stroke::new(1.0, series.line), 1);
        picture.words(pos2(rect.right() + 8.0, y + 8.0), 12.0, theme.ink, &duration(value));
        y += 22.0;
    }
    let (text, ink) = match (ahead.hit, ahead.worker.is_empty()) {
        (true, _) if !ahead.usable() => ("hit, not usable by the design note", theme.warn),
        (true, _) => ("hit: the speculative compile is found and used", theme.ink),
        (false, true) => ("miss: nothing was compiled speculatively", theme.warn),
        (false, false) => ("miss: the speculative compile is wasted", theme.warn),
    };
    let mut line = |text: &str, ink| {
        picture.words(pos2(20.0, y + 8.0), 12.0, ink, &elide(text, Font::Words, 12.0, LEFT + WIDTH - 20.0));
        y += 18.0;
    };
    line(text, ink);
    for why in ahead.why.iter().chain(&ahead.gaps) {
        line(&format!("· {why}"), theme.warn);
    }
    for lookup in &ahead.lookups {
        let found = if lookup.found { "found" } else { "not found" };
        line(&format!("cache of the {}: {} {found}", lookup.cache, lookup.key), theme.ink_soft);
    }
    line(&cache(ahead), theme.ink_soft);
    line(&format!("{}, {}", ahead.device, ahead.driver), theme.ink_soft);
    picture.fit(8.0);
    picture
}

/// Its cache contents.
pub fn cache(ahead: &SpeculativeCompile) -> String {
    let code = ahead.code.map(|code| format!("{code} bytes of code"));
    let own = ahead.bytes.map(|bytes| format!("{bytes} bytes from the driver's cache"));
    let held: Vec<String> = code.into_iter().chain(own).collect();
    let from = if ahead.kept { "found on disk before" } else { "not on disk before" };
    match (held.is_empty(), ahead.worker.is_empty()) {
        (true, true) => "nothing was compiled speculatively".to_owned(),
        (true, false) => from.to_owned(),
        (false, _) => format!("{from}; cached: {}", held.join(", ")),
    }
}
