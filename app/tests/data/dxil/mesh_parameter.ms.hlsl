// dxc -T ms_6_5: the semantics are at the parameters, so each vertex has an index of its own.
[outputtopology("triangle")][numthreads(3, 1, 1)]
void main(uint i : SV_GroupIndex, out vertices float4 at[3] : SV_Position, out indices uint3 all[1],
          out primitives uint layer[1] : SV_RenderTargetArrayIndex) {
    SetMeshOutputCounts(3, 1);
    at[i] = float4(i & 1, i >> 1, 0, 1);
    if (i == 0) {
        all[0] = uint3(0, 1, 2);
        layer[0] = 1;
    }
}
