float4 main(bool front : SV_IsFrontFace, uint primitive : SV_PrimitiveID) : SV_Target
{
    return front ? 1 : float(primitive);
}
