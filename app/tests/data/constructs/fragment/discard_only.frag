#version 450
void main() {
    if (gl_FragCoord.x > 10.0)
        discard;
}
