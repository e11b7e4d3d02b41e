// The names that Glibc has too.
@_exported import Glibc
