//! Sets with names: the section `[groups]` of a variant file, and the countries of its powers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::file::Reading;
use super::set::{Group, Groups, Places, Set};
use crate::diagnostic::value::{Entries, Open, Placed};

/// The most groups of a file.
const MOST_GROUPS: usize = 100;

impl Reading<'_> {
    /// The groups, or `None` if one of them has a fault.
    pub(super) fn groups(
        &self,
        file: Option<&Placed<Entries<Placed<Open>>>>,
        ids: &[&str],
    ) -> Option<Groups> {
        let Some(file) = file else { return Some(Groups::new()) };
        if let Some((beyond, _)) = file.get(MOST_GROUPS) {
            let message = format!("more than {MOST_GROUPS} groups; this is the first that is too many");
            return self.form.refuse(beyond.span(), message);
        }
        let mut reader = GroupReader { reading: self, file, ids, read: BTreeMap::new(), path: Vec::new() };
        let all: Vec<Option<Arc<Group>>> = file.iter().map(|(name, _)| reader.group(name)).collect();
        let group = |group: Option<Arc<Group>>| group.map(|group| (group.name.clone(), group));
        all.into_iter().map(group).collect()
    }

    /// The provinces within each power's boundary.
    pub(super) fn countries(
        &self,
        file: Option<&Placed<Entries<Vec<Placed<String>>>>>,
    ) -> Option<BTreeMap<String, Places>> {
        let Some(file) = file else { return Some(BTreeMap::new()) };
        let mut countries = Some(BTreeMap::new());
        for (name, provinces) in file.iter() {
            let places = self.places(provinces);
            let twice = |place: &&Placed<String>| {
                let same = |other: &Placed<String>| other.eq_ignore_ascii_case(place);
                file.iter()
                    .take_while(|(earlier, _)| earlier.span() != name.span())
                    .any(|(_, of)| of.iter().any(same))
            };
            if let Some(place) = provinces.iter().find(twice) {
                self.form.fault(place.span(), format!("`{}` lies in two countries", **place));
                countries = None;
            }
            if let Err(error) = self.terrain.power_names().named(name) {
                if self.has_board {
                    self.form.fault(name.span(), error.to_string());
                }
                countries = None;
            }
            match (&mut countries, places) {
                (Some(countries), Some(places)) => drop(countries.insert(name.to_string(), places)),
                _ => countries = None,
            }
        }
        countries
    }
}

/// Reads groups, each after those in it.
struct GroupReader<'a> {
    reading: &'a Reading<'a>,
    file: &'a Entries<Placed<Open>>,
    ids: &'a [&'a str],
    /// The groups that have been read; `None` for a group with a fault.
    read: BTreeMap<String, Option<Arc<Group>>>,
    /// The groups that are being read, each of which names the next.
    path: Vec<String>,
}

impl GroupReader<'_> {
    fn group(&mut self, name: &str) -> Option<Arc<Group>> {
        if let Some(read) = self.read.get(name) {
            return read.clone();
        }
        let (key, value) = self.file.iter().find(|(key, _)| key.as_str() == name)?;
        self.path.push(name.to_owned());
        let set = self.set(key, value);
        self.path.pop();
        let name = self.reading.name("name", key, "group").filter(|name| {
            let is_id = self.ids.contains(&name.as_str());
            if is_id {
                let message = format!("`{name}` is the id of an entry; give the group another name");
                self.reading.form.fault(key.span(), message);
            }
            !is_id
        });
        let group = name.zip(set).map(|(name, set)| Arc::new(Group::new(name, set)));
        self.read.insert(key.to_string(), group.clone());
        group
    }

    fn set(&mut self, key: &Placed<String>, value: &Placed<Open>) -> Option<Set> {
        let form = self.reading.form;
        match &**value {
            Open::List(list) => {
                let names: Option<Vec<Placed<String>>> =
                    list.iter()
                        .map(|item| match &**item {
                            Open::Single(toml::Value::String(name)) => {
                                Some(Placed::new(item.span(), name.clone()))
                            }
                            other => form
                                .refuse(item.span(), format!("a group lists names of places, not {other}")),
                        })
                        .collect();
                self.reading.places(&names?).map(Set::Place)
            }
            Open::Single(toml::Value::String(text)) => {
                let words = text.split(|c: char| c.is_whitespace() || "(),".contains(c));
                let named: Vec<&str> =
                    words.filter(|word| self.file.iter().any(|(name, _)| name.as_str() == *word)).collect();
                let mut known = Groups::new();
                let mut is_sound = true;
                for name in named {
                    if let Some(start) = self.path.iter().position(|open| open == name) {
                        let path = self.path[start..].join("` names `");
                        let message = format!("a group cannot contain itself: `{path}` names `{name}`");
                        return form.refuse(key.span(), message);
                    }
                    match self.group(name) {
                        Some(group) => drop(known.insert(name.to_owned(), group)),
                        None => is_sound = false, // reported there
                    }
                }
                let text = Placed::new(value.span(), text.clone());
                let names = self.reading.names(self.ids, &known, None);
                if is_sound { self.reading.set(&text, &names) } else { None }
            }
            other => {
                let message =
                    format!("`groups.{}` must be a list of places or the text of a set, not {other}", **key);
                form.refuse(value.span(), message)
            }
        }
    }
}
