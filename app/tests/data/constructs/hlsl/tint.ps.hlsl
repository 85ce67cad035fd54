struct Sent { float4 place : SV_Position; float3 tint : COLOR; };
float4 main(Sent sent) : SV_Target { return float4(sent.tint, 1); }
