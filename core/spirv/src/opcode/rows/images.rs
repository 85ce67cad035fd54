//! Images: sampled, fetched, read, written, asked for their sizes.

use super::{ACTS, Row, STATE, VALUE};
use crate::enums::Op::*;
use crate::opcode::{Derivative, Facts, ImageUse};

const fn image(using: ImageUse) -> Facts {
    Facts { image: Some(using), ..STATE }
}

const SAMPLE: Facts = image(ImageUse::Sample);
const COMPARE: Facts = Facts { compares: true, ..SAMPLE };
const PROJECT: Facts = Facts { projects: true, ..SAMPLE };
const PROJECT_COMPARE: Facts = Facts { projects: true, ..COMPARE };
const GATHER: Facts = image(ImageUse::Gather);

/// With a level of detail by derivatives.
const fn implicit(facts: Facts) -> Facts {
    Facts { derivative: Some(Derivative::Coordinates), ..facts }
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    (VALUE, &[SampledImage, Image, ImageSparseTexelsResident]),
    (implicit(SAMPLE), &[ImageSampleImplicitLod, ImageSparseSampleImplicitLod]),
    (SAMPLE, &[ImageSampleExplicitLod, ImageSparseSampleExplicitLod]),
    (implicit(COMPARE), &[ImageSampleDrefImplicitLod, ImageSparseSampleDrefImplicitLod]),
    (COMPARE, &[ImageSampleDrefExplicitLod, ImageSparseSampleDrefExplicitLod]),
    (implicit(PROJECT), &[ImageSampleProjImplicitLod, ImageSparseSampleProjImplicitLod]),
    (PROJECT, &[ImageSampleProjExplicitLod, ImageSparseSampleProjExplicitLod]),
    (implicit(PROJECT_COMPARE), &[ImageSampleProjDrefImplicitLod, ImageSparseSampleProjDrefImplicitLod]),
    (PROJECT_COMPARE, &[ImageSampleProjDrefExplicitLod, ImageSparseSampleProjDrefExplicitLod]),
    (GATHER, &[ImageGather, ImageSparseGather]),
    (Facts { compares: true, ..GATHER }, &[ImageDrefGather, ImageSparseDrefGather]),
    (image(ImageUse::Fetch), &[ImageFetch, ImageSparseFetch, FragmentMaskFetchAMD, FragmentFetchAMD]),
    (image(ImageUse::Read), &[ImageRead, ImageSparseRead]),
    (Facts { image: Some(ImageUse::Write), ..ACTS }, &[ImageWrite]),
    (image(ImageUse::Pointer), &[ImageTexelPointer]),
    (Facts { image: Some(ImageUse::Query), ..VALUE }, &[
        ImageQueryFormat, ImageQueryOrder, ImageQuerySizeLod, ImageQuerySize, ImageQueryLevels, ImageQuerySamples,
    ]),
    (Facts { image: Some(ImageUse::Query), derivative: Some(Derivative::Query), ..VALUE }, &[ImageQueryLod]),
    // Attachments, and images that a fixed function of one vendor processes.
    (STATE, &[
        ColorAttachmentReadEXT, DepthAttachmentReadEXT, StencilAttachmentReadEXT, ImageSampleWeightedQCOM,
        ImageBoxFilterQCOM, ImageBlockMatchSSDQCOM, ImageBlockMatchSADQCOM, ImageBlockMatchWindowSSDQCOM,
        ImageBlockMatchWindowSADQCOM, ImageBlockMatchGatherSSDQCOM, ImageBlockMatchGatherSADQCOM,
        ImageSampleFootprintNV,
    ]),
];
