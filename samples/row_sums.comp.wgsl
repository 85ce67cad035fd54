// WGSL with an override: 8x8, or -D width=16 for 16x8; each row of a workgroup adds its values up.

override width: u32 = 8u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> row_sums: array<atomic<u32>, 8>;

@compute @workgroup_size(width, 8)
fn add_rows(
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    if local.x == 0u {
        atomicStore(&row_sums[local.y], 0u);
    }
    workgroupBarrier();
    atomicAdd(&row_sums[local.y], values[group.x * width * 8u + index]);
    workgroupBarrier();
    if local.x == 0u {
        sums[group.x * 8u + local.y] = atomicLoad(&row_sums[local.y]);
    }
}
