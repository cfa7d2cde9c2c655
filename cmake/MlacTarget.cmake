# One way to declare a library, a tool and a test, so that warnings and include paths are the same everywhere.

function(mlac_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror -Wno-unused-parameter -Wno-comment)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports string concatenation as overlapping copies (GCC bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(MLAC_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${MLAC_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${MLAC_SANITIZE})
  endif()
endfunction()

# mlac_library(name SOURCES a.cpp ... [LINK x ...])
function(mlac_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  mlac_options(${name})
  target_link_libraries(${name} PUBLIC ${arg_LINK})
endfunction()

# mlac_tool(name SOURCES ... [LINK ...])
function(mlac_tool name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  mlac_options(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# mlac_test(name SOURCES ... [LINK ...] [LABELS ...]): one GoogleTest binary, one ctest entry.
function(mlac_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  mlac_options(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
endfunction()

# Marks a target whose sources include MLIR or LLVM headers.
function(mlac_uses_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS}
                                                     ${PROJECT_BINARY_DIR})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS_LIST})
  target_link_libraries(${target} PUBLIC MLIR LLVM)
endfunction()
