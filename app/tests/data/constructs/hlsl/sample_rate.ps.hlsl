float4 main(sample float4 tint : COLOR0, uint index : SV_SampleIndex) : SV_Target0
{
    return tint * index;
}
