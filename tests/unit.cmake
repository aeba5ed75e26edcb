# The GoogleTest programs. They share one precompiled header, built with axial_test_support.
include(GoogleTest)
find_package(GTest REQUIRED)
find_program(AXIAL_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED
  DOC "The system's Python, which is the one that has NumPy")

# Libraries and programs must agree on this to share a precompiled header.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

file(GLOB support_sources CONFIGURE_DEPENDS support/*.cpp)
if(NOT support_sources)
  # A precompiled header needs some file that uses it.
  file(CONFIGURE OUTPUT precompiled.cpp CONTENT "")
  set(support_sources ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
endif()
add_library(axial_test_support STATIC ${support_sources})
target_include_directories(axial_test_support PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(axial_test_support PUBLIC
  AXIAL_SOURCE_DIR="${PROJECT_SOURCE_DIR}" AXIAL_PYTHON="${AXIAL_PYTHON}")
target_compile_options(axial_test_support PUBLIC
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # so that ccache can follow the precompiled header
target_link_libraries(axial_test_support PUBLIC
  axial::axial axial_warnings fmt::fmt nlohmann_json::nlohmann_json GTest::gmock)
target_precompile_headers(axial_test_support PRIVATE
  <algorithm> <cmath> <cstdint> <functional> <map> <memory> <optional> <random> <sstream> <string>
  <string_view> <vector> <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h>)

# Suites whose name starts with `slow_` carry the label `slow`; sanitizer runs leave them out, and run
# each program as a whole, since starting it hundreds of times would take longer than its tests.
function(axial_unit_tests folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  add_executable(test_${folder} ${sources})
  target_link_libraries(test_${folder} PRIVATE axial_test_support GTest::gmock_main)
  target_precompile_headers(test_${folder} REUSE_FROM axial_test_support)
  if(AXIAL_SANITIZE)
    add_test(NAME ${folder} COMMAND test_${folder} --gtest_filter=-slow_*
      WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    set_tests_properties(${folder} PROPERTIES TIMEOUT 1500 LABELS unit)
    return()
  endif()
  set(where TEST_PREFIX ${folder}/ WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    DISCOVERY_TIMEOUT 60)
  gtest_discover_tests(test_${folder} ${where} TEST_FILTER -slow_* TEST_LIST ${folder}_tests
    PROPERTIES TIMEOUT 300 LABELS unit)
  gtest_discover_tests(test_${folder} ${where} TEST_FILTER slow_* TEST_LIST ${folder}_slow_tests
    PROPERTIES TIMEOUT 1500 LABELS slow)
endfunction()

file(GLOB test_files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS */*_test.cpp)
set(folders)
foreach(file IN LISTS test_files)
  cmake_path(GET file PARENT_PATH folder)
  list(APPEND folders ${folder})
endforeach()
list(REMOVE_DUPLICATES folders)
if(NOT TARGET axial_cli)
  list(REMOVE_ITEM folders cli)
endif()
if(AXIAL_SANITIZE)
  # What these say through the public face, others say room by room; building them takes minutes.
  list(REMOVE_ITEM folders api diagnostics nn numpy pages paper train vocabulary)
endif()
foreach(folder IN LISTS folders)
  axial_unit_tests(${folder})
endforeach()

# The tests of the program run it.
if(TARGET test_cli)
  add_dependencies(test_cli axial_cli)
  target_compile_definitions(test_cli PRIVATE AXIAL_PROGRAM="$<TARGET_FILE:axial_cli>")
  target_link_libraries(test_cli PRIVATE axial_examples)
endif()

# The tests of the public face once more, as in a build without LLVM: the compiler that cannot generate
# code takes the place of the library's own, which is then not linked.
if(TARGET test_api AND NOT BUILD_SHARED_LIBS)
  add_executable(test_without_compiler $<TARGET_OBJECTS:test_api> without_compiler.cpp
    ${PROJECT_SOURCE_DIR}/src/axial/kernels/no_compiler.cpp)
  target_link_libraries(test_without_compiler PRIVATE axial_test_support GTest::gmock_main)
  add_test(NAME without_compiler COMMAND test_without_compiler)
  set_tests_properties(without_compiler PROPERTIES TIMEOUT 300 LABELS unit)
endif()
