//! Values of variables that lead to memory: buffers, workgroup variables, push constants.

use std::ops::Range;

use crate::machine::Machine;
use crate::memory::{OFFSET_BITS, Object, Origin};
use crate::program::{Program, Resource};
use crate::types::{Kind, MatrixLayout, Ty};
use crate::value::{MAX_ELEMENTS, Value, scalar};
use lanescope_base::ids::Id;

/// Elements of an array that are shown.
const SHOWN: u64 = 256;

/// Bytes of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bytes {
    /// Index of the object.
    pub object: usize,
    /// Its bytes.
    pub range: Range<u64>,
}

/// The bytes at a path of indices in a variable that leads to memory; absent where [`follow`] finds none, a descriptor must
/// be selected first, the components of a vector are apart (a column of a matrix with rows), or not every write is recorded
/// (outputs that invocations share: one that leaves them as they are is not).
pub(crate) fn bytes(machine: &Machine, id: Id, path: &[u32]) -> Option<Bytes> {
    let Followed::Found(Found { reader, object, at: (ty, offset, matrix, column) }) = follow(machine, id, path)? else {
        return None;
    };
    let types = &reader.program.types;
    let all = reader.object.bytes().len() as u64;
    let size = match types.kind_of(ty) {
        Kind::RuntimeArray { .. } => all.saturating_sub(offset),
        Kind::Struct { is_block: true, .. } if offset == 0 => all,
        _ if matches!(reader.object.origin, Origin::Output(_)) => return None,
        Kind::Vector { .. } if column.is_some() => return None,
        // The size of a matrix does not have its stride.
        Kind::Struct { .. } | Kind::Matrix { .. } if types.info(ty).scalars.is_some() => {
            let mut scalars = Vec::new();
            types.layout(ty, 0, matrix, column, &mut scalars);
            scalars.iter().map(|scalar| scalar.offset + u64::from(scalar.bytes)).max().unwrap_or(0)
        }
        _ => types.info(ty).size,
    };
    Some(Bytes { object, range: offset..offset.saturating_add(size).min(all).max(offset) })
}

/// A place in the memory of a variable.
struct Found<'m> {
    object: usize,
    reader: Reader<'m>,
    at: At,
}

/// What a path of indices in a variable leads to.
enum Followed<'m> {
    /// Descriptors of an array: how many, and the type of the array.
    Descriptors(u64, Ty),
    /// A place in memory.
    Found(Found<'m>),
}

/// Follows a path of indices in a variable that leads to memory; absent where the variable does not, or the path leads out
/// of it. The first index selects the descriptor of an array of descriptors.
fn follow<'m>(machine: &'m Machine, id: Id, path: &[u32]) -> Option<Followed<'m>> {
    let program = machine.program();
    let resource = program.resources.iter().find(|resource| resource.id == id)?;
    let mut ty = pointee(program, resource)?;
    let first = *machine.setup.constants.get(resource.slot as usize)? >> OFFSET_BITS;
    let (element, path) = match program.types.kind_of(ty) {
        Kind::Array { of, .. } | Kind::RuntimeArray { of, .. } if is_block(program, *of) => {
            let Some((element, rest)) = path.split_first() else {
                let count = resource.count.map_or_else(|| u64::from(program.types.count(ty)), u64::from);
                return Some(Followed::Descriptors(count, ty));
            };
            ty = *of;
            (u64::from(*element), rest)
        }
        _ => (0, path),
    };
    if resource.count.is_some_and(|count| element >= u64::from(count)) {
        return None;
    }
    let index = usize::try_from(first + element).ok()?;
    let reader = Reader { program, object: machine.state.memory.objects.get(index)? };
    let at = reader.follow(ty, path)?;
    Some(Followed::Found(Found { object: index, reader, at }))
}

/// The value at a path of indices in a variable that leads to memory; absent where [`follow`] finds none, or a descriptor
/// must be selected first. Of an array the first 256 elements are shown.
pub(crate) fn value(machine: &Machine, id: Id, path: &[u32]) -> Option<Value> {
    let Followed::Found(Found { reader, at: (ty, offset, matrix, column), .. }) = follow(machine, id, path)? else {
        return None;
    };
    reader.read(ty, offset, matrix, column, &mut MAX_ELEMENTS.clone())
}

/// The type at a path of indices, and the elements or descriptors of an array whose type does not say how many.
pub(crate) fn shape(machine: &Machine, id: Id, path: &[u32]) -> Option<(Ty, Option<u64>)> {
    Some(match follow(machine, id, path)? {
        Followed::Descriptors(count, ty) => (ty, Some(count)),
        Followed::Found(Found { reader, at: (ty, offset, ..), .. }) => match reader.program.types.kind_of(ty) {
            Kind::RuntimeArray { stride, .. } => (ty, Some(reader.elements(offset, *stride))),
            _ => (ty, None),
        },
    })
}

/// The variables that lead to memory, with the types of what they lead to. Images and samplers are left out.
pub(crate) fn variables(program: &Program) -> impl Iterator<Item = (Id, Id)> + '_ {
    program.resources.iter().filter_map(|resource| {
        let ty = pointee(program, resource)?;
        let info = program.types.info(ty);
        let opaque = matches!(info.kind, Kind::Image(_) | Kind::Sampler | Kind::SampledImage { .. } | Kind::Other);
        (!opaque).then_some((resource.id, info.id))
    })
}

fn pointee(program: &Program, resource: &Resource) -> Option<Ty> {
    let ty = program.module.def(resource.id)?.result_type().and_then(|ty| program.types.get(ty))?;
    let Kind::Pointer { to, .. } = *program.types.kind_of(ty) else { return None };
    program.types.get(to)
}

fn is_block(program: &Program, ty: Ty) -> bool {
    matches!(program.types.kind_of(ty), Kind::Struct { is_block: true, .. })
}

struct Reader<'m> {
    program: &'m Program,
    object: &'m Object,
}

/// A type, its byte offset, the layout of a matrix that it is or contains, the distance of a column's components.
type At = (Ty, u64, MatrixLayout, Option<u32>);

impl Reader<'_> {
    fn follow(&self, ty: Ty, path: &[u32]) -> Option<At> {
        let start = (ty, 0, MatrixLayout::default(), None);
        path.iter().try_fold(start, |at, &index| self.element(at, index))
    }

    fn element(&self, (ty, offset, matrix, column): At, index: u32) -> Option<At> {
        let types = &self.program.types;
        let at = u64::from(index);
        match types.kind_of(ty) {
            Kind::Struct { members, .. } => {
                let member = members.get(index as usize)?;
                Some((member.ty, offset.checked_add(member.offset)?, member.matrix, None))
            }
            Kind::Array { of, count, stride } => {
                (index < *count).then_some(())?;
                Some((*of, offset.checked_add(at.checked_mul(*stride)?)?, matrix, None))
            }
            Kind::RuntimeArray { of, stride } => {
                let next = offset.checked_add(at.checked_mul(*stride)?)?;
                (at < self.elements(offset, *stride)).then_some((*of, next, matrix, None))
            }
            Kind::Matrix { of, count } => {
                (index < *count).then_some(())?;
                let component = types.info(types.component(*of)).size;
                let (step, column) = match matrix {
                    MatrixLayout { stride: Some(stride), row_major: true } => (component, Some(stride)),
                    MatrixLayout { stride: Some(stride), row_major: false } => (u64::from(stride), None),
                    MatrixLayout { stride: None, .. } => (types.info(*of).size, None),
                };
                Some((*of, offset.checked_add(at * step)?, matrix, column))
            }
            Kind::Vector { of, count } => {
                (index < *count).then_some(())?;
                let step = column.map_or(types.info(*of).size, u64::from);
                Some((*of, offset.checked_add(at * step)?, matrix, None))
            }
            _ => None,
        }
    }

    /// Elements of a runtime array.
    fn elements(&self, offset: u64, stride: u64) -> u64 {
        (self.object.bytes().len() as u64).saturating_sub(offset) / stride.max(1)
    }

    fn read(&self, ty: Ty, offset: u64, matrix: MatrixLayout, column: Option<u32>, budget: &mut u32) -> Option<Value> {
        *budget = budget.checked_sub(1)?;
        let types = &self.program.types;
        let count = match types.kind_of(ty) {
            Kind::RuntimeArray { stride, .. } => Some(self.elements(offset, *stride)),
            Kind::Struct { .. } | Kind::Array { .. } | Kind::Matrix { .. } | Kind::Vector { .. } => {
                Some(u64::from(types.count(ty)))
            }
            _ => None,
        };
        let Some(count) = count else {
            let bytes = u32::try_from(types.info(ty).size).ok().filter(|bytes| (1..=8).contains(bytes));
            let bytes = bytes.unwrap_or(4);
            if self.object.is_unwritten(offset, bytes) {
                return Some(Value::Unwritten);
            }
            return self.object.read(offset, bytes).map(|bits| scalar(self.program, ty, bits));
        };
        let mut elements = Vec::new();
        for index in 0..count.min(SHOWN) as u32 {
            let Some((ty, offset, matrix, column)) = self.element((ty, offset, matrix, column), index) else { break };
            // What is beyond the buffer, or more than is shown, ends the list.
            let Some(element) = self.read(ty, offset, matrix, column, budget) else { break };
            elements.push(element);
        }
        Some(Value::Composite(elements))
    }
}
