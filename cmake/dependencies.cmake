# Everything comes from the distribution's packages; nothing is downloaded or copied in.
# Static archives where there are some, so that one executable runs on any machine.
# Whatever is missing is said with the name of its Debian package.
find_package(Threads REQUIRED)

function(pyrometer_say_missing what debian_package)
  message(FATAL_ERROR "${what} is missing; on Debian: apt-get install ${debian_package}")
endfunction()

# A macro, so that what the package defines is seen by all.
macro(pyrometer_package name version debian_package)
  find_package(${name} ${version} QUIET)
  if(NOT ${name}_FOUND)
    pyrometer_say_missing("${name} ${version} or newer" ${debian_package})
  endif()
endmacro()

function(pyrometer_static_library target archive header debian_package)
  find_library(${target}_ARCHIVE NAMES ${archive})
  find_path(${target}_INCLUDE NAMES ${header})
  if(NOT ${target}_ARCHIVE OR NOT ${target}_INCLUDE)
    pyrometer_say_missing("${archive} or ${header}" ${debian_package})
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${target} INTERFACE "${${target}_ARCHIVE}" ${ARGN})
  target_include_directories(${target} INTERFACE "${${target}_INCLUDE}")
endfunction()

pyrometer_package(fmt 9 libfmt-dev)
pyrometer_package(CLI11 2.1 libcli11-dev)
pyrometer_package(nlohmann_json 3.11 nlohmann-json3-dev)
pyrometer_package(tl-expected 1.0 libexpected-dev)
pyrometer_package(Boost 1.81 libboost1.81-dev)
pyrometer_static_library(zstd_static libzstd.a zstd.h libzstd-dev)
pyrometer_static_library(sqlite_static libsqlite3.a sqlite3.h libsqlite3-dev
                         Threads::Threads ${CMAKE_DL_LIBS} m)
pyrometer_static_library(zlib_static libz.a zlib.h zlib1g-dev)
find_path(protozero_INCLUDE NAMES protozero/pbf_builder.hpp)
if(NOT protozero_INCLUDE)
  pyrometer_say_missing("protozero/pbf_builder.hpp" libprotozero-dev)
endif()
find_path(xxhash_INCLUDE NAMES xxhash.h)
if(NOT xxhash_INCLUDE)
  pyrometer_say_missing("xxhash.h" libxxhash-dev)
endif()

# Only headers: the agent is loaded by an interpreter and finds CPython's functions there.
find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module)
if(NOT Python_Development.Module_FOUND)
  pyrometer_say_missing("Python.h of Python 3.11 or newer" python3-dev)
endif()
add_library(python_limited_api INTERFACE)
target_include_directories(python_limited_api SYSTEM INTERFACE ${Python_INCLUDE_DIRS})
