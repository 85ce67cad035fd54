#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { float16_t v[]; } a;
layout(set = 0, binding = 1) buffer B { float16_t v[]; } b;
layout(set = 0, binding = 2) buffer C { float v[]; } c;
void main() {
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
    coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
    coopMatLoad(x, a.v, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
    coopMatLoad(y, b.v, 0, 16, gl_CooperativeMatrixLayoutColumnMajor);
    sum = coopMatMulAdd(x, y, sum);
    coopMatStore(sum, c.v, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
