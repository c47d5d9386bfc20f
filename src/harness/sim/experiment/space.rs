//! The subject of an experiment's sweeps, before arms are made from them: for spaces that are too large to be
//! multiplied out.

use toml::Value;

/// The parameters of an experiment that have several values.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The ids of its variants.
    pub variants: Vec<String>,
    /// The swept parameters, in the order of the sweeps.
    pub dimensions: Vec<Dimension>,
    /// Combinations that are left out: for each parameter in one the values concerned.
    pub skips: Vec<Vec<(String, Vec<Value>)>>,
}

/// A swept parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// The parameter.
    pub parameter: String,
    /// Its values, in the order of the sweep.
    pub values: Vec<Value>,
    /// The ids of the variants in which it is swept.
    pub variants: Vec<String>,
}
