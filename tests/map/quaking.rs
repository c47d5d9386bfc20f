//! Helpers for tests of quakes: quakes from their texts or drawn at random, and the resulting maps.

use crate::helpers::charts::{event, report};
use upheaval::rng::Stream;
use upheaval::topology::{NamedMap, PlanarMap, Quake, SurgeryError};

/// The meaning of the text on this chart.
pub(super) fn try_quake(chart: &NamedMap, text: &str) -> Result<Quake, SurgeryError> {
    Quake::of_event(&event(text), chart.map())
}

/// The valid quake with this text.
pub(super) fn quake(chart: &NamedMap, text: &str) -> Quake {
    try_quake(chart, text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The quakes of these texts.
pub(super) fn quakes(chart: &NamedMap, texts: &[&str]) -> Vec<Quake> {
    texts.iter().map(|text| quake(chart, text)).collect()
}

/// The chart after these quakes at once, with the defaults for waterways.
pub(super) fn shaken(chart: &NamedMap, quakes: &[Quake]) -> Result<NamedMap, SurgeryError> {
    let mut chart = chart.clone();
    let result = chart.shake(quakes, &mut |_| None);
    assert_eq!(chart.map().faults(), Vec::<String>::new());
    result.map(|()| chart)
}

/// Every quake the chart allows, as text, in canonical order.
pub(super) fn listed(chart: &NamedMap) -> Vec<String> {
    let map = chart.map();
    map.quakes().into_iter().map(|quake| quake.event(map).to_string()).collect()
}

/// The boundary cycles of a face, each as words.
pub(super) fn boundaries(chart: &NamedMap, face: &str) -> Vec<String> {
    report(chart).faces[face].boundaries.iter().map(|cycle| cycle.join(" ")).collect()
}

/// Do the quakes of these two texts contradict each other? Both orders must agree.
pub(super) fn contradict(chart: &NamedMap, x: &str, y: &str) -> bool {
    let (map, [x, y]) = (chart.map(), [x, y].map(|text| quake(chart, text)));
    assert_eq!(x.contradicts(y, map), y.contradicts(x, map));
    x.contradicts(y, map)
}

/// Up to this many quakes without contradictions; releases and quakes that make islands are frequent.
pub(super) fn season(chart: &NamedMap, dice: &mut Stream, most: usize) -> Vec<Quake> {
    let map = chart.map();
    let all = map.quakes();
    let drawn = |quake: &&Quake| matches!(quake, Quake::Release(_)) || is_pinch(**quake, map);
    let rare: Vec<Quake> = all.iter().filter(drawn).copied().collect();
    let mut season: Vec<Quake> = Vec::new();
    for _ in 0..most {
        let from = if dice.below(2) == 0 { &rare } else { &all };
        if let Some(&quake) = dice.choose(from)
            && !season.iter().any(|&other| other == quake || other.contradicts(quake, map))
        {
            season.push(quake);
        }
    }
    season
}

/// A separation with one face at both ends.
pub(super) fn is_pinch(quake: Quake, map: &PlanarMap) -> bool {
    let [c, d] = quake.touched(map).together;
    matches!(quake, Quake::Separation(_)) && c == d
}
