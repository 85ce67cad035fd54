// dxc -T ps_6_1: inputs are read at vertices alone.
struct Input { nointerpolation float4 color : COLOR; nointerpolation float2 rows[2] : ROW; nointerpolation int key : KEY; };
float4 main(Input input) : SV_Target {
    return GetAttributeAtVertex(input.color, 2) + GetAttributeAtVertex(input.rows[1], 1).xyxy +
           GetAttributeAtVertex(input.key, 0);
}
