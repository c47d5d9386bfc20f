//! The fast computations of greedy and dumbbot agree with plain ones.

use upheaval_bots::checks;

#[test]
fn worth_is_what_the_plain_computation_gives_on_any_map() {
    checks::worth_is_what_the_plain_computation_gives_on_any_map();
}

#[test]
fn worth_is_the_same_where_numbers_get_too_large_for_32_bits() {
    checks::worth_is_the_same_where_numbers_get_too_large_for_32_bits();
}

#[test]
fn what_a_place_and_its_neighbours_hold_fits_or_does_not() {
    checks::what_a_place_and_its_neighbours_hold_fits_or_does_not();
}

#[test]
fn the_sums_of_a_graph_are_those_of_its_neighbours() {
    checks::the_sums_of_a_graph_are_those_of_its_neighbours();
}

#[test]
fn distances_are_those_of_a_search_from_the_wanted_centres_on_any_map() {
    checks::distances_are_those_of_a_search_from_the_wanted_centres_on_any_map();
}

#[test]
fn worth_is_the_same_when_everybody_is_looked_at() {
    checks::worth_is_the_same_when_everybody_is_looked_at();
}

#[test]
fn the_goals_of_convoys_are_those_of_the_legal_orders() {
    checks::the_goals_of_convoys_are_those_of_the_legal_orders();
}

#[test]
fn candidates_come_best_first_and_equal_ones_in_each_order_equally_often() {
    checks::candidates_come_best_first_and_equal_ones_in_each_order_equally_often();
}
