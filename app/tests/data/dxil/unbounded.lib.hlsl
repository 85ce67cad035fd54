// dxc -T lib_6_3: a library indexes its unbounded arrays through pointers to [0 x T].
RWByteAddressBuffer pages[] : register(u0, space1);
Texture2D<float> maps[] : register(t4);
[shader("raygeneration")] void Gather() {
    uint2 at = DispatchRaysIndex().xy;
    pages[NonUniformResourceIndex(at.y)].Store(at.x * 4, asuint(maps[at.x].Load(int3(at, 0))));
}
