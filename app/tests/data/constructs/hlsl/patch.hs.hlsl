struct Point { float3 place : POSITION; float2 uv : TEXCOORD0; };
struct Factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
Factors constants(InputPatch<Point, 3> patch)
{
    Factors factors;
    factors.edges[0] = factors.edges[1] = factors.edges[2] = 4;
    factors.inside = 2;
    return factors;
}
[domain("tri")]
[partitioning("fractional_odd")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(3)]
[patchconstantfunc("constants")]
Point main(InputPatch<Point, 3> patch, uint id : SV_OutputControlPointID)
{
    return patch[id];
}
