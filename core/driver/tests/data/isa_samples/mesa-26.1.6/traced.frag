#version 460
layout(location=0) in vec3 normal;
layout(location=1) in vec2 uv;
layout(set=0,binding=0) uniform sampler2D albedo;
layout(location=0) out vec4 color;
void main(){
  vec3 unit = normalize(normal);
  float shade = dot(unit, vec3(0.5,0.25,1.0));
  vec4 base = texture(albedo, uv);
  color = base * shade;
}
