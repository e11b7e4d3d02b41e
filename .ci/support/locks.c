// Counts each thread's calls to pthread_mutex_lock, if LD_PRELOAD names this library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

static int (*lock)(pthread_mutex_t *);
static __thread long count;

__attribute__((constructor)) static void find(void) { lock = dlsym(RTLD_NEXT, "pthread_mutex_lock"); }

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!lock) find();
    count++;
    return lock(mutex);
}

long counted_locks(void) { return count; }
