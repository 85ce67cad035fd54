struct Sent { float4 place : SV_Position; float3x3 frame : FRAME; };
float4 main(Sent sent) : SV_Target { return float4(sent.frame[0] + sent.frame[2], 1); }
