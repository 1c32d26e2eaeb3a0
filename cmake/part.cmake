# pyrometer_part(NAME DEPENDS ...): one folder of src/ as a static library. It sees only
# the parts it names, so a wrong dependency does not link (tools/check_dependencies.py
# also refuses the include).
function(pyrometer_part name)
  cmake_parse_arguments(PART "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  add_library(pyrometer_${name} STATIC ${sources})
  target_include_directories(pyrometer_${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(pyrometer_${name} PUBLIC ${PART_DEPENDS})
  pyrometer_uses_python(uses_python ${PART_DEPENDS})
  set_target_properties(pyrometer_${name} PROPERTIES PYROMETER_USES_PYTHON ${uses_python})
  pyrometer_compile_options(pyrometer_${name})
  pyrometer_group_sources(pyrometer_${name} ${name} ${sources})
endfunction()

# Whether any of the libraries is Python's, or a part that uses it.
function(pyrometer_uses_python result)
  set(${result} OFF PARENT_SCOPE)
  foreach(library IN LISTS ARGN)
    set(uses OFF)
    if(TARGET ${library})
      get_target_property(uses ${library} PYROMETER_USES_PYTHON)
    endif()
    if(uses OR library STREQUAL "python_limited_api")
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Many sources compiled as one take a fraction of the time. Which of them go together depends on
# what they contain, so a change of any asks again.
function(pyrometer_group_sources target part)
  # Tests of parts that use Python have no interpreter: they link only the objects that need none.
  pyrometer_uses_python(uses_python pyrometer_${part})
  if(NOT PYROMETER_GROUP_SOURCES OR uses_python)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  execute_process(COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/group_sources.py" ${ARGN}
                  OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "|" groups "${groups}")
  string(REPLACE "\n" ";" groups "${groups}")
  set(number 0)
  foreach(group IN LISTS groups)
    math(EXPR number "${number} + 1")
    string(REPLACE "|" ";" members "${group}")
    set_source_files_properties(${members} PROPERTIES UNITY_GROUP "${number}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Warnings are for the release build to find: here they would be about who stands beside whom.
  target_compile_options(${target} PRIVATE -w)
endfunction()

function(pyrometer_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow
    # Designated initialisers leave the other members at their stated defaults on purpose.
    -Wno-missing-field-initializers
    # Numbers come from files nobody has checked: sums wrap instead of being undefined.
    -fwrapv)
  if(PYROMETER_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PYROMETER_SANITIZERS)
    target_compile_options(${target} PRIVATE
      -fsanitize=${PYROMETER_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${PYROMETER_SANITIZERS})
  endif()
endfunction()
