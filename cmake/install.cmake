# Installs the library, its headers, the program, and the package that find_package(axial) reads.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/axial)

install(TARGETS axial EXPORT axialTargets)
install(EXPORT axialTargets NAMESPACE axial:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/axial ${AXIAL_GENERATED_DIR}/axial
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
if(TARGET axial_cli)
  install(TARGETS axial_cli)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/axialConfig.cmake.in
  ${PROJECT_BINARY_DIR}/axialConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/axialConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/axialConfig.cmake
  ${PROJECT_BINARY_DIR}/axialConfigVersion.cmake ${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake
  DESTINATION ${package_dir})
