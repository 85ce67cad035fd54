use super::*;
use crate::read;
use crate::script::command::Command;

/// What the last line of a script finds, with these bytes in its first buffer.
fn found(text: &str, bytes: &[u8], size: Option<[u32; 2]>) -> Option<String> {
    let script = read(format!("#!amber\n{text}\n").as_bytes()).expect("reads");
    let buffer = &script.buffers[0];
    let layout = script.layout(&buffer.ty, buffer.packing()).expect("has a layout");
    let Some(Command::Expect(expect)) = script.commands.last() else { panic!("has a check") };
    let found = Found { bytes, ty: &buffer.ty, layout: &layout, size };
    let other = [0, 0, 0, 0, 1, 0, 0, 0];
    check(&expect.check, found, Some(Found { bytes: &other, ..found })).map(|mismatch| mismatch.to_string())
}

fn of_type(ty: &str, check: &str, bytes: &[u8]) -> Option<String> {
    found(
        &format!("BUFFER b DATA_TYPE {ty} SIZE 2 FILL 0\nBUFFER c DATA_TYPE {ty} SIZE 2 FILL 0\nEXPECT b {check}"),
        bytes,
        None,
    )
}

#[test]
fn numbers_are_compared_as_their_type_has_them() {
    let bytes = [1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff];
    assert_eq!(of_type("int32", "IDX 0 EQ 1 -2", &bytes), None);
    assert_eq!(of_type("uint32", "IDX 4 EQ -2", &bytes), None);
    assert_eq!(of_type("int32", "IDX 0 LT 2 0", &bytes), None);
    assert_eq!(
        of_type("uint32", "IDX 4 LT 0", &bytes).as_deref(),
        Some("byte 4, number 0: expected less than 0, found 4294967294")
    );
    let said = "byte 0, number 0: expected 2, found 1 (2 differ)";
    assert_eq!(of_type("int32", "IDX 0 EQ 2 3", &bytes).as_deref(), Some(said));
    for (comparison, holds) in [("EQ", false), ("NE", true), ("LT", false), ("LE", false), ("GT", true), ("GE", true)] {
        assert_eq!(of_type("int32", &format!("IDX 0 {comparison} 0"), &bytes).is_none(), holds, "{comparison}");
    }
    assert!(of_type("int32", "IDX 4 EQ -2 0", &bytes).expect("is outside").contains("a buffer of 8 bytes"));
    assert!(of_type("int32", "IDX 2 EQ 0", &bytes).expect("is between").contains("a multiple of"));
}

/// What no number of the type is, none is equal to; integers have all their bits.
#[test]
fn integers_are_compared_exactly() {
    assert!(of_type("uint8", "IDX 0 GE 256", &[5, 0]).is_some());
    assert!(of_type("uint8", "IDX 0 EQ 256", &[0, 0]).is_some());
    assert!(
        of_type("uint8", "IDX 0 EQ 0xff", &[255, 0]).is_none() && of_type("int8", "IDX 0 EQ 0xff", &[255, 0]).is_none()
    );
    assert!(of_type("int8", "IDX 0 EQ 255", &[255, 0]).is_some());
    let large: Vec<u8> = [1u64 << 60, 0].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert!(of_type("uint64", "IDX 0 TOLERANCE 0 EQ 1152921504606846977", &large).is_some());
    assert!(of_type("uint64", "IDX 0 TOLERANCE 1 EQ 1152921504606846977", &large).is_none());
}

#[test]
fn images_without_colors_are_equal_to_none() {
    let text = "BUFFER d FORMAT D32_SFLOAT\nEXPECT d IDX 0 0 SIZE 1 1 EQ_RGBA 1 2 3 4";
    assert!(found(text, &[0; 4], Some([1, 1])).is_some_and(|said| said.contains("an image with colors")));
}

#[test]
fn floats_may_differ_by_their_tolerance() {
    let bytes: Vec<u8> = [1.0f32, f32::NAN].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(of_type("float", "IDX 0 EQ 1 nan", &bytes), None);
    assert_eq!(of_type("float", "IDX 0 TOLERANCE 0.1 EQ 1.05", &bytes), None);
    assert_eq!(of_type("float", "IDX 0 TOLERANCE 5% EQ 1.05", &bytes), None);
    assert!(of_type("float", "IDX 0 TOLERANCE 4% EQ 1.05", &bytes).is_some());
    assert!(of_type("float", "IDX 0 EQ 1.001", &bytes).is_some());
    // No order, so no comparison holds.
    assert!(of_type("float", "IDX 4 LT 1.0", &bytes).is_some() && of_type("float", "IDX 4 EQ 1.0", &bytes).is_some());
}

#[test]
fn buffers_are_compared_with_buffers() {
    let bytes = [0, 0, 0, 0, 3, 0, 0, 0];
    assert_eq!(of_type("uint32", "EQ_BUFFER c", &bytes).as_deref(), Some("byte 4: expected 0x01, found 0x03"));
    assert_eq!(of_type("uint32", "EQ_BUFFER c", &[0, 0, 0, 0, 1, 0, 0, 0]), None);
    assert!(of_type("uint32", "EQ_BUFFER c", &bytes[..4]).is_some());
    // The root of (0² + 2²) / 2.
    assert_eq!(of_type("uint32", "RMSE_BUFFER c TOLERANCE 1.415", &bytes), None);
    assert!(of_type("uint32", "RMSE_BUFFER c TOLERANCE 1.414", &bytes).is_some());
    // One of two texels is two bins away.
    assert_eq!(of_type("vec4<uint8>", "EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0.004", &bytes), None);
    assert!(of_type("vec4<uint8>", "EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0.0039", &bytes).is_some());
}

#[test]
fn pixels_have_one_color() {
    let image = |format: &str, check: &str, bytes: &[u8]| {
        found(&format!("BUFFER b FORMAT {format}\nEXPECT b IDX 0 0 SIZE 1 2 {check}"), bytes, Some([1, 2]))
    };
    let bytes = [10, 20, 30, 255, 10, 20, 31, 255];
    assert_eq!(image("B8G8R8A8_UNORM", "EQ_RGBA 30 20 10 255 TOLERANCE 0.005", &bytes), None);
    let said = "pixel 0, 1: expected R 30, G 20, B 10, found R 31, G 20, B 10, A 255";
    assert_eq!(image("B8G8R8A8_UNORM", "EQ_RGB 30 20 10", &bytes).as_deref(), Some(said));
    assert!(image("B8G8R8A8_UNORM", "EQ_RGBA 31 20 10 0 TOLERANCE 0.005", &bytes).is_some());
    assert_eq!(image("R8G8_UNORM", "EQ_RGB 10 20 99", &bytes[..2].repeat(2)), None);
    assert!(found("BUFFER b FORMAT R8_UNORM\nEXPECT b IDX 1 0 SIZE 1 1 EQ_RGB 0 0 0", &bytes, Some([1, 2])).is_some());
}

#[test]
fn texels_are_decoded() {
    let decoded = |format: &str, bytes: &[u8]| {
        let format = ImageFormat::named(format).expect("known");
        texel(bytes, &format).map(|texel| texel.into_iter().map(|(_, value)| value).collect::<Vec<_>>())
    };
    assert_eq!(decoded("A2B10G10R10_UINT_PACK32", &0xc030_0801_u32.to_le_bytes()), Some(vec![3.0, 3.0, 2.0, 1.0]));
    assert_eq!(
        decoded("B10G11R11_UFLOAT_PACK32", &(0x1e0 << 22 | 0x400 << 11 | 0x3c0_u32).to_le_bytes()),
        Some(vec![1.0, 2.0, 1.0])
    );
    assert_eq!(decoded("R8G8_SNORM", &[0x81, 0x7f]), Some(vec![-1.0, 1.0]));
    assert_eq!(decoded("D24_UNORM_S8_UINT", &[0xff, 0xff, 0xff, 7]), Some(vec![1.0, 7.0]));
    assert_eq!(decoded("R16_SFLOAT", &[0, 0x3c]), Some(vec![1.0]));
    assert_eq!(decoded("R8_SRGB", &[255]), Some(vec![1.0]));
    assert_eq!(decoded("R64_SINT", &(-5i64).to_le_bytes()), Some(vec![-5.0]));
    assert_eq!(decoded("R16_SFLOAT", &[0]), None);
}
