//! One step of the page: a board with its orders, outlines of the changes of the map, tables, and a line of text. Units
//! that must retreat are moved aside, so that they hide neither another unit nor a name.

use std::collections::BTreeMap;

use maud::{Markup, html};
use upheaval_engine::ask::Retreating;
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::rules::event::{EventInfo, EventKind, MapChange};
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::notation::{
    WrittenList, WrittenOrder, WrittenPlace, WrittenSeismic, WrittenUnit,
};
use upheaval_engine::rules::position::{Phase, Season};
use upheaval_map::ids::{CoastId, Designation, Location, PowerInfo, PowerNames, ProvinceId};
use upheaval_map::topology::{MapEvent, PlanarMap};
use upheaval_picture::{
    Area, DrawnAct, DrawnOrder, DrawnOutcome, DrawnPlace, DrawnUnit, Footing, Highlight, Layout, Point,
    Stand, Style, Timing, svg,
};

use super::sheet::Sheet;
use crate::words::capitalised;
use upheaval_harness::game_record::{EventLine, GameRecord, OrderLine, StageRecord, heading_of};

/// A step of the page.
pub(super) struct Frame {
    /// Its name in links.
    pub id: String,
    /// `Spring 1902, movement`
    pub heading: String,
    /// Its line of text.
    pub said: String,
    /// The lines of its board.
    pub board: String,
    /// Its tables.
    pub tables: Markup,
    /// Its time, in years.
    pub moment: f64,
    /// The year as text.
    pub year: String,
}

/// What these highlights say, after this beginning; empty if there are none.
fn told<'a>(begin: &str, highlights: impl Iterator<Item = &'a Highlight>) -> String {
    let mut titles: Vec<&str> = highlights.map(|highlight| &*highlight.title).collect();
    titles.dedup();
    match titles[..] {
        [] => String::new(),
        _ => format!("{begin}{}.", titles.join("; ")),
    }
}

/// The time of a phase, in years: a year's centres are counted at its end.
fn moment(phase: &str) -> f64 {
    let Ok(Phase { year, season, .. }) = phase.parse() else { return 0.0 };
    let part = match season {
        Season::Spring => 0.75,
        Season::Fall => 0.4,
        Season::Winter => 0.0,
    };
    f64::from(year) - part
}

/// The subject of a frame: the game before a stage, or at the end.
pub(super) struct FrameSubject<'a> {
    /// The game record.
    pub game_record: &'a GameRecord,
    /// The number of stages before it.
    pub behind: usize,
    /// The state of the game.
    pub game: &'a Game,
    /// Its board.
    pub layout: &'a Layout,
}

impl Frame {
    /// The frame of this name; the ids of its board begin with the prefix.
    pub(super) fn of(scene: &FrameSubject<'_>, id: String, prefix: &str, sheet: &mut Sheet) -> Frame {
        let stage = scene.stage();
        let heading = scene.heading();
        Frame {
            board: sheet.add(&scene.board(prefix)),
            said: scene.said(&scene.highlights()),
            tables: scene.tables(),
            moment: stage.map_or(f64::MAX, |stage| moment(&stage.phase)),
            year: scene.phase().get(1..5).unwrap_or_default().to_owned(),
            heading,
            id,
        }
    }
}

/// The board of a game with the orders of a stage.
pub(super) fn picture(game: &Game, layout: &Layout, stage: &StageRecord) -> String {
    let stands = Stands::of(game, layout);
    let style = Style {
        title: format!("{}, {}", game.variant().title, heading_of(game)),
        owners: Some(game.world().position.owners()),
        units: stands.pieces(),
        orders: arrows(stage, &stands, game.terrain()),
        ..Style::default()
    };
    svg::board(layout, game.terrain().chart(), &style)
}

/// A power's name with its colour and letter.
pub(super) fn named(power: &PowerInfo) -> Markup {
    html! { span class=(format!("power {}", power.name)) aria-hidden="true" { (power.mark) } " " (power.proper_name) }
}

/// The same for the power of this name; any other word is unchanged.
fn named_by(name: &str, powers: &PowerNames) -> Markup {
    powers.described(name).map_or_else(|| html! { (name) }, named)
}

impl FrameSubject<'_> {
    /// The stage that the game waits for; `None` at the end.
    pub(super) fn stage(&self) -> Option<&StageRecord> {
        self.game_record.stages.get(self.behind)
    }

    /// The board as SVG, with this prefix of ids.
    pub(super) fn board(&self, prefix: &str) -> String {
        let (chart, stage) = (self.game.terrain().chart(), self.stage());
        let game = &self.game_record.game;
        let stands = Stands::of(self.game, self.layout);
        let style = Style {
            title: format!("Board of {}/{}: {}", game.variant, game.game, self.heading()),
            prefix: prefix.to_owned(),
            owners: Some(self.game.world().position.owners()),
            units: stands.pieces(),
            orders: stage.map(|stage| arrows(stage, &stands, self.game.terrain())).unwrap_or_default(),
            highlights: self.highlights(),
            ..Style::default()
        };
        svg::board(self.layout, chart, &style)
    }

    fn phase(&self) -> &str {
        self.stage().map_or(&self.game_record.end.phase, |stage| &stage.phase)
    }

    /// `Spring 1902, movement`
    pub(super) fn heading(&self) -> String {
        match (self.stage(), self.phase().parse::<Phase>()) {
            (Some(stage), _) => stage.heading(),
            (None, _) if self.game.stage() != Stage::Over => heading_of(self.game),
            (None, Ok(phase)) => format!("The end, {} {}", phase.season.name(), phase.year),
            (None, Err(_)) => "The end".to_owned(),
        }
    }

    /// Past and coming changes of the map.
    fn highlights(&self) -> Vec<Highlight> {
        let map = self.game.terrain().chart().map();
        let before = self.behind.checked_sub(1).and_then(|before| self.game_record.stages.get(before));
        let stages = [(before, Timing::Past), (self.stage(), Timing::Coming)].into_iter();
        let stages = stages.filter_map(|(stage, timing)| Some((stage?, timing)));
        stages
            .flat_map(|(stage, timing)| outlines(stage, &self.game_record.power_names, map, timing))
            .collect()
    }

    /// The line of text.
    fn said(&self, highlights: &[Highlight]) -> String {
        let Some(stage) = self.stage() else {
            let over = || capitalised(&self.game_record.outcome()) + ".";
            let past = highlights.iter().filter(|highlight| highlight.timing == Timing::Past);
            return match self.game.stage() {
                Stage::Over => over(),
                _ => format!("Orders are awaited.{}", told(" Just now: ", past)),
            };
        };
        let count = |is: fn(&OrderLine) -> bool| stage.orders.iter().filter(|line| is(line)).count();
        let (lists, refused) = (count(OrderLine::is_spare), count(OrderLine::was_refused));
        let failed = count(|line| !line.succeeded()) - lists - refused;
        let mut said = match (stage.orders.len() - lists - refused, failed) {
            (0, _) if stage.stage == "coasts" => "Coasts are chosen.".to_owned(),
            (0, _) => "Nothing is ordered.".to_owned(),
            (1, 0) => "One order, which succeeds.".to_owned(),
            (1, _) => "One order, which fails.".to_owned(),
            (orders, 0) => format!("{orders} orders, all of which succeed."),
            (orders, failed) => format!("{orders} orders, {failed} of which fail."),
        };
        match refused {
            0 => {}
            1 => said += " One order is refused.",
            refused => said += &format!(" {refused} orders are refused."),
        }
        match lists {
            0 => {}
            1 => said += " One list of retreats is not needed.",
            lists => said += &format!(" {lists} lists of retreats are not needed."),
        }
        for (timing, begin) in [(Timing::Past, " Just now: "), (Timing::Coming, " Then: ")] {
            said += &told(begin, highlights.iter().filter(|highlight| highlight.timing == timing));
        }
        said
    }

    /// The reason why a power takes no part in the game at this point, if it does not: its bot was at fault, and by the
    /// experiment's policy it has no share in the result; it has lost everything; or it never had anything.
    fn standing(&self, power: &str) -> Option<&'static str> {
        let end = &self.game_record.end;
        if self.stage().is_none() && end.forfeited.iter().any(|name| name == power) {
            return Some("forfeited");
        }
        let has = |of: &BTreeMap<String, Vec<String>>| of.get(power).is_some_and(|all| !all.is_empty());
        let has_any = |stage: &StageRecord| {
            let waits = stage.dislodged.iter().any(|unit| unit.power == power);
            has(&stage.units) || has(&stage.centres) || waits
        };
        match self.stage().map_or_else(|| has(&end.units) || has(&end.centres), has_any) {
            true => None,
            false if self.game_record.stages.iter().take(self.behind).any(has_any) => Some("eliminated"),
            false => Some("absent"),
        }
    }

    fn tables(&self) -> Markup {
        let (units, centres) = match self.stage() {
            Some(stage) => (&stage.units, &stage.centres),
            None => (&self.game_record.end.units, &self.game_record.end.centres),
        };
        let powers = &self.game_record.power_names;
        let waiting = |power: &str| {
            let dislodged = self.stage().into_iter().flat_map(|stage| &stage.dislodged);
            dislodged.filter(|unit| unit.power == power).count()
        };
        html! {
            table.powers {
                caption { "Powers" }
                thead { tr { th scope="col" { "Power" } th.words scope="col" { "Bot" } th scope="col" { "Centres" } th scope="col" { "Units" } } }
                tbody {
                    @for power in powers.infos() { tr {
                        th scope="row" { (named(power)) @if let Some(standing) = self.standing(&power.name) { " " span.standing { (standing) } } }
                        td.words { (self.game_record.game.bots.get(&power.name).map_or("", String::as_str)) }
                        td { (centres.get(&power.name).map_or(0, Vec::len)) }
                        td { (units.get(&power.name).map_or(0, Vec::len) + waiting(&power.name)) }
                    } }
                }
            }
            @if let Some(stage) = self.stage() { (retreats(&stage.dislodged, powers)) (orders(stage, powers)) (events(stage, powers)) }
        }
    }
}

fn retreats(dislodged: &[Retreating], powers: &PowerNames) -> Markup {
    html! {
        @if !dislodged.is_empty() {
            h3 { "Must retreat" }
            ul {
                @for unit in dislodged { li {
                    (named_by(&unit.power, powers)) ": " (unit.unit)
                    @if unit.options.is_empty() { ", which has nowhere to go" } @else { ", to " (unit.options.join(", ")) }
                } }
            }
        }
    }
}

/// What has become of an order, as the style sheet calls it.
fn class_of(line: &OrderLine) -> &'static str {
    match line {
        line if line.is_spare() => "spare",
        line if line.was_refused() => "refused",
        line if line.succeeded() => "success",
        _ => "failure",
    }
}

/// The orders, by power.
fn orders(stage: &StageRecord, powers: &PowerNames) -> Markup {
    let of = |power| stage.orders.iter().enumerate().filter(move |(_, line)| line.power == power);
    html! {
        @if !stage.orders.is_empty() {
            table.orders {
                caption { "Orders" }
                thead { tr { th scope="col" { "Power" } th.words scope="col" { "Order" } th.words scope="col" { "Result" } } }
                tbody {
                    @for (number, line) in powers.iter().flat_map(of) {
                        @let class = class_of(line);
                        tr class=(class) data-order=(number) data-power=(line.power) {
                            th scope="row" { (named_by(&line.power, powers)) }
                            td.words { (line.order) }
                            td.words { @match (&line.reason, class) {
                                (Some(reason), "refused") => { "refused: " (reason) }
                                (Some(reason), _) => (reason),
                                (None, "success") => "succeeds",
                                (None, "spare") => "not needed",
                                (None, _) => (line.result),
                            } }
                        }
                    }
                }
            }
        }
    }
}

/// The other events.
fn events(stage: &StageRecord, powers: &PowerNames) -> Markup {
    let mut told = stage.events_beside_orders().peekable();
    html! {
        @if told.peek().is_some() {
            h3 { "Events" }
            ul.happened { @for event in told { li { (event.display(powers).to_string()) } } }
        }
    }
}

/// All orders of a stage that are visible on the board before it.
pub(super) fn arrows(stage: &StageRecord, stands: &Stands<'_>, terrain: &MapTables) -> Vec<DrawnOrder> {
    let drawn = |(number, line): (usize, &OrderLine)| {
        // A refused order had no effect on the unit, which got another one. A list that is not needed does not move
        // anything.
        let is_seen = !line.was_refused() && !line.is_spare();
        let act = act(stage, line, stands, terrain).filter(|_| is_seen)?;
        let outcome = if line.succeeded() { DrawnOutcome::Success } else { DrawnOutcome::Failure };
        let power = terrain.power_names().find(&line.power)?;
        let title = format!("{}: {line}", terrain.power_names().info(power).proper_name);
        Some(DrawnOrder { act, power, outcome, title, number })
    };
    let mut orders: Vec<DrawnOrder> = stage.orders.iter().enumerate().filter_map(drawn).collect();
    let given = orders.clone();
    for order in &mut orders {
        meet(&mut order.act, &given);
        // Two powers may give the same seismic order: pointing at it shows both.
        let others = given.iter().filter(|other| other.act == order.act && other.number != order.number);
        let same: Vec<&str> = others.map(|other| &*other.title).collect();
        if !same.is_empty() {
            order.title += &format!("; {}", same.join("; "));
        }
    }
    orders
}

/// A support does not name a coast: its line goes to the arrow of the supported order, if there is one.
fn meet(support: &mut DrawnAct, given: &[DrawnOrder]) {
    let DrawnAct::SupportMove { supported, to, .. } = support else { return };
    for order in given {
        if let DrawnAct::Move { unit, to: there } = order.act
            && unit == *supported
            && there.at.province == to.at.province
        {
            *to = there;
        }
    }
}

/// Where a unit that is dislodged in this movement retreats to at once, by its list or without one (rules.md 4.12);
/// `None` if it leaves the board.
fn prophetic_retreat(
    stage: &StageRecord,
    line: &OrderLine,
    stands: &Stands<'_>,
    terrain: &MapTables,
) -> Option<DrawnAct> {
    let words: Vec<&str> = line.order.split(' ').take(2).collect();
    let text = words.join(" ");
    let unit = WrittenUnit::parse(&text, terrain.names()).ok()?;
    let province = terrain.names().province(unit.place.province);
    let went = stage.events.iter().find(|event| {
        let is_of_unit =
            event.power.as_ref() == Some(&line.power) && event.province.as_deref() == Some(province);
        is_of_unit && event.kind() == Some(EventKind::Retreated)
    });
    let to = went.and_then(|event| event.detail.as_deref());
    let order = to.and_then(|to| WrittenOrder::parse(&format!("{text} R {to}"), terrain.names()).ok());
    let unit = stands.unit(unit);
    Some(match order {
        Some(WrittenOrder::Retreat { unit: written, to }) => {
            DrawnAct::Move { unit, to: going(written.kind, to) }
        }
        _ => DrawnAct::Disband { unit },
    })
}

fn act(stage: &StageRecord, line: &OrderLine, stands: &Stands<'_>, terrain: &MapTables) -> Option<DrawnAct> {
    if stage.stage == "movement" && (WrittenList::is_one(&line.order) || line.disbands()) {
        return prophetic_retreat(stage, line, stands, terrain);
    }
    if WrittenSeismic::is_one(&line.order) {
        let map = terrain.chart().map();
        let touched = WrittenSeismic::parse(&line.order).ok()?.resolve(map).ok()?.quake.touched(map);
        return Some(DrawnAct::Quake { apart: touched.apart, together: touched.together });
    }
    let stand = |unit| stands.unit(unit);
    Some(match WrittenOrder::parse(&line.order, terrain.names()).ok()? {
        WrittenOrder::Hold { unit } => DrawnAct::Hold { unit: stand(unit) },
        WrittenOrder::Move { unit, to, .. }
        | WrittenOrder::Disembark { unit, to }
        | WrittenOrder::Retreat { unit, to } => {
            DrawnAct::Move { unit: stand(unit), to: going(unit.kind, to) }
        }
        WrittenOrder::Embark { unit, fleet } => DrawnAct::Move { unit: stand(unit), to: stand(fleet) },
        WrittenOrder::SupportHold { unit, supported } => {
            DrawnAct::SupportHold { unit: stand(unit), supported: stand(supported) }
        }
        WrittenOrder::SupportMove { unit, supported, to }
        | WrittenOrder::SupportLanding { unit, supported, to } => {
            let to = going(supported.kind, to);
            DrawnAct::SupportMove { unit: stand(unit), supported: stand(supported), to }
        }
        WrittenOrder::Convoy { unit, army, to } => {
            DrawnAct::Convoy { unit: stand(unit), army: stand(army), to: going(army.kind, to) }
        }
        WrittenOrder::Transform { unit, .. } | WrittenOrder::ChooseCoast { unit, .. } => {
            DrawnAct::Change { unit: stand(unit) }
        }
        WrittenOrder::Disband { unit } => DrawnAct::Disband { unit: stand(unit) },
        WrittenOrder::Build { unit } => DrawnAct::Build { unit: going(unit.kind, unit.place) },
        WrittenOrder::Waive | WrittenOrder::Exempt { .. } | WrittenOrder::Announce => return None,
    })
}

/// The outlines of a stage's events on a board.
pub(super) fn outlines(
    stage: &StageRecord,
    powers: &PowerNames,
    map: &PlanarMap,
    timing: Timing,
) -> Vec<Highlight> {
    let is_drawn = |event: &EventLine| info(event).is_some_and(is_draw);
    // A draw is shown only if it had no effect: otherwise its effect is shown.
    let mut events: Vec<&EventLine> = stage.events.iter().collect();
    events.sort_by_key(|event| is_drawn(event));
    let mut outlines: Vec<Highlight> = Vec::new();
    for event in events {
        for place in places(event, map, timing) {
            match outlines.iter_mut().find(|outline| outline.place == place) {
                Some(_) if is_drawn(event) => {}
                Some(outline) => outline.title += &format!("; {}", event.display(powers)),
                None => outlines.push(Highlight { place, timing, title: event.display(powers).to_string() }),
            }
        }
    }
    outlines
}

fn info(event: &EventLine) -> Option<&'static EventInfo> {
    Some(event.kind()?.info())
}

/// Is it a draw without an effect?
fn is_draw(info: &EventInfo) -> bool {
    use EventKind::{HoleDrawn, PlaceChosen, PlaceDrawn, SplitDrawn};
    matches!(info.kind, HoleDrawn | PlaceDrawn | PlaceChosen | SplitDrawn)
}

/// The places of an event on this board.
fn places(event: &EventLine, map: &PlanarMap, timing: Timing) -> Vec<DrawnPlace> {
    let of = |name: &Option<String>| Some(DrawnPlace::Province(map.find(name.as_deref()?)?));
    let Some(info) = info(event) else { return Vec::new() };
    match info.change {
        None if is_draw(info) && timing == Timing::Coming => of(&event.province).into_iter().collect(),
        None => Vec::new(),
        Some(
            MapChange::Collapse
            | MapChange::Void
            | MapChange::Restore
            | MapChange::Submerge
            | MapChange::Raise
            | MapChange::Freeze
            | MapChange::Dig
            | MapChange::Fill
            | MapChange::Open
            | MapChange::Found
            | MapChange::Ruin,
        ) => of(&event.province).into_iter().collect(),
        Some(MapChange::Split) => [&event.province, &event.detail].into_iter().filter_map(of).collect(),
        Some(MapChange::Separate | MapChange::Connect) => {
            let quake = event.detail.as_deref().and_then(|detail| detail.parse().ok());
            quake.map_or(Vec::new(), |event| self::quake(&event, map, timing))
        }
    }
}

/// The border that is removed; afterwards the new one, or, where a face touches itself there, the borders that it
/// separates.
fn quake(event: &MapEvent, map: &PlanarMap, timing: Timing) -> Vec<DrawnPlace> {
    let pair = |names: &[String; 2]| -> Option<[ProvinceId; 2]> {
        let mut pair = [map.find(&names[0])?, map.find(&names[1])?];
        // Two quakes at one border are shown at one place.
        pair.sort_unstable();
        Some(pair)
    };
    let touch = |[a, b]: &[ProvinceId; 2]| a != b && map.sides_of(*a).any(|side| map.across(side) == *b);
    let (apart, together) = match event {
        MapEvent::Separate { apart, together, .. } => (pair(apart), pair(together)),
        MapEvent::Connect { together, through, .. } => (map.find(through).map(|id| [id, id]), pair(together)),
        _ => return Vec::new(),
    };
    let border = match timing {
        Timing::Coming => apart,
        Timing::Past => together,
    };
    match border.filter(touch) {
        Some(pair) => vec![DrawnPlace::Between(pair)],
        None => {
            let mut faces: Vec<ProvinceId> = apart.into_iter().flatten().collect();
            faces.dedup();
            faces.into_iter().map(DrawnPlace::Province).collect()
        }
    }
}

/// The distance, in sizes of a unit, at which two units can be distinguished.
const APART: f64 = 1.9;
/// The number of places beside a unit that are tried.
const PLACES: u8 = 24;

/// The positions of units.
pub(super) struct Stands<'a> {
    game: &'a Game,
    /// The units that must retreat, in the game's order.
    waiting: Vec<Stand>,
}

impl<'a> Stands<'a> {
    /// The units of a game on its board.
    pub(super) fn of(game: &'a Game, layout: &Layout) -> Stands<'a> {
        let board = game.terrain().board();
        let mut stands = Stands { game, waiting: Vec::new() };
        for dislodged in &game.dislodged().dislodged {
            let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
            let kind = dislodged.unit.designation();
            let place = |place: u8| Stand { kind, at, footing: Footing::Dislodged(place) };
            let pieces = stands.pieces();
            let here = pieces.iter().filter(|piece| piece.stand.at.province == at.province);
            let taken: Vec<Point> = here.filter_map(|piece| layout.unit(board, piece.stand)).collect();
            let room = layout.spot(at.province).map_or(0.0, |spot| spot.unit_size() * APART);
            let is_apart = |stand: &Stand| {
                layout
                    .unit(board, *stand)
                    .is_none_or(|point| taken.iter().all(|other| other.distance(point) >= room))
            };
            let others: Vec<Area> =
                pieces.iter().filter_map(|piece| layout.unit_area(board, piece.stand)).collect();
            let is_free = |stand: &Stand| {
                let covers = |unit: Area| others.iter().any(|other| other.meets(&unit));
                !layout.is_in_the_way(board, *stand) && !layout.unit_area(board, *stand).is_some_and(covers)
            };
            // A unit may rather cover a name, or that of another province, than one in its own.
            let places = || (0..PLACES).map(place).filter(is_apart);
            stands.waiting.push(places().find(is_free).or_else(|| places().next()).unwrap_or(place(0)));
        }
        stands
    }

    /// All units: first those that are in their provinces, then those that must retreat.
    pub(super) fn pieces(&self) -> Vec<DrawnUnit> {
        let position = &self.game.world().position;
        let standing = position.occupied().iter().filter_map(|id| {
            let (unit, at) = (position.unit(id)?, position.location(id)?);
            Some(DrawnUnit { power: unit.power, stand: Stand::firm(unit.designation(), at) })
        });
        let powers = self.game.dislodged().dislodged.iter().map(|dislodged| dislodged.unit.power);
        let waiting = self.waiting.iter().zip(powers).map(|(&stand, power)| DrawnUnit { power, stand });
        standing.chain(waiting).collect()
    }

    /// The position of the unit that an order names.
    pub(super) fn unit(&self, unit: WrittenUnit) -> Stand {
        let (waiting, at) = (self.game.dislodged(), unit.place.province);
        let is_it = |i: &usize| {
            let dislodged = &waiting.dislodged[*i];
            let is_alike = dislodged.at == at && dislodged.unit.designation() == unit.kind;
            is_alike && waiting.ordinal(*i) == unit.ordinal
        };
        if let Some(i) = (0..self.waiting.len()).find(is_it) {
            return self.waiting[i];
        }
        match self.game.world().position.location(at) {
            Some(at) => Stand::firm(unit.kind, at),
            None => going(unit.kind, unit.place),
        }
    }
}

/// The future position of a unit.
pub(super) fn going(kind: Designation, to: WrittenPlace) -> Stand {
    Stand::firm(kind, Location { province: to.province, coast: to.coast.unwrap_or(CoastId::FIRST) })
}
