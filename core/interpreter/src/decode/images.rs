//! Image instructions.

use super::{Decoder, Operation, Result, Val};
use crate::code::{Code, ImageOp, Slot, Watch};
use crate::kernels::{kernel1, kernel2};
use crate::memory::{OFFSET_BITS, OFFSET_MASK};
use crate::types::{ImageType, Kind, Ty};
use lanescope_spirv::enums::{Dim, ImageOperands, Op};

impl Decoder<'_> {
    /// The image type of a handle.
    fn image_type(&self, op: &Operation<'_>, ty: Ty) -> Result<ImageType> {
        let found = match *self.types.kind_of(ty) {
            Kind::Image(image) => Some(image),
            Kind::SampledImage { image } => match *self.types.kind_of(image) {
                Kind::Image(image) => Some(image),
                _ => None,
            },
            _ => None,
        };
        let image = found.ok_or_else(|| op.invalid("the operand is not an image"))?;
        match Dim::from_u32(image.dim) {
            Some(Dim::Dim1D | Dim::Dim2D | Dim::Dim3D | Dim::DimCube | Dim::DimRect | Dim::DimBuffer) => {}
            _ => return Err(op.unsupported("an image of this dimension")),
        }
        if image.multisampled {
            return Err(op.unsupported("a multisampled image"));
        }
        Ok(image)
    }

    /// Decodes an instruction of this kind; false if it is of another one.
    pub(super) fn image(&mut self, op: &Operation<'_>) -> Result<bool> {
        use Op::*;
        match op.op {
            Image => {
                let a = self.sized(op, 0, 1)?;
                self.image_type(op, a.ty)?;
                self.unary(op, a, kernel1!(|a| a & !OFFSET_MASK), Watch::No)?;
            }
            SampledImage => {
                let (a, b) = (self.sized(op, 0, 1)?, self.sized(op, 1, 1)?);
                self.image_type(op, a.ty)?;
                if !matches!(self.types.kind_of(b.ty), Kind::Sampler) {
                    return Err(op.invalid("the operand is not a sampler"));
                }
                self.binary(op, a, b, kernel2!(|a, b| a & !OFFSET_MASK | b >> OFFSET_BITS), Watch::No)?;
            }
            ImageRead
            | ImageFetch
            | ImageSampleImplicitLod
            | ImageSampleExplicitLod
            | ImageSampleProjImplicitLod
            | ImageSampleProjExplicitLod => self.lookup(op, None)?,
            ImageSampleDrefImplicitLod
            | ImageSampleDrefExplicitLod
            | ImageSampleProjDrefImplicitLod
            | ImageSampleProjDrefExplicitLod
            | ImageGather
            | ImageDrefGather => {
                let extra = self.sized(op, 2, 1)?;
                self.lookup(op, Some(extra.slot))?;
            }
            ImageWrite => {
                let (image, coordinate, value) = (self.sized(op, 0, 1)?, self.arg(op, 1)?, self.arg(op, 2)?);
                let n = self.scalars(op, value)?;
                let row = self.image_row(op, image, coordinate, (value.slot, n), value.ty)?;
                let way = self.image_way(op, op.id(0), op.rest(3), true)?;
                let row = ImageOp { way, ..row };
                if op.args.len() > 3 {
                    let operands = ImageOperands::from_bits_truncate(op.word(3));
                    let known = memory_operands();
                    if !(operands - known).is_empty() {
                        return Err(op.unsupported("these image operands"));
                    }
                }
                self.push_image(row);
            }
            ImageTexelPointer => {
                let pointer = self.pointer(op, op.id(0))?;
                let slot = match pointer.slot {
                    Some(slot) => slot,
                    None => self.arg(op, 0)?.slot,
                };
                let image = Val { ty: pointer.pointee, slot };
                let coordinate = self.arg(op, 1)?;
                let dst = self.define_one(op)?;
                let row = self.image_row(op, image, coordinate, (dst.slot, 1), dst.ty)?;
                self.push_image(row);
            }
            ImageQuerySize | ImageQuerySizeLod | ImageQueryLevels | ImageQuerySamples => {
                let image = self.sized(op, 0, 1)?;
                let level = if op.op == ImageQuerySizeLod { self.integer(op, 1)? } else { image };
                let dst = self.define(op)?;
                let n = self.scalars(op, dst)?;
                let ty = self.image_type(op, image.ty)?;
                let cube = ty.dim == Dim::DimCube as u32;
                let dims = crate::image::dimensions(ty.dim).unwrap_or(1) as u32 - u32::from(cube);
                let sizes = matches!(op.op, ImageQuerySize | ImageQuerySizeLod);
                let expected = if sizes { dims + u32::from(ty.arrayed) } else { 1 };
                if n != expected || self.types.is_float(dst.ty) {
                    return Err(op.invalid("the result has another size than the query"));
                }
                let mut row = self.image_row(op, image, level, (dst.slot, n), dst.ty)?;
                row.coordinate = (level.slot, 1);
                self.push_image(row);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn push_image(&mut self, row: ImageOp) {
        let index = self.tables.image_ops.len() as u32;
        self.tables.image_ops.push(row);
        self.emit(Code::Image { op: index });
    }

    /// A row without image operands.
    fn image_row(
        &self,
        op: &Operation<'_>,
        image: Val,
        coordinate: Val,
        value: (Slot, u32),
        value_ty: Ty,
    ) -> Result<ImageOp> {
        if value.1 == 0 || value.1 > 4 {
            return Err(op.invalid("a texel has 1 to 4 components"));
        }
        let n = self.scalars(op, coordinate)?;
        Ok(ImageOp {
            op: op.op,
            ty: self.image_type(op, image.ty)?,
            image: image.slot,
            coordinate: (coordinate.slot, n),
            coordinate_bits: self.types.bits(coordinate.ty),
            value,
            bits: self.types.bits(value_ty),
            is_float: self.types.is_float(value_ty),
            projected: op.inst.facts().projects,
            extra: None,
            lod: None,
            bias: None,
            gradients: None,
            offset: None,
            way: crate::race::Way::private(),
        })
    }

    /// A read, a fetch, a sample or a gather. `extra` is the depth reference or the component, operand 2.
    fn lookup(&mut self, op: &Operation<'_>, extra: Option<Slot>) -> Result<()> {
        let (image, coordinate) = (self.sized(op, 0, 1)?, self.arg(op, 1)?);
        let by_texel = matches!(op.op, Op::ImageRead | Op::ImageFetch);
        if self.types.is_float(coordinate.ty) == by_texel {
            return Err(op.invalid("the coordinate is of another kind of number"));
        }
        let at = if extra.is_some() { 3 } else { 2 };
        let operands = ImageOperands::from_bits_truncate(op.word(at));
        let mut next = at + 1;
        let (mut lod, mut bias, mut gradients, mut offset) = (None, None, None, None);
        if operands.contains(ImageOperands::BIAS) {
            bias = Some(self.sized(op, next, 1)?.slot);
            next += 1;
        }
        if operands.contains(ImageOperands::LOD) {
            let val = self.sized(op, next, 1)?;
            lod = Some((val.slot, self.types.is_float(val.ty)));
            next += 1;
        }
        let ty = self.image_type(op, image.ty)?;
        let dims = crate::image::dimensions(ty.dim).unwrap_or(1) as u32;
        if operands.contains(ImageOperands::GRAD) {
            let (dx, dy) = (self.sized(op, next, dims)?, self.sized(op, next + 1, dims)?);
            gradients = Some((dx.slot, dy.slot));
            next += 2;
        }
        if operands.intersects(ImageOperands::CONST_OFFSET | ImageOperands::OFFSET) {
            let val = self.arg(op, next)?;
            let n = self.scalars(op, val)?;
            if n > 3 {
                return Err(op.invalid("an offset has at most 3 components"));
            }
            offset = Some((val.slot, n));
        }
        let known = ImageOperands::BIAS
            | ImageOperands::LOD
            | ImageOperands::GRAD
            | ImageOperands::CONST_OFFSET
            | ImageOperands::OFFSET
            | memory_operands();
        if !(operands - known).is_empty() {
            return Err(op.unsupported("these image operands"));
        }
        let dst = self.define(op)?;
        let n = self.scalars(op, dst)?;
        let row = self.image_row(op, image, coordinate, (dst.slot, n), dst.ty)?;
        let way = self.image_way(op, op.id(0), op.rest(at), false)?;
        self.push_image(ImageOp { extra, lod, bias, gradients, offset, way, ..row });
        Ok(())
    }
}

/// Operands that change nothing here.
fn memory_operands() -> ImageOperands {
    ImageOperands::MAKE_TEXEL_AVAILABLE
        | ImageOperands::MAKE_TEXEL_VISIBLE
        | ImageOperands::NON_PRIVATE_TEXEL
        | ImageOperands::VOLATILE_TEXEL
        | ImageOperands::SIGN_EXTEND
        | ImageOperands::ZERO_EXTEND
        | ImageOperands::NONTEMPORAL
}
