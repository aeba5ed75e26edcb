# The fuzz targets. Each is a program by itself with fuzz/driver.cpp, which mutates the documents of
# the gallery; with clang and AXIAL_LIBFUZZER it is one of libFuzzer.
option(AXIAL_LIBFUZZER "Build the fuzz targets with libFuzzer, which needs clang" OFF)

if(AXIAL_LIBFUZZER AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(libfuzzer ON)
  # Every room is compiled with these options, so that libFuzzer sees which parts an input reaches.
  target_compile_options(axial_warnings INTERFACE -fsanitize=fuzzer-no-link)
endif()

file(GLOB fuzz_corpus CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.tex)

function(axial_fuzz_target name)
  add_executable(fuzz_${name} ${PROJECT_SOURCE_DIR}/fuzz/${name}.cpp)
  target_link_libraries(fuzz_${name} PRIVATE axial::axial axial_warnings)
  if(libfuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    # libFuzzer keeps what it finds in the first folder.
    set(found ${PROJECT_BINARY_DIR}/fuzz/${name})
    file(MAKE_DIRECTORY ${found})
    set(arguments -max_total_time=30 -timeout=20 ${found} ${PROJECT_SOURCE_DIR}/examples)
  else()
    target_sources(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/fuzz/driver.cpp)
    # The same inputs each time, so that a failure of the tests can be repeated.
    set(arguments --seconds 30 --seed 1 ${fuzz_corpus})
  endif()
  # Where nothing watches memory, a fuzz test would find little that others do not.
  if(AXIAL_SANITIZE OR libfuzzer)
    add_test(NAME fuzz/${name} COMMAND fuzz_${name} ${arguments})
    set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz TIMEOUT 120)
  endif()
endfunction()

axial_fuzz_target(document)
axial_fuzz_target(notation)
