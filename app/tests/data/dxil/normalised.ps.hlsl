// dxc -T ps_6_0: the signature parts have no number for normalised types.
float4 main(snorm float4 color : COLOR, unorm float2 uv : UV) : SV_Target { return color * uv.xyxy; }
