//! The policy for bots that are at fault: the section `[faults]` of an experiment file.
//!
//! ```toml
//! [faults]
//! policy = "hold"                                       # or "forfeit", or "void-and-replay-same-line-up"
//! answers = ["timeout", "crash", "stall", "protocol"]   # the faults that the policy answers; "illegal" may be added
//! tries = 3                                             # of a game, with the last policy
//! share = 0.1                                           # a bot that fails in more than this share of its games stops the run
//! ```
//! Faults that the policy does not answer are answered by `hold`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use upheaval_engine::bot::Conduct;
use upheaval_engine::diagnostic::Form;
use upheaval_engine::diagnostic::value::{Decimal, Placed, Whole};

/// The section `[faults]`: the policy for bots at fault.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Faults"))]
pub(crate) struct FaultKeys {
    /// Left out: `hold`.
    policy: Option<FaultPolicy>,
    /// The faults that the policy answers; for others, the units hold.
    answers: Option<Vec<Conduct>>,
    /// How often a void game is played again.
    tries: Option<Placed<Whole<2, 100>>>,
    /// The run is stopped by a bot that fails in more than this share of its games. Left out: 0.1; 1: by none.
    share: Option<Decimal<0, 1_000_000>>,
}

/// The reaction to a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FaultPolicy {
    /// Units without orders hold, and the game continues; a program that has exited is not asked again in this game.
    Hold,
    /// The power is not asked again: its units hold to the end of the game, nothing is built for it, and whatever the
    /// board shows, it neither wins nor shares a draw.
    Forfeit,
    /// The game is void. It is played again from the start, with the same line-up and nature, and other dice for the
    /// bots. The last attempt counts in any case, as under [`FaultPolicy::Hold`].
    #[serde(rename = "void-and-replay-same-line-up")]
    Replay,
}

impl FaultPolicy {
    /// All policies.
    pub const ALL: [FaultPolicy; 3] = [FaultPolicy::Hold, FaultPolicy::Forfeit, FaultPolicy::Replay];

    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            FaultPolicy::Hold => "hold",
            FaultPolicy::Forfeit => "forfeit",
            FaultPolicy::Replay => "void-and-replay-same-line-up",
        }
    }
}

/// The policy, and the faults that it answers.
#[derive(Clone, PartialEq, Debug)]
pub struct FaultRule {
    /// The policy.
    pub policy: FaultPolicy,
    /// The faults.
    pub answers: Vec<Conduct>,
    /// The maximum number of attempts at a game.
    pub tries: u8,
    /// The largest share of its games in which a bot may fail without stopping the run. It decides about no game, so it
    /// is not part of the hash.
    pub share: f64,
}

impl FaultRule {
    /// The share of a rule that does not give one.
    pub const SHARE: f64 = 0.1;
}

impl Default for FaultRule {
    fn default() -> FaultRule {
        FaultRule {
            policy: FaultPolicy::Hold,
            answers: vec![Conduct::Timeout, Conduct::Crash, Conduct::Stall, Conduct::Protocol],
            tries: 3,
            share: FaultRule::SHARE,
        }
    }
}

impl FaultRule {
    /// The rule that the section `[faults]` of a file gives.
    pub(super) fn read(form: &Form<'_>, keys: &FaultKeys) -> Option<FaultRule> {
        let mut rule = FaultRule::default();
        rule.policy = keys.policy.unwrap_or(rule.policy);
        if let Some(answers) = &keys.answers {
            rule.answers.clear();
            for fault in answers {
                if !rule.answers.contains(fault) {
                    rule.answers.push(*fault);
                }
            }
        }
        rule.share = keys.share.map_or(rule.share, Decimal::get);
        if let Some(tries) = &keys.tries {
            if rule.policy != FaultPolicy::Replay {
                let message = "`faults.tries` needs `policy = \"void-and-replay-same-line-up\"`";
                return form.refuse(tries.span(), message);
            }
            rule.tries = tries.short() as u8;
        }
        Some(rule)
    }

    /// Does the policy answer this fault?
    pub(crate) fn answers(&self, fault: Conduct) -> bool {
        self.answers.contains(&fault)
    }

    /// The rule in this part of an experiment's canonical form; `None` if it is not a rule.
    fn from_content(content: &Value) -> Option<FaultRule> {
        let policy = content["policy"].as_str()?;
        let mut rule = FaultRule {
            policy: FaultPolicy::ALL.into_iter().find(|known| known.name() == policy)?,
            ..FaultRule::default()
        };
        if let Some(answers) = content.get("answers") {
            let fault =
                |word: &Value| Conduct::ALL.into_iter().find(|fault| word.as_str() == Some(fault.name()));
            rule.answers = answers.as_array()?.iter().map(fault).collect::<Option<_>>()?;
        }
        if let Some(tries) = content.get("tries") {
            rule.tries = tries.as_u64()?.try_into().ok()?;
        }
        Some(rule)
    }

    /// The rule as a part of an experiment's canonical form.
    fn content(&self) -> Value {
        let mut words: Vec<&str> = self.answers.iter().map(|fault| fault.name()).collect();
        words.sort_unstable();
        match self.policy {
            FaultPolicy::Hold => json!({ "policy": self.policy.name() }),
            FaultPolicy::Forfeit => json!({ "policy": self.policy.name(), "answers": words }),
            FaultPolicy::Replay => {
                json!({ "policy": self.policy.name(), "answers": words, "tries": self.tries })
            }
        }
    }
}

impl Serialize for FaultRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.content().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FaultRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FaultRule, D::Error> {
        let content = Value::deserialize(deserializer)?;
        FaultRule::from_content(&content).ok_or_else(|| serde::de::Error::custom("no rule about faults"))
    }
}
