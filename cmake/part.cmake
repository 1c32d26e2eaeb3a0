# pyrometer_part(NAME DEPENDS ...): one folder of src/ as a static library. It sees only
# the parts it names, so a wrong dependency does not link (tools/check_dependencies.py
# also refuses the include).
function(pyrometer_part name)
  cmake_parse_arguments(PART "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  add_library(pyrometer_${name} STATIC ${sources})
  target_include_directories(pyrometer_${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(pyrometer_${name} PUBLIC ${PART_DEPENDS})
  pyrometer_compile_options(pyrometer_${name})
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
