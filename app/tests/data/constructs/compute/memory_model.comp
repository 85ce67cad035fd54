#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) workgroupcoherent buffer Data { uint v[]; } data;
void main() {
    uint x = atomicLoad(data.v[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    atomicStore(data.v[1], x, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}
