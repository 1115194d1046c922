//! Who can read the page: on a phone, in the dark, and without anything from outside.

use super::answers;
use super::site::PAGE;
use super::visit::Visit;

#[test]
fn nothing_runs_off_the_side_of_a_phone() {
    for width in [320, 360, 760, 1280] {
        let Some(visit) = Visit::at_desk("nothing_runs_off_the_side_of_a_phone") else {
            return;
        };
        let seen = visit.width(width).see(answers::busy());
        assert_eq!(seen.number("width"), u64::from(width));
        let needed = seen.number("needed");
        assert!(
            needed <= u64::from(width),
            "{width} px wide, {needed} px needed"
        );
        assert_eq!(seen.rows("table").len(), 7);
    }
}

#[test]
fn text_stands_out_in_the_light_and_in_the_dark() {
    for dark in [false, true] {
        let Some(visit) = Visit::at_desk("text_stands_out_in_the_light_and_in_the_dark") else {
            return;
        };
        let visit = if dark { visit.dark() } else { visit };
        let visit = visit.act("all('#rows button')[0].click();");
        let seen = visit.see(answers::busy());
        let faint = seen.texts("faint");
        assert!(faint.is_empty(), "dark: {dark}, {faint:?}");
    }
}

#[test]
fn the_page_takes_nothing_from_outside_and_writes_no_markup() {
    for outside in [
        "http:",
        "https:",
        "//cdn",
        " src=",
        "@import",
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "new Function",
        "DOMParser",
        "srcdoc",
    ] {
        assert!(!PAGE.contains(outside), "the page holds {outside}");
    }
    // The one address that a style names is a pattern of the page itself.
    assert_eq!(PAGE.matches("url(").count(), PAGE.matches("url(#").count());
}
