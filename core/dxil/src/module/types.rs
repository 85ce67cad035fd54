//! The table of types.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::names::symbol;
use super::read::Reader;
use crate::bitstream::Entry;
use crate::bytes::escaped_own;
use crate::error::Fault;
use crate::findings;

/// Index of a type in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TypeId(pub u32);

/// The most lanes a vector may have.
const MAX_VECTOR: u64 = 1 << 20;

/// Maximum number of types that are compared one by one.
const SHORT_TABLE: usize = 256;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// 16-bit float.
    Half,
    /// 32-bit float.
    Float,
    /// 64-bit float.
    Double,
    /// A basic block.
    Label,
    /// Metadata as a value.
    Metadata,
    /// An integer of so many bits.
    Integer(u32),
    /// A pointer: pointee, address space.
    Pointer(TypeId, u32),
    /// An array: length, element.
    Array(u64, TypeId),
    /// A vector: length, element.
    Vector(u32, TypeId),
    /// A structure.
    Struct {
        /// Its name; absent for a literal structure.
        name: Option<Box<str>>,
        /// Without padding.
        packed: bool,
        /// Its members.
        members: SmallVec<[TypeId; 7]>,
    },
    /// A structure that is only named.
    Opaque(Box<str>),
    /// A function.
    Function {
        /// More arguments may follow.
        vararg: bool,
        /// Return type.
        result: TypeId,
        /// Its parameters.
        parameters: SmallVec<[TypeId; 7]>,
    },
}

/// The types of a module.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Types {
    all: Vec<Type>,
    /// By type, the pointer to it in address space 0.
    pointers: Vec<Option<TypeId>>,
    /// The types that results have most: void, a bit, an `i32`.
    common: [Option<TypeId>; 3],
    /// Every type's first place, from the first time on that another type is requested.
    index: Option<HashMap<Type, TypeId>>,
}

impl Types {
    /// Every type, in the order of the table; types that only results need follow.
    pub fn all(&self) -> &[Type] {
        &self.all
    }

    /// One type.
    #[inline]
    pub fn get(&self, id: TypeId) -> Option<&Type> {
        self.all.get(id.0 as usize)
    }

    /// The type in LLVM's syntax.
    pub fn name(&self, id: TypeId) -> String {
        let mut out = String::new();
        self.write(id, &mut out, 0);
        out
    }

    fn write(&self, id: TypeId, out: &mut String, depth: u32) {
        // Unnamed types can nest as deep as the table is long, and each level may double the text.
        if depth > 16 || out.len() > 4096 {
            out.push('…');
            return;
        }
        let list = |ids: &[TypeId], out: &mut String| {
            for (index, id) in ids.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                if out.len() > 4096 {
                    out.push('…');
                    return;
                }
                self.write(*id, out, depth + 1);
            }
        };
        match self.get(id) {
            None => out.push_str("<bad type>"),
            Some(Type::Void) => out.push_str("void"),
            Some(Type::Half) => out.push_str("half"),
            Some(Type::Float) => out.push_str("float"),
            Some(Type::Double) => out.push_str("double"),
            Some(Type::Label) => out.push_str("label"),
            Some(Type::Metadata) => out.push_str("metadata"),
            Some(Type::Integer(bits)) => out.push_str(&format!("i{bits}")),
            Some(Type::Pointer(to, space)) => {
                self.write(*to, out, depth + 1);
                if *space != 0 {
                    out.push_str(&format!(" addrspace({space})"));
                }
                out.push('*');
            }
            Some(Type::Array(count, of)) => {
                out.push_str(&format!("[{count} x "));
                self.write(*of, out, depth + 1);
                out.push(']');
            }
            Some(Type::Vector(count, of)) => {
                out.push_str(&format!("<{count} x "));
                self.write(*of, out, depth + 1);
                out.push('>');
            }
            Some(Type::Struct { name: Some(name), .. } | Type::Opaque(name)) => {
                out.push_str(&symbol('%', name));
            }
            Some(Type::Struct { name: None, packed, members }) => {
                out.push_str(if *packed { "<{ " } else { "{ " });
                list(members, out);
                out.push_str(if *packed { " }>" } else { " }" });
            }
            Some(Type::Function { vararg, result, parameters }) => {
                self.write(*result, out, depth + 1);
                out.push_str(" (");
                list(parameters, out);
                if *vararg {
                    out.push_str(if parameters.is_empty() { "..." } else { ", ..." });
                }
                out.push(')');
            }
        }
    }

    /// The name of a named structure.
    #[inline]
    pub fn struct_name(&self, id: TypeId) -> Option<&str> {
        match self.get(id)? {
            Type::Struct { name, .. } => name.as_deref(),
            Type::Opaque(name) => Some(name),
            _ => None,
        }
    }

    /// Whether values of the type are integers or floats.
    #[inline]
    pub fn is_float(&self, id: TypeId) -> bool {
        match self.get(id) {
            Some(Type::Half | Type::Float | Type::Double) => true,
            Some(Type::Vector(_, of)) => matches!(self.get(*of), Some(Type::Half | Type::Float | Type::Double)),
            _ => false,
        }
    }

    /// The type of one part of an aggregate or vector.
    #[inline]
    pub fn element(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.get(id)? {
            Type::Array(count, of) => (index < *count).then_some(*of),
            Type::Vector(count, of) => (index < u64::from(*count)).then_some(*of),
            Type::Struct { members, .. } => members.get(usize::try_from(index).ok()?).copied(),
            _ => None,
        }
    }

    /// The type that an index of a `getelementptr` steps to. Arrays and vectors are not checked for how many elements
    /// they have: LLVM steps over any number, and `[0 x T]` is how compilers write an array without a bound.
    #[inline]
    pub fn indexed(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.get(id)? {
            Type::Array(_, of) | Type::Vector(_, of) => Some(*of),
            _ => self.element(id, index),
        }
    }

    /// The type of an equal description, added if the table lacks it.
    #[inline]
    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        self.known(&ty).unwrap_or_else(|| self.push(ty))
    }

    fn known(&mut self, ty: &Type) -> Option<TypeId> {
        if let Type::Pointer(to, 0) = ty {
            return self.pointers.get(to.0 as usize).copied().flatten();
        }
        if let Some(slot) = common(ty) {
            return self.common.get(slot).copied().flatten();
        }
        if self.all.len() <= SHORT_TABLE && self.index.is_none() {
            return self.all.iter().position(|other| other == ty).map(|at| TypeId(at as u32));
        }
        let index = self.index.get_or_insert_with(|| {
            let mut index = HashMap::new();
            for (at, ty) in self.all.iter().enumerate() {
                index.entry(ty.clone()).or_insert(TypeId(at as u32));
            }
            index
        });
        index.get(ty).copied()
    }

    #[inline]
    fn push(&mut self, ty: Type) -> TypeId {
        let id = TypeId(self.all.len() as u32);
        if let Type::Pointer(to, 0) = ty {
            self.note_pointer(to, id);
        }
        if let Some(slot) = common(&ty).and_then(|slot| self.common.get_mut(slot)) {
            slot.get_or_insert(id);
        }
        if let Some(index) = &mut self.index {
            index.entry(ty.clone()).or_insert(id);
        }
        self.all.push(ty);
        id
    }
}

impl Types {
    fn note_pointer(&mut self, to: TypeId, pointer: TypeId) {
        // A pointee that is defined later, if at all, has no place yet.
        if to.0 as usize >= self.pointers.len() {
            self.pointers.resize(self.all.len(), None);
        }
        if let Some(slot) = self.pointers.get_mut(to.0 as usize) {
            slot.get_or_insert(pointer);
        }
    }

    /// Records the pointers to types that are defined after them.
    fn note_pointers(&mut self) {
        self.pointers.resize(self.all.len(), None);
        for (at, ty) in self.all.iter().enumerate() {
            if let Type::Pointer(to, 0) = ty
                && let Some(slot) = self.pointers.get_mut(to.0 as usize)
            {
                slot.get_or_insert(TypeId(at as u32));
            }
        }
    }
}

/// The index of a type among the common ones.
fn common(ty: &Type) -> Option<usize> {
    match ty {
        Type::Void => Some(0),
        Type::Integer(1) => Some(1),
        Type::Integer(32) => Some(2),
        _ => None,
    }
}

impl Reader<'_> {
    /// Reads the block of types.
    pub(super) fn types(&mut self) -> Result<(), Fault> {
        let mut claimed = None;
        let mut name: Option<Box<str>> = None;
        // Types that follow the one that names them.
        let mut forward: Vec<(u64, u32)> = Vec::new();
        // A type takes four bytes or more; this many are there.
        let room = self.stream.block_bits() / 64;
        self.module.types.all.reserve(room);
        self.module.types.pointers.reserve(room);
        loop {
            let code = match self.stream.next()? {
                Entry::End => break,
                Entry::Block(id) => {
                    self.unknown_block(id)?;
                    continue;
                }
                Entry::Record(code) => code,
            };
            let ops = self.stream.take_operands();
            match code {
                1 => claimed = ops.first().copied(),
                19 => name = Some(escaped_own(bytes_of(&ops)).into()),
                _ => {
                    let ty = self.type_record(code, &ops, &mut name, &mut forward)?;
                    self.stream.charge(4 * size_of::<Type>() + 16 * ops.len() + 16)?;
                    self.module.types.push(ty);
                }
            }
            self.stream.recycle(ops);
        }
        let count = self.module.types.all.len();
        if let Some(claimed) = claimed.filter(|claimed| *claimed != count as u64) {
            return Err(self
                .stream
                .fault(findings::TYPE_COUNT, format!("type table claims {claimed} types, but has {count}")));
        }
        if let Some((of, id)) = forward.iter().find(|(_, id)| *id as usize >= count) {
            return Err(self.stream.fault(findings::BAD_TYPE, format!("type {of}: member type {id} of {count}")));
        }
        self.module.types.note_pointers();
        self.check_recursion(&forward)
    }

    fn type_record(
        &mut self,
        code: u64,
        ops: &[u64],
        name: &mut Option<Box<str>>,
        forward: &mut Vec<(u64, u32)>,
    ) -> Result<Type, Fault> {
        let index = self.module.types.all.len() as u64;
        let bad = |why: String| self.stream.fault(findings::BAD_TYPE, format!("type {index}: {why}"));
        let op = |at: usize| ops.get(at).copied().ok_or_else(|| bad(format!("operand {at} is missing (code {code})")));
        let mut any = |id: u64| -> Result<TypeId, Fault> {
            let Ok(id) = u32::try_from(id) else { return Err(bad(format!("type {id} does not exist"))) };
            if u64::from(id) >= index {
                forward.push((index, id));
            }
            Ok(TypeId(id))
        };
        Ok(match code {
            2 => Type::Void,
            3 => Type::Float,
            4 => Type::Double,
            5 => Type::Label,
            10 => Type::Half,
            16 => Type::Metadata,
            7 => match op(0)? {
                bits @ 1..=64 => Type::Integer(bits as u32),
                bits => return Err(bad(format!("integer has {bits} bits"))),
            },
            8 => Type::Pointer(any(op(0)?)?, ops.get(1).map_or(0, |space| *space as u32)),
            11 => Type::Array(op(0)?, any(op(1)?)?),
            12 => match op(0)? {
                count @ 1..=MAX_VECTOR => Type::Vector(count as u32, any(op(1)?)?),
                count => return Err(bad(format!("vector has {count} elements"))),
            },
            18 | 20 => {
                let members = list(ops.get(1..).unwrap_or_default(), &mut any)?;
                let name = if code == 20 { Some(name.take().unwrap_or_default()) } else { None };
                Type::Struct { name, packed: op(0)? != 0, members }
            }
            6 => Type::Opaque(name.take().unwrap_or_default()),
            21 => {
                let parameters = list(ops.get(2..).unwrap_or_default(), &mut any)?;
                Type::Function { vararg: op(0)? != 0, result: any(op(1)?)?, parameters }
            }
            _ => return Err(bad(format!("code {code} is not a type of LLVM 3.7"))),
        })
    }

    /// A type that contains itself other than through a pointer has no size.
    fn check_recursion(&self, forward: &[(u64, u32)]) -> Result<(), Fault> {
        // A type that refers only to earlier types cannot contain itself.
        if forward.is_empty() {
            return Ok(());
        }
        let types = &self.module.types;
        // 0 not seen, 1 being looked at, 2 done.
        let mut state = vec![0u8; types.all.len()];
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for start in 0..types.all.len() as u32 {
            if state[start as usize] != 0 {
                continue;
            }
            stack.push((start, 0));
            state[start as usize] = 1;
            while let Some((id, next)) = stack.last_mut() {
                let part = match &types.all[*id as usize] {
                    Type::Array(_, of) | Type::Vector(_, of) => (*next == 0).then_some(*of),
                    Type::Struct { members, .. } => members.get(*next).copied(),
                    _ => None,
                };
                *next += 1;
                let id = *id;
                match part {
                    None => {
                        state[id as usize] = 2;
                        stack.pop();
                    }
                    Some(part) => match state.get(part.0 as usize) {
                        Some(0) => {
                            state[part.0 as usize] = 1;
                            stack.push((part.0, 0));
                        }
                        Some(1) => {
                            let message = format!("type {id}: it contains itself");
                            return Err(self.stream.fault(findings::BAD_TYPE, message));
                        }
                        _ => {}
                    },
                }
            }
        }
        Ok(())
    }

    /// A type's number from a record, checked.
    #[inline]
    pub(super) fn type_id(&self, id: u64) -> Result<TypeId, Fault> {
        match u32::try_from(id).ok().filter(|id| (*id as usize) < self.module.types.all.len()) {
            Some(id) => Ok(TypeId(id)),
            None => {
                let count = self.module.types.all.len();
                Err(self.stream.fault(findings::BAD_TYPE, format!("type {id} of {count}")))
            }
        }
    }
}

/// A list of types, each checked.
fn list<E>(ids: &[u64], mut check: impl FnMut(u64) -> Result<TypeId, E>) -> Result<SmallVec<[TypeId; 7]>, E> {
    let mut out = SmallVec::with_capacity(ids.len());
    for id in ids {
        out.push(check(*id)?);
    }
    Ok(out)
}

/// Operands as the bytes they stand for.
pub(super) fn bytes_of(ops: &[u64]) -> Vec<u8> {
    ops.iter().map(|op| *op as u8).collect()
}
