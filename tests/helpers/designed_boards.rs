//! Boards as designers draw them, with centres where their provinces are: an island in a sea, islands, lakes, two
//! continents, a ring. Faces are groups of hexagonal cells, so that three meet at each corner.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use upheaval::rng::{Purpose, Stream};

/// The number of kept boards.
pub const BOARDS: u64 = 50;
/// The faces of the smallest and of the largest board, the Outside included.
const FACES: [u64; 2] = [3, 30];
/// Rows and columns of cells.
const SIZES: [(i32, i32); 4] = [(22, 22), (18, 28), (26, 18), (20, 24)];

/// The shape of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    OneSea,
    Islands,
    Lakes,
    Continents,
    Ring,
}

const SHAPES: [Shape; 5] = [Shape::OneSea, Shape::Islands, Shape::Lakes, Shape::Continents, Shape::Ring];

/// The shape of the board with this number.
pub fn shape(number: u64) -> Shape {
    SHAPES[number as usize % SHAPES.len()]
}

/// The map file of the board with this number, which has more faces the higher the number is.
pub fn board(number: u64) -> Value {
    let faces = FACES[0] + number % BOARDS * (FACES[1] - FACES[0]) / (BOARDS - 1);
    let mut dice = Stream::keyed(1911, Purpose::Bot, &[number]);
    let (rows, columns) = SIZES[dice.below(SIZES.len() as u32) as usize];
    let mut cells = Cells { rows, columns, owner: BTreeMap::new(), faces: Vec::new() };
    cells.fill(shape(number), faces as usize - 1, &mut dice);
    cells.file()
}

/// The same board in a mirror: west is east.
pub fn mirrored(board: &Value) -> Value {
    let mut board = board.clone();
    for face in board["faces"].as_object_mut().unwrap().values_mut() {
        face["neighbours_ccw"].as_array_mut().unwrap().reverse();
        for island in face["islands_ccw"].as_array_mut().unwrap() {
            island.as_array_mut().unwrap().reverse();
        }
        if let Some(x) = face["centre"].get_mut(0) {
            *x = json!(-x.as_f64().unwrap());
        }
    }
    board
}

type Cell = (i32, i32);
type Corner = (i32, i32);

/// A disc, in a square from −1 to 1.
#[derive(Clone, Copy)]
struct Disc {
    x: f64,
    y: f64,
    radius: f64,
}

impl Disc {
    /// How far within a point is, relative to the radius.
    fn depth(&self, (x, y): (f64, f64)) -> f64 {
        self.radius - ((x - self.x) * (x - self.x) + (y - self.y) * (y - self.y)).sqrt()
    }
}

struct Cells {
    rows: i32,
    columns: i32,
    /// The face of each cell; a cell without one belongs to the Outside.
    owner: BTreeMap<Cell, usize>,
    /// Is each face land?
    faces: Vec<bool>,
}

impl Cells {
    /// The place of a cell: x in units of its half width, y in those of a third of a row, north up.
    fn place((row, column): Cell) -> (i32, i32) {
        (2 * column + row.rem_euclid(2), -3 * row)
    }

    /// A place as a map file has it, where cells are regular.
    fn position((x, y): (f64, f64)) -> [f64; 2] {
        [x * 1.732_050_8, y]
    }

    fn around((row, column): Cell) -> [Cell; 6] {
        // Rows with an odd number lie half a cell further east. Counter-clockwise from the east.
        let west = column - 1 + row.rem_euclid(2);
        let east = west + 1;
        [
            (row, column + 1),
            (row - 1, east),
            (row - 1, west),
            (row, column - 1),
            (row + 1, west),
            (row + 1, east),
        ]
    }

    /// The place of a cell in a square from −1 to 1.
    fn square(&self, (row, column): Cell) -> (f64, f64) {
        let column = f64::from(column) + 0.5 * f64::from(row.rem_euclid(2));
        let at = |value: f64, of: i32| 2.0 * value / f64::from(of) - 1.0;
        (at(column + 0.25, self.columns), -at(f64::from(row) + 0.5, self.rows))
    }

    fn fill(&mut self, shape: Shape, faces: usize, dice: &mut Stream) {
        let mut random = |from: f64, to: f64| from + (to - from) * f64::from(dice.below(1000)) / 1000.0;
        let mut disc = |x: f64, y: f64, radius: f64| Disc {
            x: x + random(-0.06, 0.06),
            y: y + random(-0.06, 0.06),
            radius: radius * random(0.85, 1.1),
        };
        let (discs, seas): (Vec<Disc>, usize) = match shape {
            Shape::OneSea => (vec![disc(0.0, 0.0, 0.6)], 1),
            Shape::Islands if faces < 8 => {
                (vec![disc(-0.45, 0.3, 0.35), disc(0.4, -0.35, 0.4)], if faces > 5 { 2 } else { 1 })
            }
            Shape::Islands => (
                vec![
                    disc(-0.5, 0.5, 0.32),
                    disc(0.5, 0.45, 0.32),
                    disc(-0.4, -0.5, 0.32),
                    disc(0.5, -0.5, 0.3),
                ],
                1 + faces / 9,
            ),
            Shape::Lakes if faces < 8 => (vec![disc(0.1, 0.0, 0.22)], 1),
            Shape::Lakes => (vec![disc(-0.4, 0.3, 0.22), disc(0.4, -0.3, 0.26)], 2),
            Shape::Continents => {
                (vec![disc(-0.5, 0.1, 0.42), disc(0.5, -0.1, 0.42)], (faces / 5).clamp(1, 4))
            }
            Shape::Ring => (vec![disc(0.0, 0.0, 0.36)], 1 + usize::from(faces > 6 && random(0.0, 1.0) > 0.5)),
        };
        let all: Vec<Cell> =
            (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column))).collect();
        // Which disc a cell is in; a strip between two discs is in neither.
        let within = |cell: Cell| {
            let at = self.square(cell);
            let mut depths: Vec<(f64, usize)> =
                discs.iter().enumerate().map(|(i, disc)| (disc.depth(at), i)).collect();
            depths.sort_by(|a, b| b.0.total_cmp(&a.0));
            let clear = depths.len() < 2 || depths[0].0 - depths[1].0 > 0.16;
            (depths[0].0 > 0.0 && clear).then_some(depths[0].1)
        };
        let is_lake = matches!(shape, Shape::Lakes | Shape::Ring);
        let outer_sea = shape == Shape::Ring && seas == 2;
        let mut inner: Vec<Vec<Cell>> = vec![Vec::new(); discs.len()];
        let (mut rest, mut rim) = (Vec::new(), Vec::new());
        let board = Disc { x: 0.0, y: 0.0, radius: 1.0 };
        for &cell in &all {
            match within(cell) {
                Some(disc) => inner[disc].push(cell),
                None if outer_sea && board.depth(self.square(cell)) < 0.22 => rim.push(cell),
                None if shape == Shape::Ring && board.depth(self.square(cell)) < 0.0 => {}
                None => rest.push(cell),
            }
        }
        if is_lake {
            let land = faces - seas;
            self.divide(&rest, land, true, dice);
            inner.iter().take(seas).for_each(|lake| self.divide(lake, 1, false, dice));
            self.divide(&rim, usize::from(outer_sea), false, dice);
        } else {
            let land = faces - seas;
            self.divide(&rest, seas, false, dice);
            let islands = inner.len().min(land);
            for (i, island) in inner.iter().take(islands).enumerate() {
                self.divide(island, (land + i) / islands, true, dice);
            }
            // An island without a province is sea.
            for &cell in inner.iter().skip(islands).flatten() {
                let near = Cells::around(cell).iter().find_map(|near| self.owner.get(near).copied());
                self.owner.insert(cell, near.unwrap_or(0));
            }
        }
    }

    /// Divides cells among this many new faces: each cell goes to the nearest seed, and seeds go to the middle of
    /// their cells, some times.
    fn divide(&mut self, cells: &[Cell], into: usize, land: bool, dice: &mut Stream) {
        if into == 0 {
            return;
        }
        let mut seeds: Vec<Cell> = cells.to_vec();
        dice.shuffle(&mut seeds);
        seeds.truncate(into);
        let mut nearest: BTreeMap<Cell, usize> = BTreeMap::new();
        for round in 0..5 {
            nearest.clear();
            let mut edge: Vec<Cell> = seeds.clone();
            nearest.extend(seeds.iter().enumerate().map(|(i, &seed)| (seed, i)));
            while !edge.is_empty() {
                let mut next = Vec::new();
                for cell in edge {
                    for near in Cells::around(cell) {
                        if cells.contains(&near) && !nearest.contains_key(&near) {
                            nearest.insert(near, nearest[&cell]);
                            next.push(near);
                        }
                    }
                }
                edge = next;
            }
            if round == 4 {
                break;
            }
            for (i, seed) in seeds.iter_mut().enumerate() {
                let own: Vec<Cell> =
                    nearest.iter().filter(|&(_, &of)| of == i).map(|(&cell, _)| cell).collect();
                *seed = middle(&own);
            }
        }
        let first = self.faces.len();
        self.owner.extend(nearest.into_iter().map(|(cell, of)| (cell, first + of)));
        self.faces.extend(std::iter::repeat_n(land, into));
    }

    /// The boundary cycles of a face (`None`: the Outside), face on the left: the faces across, stretch by stretch.
    fn cycles(&self, face: Option<usize>) -> Vec<Vec<Option<usize>>> {
        // From a corner to the next, and what is across.
        let mut edges: BTreeMap<Corner, (Corner, Option<usize>)> = BTreeMap::new();
        const CORNERS: [(i32, i32); 6] = [(1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2)];
        for row in -1..=self.rows {
            for column in -1..=self.columns {
                let cell = (row, column);
                if self.owner.get(&cell).copied() != face {
                    continue;
                }
                let (x, y) = Cells::place(cell);
                for (i, near) in Cells::around(cell).into_iter().enumerate() {
                    let across = self.owner.get(&near).copied();
                    if across != face {
                        let [from, to] = [i, (i + 1) % 6].map(|i| (x + CORNERS[i].0, y + CORNERS[i].1));
                        edges.insert(from, (to, across));
                    }
                }
            }
        }
        let mut cycles = Vec::new();
        while let Some((&start, _)) = edges.first_key_value() {
            let (mut at, mut cycle, mut twice) = (start, Vec::new(), 0);
            while let Some((to, across)) = edges.remove(&at) {
                twice += at.0 * to.1 - at.1 * to.0;
                if cycle.last() != Some(&across) {
                    cycle.push(across);
                }
                at = to;
            }
            if cycle.len() > 1 && cycle.first() == cycle.last() {
                cycle.pop();
            }
            // The boundary round the face comes before those of its islands.
            let place = if twice > 0 { 0 } else { cycles.len() };
            cycles.insert(place, cycle);
        }
        cycles
    }

    fn file(&self) -> Value {
        let name = |face: &Option<usize>| match face {
            None => "OUT".to_owned(),
            Some(face) => format!("{}{face:02}", if self.faces[*face] { "L" } else { "S" }),
        };
        let mut faces = serde_json::Map::new();
        for face in (0..self.faces.len()).map(Some).chain([None]) {
            let mut cycles = self.cycles(face).into_iter();
            let names = |cycle: Vec<Option<usize>>| cycle.iter().map(name).collect::<Vec<_>>();
            let (kind, centre) = match face {
                None => ("outside", None),
                Some(face) => (if self.faces[face] { "land" } else { "sea" }, Some(self.centre(face))),
            };
            faces.insert(
                name(&face),
                json!({
                    "name": name(&face), "kind": kind, "supply_centre": kind == "land", "home": null,
                    "neighbours_ccw": names(cycles.next().expect("a boundary")),
                    "islands_ccw": cycles.map(names).collect::<Vec<_>>(), "centre": centre,
                }),
            );
        }
        json!({ "faces": faces })
    }

    /// The place of a cell deep within a face.
    fn centre(&self, face: usize) -> [f64; 2] {
        let mut own: Vec<Cell> =
            self.owner.iter().filter(|&(_, &of)| of == face).map(|(&cell, _)| cell).collect();
        loop {
            let inner: Vec<Cell> = own
                .iter()
                .copied()
                .filter(|&c| Cells::around(c).iter().all(|near| own.contains(near)))
                .collect();
            if inner.is_empty() {
                break;
            }
            own = inner;
        }
        let (x, y) = Cells::place(middle(&own));
        Cells::position((f64::from(x), f64::from(y)))
    }
}

/// The cell that is nearest to the mean of cells.
fn middle(cells: &[Cell]) -> Cell {
    let places: Vec<(i32, i32)> = cells.iter().map(|&cell| Cells::place(cell)).collect();
    let n = places.len() as i32;
    let sum = places.iter().fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let far = |&(x, y): &(i32, i32)| {
        let (x, y) = (i64::from(x * n - sum.0), i64::from(y * n - sum.1));
        3 * x * x + y * y
    };
    let best = (0..cells.len()).min_by_key(|&i| far(&places[i])).expect("a cell");
    cells[best]
}
