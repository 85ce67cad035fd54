float4 main(nointerpolation uint id : ID, noperspective float2 uv : TEXCOORD0, centroid float fade : FADE) : SV_Target
{
    return float4(uv, fade, float(id));
}
