// dxc -T vs_6_0 -E Vertex, hs_6_0 -E Hull, ds_6_0 -E Domain, ps_6_0 -E Pixel. The domain shader declares the control
// point's members in another order, and both a control point and a patch constant are UV.
struct Control { float2 uv : UV; float4 position : SV_Position; float clip : SV_ClipDistance0; };
struct Read { float4 position : SV_Position; float clip : SV_ClipDistance0; float2 uv : UV; };
struct Patch { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float2 uv : UV; };
struct Shaded { float4 position : SV_Position; float4 color : COLOR; float clip : SV_ClipDistance0; };

Control Vertex(uint i : SV_VertexID) {
    Control o;
    o.position = float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1);
    o.uv = float2(0.25, 0.75);
    o.clip = 1;
    return o;
}

Patch Constants(InputPatch<Control, 3> points) {
    Patch o;
    o.edges[0] = o.edges[1] = o.edges[2] = o.inside = 1;
    o.uv = float2(0.5, 1);
    return o;
}

[domain("tri")][partitioning("integer")][outputtopology("triangle_cw")][outputcontrolpoints(3)]
[patchconstantfunc("Constants")]
Control Hull(InputPatch<Control, 3> points, uint i : SV_OutputControlPointID) { return points[i]; }

[domain("tri")]
Shaded Domain(Patch patch, float3 at : SV_DomainLocation, const OutputPatch<Read, 3> points) {
    Shaded o;
    o.position = points[0].position * at.x + points[1].position * at.y + points[2].position * at.z;
    o.color = float4(points[0].uv, patch.uv);
    o.clip = points[1].clip;
    return o;
}

float4 Pixel(Shaded shaded) : SV_Target { return shaded.color; }
