//! Resources: the pages of the manual, and the explanations of findings.

use lanescope_core::findings::{AREAS, Rule, rule};
use lanescope_workbench::manual::{self, PAGES};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use crate::paging::{Page, USUAL};

/// Where pages of the manual are.
const MANUAL: &str = "lanescope://manual/";
/// Where findings are.
const FINDINGS: &str = "lanescope://findings";

/// All resources that have a name of their own.
pub fn list() -> Vec<Resource> {
    let page = |page: &manual::Page| {
        let resource = Resource::new(format!("{MANUAL}{}", page.name), page.name);
        let resource = resource.with_title(page.title()).with_description(page.question());
        resource.with_mime_type("text/markdown").with_size(page.text.len() as u64)
    };
    let codes = Resource::new(FINDINGS, "findings").with_title("Findings").with_mime_type("text/plain");
    let codes = codes.with_description("Which codes of findings exist? Each is a resource of its own.");
    PAGES.iter().map(page).chain([codes]).collect()
}

/// The resources that are named by a code.
pub fn templates() -> Vec<ResourceTemplate> {
    let finding = ResourceTemplate::new(format!("{FINDINGS}/{{code}}"), "finding").with_title("Finding");
    vec![finding.with_description("What a finding means, an example, and what to do").with_mime_type("text/plain")]
}

/// Reads a resource. `?offset=N` begins at a character of a long one.
///
/// # Errors
/// There is no such resource; the offset is after its end.
pub fn read(uri: &str, explain: fn(&Rule) -> String) -> Result<ResourceContents, String> {
    let (name, offset) = match uri.split_once("?offset=") {
        Some((name, offset)) => {
            (name, offset.parse().map_err(|_| format!("`{offset}` is not an offset: expected a number"))?)
        }
        None => (uri, 0),
    };
    let missing = || {
        format!(
            "no resource `{}`: expected {MANUAL}PAGE, {FINDINGS} or {FINDINGS}/CODE",
            lanescope_core::foreign::plain(uri)
        )
    };
    let (text, kind) = if let Some(page) = name.strip_prefix(MANUAL) {
        (manual::find(page).ok_or_else(missing)?.text.to_owned(), "text/markdown")
    } else if name == FINDINGS {
        (codes(), "text/plain")
    } else {
        let code = name.strip_prefix(FINDINGS).and_then(|rest| rest.strip_prefix('/'));
        (explain(code.and_then(rule).ok_or_else(missing)?), "text/plain")
    };
    let page = Page::of(&text, offset, USUAL)?;
    let more =
        page.next_offset.map(|next| format!("\n(continues at {name}?offset={next}; {} characters)\n", page.total));
    Ok(ResourceContents::text(page.text + &more.unwrap_or_default(), uri).with_mime_type(kind))
}

/// All codes with their lines, by area.
fn codes() -> String {
    let mut out = String::new();
    for area in AREAS {
        out.push_str(&format!("{}:\n", area.title));
        for rule in area.rules {
            out.push_str(&format!("  {}  {}  {}\n", rule.code, rule.severity, rule.about));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(uri: &str) -> Result<String, String> {
        read(uri, |rule| rule.meaning.to_owned()).map(|contents| match contents {
            ResourceContents::TextResourceContents { text, .. } => text,
            _ => panic!("is text"),
        })
    }

    #[test]
    fn every_listed_resource_can_be_read_to_its_end() {
        for resource in list() {
            let (mut uri, mut pages) = (resource.uri.clone(), 0);
            let whole = manual::find(&resource.name).map(|page| page.text);
            let mut all = String::new();
            loop {
                let page = text(&uri).expect("is there");
                pages += 1;
                let Some((part, rest)) = page.rsplit_once("\n(continues at ") else {
                    all.push_str(&page);
                    break;
                };
                all.push_str(part);
                uri = rest.split_once(';').expect("the next one").0.to_owned();
            }
            assert!(pages < 20 && whole.is_none_or(|whole| whole == all), "{}", resource.uri);
        }
    }

    #[test]
    fn what_is_not_a_resource_is_refused() {
        for uri in [
            "lanescope://manual/nothing",
            "lanescope://findings/Q99",
            "file:///etc/passwd",
            "",
            "lanescope://manual/../x",
        ] {
            assert!(text(uri).is_err_and(|why| why.contains("no resource")), "{uri}");
        }
        assert!(text("lanescope://manual/packing?offset=x").is_err_and(|why| why.contains("not an offset")));
        assert!(text("lanescope://manual/packing?offset=99999999").is_err_and(|why| why.contains("characters")));
        assert!(text("lanescope://findings/p002").is_ok_and(|meaning| !meaning.is_empty()));
    }
}
