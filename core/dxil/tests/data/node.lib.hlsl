// Nodes of a work graph with embedded debug information.
// Compile: dxc -T lib_6_8 -Zi -Qembed_debug node.hlsl
struct Tile { uint index : SV_DispatchGrid; };
struct Count { uint value; };
RWByteAddressBuffer counts : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(4, 1, 1)]
[NumThreads(8, 1, 1)]
void Tiles(DispatchNodeInputRecord<Tile> tile, [MaxRecords(1)] NodeOutput<Count> Counts, uint thread : SV_GroupIndex)
{
    GroupNodeOutputRecords<Count> out_record = Counts.GetGroupNodeOutputRecords(1);
    if (thread == 0)
        out_record.Get().value = tile.Get().index * 3;
    out_record.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Counts(ThreadNodeInputRecord<Count> count)
{
    counts.InterlockedAdd(0, count.Get().value);
}
