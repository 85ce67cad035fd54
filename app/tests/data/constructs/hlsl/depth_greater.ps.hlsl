float4 main(float4 place : SV_Position, out float depth : SV_DepthGreaterEqual) : SV_Target
{
    depth = place.z + 0.1;
    return 1;
}
