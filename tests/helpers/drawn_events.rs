//! Changes of a map drawn at random, as text.

use upheaval::rng::Stream;
use upheaval::topology::report::{FaceReport, MapReport, WaterwayReport};

/// An event of the kind with this number, with existing places as arguments, so that it is usually possible.
pub fn draw_event(report: &MapReport, random: &mut Stream) -> String {
    let names: Vec<&String> = report.faces.keys().collect();
    let any = |random: &mut Stream| names[random.below(names.len() as u32) as usize].clone();
    // First a kind, then a suitable face, or holes would never be restored.
    let suited = |random: &mut Stream, suits: &dyn Fn(&FaceReport) -> bool| {
        let fit: Vec<&String> = names.iter().copied().filter(|name| suits(&report.faces[*name])).collect();
        let rarely = random.below(12) == 0;
        if rarely {
            any(random)
        } else {
            random.choose(&fit).map_or_else(|| any(random), |name| (*name).clone())
        }
    };
    let is = |kind: &'static str| move |face: &FaceReport| face.kind == kind;
    let index = |random: &mut Stream| match random.below(3) {
        0 => String::new(),
        n => format!(" #{n}"),
    };
    match random.below(22) {
        0 | 1 => format!("collapse {}", any(random)),
        2 => format!("void {}", any(random)),
        3..=5 => format!("restore {}", suited(random, &|face| !face.alive || face.kind == "ice")),
        6 => format!("submerge {}", suited(random, &is("land"))),
        7 => format!("open {}", suited(random, &is("impassable"))),
        16 => format!("raise {}", suited(random, &is("sea"))),
        17 | 18 => format!("freeze {}", suited(random, &is("sea"))),
        19 => {
            let kind = random.choose(&["land", "sea", "ice", "impassable"]).expect("a kind");
            format!("reform {} {kind}", any(random))
        }
        20 => {
            let name = suited(random, &|face| face.kind == "land" && !face.coasts.is_empty());
            let mut seas = report.faces[&name].boundaries.concat();
            seas.retain(|other| report.faces[other].kind == "sea");
            let mut end = || random.choose(&seas).cloned().unwrap_or_else(|| name.clone());
            format!("dig {name} {} {}", end(), end())
        }
        21 => {
            let dug = |way: &&WaterwayReport| !way.origin.is_natural();
            let canals: Vec<&WaterwayReport> = report.waterways.iter().filter(dug).collect();
            let drawn = random.choose(&canals).map(|canal| canal.within[0].clone());
            format!("fill {}", drawn.unwrap_or_else(|| any(random)))
        }
        8 => {
            let name = suited(random, &|face| matches!(face.kind, "land" | "sea" | "ice"));
            let cycles = &report.faces[&name].boundaries;
            let cycle = &cycles[random.below(cycles.len() as u32) as usize];
            let mut end = || match random.choose(cycle) {
                Some(end) if cycles.concat().iter().filter(|n| *n == end).count() == 1 => end.clone(),
                Some(end) => format!("{end}#{}", 1 + random.below(2)),
                None => "OUT".to_owned(),
            };
            format!("split {name} {} {}", end(), end())
        }
        9..=12 => {
            let makes_islands = |face: &FaceReport| {
                let pinches = |cycle: &Vec<String>| (2..cycle.len()).any(|i| cycle[i] == cycle[i - 2]);
                face.kind != "hole" && face.boundaries.iter().any(pinches)
            };
            let a = match random.below(3) {
                0 => suited(random, &makes_islands),
                _ => suited(random, &|face| face.kind != "hole"),
            };
            let cycles = &report.faces[&a].boundaries;
            let cycle = &cycles[random.below(cycles.len() as u32) as usize];
            // In half of the cases a border with one face at both its ends, if there is one: that makes islands.
            let n = cycle.len();
            let pinched: Vec<usize> =
                (0..n).filter(|&i| n > 1 && cycle[(i + 1) % n] == cycle[(i + n - 1) % n]).collect();
            let at = match random.choose(&pinched) {
                Some(&at) if random.below(2) == 0 => at,
                _ => random.below(n as u32) as usize,
            };
            let [b, c, d] = [0, 1, cycle.len() - 1].map(|by| &cycle[(at + by) % cycle.len()]);
            format!("separate {a} {b} connect {c} {d}{}", index(random))
        }
        _ => {
            let b = suited(random, &|face| face.boundaries.len() > 1);
            let cycles = &report.faces[&b].boundaries;
            let mut from = |cycle: usize| random.choose(&cycles[cycle % cycles.len()]).cloned();
            let (a, c) = (from(0).unwrap_or_default(), from(1).unwrap_or_default());
            format!("connect {a} {c} through {b}{}", index(random))
        }
    }
}
