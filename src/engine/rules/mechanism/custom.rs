//! Mechanisms defined outside of this library: a type that implements [`MechanismSection`] and [`Act`], as the
//! built-in ones do, and that a [`MechanismRegistry`] makes available to the reader of variant files.
//!
//! ```
//! use std::path::Path;
//! use upheaval_engine::diagnostic::Source;
//! use upheaval_engine::rules::mechanism::{Act, Context, Key, MechanismRegistry, MechanismSection, PermittedValues};
//! use upheaval_engine::rules::map_tables::MapTables;
//! use upheaval_engine::rules::variant::Variant;
//! use upheaval_engine::rules::game_state::GameState;
//!
//! /// Unoccupied centres lose their owner.
//! #[derive(Debug, serde::Serialize, serde::Deserialize)]
//! struct Unrest {
//!     most: u8,
//! }
//!
//! impl MechanismSection for Unrest {
//!     type Form = Unrest;
//!     const KEYS: &'static [Key] =
//!         &[Key::new("unrest.most", PermittedValues::Numbers(1, 9), "how many a season")];
//!     fn check(unrest: Unrest, context: &Context<'_>, _: &MapTables) -> Option<Unrest> {
//!         if !(1..=9).contains(&unrest.most) {
//!             context.fault_at("most", format!("`most` must be from 1 to 9, not {}", unrest.most));
//!         }
//!         Some(unrest)
//!     }
//! }
//!
//! impl Act for Unrest {
//!     fn season_changed(&self, world: &mut GameState) {
//!         let left = *world.terrain.centres() - *world.position.occupied();
//!         left.iter().take(self.most.into()).for_each(|centre| world.position.set_owner(centre, None));
//!     }
//! }
//!
//! let mut registry = MechanismRegistry::default();
//! registry.add::<Unrest>("unrest");
//! let standard = Variant::find("standard", Path::new(""))?.ok_or("it ships")?;
//! let file = Source::new("unrest.toml", standard.files.variant + "[unrest]\nmost = 2\n");
//! let variant = Variant::check_with(&file, Path::new(""), &registry)?;
//! assert_eq!(variant.content()["mechanisms"][0]["kind"], "unrest");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::diagnostic::Form;
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::section::{Act, Context, Key, MechanismSection};
use upheaval_map::topology::NamedMap;

/// A mechanism from outside of this library with its parameters. Two are equal if they have the same name and
/// the same parameters, which are part of the experiment's hash.
#[derive(Clone)]
pub struct Custom {
    name: &'static str,
    keys: &'static [Key],
    parameters: Value,
    act: Arc<dyn Act + Send + Sync>,
}

impl Custom {
    /// The mechanism with this name, which is also the name of its section in a variant file.
    ///
    /// # Errors
    /// Its parameters cannot be represented in JSON.
    pub fn new<M>(name: &'static str, mechanism: M) -> Result<Custom, serde_json::Error>
    where
        M: MechanismSection + Act + Serialize + Send + Sync + 'static,
    {
        let parameters = serde_json::to_value(&mechanism)?;
        Ok(Custom { name, keys: M::KEYS, parameters, act: Arc::new(mechanism) })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its keys.
    pub(crate) fn keys(&self) -> &'static [Key] {
        self.keys
    }

    /// Its actions.
    pub(crate) fn act(&self) -> &dyn Act {
        &*self.act
    }
}

impl PartialEq for Custom {
    fn eq(&self, other: &Custom) -> bool {
        (self.name, &self.parameters) == (other.name, &other.parameters)
    }
}

impl Eq for Custom {}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Custom").field(&self.name).field(&self.parameters).finish()
    }
}

/// Serialised like the built-in mechanisms: the parameters, beside their `kind`.
impl Serialize for Custom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Value::Object(parameters) = &self.parameters else {
            return Err(S::Error::custom(format!("the parameters of `{}` are not a struct", self.name)));
        };
        let mut map = serializer.serialize_map(Some(1 + parameters.len()))?;
        map.serialize_entry("kind", self.name)?;
        for (key, value) in parameters {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// The mechanisms from outside of this library that may have sections in a variant file.
#[derive(Clone, Debug, Default)]
pub struct MechanismRegistry(Vec<Registered>);

/// Reads a section of a file as a mechanism's parameters.
pub(in crate::rules) type ReadSection = fn(&mut Form<'_>, &str) -> Option<(Box<dyn Read>, Range<usize>)>;

/// A mechanism that may have a section in a file.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Registered {
    /// The name of the section.
    pub name: &'static str,
    keys: &'static [Key],
    /// Reads the form of the section.
    pub read: ReadSection,
}

/// A section that has been read but not checked.
pub(in crate::rules) trait Read {
    /// [`MechanismSection::prepare_map`].
    fn prepare_map(&self, context: &Context<'_>, chart: &mut NamedMap);

    /// [`MechanismSection::check`].
    fn check(
        self: Box<Self>,
        name: &'static str,
        context: &Context<'_>,
        terrain: &MapTables,
    ) -> Option<Custom>;
}

/// The form of this mechanism's section.
struct FormOf<M: MechanismSection>(M::Form);

impl<M: MechanismSection + Act + Serialize + Send + Sync + 'static> Read for FormOf<M> {
    fn prepare_map(&self, context: &Context<'_>, chart: &mut NamedMap) {
        M::prepare_map(&self.0, context, chart);
    }

    fn check(
        self: Box<Self>,
        name: &'static str,
        context: &Context<'_>,
        terrain: &MapTables,
    ) -> Option<Custom> {
        let custom = Custom::new(name, M::check(self.0, context, terrain)?);
        custom.map_err(|error| context.fault(format!("[{name}]: {error}"))).ok()
    }
}

impl MechanismRegistry {
    /// Registers a mechanism under the name of its section. Mechanisms act in the order in which they are
    /// registered, after the built-in ones.
    pub fn add<M>(&mut self, name: &'static str)
    where
        M: MechanismSection<Form: 'static> + Act + Serialize + Send + Sync + 'static,
    {
        let read = |file: &mut Form<'_>, name: &str| -> Option<(Box<dyn Read>, Range<usize>)> {
            let (form, span) = file.take(name)?;
            Some((Box::new(FormOf::<M>(form)), span))
        };
        self.0.push(Registered { name, keys: M::KEYS, read });
    }

    /// The registered mechanisms, in order.
    pub(in crate::rules) fn all(&self) -> &[Registered] {
        &self.0
    }

    /// The names of the keys of all of them.
    pub(in crate::rules) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().flat_map(|registered| registered.keys).map(|key| key.name)
    }
}
