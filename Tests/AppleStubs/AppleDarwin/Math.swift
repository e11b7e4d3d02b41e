@_exported import func Glibc.exp
@_exported import func Glibc.log
@_exported import func Glibc.log10
@_exported import func Glibc.pow
@_exported import func Glibc.round
