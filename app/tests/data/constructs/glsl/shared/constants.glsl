const float EXPOSURE = 1.5;
