float4 main(uint given : SV_Coverage, out uint mask : SV_Coverage) : SV_Target
{
    mask = given & 3;
    return 1;
}
