//! The standard board with its names, and a small reader of order text with just enough legality for the
//! DATC.
#![allow(dead_code)]

use std::collections::BTreeMap;

use serde_json::Value;
use upheaval::ids::{CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rules::order::{Order, Route};
use upheaval::rules::position::{Position, Unit};
use upheaval::topology::Board;

pub struct Standard {
    pub board: Board,
    pub names: Vec<String>,
    ids: BTreeMap<String, ProvinceId>,
    pub centres: ProvinceSet,
    pub home: BTreeMap<&'static str, ProvinceSet>,
    coasts: BTreeMap<ProvinceId, Vec<&'static str>>,
}

impl Standard {
    pub fn load() -> Standard {
        let text = include_str!("../../maps/standard.json");
        let Value::Object(map) = serde_json::from_str(text).unwrap() else { panic!() };
        let mut names: Vec<String> = map.keys().cloned().collect();
        names.sort();
        let ids: BTreeMap<String, ProvinceId> =
            names.iter().enumerate().map(|(i, n)| (n.clone(), ProvinceId(i as u8))).collect();
        let kind = |n: &str| map[n]["kind"].as_str().unwrap();
        let ring = |n: &str| -> Vec<&str> {
            map[n]["neighbours_ccw"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
        };
        let id = |n: &str| ids[n].0;
        let coast_name = |n: &str, sea: &str, before: &str| -> u8 {
            match (n, sea) {
                ("STP", "BOT") | ("BUL", "AEG") => 1,
                ("SPA", "WES" | "LYO") => 1,
                ("SPA", "MAO") if before == "POR" => 1,
                _ => 0,
            }
        };
        let (mut army, mut seas, mut fleet) = (vec![], vec![], vec![]);
        let (mut land, mut sea) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
        let mut coasts = vec![0u8; names.len()];
        for n in &names {
            let r = ring(n);
            match kind(n) {
                "land" => land.insert(ids[n]),
                "sea" => sea.insert(ids[n]),
                _ => continue,
            }
            if kind(n) == "sea" {
                coasts[id(n) as usize] = 1;
            }
            for (i, &b) in r.iter().enumerate() {
                let before = r[(i + r.len() - 1) % r.len()];
                let after = r[(i + 1) % r.len()];
                match (kind(n), kind(b)) {
                    ("land", "land") => {
                        army.push((id(n), id(b)));
                        let rb = ring(b);
                        // The border's ends: here `before` and `after`; in the other ring they stand the
                        // other way round.
                        for s in [before, after].into_iter().filter(|s| kind(s) == "sea") {
                            // ccw here: before, b, after; before here is after there.
                            let ca = coast_name(
                                n,
                                s,
                                r[(r.iter().position(|x| *x == s).unwrap() + r.len() - 1) % r.len()],
                            );
                            let ca = if *n == "SPA" && s == "MAO" && b == "POR" {
                                if s == before && i == 1 { 0 } else { 1 }
                            } else {
                                ca
                            };
                            let _ = &rb;
                            let cb = if b == "SPA" && s == "MAO" && *n == "POR" {
                                // POR touches both of them; the two ends are told apart below.
                                2
                            } else {
                                coast_name(b, s, if b == "SPA" && n == "GAS" { "GAS" } else { "" })
                            };
                            if cb == 2 {
                                for c in [0, 1] {
                                    fleet.push(((id(n), ca), (id(b), c)));
                                }
                            } else if *n == "SPA" && b == "POR" {
                                for c in [0, 1] {
                                    fleet.push(((id(n), c), (id(b), cb)));
                                }
                            } else {
                                fleet.push(((id(n), ca), (id(b), cb)));
                            }
                        }
                    }
                    ("land", "sea") => {
                        let c = coast_name(n, b, before);
                        coasts[id(n) as usize] = coasts[id(n) as usize].max(c + 1);
                        seas.push((id(n), id(b)));
                        fleet.push(((id(n), c), (id(b), 0)));
                        fleet.push(((id(b), 0), (id(n), c)));
                    }
                    ("sea", "sea") => {
                        seas.push((id(n), id(b)));
                        fleet.push(((id(n), 0), (id(b), 0)));
                    }
                    _ => {}
                }
            }
        }
        let board = Board::throwaway(names.len(), land, sea, &army, &seas, &coasts, &fleet);
        let mut centres = ProvinceSet::EMPTY;
        let mut home = BTreeMap::new();
        for n in &names {
            if map[n]["supply_centre"] == true {
                centres.insert(ids[n]);
            }
            if let Some(p) = map[n]["home"].as_str() {
                let p: Power = p.parse().unwrap();
                home.entry(p.name()).or_insert(ProvinceSet::EMPTY).insert(ids[n]);
            }
        }
        let coasts = [("STP", ["NC", "SC"]), ("SPA", ["NC", "SC"]), ("BUL", ["EC", "SC"])]
            .into_iter()
            .map(|(n, c)| (ids[n], c.to_vec()))
            .collect();
        Standard { board, names, ids, centres, home, coasts }
    }

    pub fn id(&self, name: &str) -> ProvinceId {
        self.ids[name]
    }

    pub fn name(&self, p: ProvinceId) -> &str {
        &self.names[p.index()]
    }

    /// `SPA/NC`, with the coast's name only where there are several.
    pub fn place(&self, at: Location, kind: UnitKind) -> String {
        match self.coasts.get(&at.province) {
            Some(names) if kind == UnitKind::Fleet => {
                format!("{}/{}", self.name(at.province), names[at.coast.0 as usize])
            }
            _ => self.name(at.province).to_owned(),
        }
    }

    /// A province and, if it is named, a coast.
    pub fn read_place(&self, text: &str) -> (ProvinceId, Option<CoastId>) {
        let (name, coast) = text.split_once('/').map_or((text, None), |(n, c)| (n, Some(c)));
        let p = self.id(name);
        let coast = coast.and_then(|c| {
            let i = self.coasts.get(&p)?.iter().position(|n| *n == c)?;
            Some(CoastId(i as u8))
        });
        (p, coast)
    }

    pub fn unit_text(&self, at: ProvinceId, unit: Unit) -> String {
        format!("{} {}", unit.kind, self.place(Location { province: at, coast: unit.coast }, unit.kind))
    }

    pub fn read_unit(&self, power: Power, text: &str) -> (ProvinceId, Unit) {
        let (kind, place) = text.split_once(' ').unwrap();
        let (at, coast) = self.read_place(place);
        let kind = if kind == "A" { UnitKind::Army } else { UnitKind::Fleet };
        (at, Unit { kind, power, coast: coast.unwrap_or_default() })
    }

    /// Reads a movement order; `None` if it is illegal in this position.
    pub fn read_order(&self, position: &Position, power: Power, text: &str) -> Option<(ProvinceId, Order)> {
        let words: Vec<&str> = text.split(' ').collect();
        let (at, _) = self.read_place(words[1]);
        let unit = position.unit(at)?;
        if unit.power != power || unit.kind.to_string() != words[0] {
            return None;
        }
        let order = match words[2..] {
            ["H"] => Order::Hold,
            ["-", to] => self.read_move(position, at, unit, to, Route::Direct)?,
            ["-", to, "VIA"] => self.read_move(position, at, unit, to, Route::Convoy)?,
            ["S", kind, start] => {
                let (start, _) = self.read_place(start);
                if start == at
                    || !self.is_kind(position, start, kind)
                    || !self.reach(at, unit).contains(start)
                {
                    return None;
                }
                Order::SupportHold { unit: start }
            }
            ["S", kind, start, "-", to] => {
                let (start, _) = self.read_place(start);
                let (to, coast) = self.read_place(to);
                let other = position.unit(start)?;
                let possible = self.reach(start, other).contains(to)
                    || other.kind == UnitKind::Army
                        && self.routes(position, start, to, Some(at)).next().is_some();
                if start == at
                    || to == at
                    || start == to
                    || !possible
                    || !self.is_kind(position, start, kind)
                    || !self.reach(at, unit).contains(to)
                {
                    return None;
                }
                Order::SupportMove { unit: start, to, coast }
            }
            ["C", "A", army, "-", to] => {
                let ((army, _), (to, _)) = (self.read_place(army), self.read_place(to));
                if position.unit(army)?.kind != UnitKind::Army || army == to || !self.board.sea().contains(at)
                {
                    return None;
                }
                if !self.routes(position, army, to, None).any(|route| route.contains(at)) {
                    return None;
                }
                Order::Convoy { army, to }
            }
            _ => return None,
        };
        Some((at, order))
    }

    fn is_kind(&self, position: &Position, at: ProvinceId, kind: &str) -> bool {
        position.unit(at).is_some_and(|u| u.kind.to_string() == kind)
    }

    fn reach(&self, at: ProvinceId, unit: Unit) -> ProvinceSet {
        match unit.kind {
            UnitKind::Army => *self.board.army_reach(at),
            UnitKind::Fleet => *self.board.fleet_reach(Location { province: at, coast: unit.coast }),
        }
    }

    fn read_move(
        &self,
        position: &Position,
        at: ProvinceId,
        unit: Unit,
        to: &str,
        route: Route,
    ) -> Option<Order> {
        let (to, coast) = self.read_place(to);
        let to = match unit.kind {
            UnitKind::Fleet => {
                let from = Location { province: at, coast: unit.coast };
                let mut places = self
                    .board
                    .fleet_moves(from)
                    .iter()
                    .filter(|l| l.province == to && coast.is_none_or(|c| c == l.coast));
                let place = *places.next()?;
                if places.next().is_some() {
                    return None;
                }
                place
            }
            UnitKind::Army => {
                let land = self.board.army_reach(at).contains(to);
                if to == at || !land && self.routes(position, at, to, None).next().is_none() {
                    return None;
                }
                Location::from(to)
            }
        };
        Some(Order::Move { to, route })
    }

    /// The routes of which no fleet could be left out, over the fleets at sea.
    fn routes(
        &self,
        position: &Position,
        from: ProvinceId,
        to: ProvinceId,
        without: Option<ProvinceId>,
    ) -> impl Iterator<Item = ProvinceSet> + use<> {
        let mut fleets = *position.fleets() & *self.board.sea();
        if let Some(p) = without {
            fleets.remove(p);
        }
        let (start, end) = (*self.board.seas_next_to(from), *self.board.seas_next_to(to));
        let mut found = vec![];
        if from == to || !self.board.land().contains(to) {
            return found.into_iter();
        }
        let mut stack: Vec<(ProvinceId, ProvinceSet, ProvinceSet)> =
            (fleets & start).iter().map(|f| (f, ProvinceSet::single(f), fleets - start)).collect();
        while let Some((last, route, allowed)) = stack.pop() {
            if end.contains(last) {
                found.push(route);
                continue;
            }
            let next = *self.board.seas_next_to(last) & allowed;
            for f in next {
                stack.push((f, route | ProvinceSet::single(f), allowed - next));
            }
        }
        found.into_iter()
    }
}
