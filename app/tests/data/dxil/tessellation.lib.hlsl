// dxc -T lib_6_3: only the metadata names the patch constant function. dxc -T lib_6_x (offline.lib.dxil): RDAT has tables
// of previews.
struct Point { float4 position : SV_Position; };
struct Patch { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
RWStructuredBuffer<uint> unassigned;

Patch Constants(InputPatch<Point, 3> points) {
    Patch o;
    o.edges[0] = o.edges[1] = o.edges[2] = 2;
    o.inside = points[0].position.x;
    return o;
}

[shader("hull")][domain("tri")][partitioning("integer")][outputtopology("triangle_cw")][outputcontrolpoints(3)]
[patchconstantfunc("Constants")]
Point Hull(InputPatch<Point, 3> points, uint i : SV_OutputControlPointID) { return points[i]; }

[shader("vertex")] Point First(uint i : SV_VertexID) { Point o; o.position = i; return o; }
[shader("vertex")] Point Second(uint i : SV_VertexID) { Point o; o.position = i + 1; return o; }
[shader("compute")][numthreads(4, 1, 1)] void Count(uint i : SV_GroupIndex) { unassigned[i] = i; }
