//! The army/fleet page, rules 2 to 4: battles of pairs and landings.

use crate::rules::army_fleets::at_sea::moves;
use upheaval::ids::Power;

// ---- rule 2: the strength of one unit ----

#[test]
fn army_fleet_rule_2_the_pair_has_the_strength_of_one_in_attack_and_defence() {
    moves(&[(Power::ENGLAND, &["A/F ENG"], &["A/F ENG - MAO"]), (Power::FRANCE, &["F MAO"], &[])])
        .says(&[("A/F ENG - MAO", "bounce")])
        .leaves(Power::ENGLAND, &["A/F ENG"]);
    moves(&[(Power::ENGLAND, &["A/F ENG"], &[]), (Power::FRANCE, &["F MAO"], &["F MAO - ENG"])])
        .says(&[("F MAO - ENG", "bounce")]);
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &[]),
        (Power::FRANCE, &["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]),
    ])
    .says(&[("F MAO - ENG", "ok")])
    .drives_out(&["A/F ENG from MAO: IRI NTH"]);
}

#[test]
fn army_fleet_rule_2_it_attacks_and_dislodges_with_support() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F IRI"], &["A/F ENG - MAO", "F IRI S A/F ENG - MAO"]),
        (Power::FRANCE, &["F MAO"], &[]),
    ])
    .leaves(Power::ENGLAND, &["A/F MAO", "F IRI"])
    .drives_out(&["F MAO from ENG: BRE GAS NAF NAO POR SPA/NC SPA/SC WES"]);
}

#[test]
fn army_fleet_rule_2_it_fights_head_to_head_as_any_unit() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F IRI"], &["A/F ENG - MAO", "F IRI S A/F ENG - MAO"]),
        (Power::FRANCE, &["F MAO"], &["F MAO - ENG"]),
    ])
    .says(&[("A/F ENG - MAO", "ok"), ("F MAO - ENG", "bounce dislodged")])
    .leaves(Power::ENGLAND, &["A/F MAO", "F IRI"]);
}

#[test]
fn army_fleet_rule_2_it_goes_round_in_a_ring() {
    moves(&[(
        Power::ENGLAND,
        &["A/F ENG", "A/F IRI", "F MAO"],
        &["A/F ENG - MAO", "F MAO - IRI", "A/F IRI - ENG"],
    )])
    .leaves(Power::ENGLAND, &["A/F ENG", "A/F MAO", "F IRI"]);
}

#[test]
fn army_fleet_rule_2_it_supports_at_sea() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F IRI"], &["A/F ENG S F IRI - MAO", "F IRI - MAO"]),
        (Power::FRANCE, &["F MAO"], &[]),
    ])
    .says(&[("A/F ENG S F IRI - MAO", "ok"), ("F IRI - MAO", "ok")]);
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F MAO"], &["A/F ENG S F MAO"]),
        (Power::FRANCE, &["F WES", "F GAS"], &["F WES - MAO", "F GAS S F WES - MAO"]),
    ])
    .says(&[("A/F ENG S F MAO", "ok"), ("F WES - MAO", "bounce")]);
}

#[test]
fn army_fleet_rule_2_it_supports_into_a_coastal_province() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A PIC"], &["A/F ENG S A PIC - BRE", "A PIC - BRE"]),
        (Power::FRANCE, &["F BRE"], &[]),
    ])
    .says(&[("A/F ENG S A PIC - BRE", "ok"), ("A PIC - BRE", "ok")])
    .drives_out(&["F BRE from PIC: GAS MAO"]);
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F BRE"], &["A/F ENG S F BRE"]),
        (Power::FRANCE, &["A GAS", "A PAR"], &["A PAR - BRE", "A GAS S A PAR - BRE"]),
    ])
    .says(&[("A/F ENG S F BRE", "ok"), ("A PAR - BRE", "bounce")]);
}

#[test]
fn army_fleet_rule_2_it_is_supported() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F LON"], &["F LON S A/F ENG"]),
        (Power::FRANCE, &["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]),
    ])
    .says(&[("F LON S A/F ENG", "ok"), ("F MAO - ENG", "bounce")])
    .leaves(Power::ENGLAND, &["A/F ENG", "F LON"]);
}

#[test]
fn army_fleet_rule_2_its_support_is_cut_and_it_cuts() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F IRI"], &["A/F ENG S F IRI - MAO", "F IRI - MAO"]),
        (Power::FRANCE, &["F MAO", "F BRE"], &["F BRE - ENG"]),
    ])
    .says(&[("A/F ENG S F IRI - MAO", "cut"), ("F IRI - MAO", "bounce")]);
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A/F ENG - IRI"]),
        (Power::FRANCE, &["F IRI", "F NAO"], &["F IRI S F NAO - LVP", "F NAO - LVP"]),
        (Power::GERMANY, &["A LVP"], &[]),
    ])
    .says(&[("F IRI S F NAO - LVP", "cut"), ("F NAO - LVP", "bounce")]);
}

#[test]
fn army_fleet_rule_2_boarded_in_the_same_season_the_pair_fights_as_one_too() {
    // London does not defend the Channel with strength two.
    moves(&[
        (Power::ENGLAND, &["A LON", "F ENG"], &["A LON E F ENG"]),
        (Power::FRANCE, &["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]),
    ])
    .says(&[("A LON E F ENG", "ok"), ("F MAO - ENG", "ok")])
    .drives_out(&["A/F ENG from MAO: IRI NTH"]);
}

// ---- rule 3: landings ----

#[test]
fn army_fleet_rule_3_a_landing_is_an_attack_of_strength_one() {
    moves(&[(Power::ENGLAND, &["A/F MAO"], &["A MAO D POR"]), (Power::FRANCE, &["A POR"], &[])])
        .says(&[("A MAO D POR", "bounce")])
        .leaves(Power::ENGLAND, &["A/F MAO"])
        .contests(&[]);
}

#[test]
fn army_fleet_rule_3_it_may_be_supported_and_dislodges() {
    moves(&[
        (Power::ENGLAND, &["A/F MAO", "F SPA/SC"], &["A MAO D POR", "F SPA/SC S A MAO D POR"]),
        (Power::FRANCE, &["A POR"], &[]),
    ])
    .says(&[("A MAO D POR", "ok"), ("F SPA/SC S A MAO D POR", "ok")])
    .leaves(Power::ENGLAND, &["A POR", "F MAO", "F SPA/SC"])
    .drives_out(&["A POR from MAO: "]);
}

#[test]
fn army_fleet_rule_3_an_army_and_a_foreign_power_support_a_landing() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A ENG D PIC"]),
        (Power::GERMANY, &["A BEL"], &["A BEL S A ENG D PIC"]),
        (Power::FRANCE, &["A PIC"], &[]),
    ])
    .says(&[("A BEL S A ENG D PIC", "ok"), ("A ENG D PIC", "ok")])
    .drives_out(&["A PIC from ENG: BRE BUR PAR"]);
}

#[test]
fn army_fleet_rule_3_the_support_names_sea_and_province() {
    // A support of the fleet, of another landing, or from another sea does not count for this landing.
    let sides = |support| {
        let orders = ["A ENG D PIC", support];
        let answer =
            moves(&[(Power::ENGLAND, &["A/F ENG", "A BEL"], &orders), (Power::FRANCE, &["A PIC"], &[])]);
        (answer.word(support), answer.word("A ENG D PIC"))
    };
    let both = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(sides("A BEL S A ENG D PIC"), both("ok", "ok"));
    assert_eq!(sides("A BEL S A NTH D PIC"), both("illegal", "bounce"));
    assert_eq!(sides("A BEL S A ENG D BRE"), both("illegal", "bounce"), "out of its reach");
    assert_eq!(sides("A BEL S A ENG - PIC"), both("illegal", "bounce"));
}

#[test]
fn army_fleet_rule_3_a_support_for_a_landing_that_is_not_ordered_is_void() {
    moves(&[(Power::ENGLAND, &["A/F ENG", "A BEL"], &["A BEL S A ENG D PIC", "A ENG D BRE"])])
        .says(&[("A BEL S A ENG D PIC", "void"), ("A ENG D BRE", "ok")]);
}

#[test]
fn army_fleet_rule_3_its_support_is_cut_like_any() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A BEL"], &["A ENG D PIC", "A BEL S A ENG D PIC"]),
        (Power::FRANCE, &["A PIC", "A BUR"], &["A BUR - BEL"]),
    ])
    .says(&[("A BEL S A ENG D PIC", "cut"), ("A ENG D PIC", "bounce")]);
    // It is not cut by an attack out of the province that is attacked, unless the attack dislodges.
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A BEL"], &["A ENG D PIC", "A BEL S A ENG D PIC"]),
        (Power::FRANCE, &["A PIC"], &["A PIC - BEL"]),
    ])
    .says(&[("A BEL S A ENG D PIC", "ok"), ("A ENG D PIC", "ok"), ("A PIC - BEL", "bounce dislodged")]);
}

#[test]
fn army_fleet_rule_3_the_fleet_does_not_support_the_army_it_carries() {
    let alone = ["A ENG D PIC", "A/F ENG S A ENG D PIC"];
    moves(&[(Power::ENGLAND, &["A/F ENG"], &alone), (Power::FRANCE, &["A PIC"], &[])])
        .says(&[("A/F ENG S A ENG D PIC", "illegal"), ("A ENG D PIC", "bounce")]);
    // Nor does the support of another unit that would only get to its sea by driving the fleet out.
    moves(&[(Power::ENGLAND, &["A/F ENG", "A/F NTH"], &alone), (Power::FRANCE, &["A PIC"], &[])])
        .says(&[("A/F ENG S A ENG D PIC", "illegal"), ("A ENG D PIC", "bounce")]);
    // An army that boards in the same season does not either.
    let boarded = ["A LON E F ENG", "A ENG D PIC", "F ENG S A ENG D PIC"];
    moves(&[(Power::ENGLAND, &["A LON", "F ENG"], &boarded), (Power::FRANCE, &["A PIC"], &[])])
        .says(&[("F ENG S A ENG D PIC", "illegal"), ("A ENG D PIC", "bounce")]);
}

#[test]
fn army_fleet_rule_3_it_bounces_off_an_army_on_foot() {
    moves(&[(Power::ENGLAND, &["A/F ENG"], &["A ENG D PIC"]), (Power::FRANCE, &["A PAR"], &["A PAR - PIC"])])
        .says(&[("A ENG D PIC", "bounce"), ("A PAR - PIC", "bounce")])
        .leaves(Power::ENGLAND, &["A/F ENG"])
        .contests(&["PIC"]);
}

#[test]
fn army_fleet_rule_3_landings_from_two_seas_bounce() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A ENG D BEL"]),
        (Power::GERMANY, &["A/F NTH"], &["A NTH D BEL"]),
    ])
    .says(&[("A ENG D BEL", "bounce"), ("A NTH D BEL", "bounce")])
    .contests(&["BEL"]);
    // With support the one lands, and a power's own landings bounce as well.
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A PIC"], &["A ENG D BEL", "A PIC S A ENG D BEL"]),
        (Power::GERMANY, &["A/F NTH"], &["A NTH D BEL"]),
    ])
    .leaves(Power::ENGLAND, &["A BEL", "A PIC", "F ENG"])
    .leaves(Power::GERMANY, &["A/F NTH"]);
    moves(&[(Power::ENGLAND, &["A/F ENG", "A/F NTH"], &["A ENG D BEL", "A NTH D BEL"])])
        .says(&[("A ENG D BEL", "bounce"), ("A NTH D BEL", "bounce")]);
}

#[test]
fn army_fleet_rule_3_it_does_not_dislodge_a_unit_of_its_own_power() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A PIC"], &["A ENG D PIC"]),
        (Power::GERMANY, &["A BEL"], &["A BEL S A ENG D PIC"]),
    ])
    .says(&[("A ENG D PIC", "bounce")])
    .leaves(Power::ENGLAND, &["A PIC", "A/F ENG"]);
    // Nor with the help of the unit's own power.
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A ENG D PIC"]),
        (Power::FRANCE, &["A PIC", "A BRE"], &["A BRE S A ENG D PIC"]),
    ])
    .says(&[("A ENG D PIC", "bounce")])
    .drives_out(&[]);
}

#[test]
fn army_fleet_rule_3_it_lands_where_a_unit_leaves_and_not_where_one_cannot() {
    let england = ["A ENG D PIC"];
    moves(&[(Power::ENGLAND, &["A/F ENG"], &england), (Power::FRANCE, &["A PIC"], &["A PIC - PAR"])])
        .leaves(Power::ENGLAND, &["A PIC", "F ENG"]);
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &england),
        (Power::FRANCE, &["A PIC", "A PAR"], &["A PIC - PAR"]),
    ])
    .says(&[("A ENG D PIC", "bounce")]);
}

#[test]
fn army_fleet_rule_3_it_cuts_support() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A ENG D PIC"]),
        (Power::FRANCE, &["A PIC", "A BUR"], &["A PIC S A BUR - BEL", "A BUR - BEL"]),
        (Power::GERMANY, &["A BEL"], &[]),
    ])
    .says(&[("A PIC S A BUR - BEL", "cut"), ("A BUR - BEL", "bounce"), ("A ENG D PIC", "bounce")]);
}

#[test]
fn army_fleet_rule_3_it_does_not_cut_a_support_against_the_sea_it_comes_from() {
    // The pair is dislodged with the help of the very province that its army attacks.
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A ENG D BRE"]),
        (Power::FRANCE, &["F BRE", "F MAO"], &["F BRE S F MAO - ENG", "F MAO - ENG"]),
    ])
    .says(&[("F BRE S F MAO - ENG", "ok"), ("F MAO - ENG", "ok"), ("A ENG D BRE", "bounce")])
    .drives_out(&["A/F ENG from MAO: IRI NTH"]);
    // Unless it dislodges the supporter.
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A PIC"], &["A ENG D BRE", "A PIC S A ENG D BRE"]),
        (Power::FRANCE, &["F BRE", "F MAO"], &["F BRE S F MAO - ENG", "F MAO - ENG"]),
    ])
    .says(&[("F BRE S F MAO - ENG", "cut dislodged"), ("F MAO - ENG", "bounce"), ("A ENG D BRE", "ok")])
    .leaves(Power::ENGLAND, &["A BRE", "A PIC", "F ENG"])
    .drives_out(&["F BRE from ENG: GAS"]);
}

#[test]
fn army_fleet_rule_3_army_and_fleet_may_pass_each_other() {
    // This is not a head-to-head battle: the fleet of Brest drives the pair out of the sea while its army lands in
    // Brest.
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A ENG D BRE"]),
        (Power::FRANCE, &["F BRE", "F MAO"], &["F BRE - ENG", "F MAO S F BRE - ENG"]),
    ])
    .says(&[("A ENG D BRE", "ok"), ("F BRE - ENG", "ok")])
    .leaves(Power::ENGLAND, &["A BRE"])
    .leaves(Power::FRANCE, &["F ENG", "F MAO"])
    .drives_out(&["F ENG from BRE: BEL IRI LON NTH PIC WAL"]);
    // Without the support it stays, and holds Brest against the landing.
    moves(&[(Power::ENGLAND, &["A/F ENG"], &["A ENG D BRE"]), (Power::FRANCE, &["F BRE"], &["F BRE - ENG"])])
        .says(&[("A ENG D BRE", "bounce"), ("F BRE - ENG", "bounce")]);
}

#[test]
fn army_fleet_rule_3_the_army_of_a_dislodged_fleet_still_lands() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A ENG D PIC"]),
        (Power::FRANCE, &["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]),
    ])
    .says(&[("A ENG D PIC", "ok")])
    .leaves(Power::ENGLAND, &["A PIC"])
    // The fleet loses its army, and may retreat to a coast.
    .drives_out(&["F ENG from MAO: BEL IRI LON NTH WAL"]);
}

#[test]
fn army_fleet_rule_3_the_army_of_a_dislodged_fleet_lands_with_support_and_bounces_without() {
    let france: (&[&str], &[&str]) = (&["A PIC", "F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]);
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A BEL"], &["A ENG D PIC", "A BEL S A ENG D PIC"]),
        (Power::FRANCE, france.0, france.1),
    ])
    .leaves(Power::ENGLAND, &["A BEL", "A PIC"])
    .drives_out(&["F ENG from MAO: IRI LON NTH WAL", "A PIC from ENG: BUR PAR"]);
    moves(&[(Power::ENGLAND, &["A/F ENG", "A BEL"], &["A ENG D PIC"]), (Power::FRANCE, france.0, france.1)])
        .says(&[("A ENG D PIC", "bounce")])
        .drives_out(&["A/F ENG from MAO: IRI NTH"]);
}

#[test]
fn army_fleet_rule_3_what_the_pair_supports_is_lost_when_it_is_dislodged_and_the_landing_is_not() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F NTH"], &["A ENG D PIC", "A/F ENG S F NTH - BEL", "F NTH - BEL"]),
        (Power::FRANCE, &["F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]),
        (Power::GERMANY, &["A BEL"], &[]),
    ])
    .says(&[
        ("A/F ENG S F NTH - BEL", "cut dislodged"),
        ("F NTH - BEL", "bounce"),
        ("A ENG D PIC", "ok"),
    ]);
}

// ---- rule 4: landings that depend on the fleet's move ----

#[test]
fn army_fleet_rule_4_a_landing_out_of_a_sea_that_is_won() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "F IRI"], &["A/F ENG - MAO", "F IRI S A/F ENG - MAO", "A MAO D POR"]),
        (Power::FRANCE, &["F MAO"], &[]),
    ])
    .says(&[("A/F ENG - MAO", "ok"), ("A MAO D POR", "ok")])
    .leaves(Power::ENGLAND, &["A POR", "F IRI", "F MAO"])
    .drives_out(&["F MAO from ENG: BRE GAS NAF NAO SPA/NC SPA/SC WES"]);
}

#[test]
fn army_fleet_rule_4_a_landing_that_blocks_its_own_fleet_is_struck() {
    // If the army landed in Brest, it would bounce with the fleet that moves there, which would then stay in the sea
    // that the pair needs; if it did not, the pair would get there.
    let orders = ["A/F ENG - MAO", "A MAO D BRE"];
    let answer =
        moves(&[(Power::ENGLAND, &["A/F ENG"], &orders), (Power::FRANCE, &["F MAO"], &["F MAO - BRE"])]);
    answer.says(&[("A/F ENG - MAO", "ok"), ("F MAO - BRE", "ok"), ("A MAO D BRE", "void")]);
    answer.leaves(Power::ENGLAND, &["A/F MAO"]).leaves(Power::FRANCE, &["F BRE"]).contests(&[]);
    assert!(answer.reason("A MAO D BRE").contains("keep its own fleet"), "{}", answer.reason("A MAO D BRE"));
}

#[test]
fn army_fleet_rule_4_a_landing_that_would_dislodge_the_supporter_of_its_own_fleet_is_struck() {
    // France helps England into the sea, and England would dislodge the helper out of it.
    let england = ["A/F ENG - MAO", "A MAO D BRE", "A PIC S A MAO D BRE"];
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A PIC"], &england),
        (Power::FRANCE, &["F BRE"], &["F BRE S A/F ENG - MAO"]),
        (Power::GERMANY, &["F MAO"], &[]),
    ])
    .says(&[("A/F ENG - MAO", "ok"), ("A MAO D BRE", "void"), ("F BRE S A/F ENG - MAO", "ok")])
    .leaves(Power::ENGLAND, &["A PIC", "A/F MAO"]);
}

#[test]
fn army_fleet_rule_4_a_landing_and_the_move_that_it_helps_both_succeed() {
    // Brest holds the sea for its ally, and the army that comes with the fleet drives Brest out: as in a ring, each
    // needs the other, and both succeed.
    let england = ["A/F ENG - MAO", "F IRI S A/F ENG - MAO", "A MAO D BRE", "A PIC S A MAO D BRE"];
    moves(&[
        (Power::ENGLAND, &["A/F ENG", "A PIC", "F IRI"], &england),
        (Power::FRANCE, &["F BRE"], &["F BRE S F MAO"]),
        (Power::GERMANY, &["F MAO"], &[]),
    ])
    .says(&england.map(|order| (order, "ok")))
    .leaves(Power::ENGLAND, &["A BRE", "A PIC", "F IRI", "F MAO"]);
}

#[test]
fn army_fleet_rule_4_a_landing_at_the_supporter_of_its_own_fleet_bounces() {
    // It does not cut a support into the sea that it comes from, unless it dislodges.
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A/F ENG - MAO", "A MAO D BRE"]),
        (Power::FRANCE, &["F BRE"], &["F BRE S A/F ENG - MAO"]),
        (Power::GERMANY, &["F MAO"], &[]),
    ])
    .says(&[("A/F ENG - MAO", "ok"), ("A MAO D BRE", "bounce"), ("F BRE S A/F ENG - MAO", "ok")]);
}
