//! The network, read from its file and evaluated by `rten`.
//!
//! All values are whole numbers in 32-bit floats, below 2²⁴ (`network.py` explains why): sums are exact
//! regardless of order and instructions, so that every machine computes the same scores.

use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use crate::encode::{Encoded, NODE_FEATURES, ORDER_COLUMNS, SEAT_FEATURES};
use crate::form;

/// The number of nodes that an order may name.
const PLACES: usize = 4;

/// Why there are no scores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The file is not a network of this kind.
    #[error("the weights cannot be read: {0}")]
    Weights(String),
    /// The network cannot be evaluated.
    #[error("the network cannot be evaluated: {0}")]
    Run(String),
}

/// A network with its weights, evaluated by threads of its own.
///
/// Bots are called on the threads of a pool while a game waits there. Evaluating with another pool on such a
/// thread, as the library does, would make the thread begin the next game in the middle of this one. The
/// caller therefore blocks, as for an external program.
pub struct Network {
    jobs: Mutex<Sender<Job>>,
}

/// A request with the channel for its answer.
struct Job {
    inputs: Vec<ValueOrView<'static>>,
    wanted: Wanted,
    answer: Sender<Result<Scores, NetworkError>>,
}

/// The kind of request.
#[derive(Clone, Copy)]
enum Wanted {
    /// The scores of a seat's orders, and its value.
    Scores,
    /// The values of seats alone.
    Values,
}

/// The part that the threads evaluate.
struct Graph {
    model: Model,
    inputs: [NodeId; 4 + 3 + PLACES],
    outputs: [NodeId; 2],
}

const INPUTS: [&str; 4 + 3 + PLACES] =
    ["nodes", "army", "fleet", "seats", "kinds", "coasts", "ranks", "place0", "place1", "place2", "place3"];
const OUTPUTS: [&str; 2] = ["scores", "values"];

/// The results of the network for a seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// The scores of all orders of all asks, in order; [`UNIT`] of them are one natural unit of a logit.
    pub orders: Vec<i32>,
    /// The expected result of the power, for each seat; [`WORTH`] is a win.
    pub values: Vec<i32>,
}

/// A natural unit of a logit.
pub(crate) const UNIT: i32 = 1024;
/// A win.
pub(crate) const WORTH: i32 = 4096;

/// The bound of all values: up to it, 32-bit floats hold every whole number.
const MOST: f32 = 16_777_216.0;

impl Network {
    /// The network of an ONNX file that `bots/learned/export.py` has written: the network that ships, with any finite
    /// numbers.
    ///
    /// # Errors
    /// The bytes are not such a file. The library that reads ONNX does not see them then.
    pub fn read(bytes: Vec<u8>) -> Result<Network, NetworkError> {
        form::check(&bytes).map_err(NetworkError::Weights)?;
        let read = thread::spawn(move || Graph::read(bytes)).join();
        let gone = |_| NetworkError::Weights("the reader of ONNX failed".to_owned());
        let graph = Arc::new(read.map_err(gone)??);
        let (jobs, waiting) = channel::<Job>();
        let waiting = Arc::new(Mutex::new(waiting));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..cores {
            let (graph, waiting) = (Arc::clone(&graph), Arc::clone(&waiting));
            // The threads end with the network, when the sending side is dropped.
            thread::spawn(move || graph.work(&waiting));
        }
        Ok(Network { jobs: Mutex::new(jobs) })
    }

    /// The scores of a seat's orders, and its value.
    ///
    /// # Errors
    /// The library cannot evaluate it.
    pub fn score(&self, encoded: &Encoded, seat: usize) -> Result<Scores, NetworkError> {
        let mut inputs = boards(encoded, seat..seat + 1);
        inputs.extend(orders(encoded, seat));
        let scores = self.compute(inputs, Wanted::Scores)?;
        let [begin, end] = [encoded.begins[seat][2], encoded.begins[seat + 1][2]];
        whole("scores", scores.orders.len(), (end - begin) as usize)?;
        Ok(scores)
    }

    /// The values of all seats, computed at once.
    ///
    /// # Errors
    /// The library cannot evaluate them.
    pub(crate) fn values(&self, encoded: &Encoded) -> Result<Vec<i32>, NetworkError> {
        let values = self.compute(boards(encoded, 0..encoded.seats()), Wanted::Values)?.values;
        whole("values", values.len(), encoded.seats())?;
        Ok(values)
    }

    fn compute(&self, inputs: Vec<ValueOrView<'static>>, wanted: Wanted) -> Result<Scores, NetworkError> {
        let (answer, answers) = channel();
        let gone = || NetworkError::Run("its threads have ended".to_owned());
        let job = Job { inputs, wanted, answer };
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        jobs.send(job).map_err(|_| gone())?;
        answers.recv().map_err(|_| gone())?
    }
}

/// Checks that a network, which may come from any file, gives as many numbers as are needed.
fn whole(what: &str, found: usize, wanted: usize) -> Result<(), NetworkError> {
    match found == wanted {
        true => Ok(()),
        false => Err(NetworkError::Run(format!("expected {wanted} {what}, found {found}"))),
    }
}

impl Graph {
    fn read(bytes: Vec<u8>) -> Result<Graph, NetworkError> {
        // Only the operators named here are linked: all operators of the library would take ten megabytes.
        let operators = rten::op_registry!(
            Add, Clip, Concat, Floor, Gather, MatMul, Mul, ReduceMax, ReduceSum, Reshape, Squeeze, Unsqueeze
        );
        let model = ModelOptions::with_ops(operators)
            .load(bytes)
            .map_err(|error| NetworkError::Weights(error.to_string()))?;
        let node = |name: &str| {
            model.node_id(name).map_err(|_| NetworkError::Weights(format!("`{name}` is missing")))
        };
        let inputs = INPUTS.iter().map(|name| node(name)).collect::<Result<Vec<_>, _>>()?;
        let outputs = OUTPUTS.iter().map(|name| node(name)).collect::<Result<Vec<_>, _>>()?;
        let unlike = |_| {
            NetworkError::Weights(
                "the numbers of inputs and outputs differ from those of the shipped network".to_owned(),
            )
        };
        Ok(Graph {
            inputs: inputs.try_into().map_err(unlike)?,
            outputs: outputs.try_into().map_err(unlike)?,
            model,
        })
    }

    /// Serves requests until the sending side is dropped.
    fn work(&self, waiting: &Mutex<Receiver<Job>>) {
        let options = RunOptions::default().with_thread_pool(Some(Arc::new(ThreadPool::with_num_threads(1))));
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Job { inputs, wanted, answer }) = next else { return };
            // The caller may be gone.
            let _ = answer.send(self.compute(inputs, wanted, options.clone()));
        }
    }

    fn compute(
        &self,
        inputs: Vec<ValueOrView<'static>>,
        wanted: Wanted,
        options: RunOptions,
    ) -> Result<Scores, NetworkError> {
        let failed = |error: String| NetworkError::Run(error);
        let inputs = self.inputs.iter().copied().zip(inputs).collect();
        let run = |outputs: &[NodeId]| {
            self.model.run(inputs, outputs, Some(options)).map_err(|error| failed(error.to_string()))
        };
        let whole = |value: Value| {
            let tensor: Option<Tensor<f32>> = value.into_tensor();
            let tensor = tensor.ok_or_else(|| failed("its output has no numbers".to_owned()))?;
            Ok(tensor.iter().map(|&number| number.clamp(-MOST, MOST) as i32).collect::<Vec<i32>>())
        };
        let [scores, values] = self.outputs;
        // Only the parts that lead to the requested outputs are computed.
        let mut found = match wanted {
            Wanted::Scores => run(&[scores, values]),
            Wanted::Values => run(&[values]),
        }?;
        let values = found.pop().map_or(Ok(Vec::new()), whole)?;
        Ok(Scores { orders: found.pop().map_or(Ok(Vec::new()), whole)?, values })
    }
}

/// The first inputs of the network, those of the board, for several seats at once. Boards with fewer nodes
/// than the largest are padded with nodes that have no effect.
fn boards(encoded: &Encoded, seats: Range<usize>) -> Vec<ValueOrView<'static>> {
    let span = |seat: usize, part: usize| {
        encoded.begins[seat][part] as usize..encoded.begins[seat + 1][part] as usize
    };
    let rows = seats.len();
    let nodes = seats.clone().map(|seat| span(seat, 0).len()).max().unwrap_or(0);
    let mut features = vec![0.0_f32; rows * nodes * NODE_FEATURES];
    let mut ways = [vec![0.0_f32; rows * nodes * nodes], vec![0.0_f32; rows * nodes * nodes]];
    for (row, seat) in seats.clone().enumerate() {
        let own = span(seat, 0);
        let own = &encoded.nodes[own.start * NODE_FEATURES..own.end * NODE_FEATURES];
        for (at, &feature) in features[row * nodes * NODE_FEATURES..].iter_mut().zip(own) {
            *at = f32::from(feature);
        }
        for &[from, to, kind] in &encoded.edges[span(seat, 1)] {
            ways[usize::from(kind)][(row * nodes + usize::from(to)) * nodes + usize::from(from)] = 1.0;
        }
    }
    let own = &encoded.seats[seats.start * SEAT_FEATURES..seats.end * SEAT_FEATURES];
    let own = own.iter().map(|&number| f32::from(number)).collect();
    let real =
        |shape: &[usize], data: Vec<f32>| ValueOrView::from(Value::from(Tensor::from_data(shape, data)));
    let [army, fleet] = ways;
    vec![
        real(&[rows, nodes, NODE_FEATURES], features),
        real(&[rows, nodes, nodes], army),
        real(&[rows, nodes, nodes], fleet),
        real(&[rows, SEAT_FEATURES], own),
    ]
}

/// The other inputs, those of a seat's orders.
fn orders(encoded: &Encoded, seat: usize) -> Vec<ValueOrView<'static>> {
    let [begin, end] = [encoded.begins[seat], encoded.begins[seat + 1]].map(|at| at.map(|at| at as usize));
    let nodes = end[0] - begin[0];
    let orders = &encoded.orders[begin[2]..end[2]];
    let column =
        |numbers: Vec<i32>| ValueOrView::from(Value::from(Tensor::from_data(&[1, orders.len()], numbers)));
    let plain = |at: usize| column(orders.iter().map(|order| i32::from(order[at])).collect());
    let mut inputs = vec![plain(1), plain(2), plain(3)];
    for place in 0..PLACES {
        let at = ORDER_COLUMNS - PLACES + place;
        // Rows of the table of places; the last row is for orders that name nothing.
        let rows = orders.iter().map(|order| match usize::try_from(order[at]) {
            Ok(node) => (node * PLACES + place) as i32,
            Err(_) => (nodes * PLACES) as i32,
        });
        inputs.push(column(rows.collect()));
    }
    inputs
}
