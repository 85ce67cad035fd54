//! The module block, and its direct contents.

mod decode;

use std::collections::VecDeque;

use super::function::Body;
use super::types::{Type, bytes_of};
use super::{Function, Global, Module, NodeKind, Value, ValueId, ValueKind};
use crate::bitstream::{Entry, Stream};
use crate::bytes::escaped_own;
use crate::error::Fault;
use crate::findings;

/// The module that is being read.
pub(super) struct Reader<'a> {
    pub stream: Stream<'a>,
    pub module: Module,
    /// The body that is being read.
    pub body: Option<Body>,
    /// Functions whose bodies are still to come.
    pub bodies: VecDeque<u32>,
    /// Number of functions with a body.
    pub defined: usize,
    /// Whether operands count back from the next value.
    pub relative: bool,
    /// Index of the first instruction of the block that is being read.
    pub block_start: u32,
    /// The largest number of metadata that was named, and where.
    pub furthest_metadata: Option<(u32, u64)>,
    /// Whether attributes and names are passed over.
    metadata_only: bool,
    /// Initial values of globals, which are numbers of constants that come later.
    initials: Vec<(usize, u64)>,
}

/// Reads the bitcode of one module, or no more of it than its metadata needs.
pub(super) fn module(bitcode: &[u8], base: u64, metadata_only: bool) -> Result<Module, Fault> {
    let mut reader = Reader {
        stream: Stream::new(bitcode, base)?,
        module: Module::default(),
        body: None,
        bodies: VecDeque::new(),
        defined: 0,
        relative: false,
        block_start: 0,
        furthest_metadata: None,
        metadata_only,
        initials: Vec::new(),
    };
    reader.module.values.reserve(bitcode.len() / 64);
    let mut found = false;
    while !reader.stream.at_end() {
        match reader.stream.next()? {
            Entry::Block(8) if !found => {
                found = true;
                reader.stream.enter(8)?;
                reader.module_block()?;
            }
            Entry::Block(8) => {
                return Err(reader.stream.fault(findings::BLOCK_LENGTH, "more than one module block"));
            }
            Entry::Block(id) => reader.unknown_block(id)?,
            Entry::End | Entry::Record(_) => {
                return Err(reader.stream.fault(findings::BLOCK_LENGTH, "record outside any block"));
            }
        }
    }
    if !found {
        return Err(reader.stream.fault(findings::BLOCK_LENGTH, "no module block"));
    }
    Ok(reader.module)
}

impl Reader<'_> {
    fn module_block(&mut self) -> Result<(), Fault> {
        loop {
            match self.stream.next()? {
                Entry::End => break,
                Entry::Block(id) => self.module_sub_block(id)?,
                Entry::Record(code) => {
                    let ops = self.stream.take_operands();
                    self.module_record(code, &ops)?;
                    self.stream.recycle(ops);
                }
            }
        }
        if !self.bodies.is_empty() {
            let message =
                format!("{} function bodies for {} definitions", self.defined - self.bodies.len(), self.defined);
            return Err(self.stream.fault(findings::BODY_COUNT, message));
        }
        let values = self.module.values.len() as u64;
        for (global, initial) in std::mem::take(&mut self.initials) {
            if initial >= values {
                let message = format!("initializer of global {global}, value {initial}, is not defined");
                return Err(self.stream.fault(findings::UNDEFINED_VALUE, message));
            }
            if let Some(global) = self.module.globals.get_mut(global) {
                global.initial = Some(ValueId(initial as u32));
            }
        }
        self.check_metadata()?;
        for (_, node) in self.module.metadata.nodes() {
            if let NodeKind::Value(_, id) = node.kind
                && u64::from(id.0) >= values
            {
                let message = format!("metadata refers to value {}, but the module has {values}", id.0);
                return Err(Fault::at_bit(findings::BAD_METADATA, node.place, message));
            }
        }
        Ok(())
    }

    fn module_sub_block(&mut self, id: u32) -> Result<(), Fault> {
        match id {
            9 | 10 | 14 if self.metadata_only => return self.stream.skip(id),
            9..=12 | 14 | 15 | 17 => self.stream.enter(id)?,
            _ => return self.unknown_block(id),
        }
        match id {
            9 => self.attribute_lists(),
            10 => self.attribute_groups(),
            11 => self.constants(),
            12 => self.function_block(),
            14 => {
                self.module.names = self.symbols()?.0;
                Ok(())
            }
            15 => self.metadata(),
            _ => self.types(),
        }
    }

    fn module_record(&mut self, code: u64, ops: &[u64]) -> Result<(), Fault> {
        match code {
            1 => match ops.first() {
                Some(0) => self.relative = false,
                Some(1) => self.relative = true,
                version => {
                    let message = format!("module version is {}, expected 0 or 1", version.copied().unwrap_or(0));
                    return Err(self.stream.fault(findings::MODULE_VERSION, message));
                }
            },
            2 => self.module.triple = escaped_own(bytes_of(ops)),
            3 => self.module.data_layout = escaped_own(bytes_of(ops)),
            7 => self.global(ops)?,
            8 => self.function(ops)?,
            9 => {
                self.stream.charge(2 * size_of::<Value>())?;
                let ty = self.type_id(ops.first().copied().unwrap_or(u64::MAX))?;
                self.module.values.push(Value { ty, kind: ValueKind::Alias });
            }
            _ => {}
        }
        Ok(())
    }

    fn global(&mut self, ops: &[u64]) -> Result<(), Fault> {
        self.stream.charge(2 * (size_of::<Global>() + size_of::<Value>()))?;
        let op = |at: usize| ops.get(at).copied().unwrap_or(0);
        let named = self.type_id(ops.first().copied().unwrap_or(u64::MAX))?;
        let explicit = op(1) & 2 != 0;
        let (ty, address_space, pointer) = if explicit {
            let space = (op(1) >> 2) as u32;
            (named, space, self.module.types.intern(Type::Pointer(named, space)))
        } else {
            match self.module.types.get(named) {
                Some(Type::Pointer(to, space)) => (*to, *space, named),
                _ => return Err(self.stream.fault(findings::BAD_TYPE, "the type of a global is not a pointer")),
            }
        };
        let index = self.module.globals.len();
        if let Some(initial) = op(2).checked_sub(1) {
            self.initials.push((index, initial));
        }
        let align = match op(4) {
            0 => 0,
            log2 => 1u32.checked_shl((log2 - 1).min(32) as u32).unwrap_or(0),
        };
        let value = ValueId(self.next_value());
        self.module.globals.push(Global {
            ty,
            address_space,
            constant: op(1) & 1 != 0,
            initial: None,
            linkage: op(3),
            align,
            value,
            place: self.stream.place(),
        });
        self.module.values.push(Value { ty: pointer, kind: ValueKind::Global(index as u32) });
        Ok(())
    }

    fn function(&mut self, ops: &[u64]) -> Result<(), Fault> {
        self.stream.charge(2 * (size_of::<Function>() + size_of::<Value>()) + 8)?;
        let op = |at: usize| ops.get(at).copied().unwrap_or(0);
        let mut ty = self.type_id(ops.first().copied().unwrap_or(u64::MAX))?;
        if let Some(Type::Pointer(to, _)) = self.module.types.get(ty) {
            ty = *to;
        }
        if !matches!(self.module.types.get(ty), Some(Type::Function { .. })) {
            return Err(self.stream.fault(findings::BAD_TYPE, "the type of a function is not a function type"));
        }
        let index = self.module.functions.len() as u32;
        if op(2) == 0 {
            self.bodies.push_back(index);
            self.defined += 1;
        }
        let pointer = self.module.types.intern(Type::Pointer(ty, 0));
        let value = ValueId(self.next_value());
        let place = self.stream.place();
        self.module.functions.push(Function { ty, attributes: op(4) as u32, linkage: op(3), value, place, body: None });
        self.module.values.push(Value { ty: pointer, kind: ValueKind::Function(index) });
        Ok(())
    }

    /// Skips a block that has no meaning here, and remembers it where LLVM 3.7 would not have written it.
    pub(super) fn unknown_block(&mut self, id: u32) -> Result<(), Fault> {
        // The order of uses (18) matters to those only who write the module again.
        if id != 18 && self.module.unknown_blocks.len() < 16 {
            self.module.unknown_blocks.push(id);
        }
        self.stream.skip(id)
    }
}
