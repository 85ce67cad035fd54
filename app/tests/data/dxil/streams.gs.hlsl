// dxc -T gs_6_0: several streams of other than points have no SPIR-V.
struct Vertex { float4 position : SV_Position; };
[maxvertexcount(3)]
void main(point Vertex points[1], inout PointStream<Vertex> first, inout PointStream<Vertex> second) {
    first.Append(points[0]);
    second.Append(points[0]);
}
