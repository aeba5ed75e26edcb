# What the library needs from outside; its public headers need nothing but the standard library.
# The installed package includes this file too, because a static library does not carry these along.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET GLOBAL lapacke)

# Without LLVM the library works too, on the reference evaluator.
find_package(LLVM 19.1 CONFIG QUIET PATHS /usr/lib/llvm-19)
