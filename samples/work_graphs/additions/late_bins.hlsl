// Nodes that AddToStateObject cannot add to 05_sparse_array, each for one reason.
//
// Compile : dxc -T lib_6_8
//
// G55: Start writes to Middle, and Middle to Bin[1]: two nodes are before Bin[1], which had one.
// G56: Twice shares the input of Bin[2], which exists.
// G08: Again is Bin[5], which exists.

RWStructuredBuffer<uint> Result : register(u0);

struct BinRecord
{
    uint value;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start([MaxRecords(1)] [NodeID("Middle")] NodeOutput<BinRecord> middle)
{
    ThreadNodeOutputRecords<BinRecord> record = middle.GetThreadNodeOutputRecords(1);
    record.Get().value = 1;
    record.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Middle(ThreadNodeInputRecord<BinRecord> input, [MaxRecords(1)] [NodeID("Bin", 1)] NodeOutput<BinRecord> bin)
{
    ThreadNodeOutputRecords<BinRecord> record = bin.GetThreadNodeOutputRecords(1);
    record.Get().value = input.Get().value;
    record.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeShareInputOf("Bin", 2)]
void Twice(ThreadNodeInputRecord<BinRecord> input)
{
    InterlockedAdd(Result[16], input.Get().value);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Bin", 5)]
void Again(ThreadNodeInputRecord<BinRecord> input)
{
    InterlockedAdd(Result[17], input.Get().value);
}
