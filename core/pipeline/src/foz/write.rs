//! Writing a database: entry after entry, each object once.

use std::collections::BTreeSet;
use std::io::{self, Write};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use super::index::MAGIC;
use super::{Key, Tag, varint};

/// The version that is written.
const VERSION: u8 = 6;
/// The basis and the factor of the keys.
const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
const FACTOR: u64 = 0x100_0000_01B3;

/// Writes a database.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    compress: bool,
    written: BTreeSet<(Tag, u64)>,
}

/// The key of a module, as the recorder computes it: over its words, then over its creation flags, which are 0.
pub fn module_hash(words: &[u32]) -> u64 {
    words.iter().chain(&[0]).fold(BASIS, |hash, word| hash.wrapping_mul(FACTOR) ^ u64::from(*word))
}

/// A key for an object that readers take as it is: over its text.
pub fn text_hash(tag: Tag, text: &str) -> u64 {
    let start = BASIS.wrapping_mul(FACTOR) ^ tag.number();
    text.bytes().fold(start, |hash, byte| hash.wrapping_mul(FACTOR) ^ u64::from(byte))
}

impl<W: Write> Writer<W> {
    /// Starts a database. `compress` says whether payloads are deflated where that makes them shorter.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(mut out: W, compress: bool) -> io::Result<Writer<W>> {
        out.write_all(MAGIC)?;
        out.write_all(&[0, 0, 0, VERSION])?;
        Ok(Writer { out, compress, written: BTreeSet::new() })
    }

    /// Number of objects written.
    pub fn count(&self) -> usize {
        self.written.len()
    }

    /// Writes an object: what is under its key, without what it is in.
    ///
    /// # Errors
    /// Those of the file.
    pub fn object(&mut self, tag: Tag, hash: u64, json: &str) -> io::Result<()> {
        let payload = match tag.keys().first().filter(|_| tag != Tag::Application) {
            Some(kind) => format!("{{\"version\":{VERSION},\"{kind}\":{{\"{}\":{json}}}}}", Key(hash)),
            None => json.to_owned(),
        };
        self.entry(tag, hash, payload.as_bytes())
    }

    /// Writes a shader module, and returns its key.
    ///
    /// # Errors
    /// Those of the file.
    pub fn module(&mut self, words: &[u32]) -> io::Result<u64> {
        let hash = module_hash(words);
        let mut packed = Vec::with_capacity(words.len() * 2);
        words.iter().for_each(|word| varint::put(*word, &mut packed));
        let mut payload = format!(
            "{{\"version\":{VERSION},\"shaderModules\":{{\"{}\":{{\"varintOffset\":0,\"varintSize\":{},\"codeSize\":{},\
             \"flags\":0}}}}}}",
            Key(hash),
            packed.len(),
            words.len() * 4
        )
        .into_bytes();
        payload.push(0);
        payload.extend(packed);
        self.entry(Tag::Module, hash, &payload)?;
        Ok(hash)
    }

    /// Writes an entry as stored in another database.
    ///
    /// # Errors
    /// Those of the file.
    pub fn raw(&mut self, tag: Tag, hash: u64, entry: &[u8]) -> io::Result<()> {
        if self.written.insert((tag, hash)) { self.out.write_all(entry) } else { Ok(()) }
    }

    fn entry(&mut self, tag: Tag, hash: u64, payload: &[u8]) -> io::Result<()> {
        if !self.written.insert((tag, hash)) {
            return Ok(());
        }
        let deflated = if self.compress { deflate(payload)? } else { Vec::new() };
        let smaller = self.compress && deflated.len() < payload.len();
        let (stored, kind) = if smaller { (deflated.as_slice(), 2u32) } else { (payload, 1) };
        let mut crc = Crc::new();
        crc.update(stored);
        let size =
            |bytes: &[u8]| u32::try_from(bytes.len()).map_err(|_| io::Error::other("the object is larger than 4 GiB"));
        write!(self.out, "{:024x}{}", tag.number(), Key(hash))?;
        for word in [size(stored)?, kind, crc.sum(), size(payload)?] {
            self.out.write_all(&word.to_le_bytes())?;
        }
        self.out.write_all(stored)
    }

    /// Ends the database.
    ///
    /// # Errors
    /// Those of the file.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

fn deflate(payload: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(payload)?;
    encoder.finish()
}
