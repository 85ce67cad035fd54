float4 main(float2 parts[3] : TEXCOORD0, float4 last : TEXCOORD3) : SV_Target
{
    return float4(parts[0], parts[2]) + last.w;
}
