add_compile_definitions(spv=dxil_spirv_spv)

# As the profile of the crate has it, and not CMake's own level.
if(DEFINED ENV{OPT_LEVEL})
	set(CMAKE_CXX_FLAGS_RELEASE "-O$ENV{OPT_LEVEL} -DNDEBUG" CACHE STRING "")
endif()
