struct Sent { float4 place : SV_Position; float3x3 frame : FRAME; };
cbuffer Object { column_major float4x4 world; float4x3 packed; float3 scales[2]; };
Sent main(float4 p : POSITION)
{
    Sent sent;
    sent.place = mul(world, p);
    sent.frame = float3x3(packed[0], packed[1], scales[1]);
    return sent;
}
