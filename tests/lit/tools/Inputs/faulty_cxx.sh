#!/bin/sh
# A C++ compiler that changes the kernels it is given by the sed script in FAULT.
for word in "$@"; do
  case $word in
  */unit.cpp) sed -i "$FAULT" "${word%unit.cpp}"*.cu ;;
  esac
done
exec c++ "$@"
