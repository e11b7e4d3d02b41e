// Declarations that need C: types in the signatures of C functions, and functions with the same name as a type.
//
// The C names differ from those in this system's C library. With equal names, the compiler would treat the types as
// one.
#pragma once

#define SWIFT_NAME(name) __attribute__((swift_name(#name)))

typedef unsigned int darwin_sigset SWIFT_NAME(sigset_t);

struct darwin_siginfo {
    int si_signo;
    int si_code;
    int si_pid;
};
typedef struct darwin_siginfo darwin_siginfo_t SWIFT_NAME(siginfo_t);

union darwin_sigaction_u {
    void (*__sa_handler)(int);
    void (*__sa_sigaction)(int, darwin_siginfo_t *, void *);
} SWIFT_NAME(__sigaction_u);

struct darwin_sigaction {
    union darwin_sigaction_u __sigaction_u;
    darwin_sigset sa_mask;
    int sa_flags;
} SWIFT_NAME(sigaction);

SWIFT_NAME(sigaction(_:_:_:))
static inline int darwin_sigaction_call(
    int signal, const struct darwin_sigaction *action, struct darwin_sigaction *earlier) {
    __builtin_trap();
}

struct darwin_utsname {
    char sysname[256];
    char nodename[256];
    char release[256];
    char version[256];
    char machine[256];
} SWIFT_NAME(utsname);

struct darwin_stat {
    int st_dev;
    unsigned short st_mode;
    unsigned short st_nlink;
    unsigned long long st_ino;
    unsigned int st_uid;
    long long st_size;
} SWIFT_NAME(stat);

SWIFT_NAME(stat(_:_:))
static inline int darwin_stat_call(const char *path, struct darwin_stat *status) {
    __builtin_trap();
}

SWIFT_NAME(lstat(_:_:))
static inline int darwin_lstat(const char *path, struct darwin_stat *status) {
    __builtin_trap();
}

SWIFT_NAME(fstat(_:_:))
static inline int darwin_fstat(int descriptor, struct darwin_stat *status) {
    __builtin_trap();
}
