//! A picture as SVG text: plain attributes only, so that it embeds anywhere.

use std::fmt::Write as _;

use ecolor::Color32;
use emath::Pos2;

use lanescope_core::foreign::is_obeyed;

use super::{Anchor, Font, Picture, Shape, Stroke, Text};

/// The window's fonts by their family names, then what systems have.
const WORDS: &str = "Ubuntu, 'Ubuntu Light', Ubuntu-Light, 'Noto Sans', 'Segoe UI', Helvetica, Arial, sans-serif";
const CODE: &str = "Hack, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
/// Capitals are about this high in both fonts, in em.
const CAPITALS: f32 = 0.7;

/// The picture as one SVG document. The same picture gives the same bytes.
pub fn svg(picture: &Picture) -> String {
    let (width, height) = (Number(picture.size.x), Number(picture.size.y));
    let title = Escaped(&picture.title);
    let mut out = String::with_capacity(256 + picture.items.len() * 120);
    // Writing to a String cannot fail, so the results are not looked at.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"{WORDS}\" font-weight=\"300\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
        Paint(picture.page)
    );
    // A picture on paper is seen at zoom 1.
    for item in picture.items.iter().filter(|item| item.min_zoom <= 1.0 && item.max_zoom > 1.0) {
        write_shape(&mut out, &item.shape);
    }
    out.push_str("</svg>\n");
    out
}

fn write_shape(out: &mut String, shape: &Shape) {
    match shape {
        Shape::Rect { rect, fill, stroke, radius, pattern } => {
            if *fill != Color32::TRANSPARENT || stroke.width > 0.0 {
                let (x, y, w, h) =
                    (Number(rect.min.x), Number(rect.min.y), Number(rect.width()), Number(rect.height()));
                let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"");
                if *radius > 0 {
                    let _ = write!(out, " rx=\"{radius}\"");
                }
                let _ = write!(out, " fill=\"{}\"", Paint(*fill));
                // With a pattern, the edge is drawn over it.
                if pattern.is_none() {
                    write_stroke(out, stroke);
                }
                out.push_str("/>\n");
                if let Some((pattern, color)) = pattern {
                    out.push_str("<path d=\"");
                    for [from, to] in pattern.segments(*rect) {
                        let _ = write!(out, "M{}L{}", Point(from), Point(to));
                    }
                    out.push('"');
                    write_stroke(out, &Stroke::new(1.0, *color));
                    out.push_str("/>\n");
                    let _ = write!(
                        out,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{radius}\" fill=\"none\""
                    );
                    write_stroke(out, stroke);
                    out.push_str("/>\n");
                }
            }
        }
        Shape::Line { points, stroke } => {
            out.push_str("<path d=\"");
            write_points(out, points);
            out.push_str("\" fill=\"none\"");
            write_stroke(out, stroke);
            out.push_str("/>\n");
        }
        Shape::Polygon { points, fill } => {
            out.push_str("<path d=\"");
            write_points(out, points);
            let _ = writeln!(out, "Z\" fill=\"{}\"/>", Paint(*fill));
        }
        Shape::Curve { points: [a, b, c, d], stroke } => {
            let _ = write!(out, "<path d=\"M{}C{} {} {}\" fill=\"none\"", Point(*a), Point(*b), Point(*c), Point(*d));
            write_stroke(out, stroke);
            out.push_str("/>\n");
        }
        Shape::Text(text) => write_text(out, text),
    }
}

fn write_text(out: &mut String, text: &Text) {
    if text.text.is_empty() {
        return;
    }
    let baseline = Number(text.at.y + text.size * CAPITALS / 2.0);
    let _ = write!(out, "<text x=\"{}\" y=\"{baseline}\" font-size=\"{}\"", Number(text.at.x), Number(text.size));
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if text.font == Font::Code {
        let _ = write!(out, " font-family=\"{CODE}\" font-weight=\"400\"");
    }
    let _ = writeln!(out, " fill=\"{}\" xml:space=\"preserve\">{}</text>", Paint(text.color), Escaped(&text.text));
}

fn write_points(out: &mut String, points: &[Pos2]) {
    for (index, point) in points.iter().enumerate() {
        let _ = write!(out, "{}{}", if index == 0 { 'M' } else { 'L' }, Point(*point));
    }
}

fn write_stroke(out: &mut String, stroke: &Stroke) {
    if stroke.width <= 0.0 {
        return;
    }
    let _ = write!(out, " stroke=\"{}\"", Paint(stroke.color));
    if stroke.width != 1.0 {
        let _ = write!(out, " stroke-width=\"{}\"", Number(stroke.width));
    }
    if stroke.color.a() < 255 {
        let _ = write!(out, " stroke-opacity=\"{}\"", Number(f32::from(stroke.color.a()) / 255.0));
    }
    if stroke.dash > 0.0 {
        let _ = write!(out, " stroke-dasharray=\"{}\"", Number(stroke.dash));
    }
}

/// A number with at most two decimals; a value that is not a number is 0, because files may be hostile.
struct Number(f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = if self.0.is_finite() { (f64::from(self.0) * 100.0).round() / 100.0 } else { 0.0 };
        // `+ 0.0` turns -0 into 0.
        write!(f, "{}", value + 0.0)
    }
}

struct Point(Pos2);

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", Number(self.0.x), Number(self.0.y))
    }
}

/// A colour; the opacity of lines is written apart.
struct Paint(Color32);

impl std::fmt::Display for Paint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [r, g, b, a] = self.0.to_srgba_unmultiplied();
        if a == 0 { f.write_str("none") } else { write!(f, "#{r:02x}{g:02x}{b:02x}") }
    }
}

/// Text for an element or a quoted attribute. Characters that XML forbids are replaced.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c if is_obeyed(c) || matches!(c, '\u{FFFE}' | '\u{FFFF}') => f.write_char('\u{FFFD}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use emath::{Rect, pos2, vec2};

    use super::super::Pattern;
    use super::*;

    #[test]
    fn names_give_well_formed_xml() {
        for name in [
            "</text><script>alert(1)</script>",
            "a & b \"quoted\" 'too'",
            "\0\u{1}\u{1b}]0;x\u{7}\u{fffe}",
            "]]>",
            "名前",
            "",
        ] {
            let mut picture = Picture::new(name, Color32::WHITE);
            picture.words(pos2(10.0, 10.0), 11.0, Color32::BLACK, name);
            // As a caller may do that builds the shape itself.
            let raw = Text {
                text: name.to_owned(),
                at: pos2(10.0, 30.0),
                anchor: Anchor::End,
                size: 11.0,
                font: Font::Code,
                color: Color32::RED,
            };
            picture.push(Shape::Text(raw));
            picture.fit(8.0);
            let text = svg(&picture);
            assert!(!text.contains("<script"), "{text}");
            #[cfg(feature = "png")]
            resvg::usvg::Tree::from_str(&text, &Default::default()).unwrap_or_else(|e| panic!("{name:?}: {e}\n{text}"));
        }
    }

    #[test]
    fn writes_every_shape() {
        let mut picture = Picture::new("shapes", Color32::WHITE);
        let stroke = Stroke::new(1.5, Color32::from_rgb(0, 114, 178));
        let rect = Rect::from_min_size(pos2(2.0, 2.0), vec2(20.0, 10.0));
        picture.push(Shape::Rect {
            rect,
            fill: Color32::from_rgb(230, 159, 0),
            stroke: stroke.dashed(3.0),
            radius: 3,
            pattern: Some((Pattern::Bars, Color32::BLACK)),
        });
        picture.line(pos2(0.0, 0.0), pos2(f32::NAN, 5.0), stroke);
        picture
            .push(Shape::Polygon { points: vec![pos2(0.0, 8.0), pos2(4.0, 8.0), pos2(2.0, 4.0)], fill: Color32::RED });
        picture.push(Shape::Curve { points: [rect.min, rect.center(), rect.center(), rect.max], stroke });
        picture.words(pos2(3.0, 7.0), 9.0, Color32::BLACK, "hidden").from_zoom(2.0);
        picture.size = vec2(30.0, 20.0);
        insta::assert_snapshot!(svg(&picture));
        #[cfg(feature = "png")]
        assert!(super::super::png(&picture, 1.0).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    }
}
