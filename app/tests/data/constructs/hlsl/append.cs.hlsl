struct Item { float3 place; uint id; };
ConsumeStructuredBuffer<Item> given : register(u0);
AppendStructuredBuffer<Item> made : register(u1);
[numthreads(64, 1, 1)]
void main()
{
    Item item = given.Consume();
    if (item.id != 0)
        made.Append(item);
}
