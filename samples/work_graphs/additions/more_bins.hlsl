// Nodes that AddToStateObject adds to 05_sparse_array: two bins, and an entry point that feeds old and new ones.
//
// Compile : dxc -T lib_6_8
// Launch  : with 05_sparse_array.dxil; entry nodes "Scatter" and "Refill", 1 empty record each.
// Buffers : u0 = RWStructuredBuffer<uint>, at least 32 words, zero filled.
//
// Bin[3] and Bin[6] fill gaps of the sparse output of Scatter. Refill is a new entry point, and writes to Bin[1], which exists,
// and to Bin[6]. No longest chain to an existing node grows.

RWStructuredBuffer<uint> Result : register(u0);

struct BinRecord
{
    uint value;
};

#define BIN_NODE(slot)                                              \
    [Shader("node")]                                                \
    [NodeLaunch("thread")]                                          \
    [NodeID("Bin", slot)]                                           \
    void Bin##slot(ThreadNodeInputRecord<BinRecord> input)          \
    {                                                               \
        InterlockedAdd(Result[8 + slot], input.Get().value);        \
    }

BIN_NODE(3)
BIN_NODE(6)

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
void Refill(
    [MaxRecords(1)] [NodeID("Bin", 1)] NodeOutput<BinRecord> old,
    [MaxRecords(1)] [NodeID("Bin", 6)] NodeOutput<BinRecord> added)
{
    ThreadNodeOutputRecords<BinRecord> one = old.GetThreadNodeOutputRecords(1);
    one.Get().value = 1000;
    one.OutputComplete();
    ThreadNodeOutputRecords<BinRecord> six = added.GetThreadNodeOutputRecords(1);
    six.Get().value = 6000;
    six.OutputComplete();
}
