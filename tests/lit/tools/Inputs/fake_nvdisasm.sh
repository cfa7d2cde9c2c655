#!/bin/sh
# Stands in for nvdisasm; FAKE_NVDISASM says how it behaves.
if [ "$1" = --version ]; then
  echo 'Cuda compilation tools, release 12.6, V12.6.77'
  exit 0
fi
case $FAKE_NVDISASM in
  refuse)
    echo 'unknown architecture' >&2
    exit 1
    ;;
  empty) echo '	.target	sm_120' ;;
  loop)
    echo '        /*0000*/                   LDG.E R9, desc[UR8][R2.64] ;'
    echo '.L_x_0:'
    echo '        /*0010*/                   HMMA.16816.F32.BF16 R0, R4, R8, R0 ;'
    echo '        /*0020*/              @!P0 BRA `(.L_x_0) ;'
    echo '        /*0030*/                   EXIT ;'
    ;;
esac
