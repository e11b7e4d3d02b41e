// The declarations of <signal.h> that Terminal+Musl.swift uses, with Musl's names and types. CDarwin explains the C names.
#pragma once

#define SWIFT_NAME(name) __attribute__((swift_name(#name)))

struct musl_sigset {
    unsigned long __bits[16];
} SWIFT_NAME(sigset_t);

struct musl_siginfo {
    int si_signo;
    int si_errno;
    int si_code;
};
typedef struct musl_siginfo musl_siginfo_t SWIFT_NAME(siginfo_t);

union musl_sa_handler {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, musl_siginfo_t *, void *);
};

struct musl_sigaction {
    union musl_sa_handler __sa_handler;
    struct musl_sigset sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
} SWIFT_NAME(sigaction);
