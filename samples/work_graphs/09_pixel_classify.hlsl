// Work graph sample 9: every pixel becomes a record of its material's thread node, in the shape of AMD's SimpleClassify.
//
// Compile : dxc -T lib_6_8
// Launch  : entry node "ClassifyPixels", 1 empty record.
// Buffers : u0 = RWStructuredBuffer<uint>, at least 64 + 32768 words, zero filled.
//
// 256 x 128 pixels, 32 materials. Pixel (x, y) has material min((x * x + 3 * y * y) / 1024, 31): few pixels for small
// numbers, most of them for the last one. Material m makes m + 1 rounds of a generator from the pixel's number.
//
// Expected: u0[m] = pixels of material m; u0[64 + pixel] = what its material computes.
// Records : depth 0: 1 empty; depth 1: 32768 on Shade[0..31], in groups of 32 threads: those of the last group of each
//           material are few.

#define WIDTH 256
#define HEIGHT 128
#define MATERIALS 32
#define FIRST_PIXEL 64

RWStructuredBuffer<uint> Result : register(u0);

struct PixelRecord
{
    uint pixel;
    uint seed;
};

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(WIDTH / 8, HEIGHT / 8, 1)]
[NumThreads(8, 8, 1)]
void ClassifyPixels(
    uint3 at : SV_DispatchThreadID,
    [MaxRecords(64)] [NodeID("Shade")] [NodeArraySize(MATERIALS)] NodeOutputArray<PixelRecord> materials)
{
    uint material = min((at.x * at.x + 3 * at.y * at.y) / 1024, MATERIALS - 1);
    ThreadNodeOutputRecords<PixelRecord> record = materials[material].GetThreadNodeOutputRecords(1);
    record.Get().pixel = at.y * WIDTH + at.x;
    record.Get().seed = at.x * 747796405u ^ at.y * 2891336453u;
    record.OutputComplete();
}

void Shade(uint material, PixelRecord record)
{
    uint value = record.seed;
    for (uint round = 0; round <= material; round++)
        value = (value ^ (value >> 15)) * 2246822519u + material;
    Result[FIRST_PIXEL + record.pixel] = value;
    InterlockedAdd(Result[material], 1);
}

#define MATERIAL(index)                                          \
    [Shader("node")]                                             \
    [NodeLaunch("thread")]                                       \
    [NodeID("Shade", index)]                                     \
    void ShadeMaterial##index(ThreadNodeInputRecord<PixelRecord> pixel) \
    {                                                            \
        Shade(index, pixel.Get());                               \
    }

MATERIAL(0)
MATERIAL(1)
MATERIAL(2)
MATERIAL(3)
MATERIAL(4)
MATERIAL(5)
MATERIAL(6)
MATERIAL(7)
MATERIAL(8)
MATERIAL(9)
MATERIAL(10)
MATERIAL(11)
MATERIAL(12)
MATERIAL(13)
MATERIAL(14)
MATERIAL(15)
MATERIAL(16)
MATERIAL(17)
MATERIAL(18)
MATERIAL(19)
MATERIAL(20)
MATERIAL(21)
MATERIAL(22)
MATERIAL(23)
MATERIAL(24)
MATERIAL(25)
MATERIAL(26)
MATERIAL(27)
MATERIAL(28)
MATERIAL(29)
MATERIAL(30)
MATERIAL(31)
