//! The network, read from its file and computed by `rten`.
//!
//! All that it computes are whole numbers in 32-bit floats, below 2²⁴ (`network.py` says why): sums are exact in whatever order
//! and with whatever instructions they are made, so that every machine has the same scores.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use crate::encode::{Encoded, NODE_FEATURES, ORDER_COLUMNS, SEAT_FEATURES};

/// Nodes that an order may name.
const PLACES: usize = 4;

/// Why there are no scores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The file is not a network of this kind.
    #[error("the weights cannot be read: {0}")]
    Weights(String),
    /// It cannot be computed.
    #[error("the network cannot be computed: {0}")]
    Run(String),
}

/// A network with its weights, computed by threads of its own.
///
/// Bots are asked on the threads of a pool on which a game waits meanwhile. To compute there with another pool, as the library
/// does, would have the thread begin the next game in the middle of this one. So whoever asks waits, as for a program.
pub struct Network {
    jobs: Mutex<Sender<Job>>,
}

/// Something to be computed, and where the answer goes.
struct Job {
    inputs: Vec<ValueOrView<'static>>,
    answer: Sender<Result<Scores, NetworkError>>,
}

/// What the threads compute.
struct Graph {
    model: Model,
    inputs: [NodeId; 4 + 3 + PLACES],
    outputs: [NodeId; 2],
}

const INPUTS: [&str; 4 + 3 + PLACES] =
    ["nodes", "army", "fleet", "seats", "kinds", "coasts", "ranks", "place0", "place1", "place2", "place3"];
const OUTPUTS: [&str; 2] = ["scores", "values"];

/// What the network makes of a seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// Of each order of each ask, in their order: [`UNIT`] of them are one natural unit of a logit.
    pub orders: Vec<i32>,
    /// What the game will bring the power: [`WORTH`] is a win.
    pub value: i32,
}

/// A natural unit of a logit.
pub const UNIT: i32 = 1024;
/// A win.
pub const WORTH: i32 = 4096;

impl Network {
    /// The network of an ONNX file that `bots/learned/export.py` has written.
    ///
    /// # Errors
    /// The bytes are not such a file.
    pub fn read(bytes: Vec<u8>) -> Result<Network, NetworkError> {
        let read = thread::spawn(move || Graph::read(bytes)).join();
        let gone = |_| NetworkError::Weights("they cannot be taken apart".to_owned());
        let graph = Arc::new(read.map_err(gone)??);
        let (jobs, waiting) = channel::<Job>();
        let waiting = Arc::new(Mutex::new(waiting));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..cores {
            let (graph, waiting) = (Arc::clone(&graph), Arc::clone(&waiting));
            // They end with the network, when there is nobody left to send them anything.
            thread::spawn(move || graph.work(&waiting));
        }
        Ok(Network { jobs: Mutex::new(jobs) })
    }

    /// The scores of a seat's orders, and its value.
    ///
    /// # Errors
    /// The library cannot compute it.
    pub fn score(&self, encoded: &Encoded, seat: usize) -> Result<Scores, NetworkError> {
        let (answer, answers) = channel();
        let gone = || NetworkError::Run("its threads have ended".to_owned());
        let job = Job { inputs: inputs(encoded, seat), answer };
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        jobs.send(job).map_err(|_| gone())?;
        answers.recv().map_err(|_| gone())?
    }
}

impl Graph {
    fn read(bytes: Vec<u8>) -> Result<Graph, NetworkError> {
        // What is not named here is not linked: all that the library knows would be ten megabytes.
        let operators = rten::op_registry!(
            Add, Clip, Concat, Floor, Gather, MatMul, Mul, ReduceMax, ReduceSum, Reshape, Squeeze, Unsqueeze
        );
        let model = ModelOptions::with_ops(operators)
            .load(bytes)
            .map_err(|error| NetworkError::Weights(error.to_string()))?;
        let node = |name: &str| {
            model.node_id(name).map_err(|_| NetworkError::Weights(format!("there is no `{name}` in them")))
        };
        let inputs = INPUTS.iter().map(|name| node(name)).collect::<Result<Vec<_>, _>>()?;
        let outputs = OUTPUTS.iter().map(|name| node(name)).collect::<Result<Vec<_>, _>>()?;
        let unlike = |_| NetworkError::Weights("it has other inputs".to_owned());
        Ok(Graph {
            inputs: inputs.try_into().map_err(unlike)?,
            outputs: outputs.try_into().map_err(unlike)?,
            model,
        })
    }

    /// Computes what is waited for, until nobody can ask any more.
    fn work(&self, waiting: &Mutex<Receiver<Job>>) {
        let options = RunOptions::default().with_thread_pool(Some(Arc::new(ThreadPool::with_num_threads(1))));
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Job { inputs, answer }) = next else { return };
            // Whoever asked may have gone.
            let _ = answer.send(self.scores(inputs, options.clone()));
        }
    }

    fn scores(&self, inputs: Vec<ValueOrView<'static>>, options: RunOptions) -> Result<Scores, NetworkError> {
        let failed = |error: String| NetworkError::Run(error);
        let inputs = self.inputs.iter().copied().zip(inputs).collect();
        let [scores, value] = self
            .model
            .run_n(inputs, self.outputs, Some(options))
            .map_err(|error| failed(error.to_string()))?;
        let whole = |value: Value| {
            let tensor: Option<Tensor<f32>> = value.into_tensor();
            let tensor = tensor.ok_or_else(|| failed("it gives no numbers".to_owned()))?;
            Ok(tensor.iter().map(|&number| number as i32).collect::<Vec<i32>>())
        };
        Ok(Scores { orders: whole(scores)?, value: whole(value)?.first().copied().unwrap_or(0) })
    }
}

/// The inputs of the network for one seat, in the order of [`INPUTS`].
fn inputs(encoded: &Encoded, seat: usize) -> Vec<ValueOrView<'static>> {
    let [begin, end] = [encoded.begins[seat], encoded.begins[seat + 1]].map(|at| at.map(|at| at as usize));
    let nodes = end[0] - begin[0];
    let features = &encoded.nodes[begin[0] * NODE_FEATURES..end[0] * NODE_FEATURES];
    let mut ways = [vec![0.0_f32; nodes * nodes], vec![0.0_f32; nodes * nodes]];
    for &[from, to, kind] in &encoded.edges[begin[1]..end[1]] {
        ways[usize::from(kind)][usize::from(to) * nodes + usize::from(from)] = 1.0;
    }
    let own = &encoded.seats[seat * SEAT_FEATURES..][..SEAT_FEATURES];
    let orders = &encoded.orders[begin[2]..end[2]];
    let floats = |numbers: &[u8]| numbers.iter().map(|&number| f32::from(number)).collect::<Vec<f32>>();
    let real =
        |shape: &[usize], data: Vec<f32>| ValueOrView::from(Value::from(Tensor::from_data(shape, data)));
    let column = |at: usize| {
        let numbers: Vec<i32> = orders.iter().map(|order| i32::from(order[at])).collect();
        ValueOrView::from(Value::from(Tensor::from_data(&[1, orders.len()], numbers)))
    };
    let [army, fleet] = ways;
    let mut inputs = vec![
        real(&[1, nodes, NODE_FEATURES], floats(features)),
        real(&[1, nodes, nodes], army),
        real(&[1, nodes, nodes], fleet),
        real(&[1, SEAT_FEATURES], floats(own)),
        column(1),
        column(2),
        column(3),
    ];
    for place in 0..PLACES {
        let at = ORDER_COLUMNS - PLACES + place;
        // Rows of the table of places; the last is for orders that name nothing.
        let rows = orders.iter().map(|order| match usize::try_from(order[at]) {
            Ok(node) => (node * PLACES + place) as i32,
            Err(_) => (nodes * PLACES) as i32,
        });
        let rows: Vec<i32> = rows.collect();
        inputs.push(ValueOrView::from(Value::from(Tensor::from_data(&[1, orders.len()], rows))));
    }
    inputs
}
