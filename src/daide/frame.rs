//! Frames: the units of transmission on the connection. A frame has a header of four bytes (type, padding,
//! length of the rest), big-endian throughout, and the rest.

use std::fmt;
use std::io::{self, Read, Write};

use thiserror::Error;

use crate::token::Token;

/// The version of the protocol.
pub const VERSION: u16 = 1;

/// The number that identifies a client.
const MAGIC: u16 = 0xda10;

/// The largest number of tokens of a diplomacy message: its length in bytes is 16 bits.
pub const MOST_TOKENS: usize = u16::MAX as usize / 2;

/// One message on the connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessageFrame {
    /// The first message of a client, with its version.
    Initial(u16),
    /// The powers and provinces of a non-standard board, by name; empty for the standard board.
    Representation(Vec<NamedToken>),
    /// A message in the language; never empty.
    Diplomacy(Vec<Token>),
    /// The last message of either side.
    Final,
    /// The last message of a side that has detected an error.
    Error(ProtocolFault),
}

/// A power or province and its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NamedToken {
    /// Its token.
    pub token: Token,
    /// Its name.
    pub name: Name,
}

/// A name of three capital letters or digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name([u8; 3]);

impl Name {
    /// The name, if the text is valid.
    pub(crate) fn new(text: &str) -> Option<Name> {
        Name::of(text.as_bytes().try_into().ok()?)
    }

    fn of(bytes: [u8; 3]) -> Option<Name> {
        let allowed = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        bytes.iter().all(allowed).then_some(Name(bytes))
    }

    /// The name as text.
    pub(crate) fn as_str(&self) -> &str {
        // It consists of ASCII only.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The errors that one side may detect in the messages of the other, in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Error)]
#[error("{}", ProtocolFault::ALL[*self as usize].1)]
pub enum ProtocolFault {
    /// 1.
    InitialLate,
    /// 2.
    InitialNotFirst,
    /// 3.
    WrongEndian,
    /// 4.
    WrongMagic,
    /// 5.
    WrongVersion,
    /// 6.
    InitialTwice,
    /// 7.
    InitialFromServer,
    /// 8.
    UnknownMessage,
    /// 9.
    TooShort,
    /// 10.
    DiplomacyTooEarly,
    /// 11.
    RepresentationNotFirst,
    /// 12.
    RepresentationUnexpected,
    /// 13.
    RepresentationFromClient,
    /// 14.
    InvalidToken,
}

impl ProtocolFault {
    /// All errors in words, in the order of their numbers, from 1.
    pub(crate) const ALL: [(ProtocolFault, &str); 14] = [
        (ProtocolFault::InitialLate, "no initial message came in time"),
        (ProtocolFault::InitialNotFirst, "the first message was not an initial message"),
        (ProtocolFault::WrongEndian, "the initial message has its bytes in the wrong order"),
        (
            ProtocolFault::WrongMagic,
            "the initial message has the wrong magic number: this is not a DAIDE client",
        ),
        (ProtocolFault::WrongVersion, "the other side speaks another version of the protocol"),
        (ProtocolFault::InitialTwice, "a second initial message"),
        (ProtocolFault::InitialFromServer, "an initial message from the server"),
        (ProtocolFault::UnknownMessage, "a message of an unknown type"),
        (ProtocolFault::TooShort, "a message that is shorter than it must be"),
        (ProtocolFault::DiplomacyTooEarly, "a diplomacy message before the representation message"),
        (
            ProtocolFault::RepresentationNotFirst,
            "the server's first message was not a representation message",
        ),
        (ProtocolFault::RepresentationUnexpected, "a representation message that was not expected"),
        (ProtocolFault::RepresentationFromClient, "a representation message from a client"),
        (ProtocolFault::InvalidToken, "a token that is never sent"),
    ];

    /// Its number.
    pub(crate) fn code(self) -> u16 {
        self as u16 + 1
    }

    /// The error with this number.
    pub(crate) fn of_code(code: u16) -> Option<ProtocolFault> {
        ProtocolFault::ALL.get(usize::from(code).checked_sub(1)?).map(|(fault, _)| *fault)
    }
}

/// Why a frame could not be read.
#[derive(Debug, Error)]
pub enum FrameError {
    /// The connection was closed between two frames.
    #[error("the connection was closed")]
    Closed,
    /// The connection failed, or ended within a frame.
    #[error("the connection failed: {0}")]
    Io(io::Error),
    /// The bytes are not a valid frame; the error is to be reported to the other side.
    #[error("{0}")]
    Fault(ProtocolFault),
}

impl MessageFrame {
    /// Reads the next frame, and no bytes beyond it.
    ///
    /// # Errors
    /// The connection ends or fails, or the data is not a valid frame.
    pub fn read(from: &mut impl Read) -> Result<MessageFrame, FrameError> {
        let mut header = [0; 4];
        match from.read(&mut header[..1]) {
            Ok(0) => return Err(FrameError::Closed),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return MessageFrame::read(from),
            Err(error) => return Err(FrameError::Io(error)),
        }
        from.read_exact(&mut header[1..]).map_err(FrameError::Io)?;
        // A length in another protocol is meaningless, so the rest is not awaited.
        if header[0] > 4 {
            return Err(FrameError::Fault(ProtocolFault::UnknownMessage));
        }
        let length = usize::from(u16::from_be_bytes([header[2], header[3]]));
        let mut rest = vec![0; length];
        from.read_exact(&mut rest).map_err(FrameError::Io)?;
        MessageFrame::of(header[0], &rest).map_err(FrameError::Fault)
    }

    fn of(kind: u8, rest: &[u8]) -> Result<MessageFrame, ProtocolFault> {
        let (words, odd) = rest.as_chunks::<2>();
        let word = |i: usize| words.get(i).map(|&bytes| u16::from_be_bytes(bytes));
        match (kind, rest.len()) {
            (0, 4..) => match word(1) {
                Some(MAGIC) => Ok(MessageFrame::Initial(word(0).unwrap_or_default())),
                Some(magic) if magic == MAGIC.swap_bytes() => Err(ProtocolFault::WrongEndian),
                _ => Err(ProtocolFault::WrongMagic),
            },
            (1, _) => {
                let (entries, left) = rest.as_chunks::<6>();
                let read = |&[high, low, a, b, c, _]: &[u8; 6]| {
                    let token = Token::from_code(u16::from_be_bytes([high, low]));
                    Some(NamedToken { token, name: Name::of([a, b, c])? })
                };
                let entries: Option<Vec<NamedToken>> = entries.iter().map(read).collect();
                match entries {
                    Some(entries) if left.is_empty() => Ok(MessageFrame::Representation(entries)),
                    Some(_) => Err(ProtocolFault::TooShort),
                    None => Err(ProtocolFault::InvalidToken),
                }
            }
            (2, 2..) if odd.is_empty() => {
                let tokens = words.iter().map(|&bytes| Token::from_code(u16::from_be_bytes(bytes)));
                Ok(MessageFrame::Diplomacy(tokens.collect()))
            }
            (3, _) => Ok(MessageFrame::Final),
            (4, 2..) => word(0)
                .and_then(ProtocolFault::of_code)
                .map(MessageFrame::Error)
                .ok_or(ProtocolFault::UnknownMessage),
            (0 | 2 | 4, _) => Err(ProtocolFault::TooShort),
            _ => Err(ProtocolFault::UnknownMessage),
        }
    }

    /// Writes the frame, in one piece.
    ///
    /// # Errors
    /// The connection fails, or the frame is longer than one can be.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut bytes = vec![0; 4];
        bytes[0] = match self {
            MessageFrame::Initial(version) => {
                bytes.extend(version.to_be_bytes());
                bytes.extend(MAGIC.to_be_bytes());
                0
            }
            MessageFrame::Representation(entries) => {
                for NamedToken { token, name } in entries {
                    bytes.extend(token.code().to_be_bytes());
                    bytes.extend(name.0);
                    bytes.push(0);
                }
                1
            }
            MessageFrame::Diplomacy(tokens) => {
                bytes.extend(tokens.iter().flat_map(|token| token.code().to_be_bytes()));
                2
            }
            MessageFrame::Final => 3,
            MessageFrame::Error(fault) => {
                bytes.extend(fault.code().to_be_bytes());
                4
            }
        };
        let length = u16::try_from(bytes.len() - 4).map_err(|_| {
            let most = "a message of more than 65535 bytes cannot be sent";
            io::Error::new(io::ErrorKind::InvalidInput, most)
        })?;
        bytes[2..4].copy_from_slice(&length.to_be_bytes());
        to.write_all(&bytes)?;
        to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::words::{AUS, BOH, HLO};
    use proptest::prelude::*;

    fn bytes(frame: &MessageFrame) -> Vec<u8> {
        let mut bytes = Vec::new();
        frame.write(&mut bytes).unwrap();
        bytes
    }

    fn read(bytes: &[u8]) -> Result<MessageFrame, FrameError> {
        MessageFrame::read(&mut &bytes[..])
    }

    #[test]
    fn each_frame_has_the_bytes_of_the_protocol() {
        let name = |text| Name::new(text).unwrap();
        let entries =
            vec![NamedToken { token: AUS, name: name("AUS") }, NamedToken { token: BOH, name: name("B0H") }];
        let cases: [(MessageFrame, &[u8]); 6] = [
            (MessageFrame::Initial(1), &[0, 0, 0, 4, 0, 1, 0xda, 0x10]),
            (MessageFrame::Representation(Vec::new()), &[1, 0, 0, 0]),
            (
                MessageFrame::Representation(entries),
                &[1, 0, 0, 12, 0x41, 0, b'A', b'U', b'S', 0, 0x50, 0, b'B', b'0', b'H', 0],
            ),
            (MessageFrame::Diplomacy(vec![HLO]), &[2, 0, 0, 2, 0x48, 0x04]),
            (MessageFrame::Final, &[3, 0, 0, 0]),
            (MessageFrame::Error(ProtocolFault::InvalidToken), &[4, 0, 0, 2, 0, 0x0e]),
        ];
        for (frame, expected) in cases {
            assert_eq!(bytes(&frame), expected);
            assert_eq!(read(expected).unwrap(), frame);
        }
    }

    #[test]
    fn bytes_that_are_no_frame_are_a_fault_of_the_protocol() {
        let cases: [(&[u8], ProtocolFault); 9] = [
            (&[0, 0, 0, 4, 0, 1, 0x10, 0xda], ProtocolFault::WrongEndian),
            (&[0, 0, 0, 4, 0, 1, 0xda, 0x11], ProtocolFault::WrongMagic),
            (&[0, 0, 0, 2, 0, 1], ProtocolFault::TooShort),
            (&[1, 0, 0, 2, 0, 1], ProtocolFault::TooShort),
            (&[1, 0, 0, 6, 0x41, 0, b'a', b'u', b's', 0], ProtocolFault::InvalidToken),
            (&[2, 0, 0, 0], ProtocolFault::TooShort),
            (&[2, 0, 0, 3, 0x48, 0, 0], ProtocolFault::TooShort),
            (&[4, 0, 0, 2, 0, 15], ProtocolFault::UnknownMessage),
            (b"GET\0", ProtocolFault::UnknownMessage),
        ];
        for (bytes, expected) in cases {
            match read(bytes) {
                Err(FrameError::Fault(fault)) => assert_eq!(fault, expected, "{bytes:?}"),
                other => panic!("{bytes:?}: {other:?}"),
            }
        }
        assert!(matches!(read(&[]), Err(FrameError::Closed)));
        assert!(matches!(read(&[2, 0, 0, 2, 0x48]), Err(FrameError::Io(_))));
    }

    #[test]
    fn no_frame_is_longer_than_its_length_can_say() {
        let frame = |tokens| MessageFrame::Diplomacy(vec![HLO; tokens]);
        assert_eq!(bytes(&frame(MOST_TOKENS)).len(), 4 + 2 * MOST_TOKENS);
        assert!(frame(MOST_TOKENS + 1).write(&mut Vec::new()).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_frame_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(frame) = read(&bytes) {
                let mut again = Vec::new();
                frame.write(&mut again).unwrap();
                prop_assert_eq!(read(&again).unwrap(), frame);
            }
        }

        #[test]
        fn a_frame_is_read_as_it_was_written(codes in prop::collection::vec(any::<u16>(), 1..200)) {
            let frame = MessageFrame::Diplomacy(codes.into_iter().map(Token::from_code).collect());
            prop_assert_eq!(read(&bytes(&frame)).unwrap(), frame);
        }
    }
}
