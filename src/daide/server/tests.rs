use std::sync::LazyLock;

use expect_test::expect_file;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::*;
use crate::board::tests::new_game;
use crate::frame::MOST_TOKENS;
use crate::order::tests::order;
use crate::token::words::NAMED;
use crate::token::{BRA, KET};

/// The pages of dialogues, and the server at the points where something is asked of its client.
static DIALOGUES: LazyLock<(String, Vec<Server>)> = LazyLock::new(|| follow(include_str!("dialogues.txt")));

/// A game of a client as France on the standard board.
fn server() -> Server {
    let limits =
        TurnLimits { movement: TokenNumber::new(1200), retreats: None, builds: TokenNumber::new(60) };
    Server::new(&new_game("standard", "FRANCE"), limits).unwrap()
}

/// A message of the game, without what all of them have.
fn read<T: DeserializeOwned>(text: &str) -> T {
    let mut message: Value = serde_json::from_str(text).unwrap();
    for (key, value) in [("game", "test/1"), ("topology_hash", "0"), ("power", "FRANCE")] {
        message[key] = value.into();
    }
    serde_json::from_value(message).unwrap()
}

/// The page with the answers of a server, a new one in each section.
fn follow(page: &str) -> (String, Vec<Server>) {
    let (mut shown, mut server) = (String::new(), server());
    let (new, lexicon) = (server.clone(), server.board().lexicon());
    let mut servers = vec![new.clone()];
    for line in page.lines().filter(|line| !line.starts_with(['<', '=', '!'])) {
        shown += &format!("{line}\n");
        let told = match (line, line.split_once(' ')) {
            ("close", _) => Ok(Vec::new()),
            (_, Some((">", text))) => server.receive(&lexicon.read(text).unwrap(), None),
            (_, Some(("?", text))) => server.ask(&read(text)),
            (_, Some((".", text))) => server.finish(&read(text)),
            (_, Some(("##", _))) => {
                server = new.clone();
                continue;
            }
            _ => continue,
        };
        match told {
            Ok(said) => {
                said.iter().for_each(|said| shown += &format!("< {}\n", lexicon.display(said.tokens())))
            }
            Err(error) => shown += &format!("! {error}\n"),
        }
        let orders = if line == "close" { server.close() } else { server.take_orders() };
        shown.extend(orders.map(|orders| format!("= {}\n", orders.join(", "))));
        if line.starts_with("? ") {
            servers.push(server.clone());
        }
    }
    (shown, servers)
}

#[test]
fn dialogues_are_those_of_the_page() {
    expect_file!["dialogues.txt"].assert_eq(&DIALOGUES.0);
    let [new, asked @ ..] = &DIALOGUES.1[..] else { panic!("there is a server") };
    assert!(!new.is_ready() && asked.iter().all(Server::is_ready));
}

#[test]
fn a_message_that_is_too_long_to_be_repeated_is_not_understood() {
    let mut server = server();
    let lexicon = server.board().lexicon();
    let mut says = |tokens: &[Token]| {
        let said = server.receive(tokens, None).unwrap();
        said.iter().map(|said| lexicon.display(said.tokens()).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(says(&vec![HUH; MOST_TOKENS]), ["HUH (ERR)"]);
    let name = format!("NME ('{}') ('1')", "x".repeat(20_000));
    assert_eq!(says(&lexicon.read(&name).unwrap()), [format!("YES ({name})"), "MAP ('standard')".to_owned()]);
    assert_eq!(server.name.0, "x".repeat(64), "it is not kept");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if testkit::tries_all() { 64 } else { 16 }))]

    #[test]
    fn any_message_of_a_client_is_answered_or_passed_over(
        words in prop::collection::vec(prop_oneof![
            2 => Just(BRA), 2 => Just(KET),
            4 => prop::sample::select(NAMED.to_vec()).prop_map(|(_, token)| token),
            1 => any::<u16>().prop_map(Token::from_code),
        ], 0..20),
        orders in prop::collection::vec(order(), 1..4),
    ) {
        let submitted = orders.iter().fold(Sentence::new(SUB), |said, order| order.write(said));
        for mut server in DIALOGUES.1.iter().cloned() {
            for tokens in [&words[..], submitted.tokens()] {
                for sentence in server.receive(tokens, None).unwrap_or_default() {
                    prop_assert!(!sentence.tokens().is_empty() && sentence.tokens().len() <= MOST_TOKENS);
                }
            }
            prop_assert!(server.close().is_none_or(|orders| orders.len() <= 3));
        }
    }
}
