struct Result { float4 a : SV_Target0; float2 b : SV_Target2; float depth : SV_Depth; };
Result main(float4 place : SV_Position)
{
    Result result;
    result.a = place;
    result.b = place.xy;
    result.depth = 0.5;
    return result;
}
