# The tests that look at the repository from outside: its rules, its headers one by one, programs
# that must not compile, the pages of the documentation, and its use as a package.
set(tools ${PROJECT_SOURCE_DIR}/tools)
set(compilers --compiler g++ --compiler clang++-19)
set(include_dirs --include ${PROJECT_SOURCE_DIR}/src --include ${AXIAL_GENERATED_DIR})

function(axial_script_test name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 900)
endfunction()

# Rules that hold for the text of the repository.
axial_script_test(rules/includes rules ${AXIAL_PYTHON} ${tools}/check_includes.py)
axial_script_test(rules/format rules ${tools}/format --check)
axial_script_test(rules/one_file_names_tanh rules
  ${AXIAL_PYTHON} ${tools}/count_names.py tanh 1 src cli)

# The scripts themselves.
file(GLOB script_tests CONFIGURE_DEPENDS tools/*_test.py)
foreach(file IN LISTS script_tests)
  cmake_path(GET file STEM name)
  axial_script_test(tools/${name} rules ${AXIAL_PYTHON} -B ${file})
endforeach()

# Every header stands alone; what users see does so with both compilers.
if(LLVM_FOUND)
  set(llvm_headers --llvm ${LLVM_INCLUDE_DIRS})
endif()
axial_script_test(headers compile ${AXIAL_PYTHON} ${tools}/check_headers.py
  --compiler g++ --public-compiler clang++-19 ${include_dirs} ${llvm_headers})
set_tests_properties(headers PROPERTIES PROCESSORS 2)

# Programs that must not compile, and their neighbours ok_*.cpp, which must.
file(GLOB programs CONFIGURE_DEPENDS compile_fail/*.cpp)
foreach(file IN LISTS programs)
  cmake_path(GET file STEM name)
  axial_script_test(compile_fail/${name} compile
    ${AXIAL_PYTHON} ${tools}/check_compile_fail.py ${compilers} ${include_dirs} ${file})
endforeach()

# Programs from the documentation link to one shared library, so that they need not know what the
# static one is made of.
get_target_property(objects axial SOURCES)
get_target_property(libraries axial LINK_LIBRARIES)
add_library(axial_for_docs SHARED ${objects})
set_target_properties(axial_for_docs PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(axial_for_docs PRIVATE ${libraries})

file(GLOB_RECURSE pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/README*.md)
list(FILTER pages INCLUDE REGEX "^(README\\.md|docs/)")
foreach(page IN LISTS pages)
  axial_script_test(${page} docs ${AXIAL_PYTHON} ${tools}/run_docs.py
    --library $<TARGET_FILE:axial_for_docs> ${include_dirs} ${page})
endforeach()

# Counted work guards against regressions, where machines are too busy to be timed.
if(LLVM_FOUND)
  axial_script_test(work slow ${AXIAL_PYTHON} ${tools}/count_work.py $<TARGET_FILE:bench_work>)
endif()

# A project of somebody else that uses this one.
foreach(way installed subdirectory subdirectory_shared)
  axial_script_test(package/${way} slow ${CMAKE_CURRENT_SOURCE_DIR}/package/run ${way}
    ${PROJECT_BINARY_DIR})
endforeach()
