use super::super::NamedMap;
use super::super::atlas;
use super::super::test_walk::season;
use super::super::waterway::WaterwayRule;
use super::*;
use crate::rng::{Purpose, Stream};

/// The waterways after these quakes, computed by examining every waterway and every border, and the questions
/// asked.
fn thoroughly(
    chart: &NamedMap,
    quakes: &[Quake],
    advise: fn(&WaterwayQuestion) -> Option<WaterwayOption>,
) -> Option<(Vec<Waterway>, Vec<WaterwayQuestion>)> {
    let (before, mut after) = (chart.map(), chart.map().clone());
    after.waterways.clear();
    let shaken = after.shake(quakes, &|id| chart.info(id)?.position).ok()?;
    let mut asked = Vec::new();
    let near = &BorderSet::ALL;
    let waterways =
        Aftermath { before, after: &after, quakes, shaken: &shaken, near }.waterways(&mut |question| {
            asked.push(question.clone());
            advise(question)
        });
    Some((waterways, asked))
}

/// Chooses water wherever it is possible, in one way or another.
fn advise(question: &WaterwayQuestion) -> Option<WaterwayOption> {
    match question.matter {
        Matter::NewIsthmus { between: [x, y] } if x.0 % 2 == 0 => Some(WaterwayOption::Canal(y)),
        Matter::NewIsthmus { .. } => Some(WaterwayOption::Strait),
        Matter::StraitCut { through, .. } => through.first().map(WaterwayOption::Canal),
        Matter::CanalForked { to: [_, last], .. } => Some(WaterwayOption::Terminus(last)),
        Matter::CanalMoved { .. } => None,
    }
}

#[test]
fn only_what_is_near_a_touched_border_changes_with_waterways() {
    let (mut stood, mut gone, mut questions) = (0, 0, 0);
    for number in 0..100 {
        let mut dice = Stream::keyed(4006, Purpose::Bot, &[number]);
        let mut chart = atlas::standard();
        chart.set_waterway_rule(WaterwayRule::Isthmuses);
        for _ in 0..20 {
            chart.begin_change();
            let season = season(chart.map(), &mut dice);
            let Some((waterways, expected)) = thoroughly(&chart, &season, advise) else { continue };
            let before = chart.map().waterways.clone();
            let mut asked = Vec::new();
            let result = chart.shake(&season, &mut |question| {
                asked.push(question.clone());
                advise(question)
            });
            assert_eq!(result, Ok(()));
            assert_eq!(chart.map().waterways, waterways);
            assert_eq!(asked, expected);
            stood += before.iter().filter(|own| waterways.contains(own)).count();
            gone += before.iter().filter(|own| !waterways.contains(own)).count();
            questions += asked.len();
        }
    }
    assert!(stood > 5_000 && gone > 500 && questions > 1_000, "{stood} {gone} {questions}");
}
