//! The seas between which an entry digs canals.

use std::fmt;

use serde::{Serialize, Serializer};
use upheaval_map::ids::{ProvinceId, ProvinceSet};
use upheaval_map::topology::PlanarMap;

use super::set::Places;

/// By province of the board at the start, the two seas that a canal through it joins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CanalSeas(pub(super) Vec<(Places, [Places; 2])>);

impl CanalSeas {
    /// The seas between which a canal can be dug through this face now. A province has one canal at most that was dug; of
    /// a sea that was split, the first half counts that fits.
    pub fn of(&self, map: &PlanarMap, face: ProvinceId) -> Option<[ProvinceId; 2]> {
        let (_, [one, other]) = self.0.iter().find(|(through, _)| through.on(map).contains(face))?;
        let others = other.on(map);
        let pairs = one.on(map).iter().flat_map(|sea| others.iter().map(move |other| [sea, other]));
        pairs.filter(|_| !map.dug().contains(face)).find(|seas| map.may_dig(face, *seas))
    }

    /// Is a canal through this face between these seas one of them?
    pub(crate) fn has_canal(&self, map: &PlanarMap, face: ProvinceId, [x, y]: [ProvinceId; 2]) -> bool {
        let joins = |one: &Places, other: &Places| one.on(map).contains(x) && other.on(map).contains(y);
        let mut through = self.0.iter().filter(|(through, _)| through.on(map).contains(face));
        through.any(|(_, [one, other])| joins(one, other) || joins(other, one))
    }

    /// The faces through which a canal can be dug now.
    pub(super) fn fitting(&self, map: &PlanarMap) -> ProvinceSet {
        let through: ProvinceSet = self.0.iter().map(|(through, _)| through.on(map)).collect();
        through.iter().filter(|&face| self.of(map, face).is_some()).collect()
    }

    /// Why no canal can be dug through this face.
    pub(super) fn why_not(&self, map: &PlanarMap, face: ProvinceId) -> String {
        let seas = self.0.iter().find(|(through, _)| through.on(map).contains(face)).map(|(_, seas)| seas);
        let seas = seas.and_then(|[one, other]| Some([one.on(map).first()?, other.on(map).first()?]));
        match seas.map(|seas| map.clone().dig(face, seas)) {
            Some(Err(why)) => why.to_string(),
            Some(Ok(())) | None => "one was dug already".to_owned(),
        }
    }

    /// Does it name seas for the face with this name?
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(through, _)| through.names[0] == name)
    }
}

impl fmt::Display for CanalSeas {
    /// ` (STP from BAR to BOT)`; nothing if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |places: &Places| places.names.join(" | ");
        for (i, (through, [one, other])) in self.0.iter().enumerate() {
            let before = if i == 0 { " (" } else { ", " };
            write!(f, "{before}{} from {} to {}", name(through), name(one), name(other))?;
        }
        f.write_str(if self.0.is_empty() { "" } else { ")" })
    }
}

impl Serialize for CanalSeas {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let seas = |[one, other]: &[Places; 2]| [one.names[0].clone(), other.names[0].clone()];
        serializer.collect_map(self.0.iter().map(|(through, ends)| (&through.names[0], seas(ends))))
    }
}
