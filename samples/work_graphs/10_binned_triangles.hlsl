// Work graph sample 10: a rasterizer in groups of 8 x 8 pixels, in the shape of AMD's compute rasterizer: a large declared
// grid, small and very different requested ones, and records whose grid is empty.
//
// Compile : dxc -T lib_6_8
// Launch  : entry node "Draw", 1 empty record.
// Buffers : u0 = RWStructuredBuffer<uint>, at least 4 words, zero filled.
//
// 512 triangles of 4 to 512 pixels, from a generator; about half of them face away. One that is at most 64 pixels wide
// goes to Raster with the grid of its bounding box, or an empty grid if it faces away. A larger one goes to Split with a
// group for each 64 x 64 block of its box; a block outside of the triangle's edges becomes a record with an empty grid.
//
// Expected: u0[0] = covered pixels, u0[1] = groups of Raster, u0[2] = groups of Split, u0[3] = triangles that face away.
//           A stepped and a GPU-driven run agree on them.

#define SCREEN 512
#define TRIANGLES 512
#define TILE 8
#define BLOCK 64

RWStructuredBuffer<uint> Result : register(u0);

struct Triangle
{
    int2 a;
    int2 b;
    int2 c;
};

struct SplitRecord
{
    uint2 grid : SV_DispatchGrid;
    Triangle shape;
};

struct RasterRecord
{
    uint2 grid : SV_DispatchGrid;
    // The first pixel of the grid.
    int2 first;
    Triangle shape;
};

uint Next(inout uint state)
{
    state = state * 1664525u + 1013904223u;
    uint mixed = (state ^ (state >> 16)) * 2246822519u;
    return mixed ^ (mixed >> 13);
}

int2 Corner(inout uint state, int2 origin, uint size)
{
    return clamp(origin + int2(Next(state) % size, Next(state) % size), 0, SCREEN - 1);
}

int Edge(int2 from, int2 to, int2 at)
{
    return (to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x);
}

bool IsInside(Triangle shape, int2 at)
{
    return Edge(shape.a, shape.b, at) >= 0 && Edge(shape.b, shape.c, at) >= 0 && Edge(shape.c, shape.a, at) >= 0;
}

// Whether all corners of a square are on the outer side of one edge.
bool IsOutside(int2 from, int2 to, int2 first, int size)
{
    int last = size - 1;
    return Edge(from, to, first) < 0 && Edge(from, to, first + int2(last, 0)) < 0 &&
           Edge(from, to, first + int2(0, last)) < 0 && Edge(from, to, first + last) < 0;
}

int2 Least(Triangle shape)
{
    return min(shape.a, min(shape.b, shape.c));
}

int2 Most(Triangle shape)
{
    return max(shape.a, max(shape.b, shape.c));
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(TRIANGLES / 64, 1, 1)]
[NumThreads(64, 1, 1)]
void Draw(
    uint3 at : SV_DispatchThreadID,
    [MaxRecords(64)] [NodeID("Raster")] NodeOutput<RasterRecord> rasters,
    [MaxRecords(64)] [NodeID("Split")] NodeOutput<SplitRecord> splits)
{
    uint state = at.x * 2654435761u + 12345u;
    // Each size is half as frequent as the one below.
    uint size = 4u << min(firstbitlow(Next(state) | 128u), 7u);
    int2 origin = int2(Next(state) % SCREEN, Next(state) % SCREEN) - int(size / 2);
    Triangle shape;
    shape.a = Corner(state, origin, size);
    shape.b = Corner(state, origin, size);
    shape.c = Corner(state, origin, size);
    int2 least = Least(shape);
    int2 most = Most(shape);
    bool facesAway = Edge(shape.a, shape.b, shape.c) <= 0;
    bool isLarge = any(most - least >= BLOCK);
    if (facesAway)
        InterlockedAdd(Result[3], 1);

    ThreadNodeOutputRecords<RasterRecord> raster = rasters.GetThreadNodeOutputRecords(isLarge ? 0 : 1);
    if (!isLarge)
    {
        int2 first = least / TILE * TILE;
        raster.Get().grid = facesAway ? uint2(0, 0) : uint2((most - first) / TILE + 1);
        raster.Get().first = first;
        raster.Get().shape = shape;
    }
    raster.OutputComplete();

    ThreadNodeOutputRecords<SplitRecord> split = splits.GetThreadNodeOutputRecords(isLarge ? 1 : 0);
    if (isLarge)
    {
        int2 first = least / BLOCK * BLOCK;
        split.Get().grid = facesAway ? uint2(0, 0) : uint2((most - first) / BLOCK + 1);
        split.Get().shape = shape;
    }
    split.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(30, 17, 1)]
[NumThreads(1, 1, 1)]
void Split(
    DispatchNodeInputRecord<SplitRecord> input,
    uint3 group : SV_GroupID,
    [MaxRecords(1)] [NodeID("Raster")] NodeOutput<RasterRecord> rasters)
{
    Triangle shape = input.Get().shape;
    int2 first = Least(shape) / BLOCK * BLOCK + int2(group.xy) * BLOCK;
    bool isOutside = IsOutside(shape.a, shape.b, first, BLOCK) || IsOutside(shape.b, shape.c, first, BLOCK) ||
                     IsOutside(shape.c, shape.a, first, BLOCK);
    int2 most = min(Most(shape), first + BLOCK - 1);
    GroupNodeOutputRecords<RasterRecord> raster = rasters.GetGroupNodeOutputRecords(1);
    raster.Get().grid = isOutside ? uint2(0, 0) : uint2((most - first) / TILE + 1);
    raster.Get().first = first;
    raster.Get().shape = shape;
    raster.OutputComplete();
    InterlockedAdd(Result[2], 1);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(240, 135, 1)]
[NumThreads(TILE, TILE, 1)]
void Raster(
    DispatchNodeInputRecord<RasterRecord> input,
    uint3 group : SV_GroupID,
    uint3 thread : SV_GroupThreadID)
{
    int2 at = input.Get().first + int2(group.xy) * TILE + int2(thread.xy);
    if (IsInside(input.Get().shape, at))
        InterlockedAdd(Result[0], 1);
    if (all(thread == 0))
        InterlockedAdd(Result[1], 1);
}
