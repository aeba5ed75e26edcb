# The functions that turn the folders of src/axial into parts of the library `axial`, and the one
# generated header.
set(AXIAL_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.hpp.in ${AXIAL_GENERATED_DIR}/axial/version.hpp
  @ONLY)

# axial_room(NAME [LIBRARIES ...] [INCLUDES ...] [WITHOUT REGEX]): compiles src/axial/NAME into the
# library. LIBRARIES and INCLUDES are visible to this room alone; the libraries are linked wherever
# `axial` is. Sources whose path matches WITHOUT are left out. A room may consist of headers only.
function(axial_room room)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "WITHOUT" "LIBRARIES;INCLUDES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/axial/${room}/*.cpp)
  if(ROOM_WITHOUT)
    list(FILTER sources EXCLUDE REGEX ${ROOM_WITHOUT})
  endif()
  get_property(embedded GLOBAL PROPERTY AXIAL_EMBEDDED_IN_${room})
  if(NOT sources AND NOT embedded)
    return()
  endif()
  add_library(axial_${room} OBJECT ${sources} ${embedded})
  target_include_directories(axial_${room}
    PRIVATE ${PROJECT_SOURCE_DIR}/src ${AXIAL_GENERATED_DIR})
  target_include_directories(axial_${room} SYSTEM PRIVATE ${ROOM_INCLUDES})
  target_link_libraries(axial_${room} PRIVATE axial_warnings ${ROOM_LIBRARIES})
  target_sources(axial PRIVATE $<TARGET_OBJECTS:axial_${room}>)
  target_link_libraries(axial PRIVATE ${ROOM_LIBRARIES})
endfunction()

# axial_embed(ROOM/FILE FUNCTION NAME HEADER PATH): makes the text of src/axial/ROOM/FILE the value
# of `std::string_view axial::NAME()`, which the header declares. An edit embeds it anew.
function(axial_embed file)
  cmake_parse_arguments(PARSE_ARGV 1 EMBED "" "FUNCTION;HEADER" "")
  set(source ${PROJECT_SOURCE_DIR}/src/axial/${file})
  if(NOT EXISTS ${source})
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} EMBED_TEXT)
  # One literal per line, since compilers limit the length of a single one.
  string(REPLACE "\n" "\n)nt\"\n    R\"nt(" EMBED_TEXT "${EMBED_TEXT}")
  set(generated ${AXIAL_GENERATED_DIR}/${EMBED_FUNCTION}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.cpp.in ${generated} @ONLY)
  cmake_path(GET file PARENT_PATH room)
  set_property(GLOBAL APPEND PROPERTY AXIAL_EMBEDDED_IN_${room} ${generated})
endfunction()

# The version of the code generator: a hash of all that generated code depends on, so that code which
# another version kept on disk is not taken for its own.
file(GLOB generator_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/axial/kernels/*.[ch]pp ${PROJECT_SOURCE_DIR}/src/axial/vocabulary/*.[ch]pp)
set(generator_hashes)
foreach(source IN LISTS generator_sources)
  file(SHA256 ${source} hash)
  list(APPEND generator_hashes ${hash})
endforeach()
string(SHA256 AXIAL_GENERATOR "${generator_hashes}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${generator_sources})
configure_file(${CMAKE_CURRENT_LIST_DIR}/generator.hpp.in
  ${AXIAL_GENERATED_DIR}/axial/kernels/generator.hpp @ONLY)
