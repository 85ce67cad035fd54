float4 main(float4 tint : COLOR) : SV_Target
{
    clip(tint.a - 0.5);
    return tint;
}
