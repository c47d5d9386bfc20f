//! The phases of two games as one sequence of steps.

/// What a step shows of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// A phase of its own, or its end.
    Now,
    /// Its end, while the other game goes on.
    Over,
    /// What it showed last, for it waits for nothing in the phase of the other game.
    Idle,
}

/// A game in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Side {
    /// The number of its frame.
    pub frame: usize,
    /// What the frame is to the step.
    pub shown: Shown,
}

/// A step of two games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// Its name in links.
    pub id: String,
    /// The games.
    pub sides: [Side; 2],
}

/// The steps of two games whose frames have these names and moments. Phases of one name are one step; each game keeps
/// its order, and ends with a frame of its end.
pub(super) fn steps(frames: [&[(&str, f64)]; 2]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut at = [0, 0];
    while let [Some(&left), Some(&right)] = [0, 1].map(|side| frames[side].get(at[side])) {
        let comes = |side: usize, name: &str| frames[side][at[side]..].iter().any(|(id, _)| *id == name);
        let go = match (left.0 == right.0, comes(1, left.0), comes(0, right.0)) {
            (true, ..) => [true, true],
            (false, true, false) => [false, true],
            (false, false, true) => [true, false],
            _ => [left.1 <= right.1, left.1 > right.1],
        };
        let side = |side: usize| match (go[side], at[side]) {
            (true, frame) => Side { frame, shown: Shown::Now },
            (false, frame) if frame + 1 == frames[side].len() => Side { frame, shown: Shown::Over },
            (false, frame) => Side { frame: frame.saturating_sub(1), shown: Shown::Idle },
        };
        let sides = [side(0), side(1)];
        let id = if go[0] { left.0 } else { right.0 };
        // A name that both games have, but in another order, comes twice.
        let is_free = |name: &String| steps.iter().all(|step| step.id != *name);
        let mut names = std::iter::once(id.to_owned()).chain((2..).map(|n| format!("{id}-{n}")));
        let id = names.find(is_free).unwrap_or_default();
        steps.push(Step { id, sides });
        at = [0, 1].map(|side| at[side] + usize::from(go[side]));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_one_name_are_one_step_and_a_game_that_is_over_waits_for_the_other() {
        let left = [("S1M", 0.0), ("S1R", 0.0), ("F1M", 0.5), ("end", 9.0)];
        let right = [("S1M", 0.0), ("F1M", 0.5), ("F1R", 0.5), ("W1A", 1.0), ("end", 9.0)];
        let all = steps([&left, &right]);
        let told: Vec<_> = all
            .iter()
            .map(|step| (step.id.as_str(), step.sides.map(|side| (side.frame, side.shown))))
            .collect();
        use Shown::{Idle, Now, Over};
        assert_eq!(
            told,
            [
                ("S1M", [(0, Now), (0, Now)]),
                ("S1R", [(1, Now), (0, Idle)]),
                ("F1M", [(2, Now), (1, Now)]),
                ("F1R", [(3, Over), (2, Now)]),
                ("W1A", [(3, Over), (3, Now)]),
                ("end", [(3, Now), (4, Now)]),
            ]
        );
    }

    #[test]
    fn games_without_a_phase_in_common_follow_their_moments() {
        let all = steps([&[("S1M", 0.0), ("F1M", 0.5), ("end", 9.0)], &[("S1E", 0.25), ("end", 9.0)]]);
        let ids: Vec<&str> = all.iter().map(|step| step.id.as_str()).collect();
        assert_eq!(ids, ["S1M", "S1E", "F1M", "end"]);
    }
}
