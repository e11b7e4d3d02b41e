#define _GNU_SOURCE
#include "CLibcurl.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// `dlsym` returns an object pointer, which ISO C doesn't convert to a function pointer.
#define FUNCTIONS(F) \
    F(int, global_init, (long)) F(const char *, version, (void)) \
    F(void *, easy_init, (void)) F(void, easy_cleanup, (void *)) F(int, easy_setopt, (void *, int, ...)) \
    F(int, easy_getinfo, (void *, int, ...)) F(int, easy_pause, (void *, int)) F(const char *, easy_strerror, (int)) \
    F(NIList *, slist_append, (NIList *, const char *)) F(void, slist_free_all, (NIList *)) \
    F(void *, multi_init, (void)) F(int, multi_cleanup, (void *)) F(int, multi_setopt, (void *, int, ...)) \
    F(int, multi_add_handle, (void *, void *)) F(int, multi_remove_handle, (void *, void *)) \
    F(int, multi_perform, (void *, int *)) F(int, multi_poll, (void *, void *, unsigned, int, int *)) \
    F(int, multi_wakeup, (void *)) F(struct message *, multi_info_read, (void *, int *))

struct NIList { char *text; struct NIList *next; };
struct message { int kind; void *easy; union { void *whatever; int result; } data; };

#define DECLARE(RESULT, NAME, ARGUMENTS) static RESULT (*curl_##NAME) ARGUMENTS;
FUNCTIONS(DECLARE)

static bool is_loaded;

// Threads in libcurl while `exit` frees what OpenSSL uses would crash the process. They therefore park here.
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;
static _Thread_local bool is_exiting;
static bool is_late;  // The first call began after `exit` had ended OpenSSL. Changes only in `load`.

void ni_enter(void) {
    while (is_late) pause();
    pthread_mutex_lock(&gate);  // Never unlocked after the beginning of `exit`.
    atomic_fetch_add(&inside, 1);
    pthread_mutex_unlock(&gate);
}

void ni_leave(void) { atomic_fetch_sub(&inside, 1); }

// At the end of a thread, OpenSSL's own destructor uses locks. This one leaves in the second round, thus later.
static pthread_key_t ending;
static void leave(void *round) { round == &gate ? (void)pthread_setspecific(ending, &inside) : ni_leave(); }

void ni_end_thread(void) {
    ni_enter();
    pthread_setspecific(ending, &gate);
}

static void close_gate(void) {
    if (is_exiting) return;
    pthread_mutex_lock(&gate);
    for (int i = 0; i < 300 && atomic_load(&inside); i += 1) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void open_gate(void) {
    if (!is_exiting) pthread_mutex_unlock(&gate);
}

static void park(void) {
    close_gate();
    is_exiting = true;
}

static void load(void) {
    void *library = dlsym(RTLD_DEFAULT, "curl_multi_poll") ? RTLD_DEFAULT : dlopen("libcurl.so.4", RTLD_NOW);
#define FIND(RESULT, NAME, ARGUMENTS) if (!(*(void **)&curl_##NAME = dlsym(library, "curl_" #NAME))) return;
    FUNCTIONS(FIND)
    is_loaded = curl_global_init(3) == 0 && pthread_key_create(&ending, leave) == 0;  // CURL_GLOBAL_ALL
    // These run before the handlers that OpenSSL has registered. If several threads call `exit`, glibc before 2.41
    // gives each of them the next handler, so all but the first wait here.
    for (int i = 0; i < 8; i += 1) atexit(park);
    int (*init)(uint64_t, void *) = dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    is_late = init && !init(0x40000, NULL);  // OPENSSL_INIT_BASE_ONLY
    // Otherwise, `exit` in a child of `fork` could wait for a lock that a thread of OpenSSL held.
    pthread_atfork(close_gate, open_gate, open_gate);
}

bool ni_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

const char *ni_curl_version(void) { return curl_version(); }

#define GATED(CALL) ({ ni_enter(); __typeof__(CALL) result = CALL; ni_leave(); result; })

NIEasy ni_easy_init(void) { return curl_easy_init(); }
int ni_easy_set_long(NIEasy easy, int option, long value) { return curl_easy_setopt(easy, option, value); }
int ni_easy_set_offset(NIEasy easy, int option, int64_t value) { return curl_easy_setopt(easy, option, value); }
int ni_easy_set_pointer(NIEasy easy, int option, const void *value) { return curl_easy_setopt(easy, option, value); }

bool ni_easy_set_callbacks(NIEasy easy, NICallbacks callbacks, bool uploads, void *transfer) {
#define SET(FUNCTION, DATA, CALLBACK) \
    curl_easy_setopt(easy, DATA, transfer); result = curl_easy_setopt(easy, FUNCTION, callbacks.CALLBACK);
    int result;
    if (uploads) {
        SET(20012, 10009, read) SET(20167, 10168, seek) SET(20219, 10057, reported)
        curl_easy_setopt(easy, 43, 0L);  // CURLOPT_NOPROGRESS
    }
    SET(20011, 10001, received) SET(20079, 10029, header) SET(20272, 10273, resolves) SET(20163, 10164, opens)
    SET(20312, 10313, connected)
    return result == 0;
}

long ni_easy_info(NIEasy easy, int info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

void ni_easy_resume(NIEasy easy) { GATED(curl_easy_pause(easy, 0)); }
const char *ni_easy_error(int code) { return curl_easy_strerror(code); }
NIList *ni_list_append(NIList *list, const char *text) { return curl_slist_append(list, text); }
NIList *ni_easy_list(NIEasy easy, int info) {
    NIList *list = NULL;
    curl_easy_getinfo(easy, info, &list);
    return list;
}

const char *ni_list_text(const NIList *list) { return list->text; }
NIList *ni_list_next(const NIList *list) { return list->next; }
void ni_list_free(NIList *list) { curl_slist_free_all(list); }

// Whether a pipe or a socket has unread bytes, or the other end of a local socket has.
static bool has_data(int descriptor) {
    int size = 0;
    return (ioctl(descriptor, FIONREAD, &size) == 0 && size > 0)
        || (ioctl(descriptor, TIOCOUTQ, &size) == 0 && size > 0);
}

// Programs inherit the two descriptors that wake a handle of libcurl before 8.8 (curl/curl#13618), and no function
// returns them. Only these two have data after each wakeup, and none after each poll. So no other descriptor is read,
// written or changed. Programs that another thread starts with `posix_spawn` before the end of this function still
// inherit the two, which nothing else uses.
static void close_in_programs(void *multi, int first) {
    int major, minor;
    if (sscanf(curl_version(), "libcurl/%d.%d", &major, &minor) != 2 || major * 100 + minor >= 808) return;
    for (int i = 0, found = 0; i < 65536 && found < 2; i += 1) {
        int descriptor = (first + i) % 65536;
        if (fcntl(descriptor, F_GETFD) != 0 || !(fcntl(descriptor, F_GETFL) & O_NONBLOCK)) continue;
        bool is_own = has_data(descriptor);
        if (!is_own) continue;
        // The steps are irregular, so other threads' data doesn't follow them. The last one is a wakeup.
        for (unsigned steps = 0x9E3779B2; steps && is_own; steps >>= 1) {
            steps & 1 ? curl_multi_wakeup(multi) : curl_multi_poll(multi, NULL, 0, 0, NULL);
            is_own = has_data(descriptor) == (steps & 1);
        }
        if (is_own) found += fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0; else curl_multi_wakeup(multi);
    }
}

NIMulti ni_multi_init(void) {
    if (!is_exiting) pthread_mutex_lock(&gate);   // One thread at a time, and not while another one calls `fork`.
    int first = open("/", O_RDONLY | O_CLOEXEC);  // The lowest free descriptor, from which the search begins.
    close(first);
    void *multi = curl_multi_init();
    if (multi && curl_multi_wakeup(multi) != 0) {  // Without descriptors, libcurl makes handles that nothing wakes.
        curl_multi_cleanup(multi);
        multi = NULL;
    }
    if (multi) close_in_programs(multi, first);
    open_gate();
    return multi;
}
void ni_multi_cleanup(NIMulti multi) { GATED(curl_multi_cleanup(multi)); }
int ni_multi_set_long(NIMulti multi, int option, long value) { return curl_multi_setopt(multi, option, value); }
int ni_multi_add(NIMulti multi, NIEasy easy) { return curl_multi_add_handle(multi, easy); }
void ni_multi_close(NIMulti multi, NIEasy easy) {
    GATED((curl_multi_remove_handle(multi, easy), curl_easy_cleanup(easy), 0));
}
int ni_multi_perform(NIMulti multi) { int running; return GATED(curl_multi_perform(multi, &running)); }
int ni_multi_poll(NIMulti multi, int milliseconds) { return curl_multi_poll(multi, NULL, 0, milliseconds, NULL); }
int ni_multi_wakeup(NIMulti multi) { return curl_multi_wakeup(multi); }

NIEasy ni_multi_next_ended(NIMulti multi, int *code) {
    int left;
    struct message *message = curl_multi_info_read(multi, &left);
    while (message && message->kind != 1) message = curl_multi_info_read(multi, &left);  // CURLMSG_DONE
    if (!message) return NULL;
    *code = message->data.result;
    return message->easy;
}

int ni_rename_exclusively(const char *from, const char *to) {
#ifdef SYS_renameat2
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u);  // RENAME_NOREPLACE
#else
    errno = ENOSYS;
    return -1;
#endif
}
