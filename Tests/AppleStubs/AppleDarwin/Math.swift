// <math.h>. Its types are the same on all systems, so these declarations are those of Linux.
@_exported import func Glibc.exp
@_exported import func Glibc.log
@_exported import func Glibc.log10
@_exported import func Glibc.pow
@_exported import func Glibc.round
