#version 450
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;

void main()
{
    colour = place.xyxy;
}
