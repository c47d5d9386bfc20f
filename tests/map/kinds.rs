//! Changes of the kind of a face, and canals: seas that rise or freeze, ice that thaws, former kinds that are put back
//! below a hole, canals that are dug and filled. Every condition with its error, and what units can do afterwards.

use crate::helpers::charts::{after, apply, event, face, report, with};
use crate::helpers::small_maps;
use upheaval::ids::{CoastId, Location, ProvinceSet};
use upheaval::rules::map_tables::MapTables;
use upheaval::topology::report::MapReport;
use upheaval::topology::{
    CanalOrigin, CoastFate, FaceKind, FaceState, MapEvent, NamedMap, WaterwayRule, atlas, derive,
};

/// The reasons for which an event is refused after others; the board stays as it was.
fn refusals(cases: &[(&[&str], &str, &str)]) {
    for (events, text, reason) in cases {
        let mut chart = after(events);
        let (before, hash) = (report(&chart), chart.map().hash());
        let error = apply(&mut chart, text).expect_err(text);
        assert_eq!(error.to_string(), *reason, "{text} after {events:?}");
        assert_eq!((report(&chart), chart.map().hash()), (before, hash), "{text} after {events:?}");
    }
}

/// The report and the hash of a chart.
fn identity(chart: &NamedMap) -> (MapReport, u64) {
    (report(chart), chart.map().hash())
}

/// The destinations of a fleet on each coast of a face.
fn fleet<'a>(report: &'a MapReport, name: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    let names = |to: &'a Vec<String>| to.iter().map(String::as_str).collect();
    report.faces[name].fleet.iter().map(|(coast, to)| (coast.as_str(), names(to))).collect()
}

#[test]
fn only_an_open_sea_can_be_raised() {
    refusals(&[
        (&[], "raise PAR", "PAR is already a land province"),
        (&["collapse PAR"], "raise PAR", "PAR is already a land province"),
        (&["collapse ION"], "raise ION", "ION is not open: it is a hole"),
        (&["void ION"], "raise ION", "ION is not open: it is a hole"),
        (&[], "raise SWI", "SWI is not a sea and cannot be raised"),
        (&[], "raise OUT", "OUT is not a sea and cannot be raised"),
        (&["freeze ION"], "raise ION", "ION is not a sea and cannot be raised"),
        (&[], "raise XXX", "there is no province `XXX` on the map"),
    ]);
}

#[test]
fn only_an_open_sea_can_freeze() {
    refusals(&[
        (&["freeze BOT"], "freeze BOT", "BOT is already ice"),
        (&["freeze BOT", "void BOT"], "freeze BOT", "BOT is already ice"),
        (&["collapse BOT"], "freeze BOT", "BOT is not open: it is a hole"),
        (&["void BOT"], "freeze BOT", "BOT is not open: it is a hole"),
        (&[], "freeze FIN", "FIN is not a sea and cannot freeze"),
        (&[], "freeze SWI", "SWI is not a sea and cannot freeze"),
        (&[], "freeze OUT", "OUT is not a sea and cannot freeze"),
        (&[], "freeze XXX", "there is no province `XXX` on the map"),
    ]);
}

#[test]
fn ice_is_neither_land_nor_sea_to_other_operations() {
    refusals(&[
        (&["freeze BOT"], "submerge BOT", "BOT is not a land province and cannot be submerged"),
        (&["freeze BOT"], "open BOT", "BOT is not impassable: there is nothing to open"),
        (&["freeze BOT"], "dig BOT BAL STP", "BOT is not a land province and cannot have a canal"),
        (&["freeze BOT"], "dig LVN BAL BOT", "BOT is not an open sea: a canal joins two seas"),
    ]);
}

#[test]
fn any_kind_can_be_given_to_any_face_but_the_outside_and_points() {
    refusals(&[
        (&[], "reform OUT land", "OUT is the outside of the board and cannot change its kind"),
        (&[], "reform BOT sea", "BOT is already a sea"),
        (&["void PAR"], "reform PAR land", "PAR is already a land province"),
        (&[], "reform SWI impassable", "SWI is already impassable"),
        (&["freeze BOT"], "reform BOT ice", "BOT is already ice"),
        (&[], "reform XXX ice", "there is no province `XXX` on the map"),
    ]);
    let mut chart = atlas::standard();
    let paris = face(&chart, "PAR");
    let reason = |kind, chart: &mut NamedMap| chart.reform(paris, kind).expect_err("refused").to_string();
    assert_eq!(reason(FaceKind::Outside, &mut chart), "PAR cannot become the outside of the board");
    assert_eq!(reason(FaceKind::Point, &mut chart), "PAR cannot become a point of the board");
    let lines = "OUT outside DD CC BB AA\nAA land OUT BB XX DD\nBB sea OUT CC XX AA\nCC land OUT DD XX BB\n\
                 DD sea OUT AA XX CC\nXX point AA BB CC DD";
    let mut chart = small_maps::chart(lines);
    let error = apply(&mut chart, "reform XX land").expect_err("a point").to_string();
    assert_eq!(error, "XX is a point of the board and cannot change its kind");

    for state in [&[][..], &["collapse"], &["void"]] {
        for (name, kind) in
            [("BOT", "ice"), ("BOT", "land"), ("PAR", "sea"), ("PAR", "ice"), ("PAR", "impassable")]
        {
            let before: Vec<String> = state.iter().map(|state| format!("{state} {name}")).collect();
            let before: Vec<&str> = before.iter().map(String::as_str).collect();
            let chart = after(&before);
            let was = chart.map().face(face(&chart, name)).expect("a face");
            let changed = with(chart.clone(), &[&format!("reform {name} {kind}")]);
            let now = changed.map().face(face(&changed, name)).expect("a face");
            assert_eq!((now.kind().word(), now.state()), (kind, was.state()));
            let back = with(changed, &[&format!("reform {name} {}", was.kind().word())]);
            assert_eq!(identity(&back), identity(&chart), "{before:?}, {kind}");
        }
    }
}

#[test]
fn an_army_walks_over_ice() {
    let chart = after(&["freeze BOT"]);
    let report = report(&chart);
    assert_eq!(report.faces["BOT"].kind, "ice");
    assert_eq!(report.faces["BOT"].army, ["FIN", "LVN", "STP", "SWE"]);
    for beside in ["FIN", "LVN", "STP", "SWE"] {
        assert!(report.faces[beside].army.contains(&"BOT".to_owned()), "{beside}");
    }
    let board = derive(chart.map());
    let bothnia = face(&chart, "BOT");
    assert!(board.land().contains(bothnia) && !board.sea().contains(bothnia));
    assert_eq!(*board.ice(), ProvinceSet::single(bothnia));
}

#[test]
fn a_fleet_beside_ice_loses_that_coast() {
    let (before, now) = (report(&atlas::standard()), report(&after(&["freeze BOT"])));
    assert_eq!(fleet(&before, "STP").len(), 2);
    assert_eq!(fleet(&now, "STP"), [("", vec!["BAR", "NWY"])]);
    assert_eq!((fleet(&before, "FIN").len(), fleet(&now, "FIN")), (1, vec![]));
    // Round the corner at Livonia there is now ice, which no fleet can enter.
    assert_eq!(fleet(&now, "LVN"), [("", vec!["BAL", "PRU"])]);
    assert!(fleet(&now, "BOT").is_empty() && now.faces["BOT"].coasts.is_empty());
    assert!(now.faces.values().all(|face| face.fleet.values().flatten().all(|to| to != "BOT")));

    let mut chart = atlas::standard();
    let mut board = derive(chart.map());
    let at = |chart: &NamedMap, name, coast| Location { province: face(chart, name), coast: CoastId(coast) };
    let south =
        chart.coast_names(&board, face(&chart, "STP")).iter().position(|name| name.to_string() == "SC");
    let south = south.expect("a south coast") as u8;
    chart.begin_change();
    apply(&mut chart, "freeze BOT").expect("a sea");
    board.follow(chart.map());
    let fate = |at| chart.coast_fate(board.former(), &board, at);
    assert_eq!(fate(at(&chart, "STP", south)), CoastFate::Moves(CoastId::FIRST));
    assert_eq!(fate(at(&chart, "STP", 1 - south)), CoastFate::Stays(CoastId::FIRST));
    assert_eq!(fate(at(&chart, "FIN", 0)), CoastFate::Lost);
    assert_eq!(fate(at(&chart, "LVN", 0)), CoastFate::Stays(CoastId::FIRST));
    assert_eq!(fate(at(&chart, "BOT", 0)), CoastFate::Lost);
}

#[test]
fn a_coast_with_ice_in_its_middle_is_divided() {
    let seas = |report: &MapReport| -> Vec<Vec<String>> {
        report.faces["NWY"].coasts.iter().map(|coast| coast.seas.clone()).collect()
    };
    assert_eq!(seas(&report(&atlas::standard())), [["BAR", "NTH", "NWG", "SKA"]]);
    assert_eq!(seas(&report(&after(&["freeze NTH"]))), [&["BAR", "NWG"][..], &["SKA"]]);
}

#[test]
fn a_convoy_neither_passes_ice_nor_lands_on_it() {
    let chart = after(&["freeze BOT"]);
    let board = derive(chart.map());
    let [bothnia, finland, baltic] = ["BOT", "FIN", "BAL"].map(|name| face(&chart, name));
    // A convoy goes through seas, and begins and ends at land from which one can be reached.
    assert!(board.seas_next_to(bothnia).is_empty());
    assert!(board.seas_next_to(finland).is_empty());
    assert!(!board.fleet_reach_any(baltic).contains(bothnia));
    assert!(!board.sea().contains(bothnia));
}

#[test]
fn fleets_do_not_meet_ice_at_a_point() {
    let board = |events: &[&str]| report(&after(events));
    let (sea, ice) = (board(&["collapse LVN"]), board(&["freeze BOT", "collapse LVN"]));
    assert!(fleet(&sea, "PRU")[0].1.contains(&"BOT"));
    assert!(!fleet(&ice, "PRU")[0].1.contains(&"BOT"));
    assert!(ice.faces["PRU"].army.contains(&"BOT".to_owned()), "armies meet it there");
}

#[test]
fn thawed_ice_is_the_sea_that_it_was() {
    let before = atlas::standard();
    for thaw in ["restore BOT", "reform BOT sea"] {
        assert_eq!(identity(&after(&["freeze BOT", thaw])), identity(&before), "{thaw}");
    }
    let mut chart = after(&["freeze BOT"]);
    assert_ne!(chart.map().hash(), before.map().hash());
    let bothnia = face(&chart, "BOT");
    assert_eq!(chart.thaw(bothnia), Ok(()));
    assert_eq!(identity(&chart), identity(&before));
    let error = chart.thaw(bothnia).expect_err("a sea").to_string();
    assert_eq!(error, "BOT is not ice: there is nothing to thaw");
    let error = apply(&mut chart, "restore BOT").expect_err("a sea").to_string();
    assert_eq!(error, "BOT is not a hole: there is nothing to restore");
}

#[test]
fn a_hole_over_ice_comes_back_as_ice_unless_it_has_thawed() {
    for hole in ["collapse BOT", "void BOT"] {
        let hidden = after(&["freeze BOT", hole]);
        assert_eq!(identity(&with(hidden.clone(), &["restore BOT"])), identity(&after(&["freeze BOT"])));
        let mut thawed = hidden;
        thawed.thaw(face(&thawed, "BOT")).expect("ice below a hole");
        assert_eq!(identity(&thawed), identity(&after(&[hole])));
        assert_eq!(identity(&with(thawed, &["restore BOT"])), identity(&atlas::standard()));
    }
}

#[test]
fn a_centre_sleeps_below_ice_and_stays_with_a_raised_sea() {
    let mut chart = atlas::standard();
    let ionian = face(&chart, "ION");
    chart.found_centre(ionian, None);
    let awake = |events: &[&str]| {
        let tables = MapTables::new(with(chart.clone(), events));
        let is_awake = tables.chart().centres().contains(ionian);
        assert_eq!(tables.centres().contains(ionian), is_awake, "{events:?}");
        is_awake
    };
    assert!(awake(&[]) && awake(&["raise ION"]) && awake(&["raise ION", "reform ION sea"]));
    assert!(!awake(&["freeze ION"]) && !awake(&["freeze ION", "collapse ION", "restore ION"]));
    assert!(awake(&["freeze ION", "restore ION"]));
    assert!(awake(&["freeze ION", "collapse ION", "reform ION sea", "restore ION"]));
    assert!(!awake(&["raise ION", "submerge ION"]), "a submerged centre is lost");
}

#[test]
fn a_raised_sea_has_a_coast_on_every_sea_beside_it() {
    let mut chart = atlas::standard();
    let mut board = derive(chart.map());
    let ionian = face(&chart, "ION");
    chart.begin_change();
    apply(&mut chart, "raise ION").expect("a sea");
    board.follow(chart.map());
    let raised = report(&chart);
    assert_eq!(raised.faces["ION"].kind, "land");
    assert_eq!(raised.faces["ION"].army, ["ALB", "APU", "GRE", "NAP", "TUN"]);
    let seas: Vec<&Vec<String>> = raised.faces["ION"].coasts.iter().map(|coast| &coast.seas).collect();
    assert_eq!(seas, [&vec!["AEG", "EAS"], &vec!["ADR"], &vec!["TYS"]]);
    // A fleet that was at sea has not been on any of these coasts: its owner chooses.
    let at = Location { province: ionian, coast: CoastId::FIRST };
    let CoastFate::Choice { coasts, .. } = chart.coast_fate(board.former(), &board, at) else {
        panic!("no choice")
    };
    assert_eq!(coasts.len(), 3);
    assert_eq!(identity(&with(chart, &["submerge ION"])), identity(&atlas::standard()));
}

#[test]
fn a_raised_lake_has_no_coast_and_one_on_a_single_sea_has_one() {
    let chart = small_maps::chart(small_maps::ISLES);
    assert!(report(&with(chart.clone(), &["raise LAKE"])).faces["LAKE"].coasts.is_empty());
    let chart = with(small_maps::chart(small_maps::POND), &["submerge AA", "raise AA"]);
    assert_eq!(report(&chart).faces["AA"].coasts.len(), 1);
}

#[test]
fn a_canal_joins_two_coasts_and_filling_it_divides_them_again() {
    let dug = after(&["dig STP BAR BOT"]);
    assert_eq!(fleet(&report(&dug), "STP"), [("", vec!["BAR", "BOT", "FIN", "LVN", "NWY"])]);
    let canals = report(&dug).waterways;
    let canal = canals.iter().find(|way| way.origin == CanalOrigin::Dug).expect("a canal that was dug");
    assert_eq!(
        (canal.kind, &canal.within[..], &canal.ends[..]),
        ("canal", &["STP".to_owned()][..], &["BAR".to_owned(), "BOT".to_owned()][..])
    );
    assert!(report(&dug).to_text().contains("canal: in STP between BAR and BOT, dug\n"));
    assert_ne!(dug.map().hash(), atlas::standard().map().hash());
    assert_eq!(identity(&dug), identity(&after(&["dig STP BOT BAR"])), "in either direction");
    assert_eq!(identity(&with(dug, &["fill STP"])), identity(&atlas::standard()));

    let mut chart = atlas::standard();
    let mut board = derive(chart.map());
    chart.begin_change();
    apply(&mut chart, "dig STP BAR BOT").expect("two seas");
    board.follow(chart.map());
    assert_eq!(board, derive(chart.map()));
    let province = face(&chart, "STP");
    for coast in [0, 1].map(CoastId) {
        let fate = chart.coast_fate(board.former(), &board, Location { province, coast });
        assert_eq!(fate, CoastFate::Stays(CoastId::FIRST));
    }
}

#[test]
fn only_two_open_seas_beside_open_land_can_be_joined_and_only_once() {
    refusals(&[
        (&["collapse STP"], "dig STP BAR BOT", "STP is not open: it is a hole"),
        (&["void STP"], "dig STP BAR BOT", "STP is not open: it is a hole"),
        (&[], "dig BOT BAL BAR", "BOT is not a land province and cannot have a canal"),
        (&[], "dig SWI LYO ADR", "SWI is not a land province and cannot have a canal"),
        (&[], "dig OUT BAR NWG", "OUT is the outside of the board and cannot have a canal"),
        (&[], "dig STP BAR FIN", "FIN is not an open sea: a canal joins two seas"),
        (&["collapse BOT"], "dig STP BAR BOT", "BOT is not an open sea: a canal joins two seas"),
        (&[], "dig STP BAR BAL", "STP and BAL share no border"),
        (&[], "dig STP BOT BOT", "BOT is named twice"),
        (&["dig STP BAR BOT"], "dig STP BOT BAR", "BOT and BAR are already joined through STP"),
        (&[], "dig KIE BAL HEL", "BAL and HEL are already joined through KIE"),
        (&[], "dig XXX BAR BOT", "there is no province `XXX` on the map"),
        (&[], "dig STP BAR XXX", "there is no province `XXX` on the map"),
    ]);
}

#[test]
fn only_canals_that_were_dug_can_be_filled_and_below_a_hole_too() {
    refusals(&[
        (&[], "fill STP", "no canal was dug through STP: there is nothing to fill"),
        (&[], "fill KIE", "no canal was dug through KIE: there is nothing to fill"),
        (
            &["dig STP BAR BOT", "fill STP"],
            "fill STP",
            "no canal was dug through STP: there is nothing to fill",
        ),
        (&[], "fill XXX", "there is no province `XXX` on the map"),
    ]);
    for hole in ["collapse STP", "void STP", "reform STP ice"] {
        let filled = after(&["dig STP BAR BOT", hole, "fill STP"]);
        assert_eq!(identity(&filled), identity(&after(&[hole])), "{hole}");
    }
}

#[test]
fn a_canal_joins_nothing_while_the_sea_at_its_end_is_frozen() {
    let coasts = |events: &[&str], name| report(&after(events)).faces[name].coasts.len();
    assert_eq!(coasts(&["freeze BAL"], "KIE"), 1);
    assert_eq!(identity(&after(&["freeze BAL", "restore BAL"])), identity(&atlas::standard()));
    let dug = ["dig SPA WES MAO", "freeze MAO"];
    assert_eq!(coasts(&["dig SPA WES MAO"], "SPA"), 1);
    assert_eq!(report(&after(&dug)).faces["SPA"].coasts[0].seas, ["LYO", "WES"]);
}

#[test]
fn a_canal_ends_at_every_stretch_of_a_sea() {
    // Spain meets the Atlantic on both sides of Portugal.
    let chart = after(&["dig SPA LYO MAO"]);
    assert_eq!(report(&chart).faces["SPA"].coasts.len(), 1);
    let listed = report(&chart).waterways.iter().filter(|way| way.within == ["SPA"]).count();
    assert_eq!(listed, 1, "it is one canal");
}

#[test]
fn a_dug_canal_goes_to_the_half_that_has_both_ends_and_can_be_filled_there() {
    let split = after(&["dig STP BAR BOT", "split STP MOS LVN"]);
    let ways = report(&split).waterways;
    let canal = ways.iter().find(|way| way.origin == CanalOrigin::Dug).expect("a canal that was dug");
    let half = canal.within[0].clone();
    assert!(half.starts_with("STP."), "{half}");
    let filled = with(split, &[&format!("fill {half}")]);
    assert_eq!(identity(&filled), identity(&after(&["split STP MOS LVN"])));
}

#[test]
fn a_dug_canal_that_an_isthmus_moves_is_still_a_dug_canal() {
    let mut chart = atlas::standard();
    chart.set_waterway_rule(WaterwayRule::Isthmuses);
    let chart = with(chart, &["dig SWE SKA BOT"]);
    let mut moved = 0;
    for quake in chart.map().quakes() {
        let mut shaken = chart.clone();
        if shaken.quake(quake).is_err() {
            continue;
        }
        let ways = report(&shaken).waterways;
        for way in ways.iter().filter(|way| way.within == ["SWE"]) {
            assert_eq!(way.origin, CanalOrigin::Dug);
            moved += usize::from(way.ends != ["BOT", "SKA"]);
        }
    }
    assert!(moved > 0, "no quake moved the canal");
}

#[test]
fn ice_forms_isthmuses_as_land_does() {
    let isthmuses = |events: &[&str]| report(&after(events)).isthmuses;
    // The border of Denmark and the ice of the Skagerrak ends at the North Sea and at sunken Sweden.
    let pair = ["DEN", "SKA"].map(str::to_owned);
    assert!(!isthmuses(&["submerge SWE"]).contains(&pair));
    let flooded = isthmuses(&["freeze SKA", "submerge SWE"]);
    assert!(flooded.contains(&pair), "{flooded:?}");
}

#[test]
fn ice_can_be_split_and_each_half_thaws() {
    let split = after(&["freeze BOT", "split BOT FIN LVN"]);
    assert_eq!(report(&split).faces["BOT.1"].kind, "ice");
    let thawed = with(split, &["restore BOT.1", "restore BOT.2"]);
    assert_eq!(identity(&thawed), identity(&after(&["split BOT FIN LVN"])));
}

#[test]
fn an_archipelago_counts_only_while_it_is_land() {
    let mut chart = atlas::standard();
    let denmark = face(&chart, "DEN");
    chart.set_archipelagos(ProvinceSet::single(denmark));
    let plain = |events: &[&str]| report(&after(events));
    let marked = |events: &[&str]| report(&with(chart.clone(), events));
    assert_eq!(marked(&["reform DEN ice"]), plain(&["reform DEN ice"]));
    assert_eq!(marked(&["submerge DEN"]), plain(&["submerge DEN"]));
    assert_eq!(fleet(&marked(&["submerge DEN", "raise DEN"]), "DEN"), fleet(&marked(&[]), "DEN"));
}

#[test]
fn events_on_kinds_and_canals_are_read_as_they_are_written() {
    for text in [
        "raise ION",
        "freeze BOT",
        "reform SWI impassable",
        "reform BOT ice",
        "reform BOT sea",
        "reform BOT land",
        "dig STP BAR BOT",
        "fill STP",
    ] {
        assert_eq!(event(text).to_string(), text);
        assert_eq!(event(&text.to_lowercase()), event(text));
    }
    for text in [
        "raise",
        "freeze BOT BAL",
        "reform BOT",
        "reform BOT void",
        "reform BOT outside",
        "dig STP BAR",
        "fill",
    ] {
        let error = text.parse::<MapEvent>().expect_err(text).to_string();
        assert!(error.contains("`freeze BOT`") && error.contains("`dig STP BAR BOT`"), "{error}");
    }
}

#[test]
fn a_map_file_can_have_frozen_seas() {
    let text = r#"{"faces": {
        "ISLE": {"name": "Isle", "kind": "land", "neighbours_ccw": ["ICE"]},
        "ICE": {"name": "Ice", "kind": "ice", "supply_centre": true, "neighbours_ccw": ["ISLE"]}
    }}"#;
    let chart = atlas::parse("frozen.json", text).expect("a map");
    let ice = face(&chart, "ICE");
    let of_ice = chart.map().face(ice).map(|face| (face.kind(), face.state()));
    assert_eq!(of_ice, Some((FaceKind::Ice, FaceState::Open)));
    assert!(chart.centres().is_empty());
    let thawed = with(chart, &["restore ICE"]);
    assert_eq!(report(&thawed).faces["ICE"].kind, "sea");
    assert!(thawed.centres().contains(ice));
    let home = text.replace(r#""supply_centre": true"#, r#""supply_centre": true, "home": "france""#);
    let error = atlas::parse("frozen.json", &home).expect_err("a home on ice").to_string();
    assert!(error.contains("ICE is not land and cannot be a home"), "{error}");
}

#[test]
fn a_centre_is_founded_as_nobodys_home_or_a_powers_and_ruined() {
    let tyrolia = face(&atlas::standard(), "TYR");
    let founded = |event: &str| {
        let chart = with(atlas::standard(), &[event]);
        chart
            .info(tyrolia)
            .map(|info| (info.supply_centre, info.home.map(|home| chart.power_names().name(home).to_owned())))
    };
    assert_eq!(founded("found TYR"), Some((true, None)));
    assert_eq!(founded("found TYR home austria"), Some((true, Some("AUSTRIA".to_owned()))));
    let ruined = with(atlas::standard(), &["ruin SMY"]);
    assert!(!ruined.centres().contains(face(&ruined, "SMY")));
    let again = with(ruined, &["found SMY"]);
    assert_eq!(again.info(face(&again, "SMY")).and_then(|info| info.home), None, "a home only if it is said");
}

#[test]
fn centres_that_cannot_begin_or_end_are_refused_with_the_reason() {
    refusals(&[
        (&[], "found PAR", "PAR is already a supply centre"),
        (&[], "found SWI", "SWI is neither land nor sea and cannot be a supply centre"),
        (&[], "ruin TYR", "TYR is not a supply centre"),
        (&["ruin SMY"], "ruin SMY", "SMY is not a supply centre"),
    ]);
}
