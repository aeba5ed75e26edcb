# The program `axial`. The examples are functions in a library of their own, so that the program can
# run them by name.
find_package(CLI11 REQUIRED)

file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp)

if(example_sources)
  add_library(axial_examples STATIC ${example_sources})
  target_include_directories(axial_examples PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(axial_examples PUBLIC axial::axial PRIVATE axial_warnings)
endif()

if(cli_sources)
  add_executable(axial_cli ${cli_sources})
  set_target_properties(axial_cli PROPERTIES
    OUTPUT_NAME axial INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  target_include_directories(axial_cli PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(axial_cli PRIVATE axial::axial fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json axial_warnings
    $<TARGET_NAME_IF_EXISTS:axial_examples>)
endif()
