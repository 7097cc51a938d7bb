//! The queries of the library, as a board shows them.

use skewer::Query;

use super::{Positions, compiled, query, shown};

#[test]
fn what_is_shown_of_the_library_is_true() {
    let positions = Positions::read();
    let (mut whole, mut part, mut nothing) = (0, 0, 0);
    let mut faults = Vec::new();
    for entry in skewer::library::queries() {
        let name = entry.name();
        let shown = shown(entry.text());
        let text = query(&shown.setup);
        // The query of the shown setup is shown completely, and gives the same setup again.
        let again = super::shown(&text);
        assert!(again.whole && again.setup == shown.setup, "{name}: {text}");
        assert_eq!(query(&again.setup), text, "{name}");
        match (shown.whole, text == "true") {
            (true, _) => whole += 1,
            (false, false) => part += 1,
            (false, true) => {
                nothing += 1;
                continue;
            }
        }
        let original = Query::compile(entry.text()).expect("it compiles");
        if original.lacks_tablebase().is_some() {
            continue;
        }
        let (found, of_setup) = (positions.found(&original), positions.found(&compiled(&text)));
        let lost = found.iter().find(|place| !of_setup.contains(place));
        if lost.is_some() || shown.whole && found != of_setup {
            faults.push(format!("{name}: {text}: {lost:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("{whole} are shown as a whole, {part} in part, {nothing} not at all");
    assert!(
        whole >= 20 && part >= 40 && nothing >= 100,
        "{whole}, {part}, {nothing}"
    );
}
