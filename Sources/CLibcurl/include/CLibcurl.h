#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of libcurl's stable ABI (libcurl.so.4) that NetworkIndicatorTransfers uses. The functions are found in the
// process, because FoundationNetworking has loaded the library. Building needs neither a header nor a package.
// The names and values are those of curl/curl.h and curl/multi.h: https://curl.se/libcurl/c/allfuncs.html

/// Renames a file unless the new name exists: `renameat2`, which Swift's Glibc module lacks.
int ni_rename_exclusively(const char *from, const char *to);

/// Loads the functions once, and initialises libcurl. All other functions require that this one has returned `true`.
/// It returns `false` if the process has no libcurl of version 7.68 or later.
bool ni_curl_load(void);
/// For example `libcurl/7.88.1 OpenSSL/3.0.19`.
const char *ni_curl_version(void);

typedef void *NIEasy;
typedef void *NIMulti;
typedef struct NIList NIList;

enum {
    NI_OPT_NOBODY = 44, NI_OPT_UPLOAD = 46, NI_OPT_FRESH_CONNECT = 74,
    NI_OPT_FORBID_REUSE = 75, NI_OPT_DNS_CACHE_TIMEOUT = 92, NI_OPT_BUFFERSIZE = 98, NI_OPT_NOSIGNAL = 99,
    NI_OPT_TIMEOUT_MS = 155, NI_OPT_CONNECTTIMEOUT_MS = 156, NI_OPT_PATH_AS_IS = 234,
    NI_OPT_SUPPRESS_CONNECT_HEADERS = 265,
    NI_OPT_URL = 10002, NI_OPT_ERRORBUFFER = 10010, NI_OPT_HTTPHEADER = 10023,
    NI_OPT_COOKIEFILE = 10031, NI_OPT_CUSTOMREQUEST = 10036, NI_OPT_CAINFO = 10065, NI_OPT_CAPATH = 10097,
    NI_OPT_ACCEPT_ENCODING = 10102,
    NI_OPT_COOKIELIST = 10135, NI_OPT_HTTPAUTH = 107, NI_OPT_USERNAME = 10173, NI_OPT_PASSWORD = 10174,
    NI_OPT_INFILESIZE_LARGE = 30115,
    NI_INFO_RESPONSE_CODE = 0x200002, NI_INFO_SSL_VERIFYRESULT = 0x20000D, NI_INFO_HTTP_CONNECTCODE = 0x200016,
    NI_INFO_OS_ERRNO = 0x200019, NI_INFO_HTTPAUTH_AVAIL = 0x200017, NI_INFO_PROXY_ERROR = 0x20003B,
    NI_INFO_COOKIELIST = 0x40001C, NI_AUTH_BASIC = 1, NI_AUTH_DIGEST = 2,
    NI_MULTI_MAXCONNECTS = 6, NI_MULTI_MAX_HOST_CONNECTIONS = 7,
    NI_READ_ABORT = 0x10000000, NI_WRITE_PAUSE = 0x10000001, NI_ERROR_SIZE = 256,
};

/// Begins like `struct curl_sockaddr`.
typedef struct NIAddress { int family; int type; int protocol; } NIAddress;

/// A nonzero result of `resolves`, `connected` or `reported` ends the transfer. So does a result of `received` or
/// `header` that isn't the number of bytes, and a negative result of `opens`.
typedef struct NICallbacks {
    size_t (*received)(const char *bytes, size_t size, size_t count, void *transfer);
    size_t (*header)(const char *line, size_t size, size_t count, void *transfer);
    size_t (*read)(char *buffer, size_t size, size_t count, void *transfer);
    int (*seek)(void *transfer, int64_t offset, int origin);
    int (*resolves)(void *resolver, void *reserved, void *transfer);
    int (*opens)(void *transfer, int purpose, const NIAddress *address);
    int (*connected)(void *transfer, char *peer, char *local, int peer_port, int local_port);
    int (*reported)(void *transfer, int64_t total, int64_t received, int64_t upload, int64_t sent);
} NICallbacks;

/// Surround the calls of libcurl that can use OpenSSL. `exit` and `fork` wait for these calls, up to 0.3 s. After the
/// beginning of `exit`, `ni_enter` never returns. A callback can take longer, so it leaves the call meanwhile.
void ni_enter(void);
void ni_leave(void);
/// Enters until the calling thread has ended, because its end uses OpenSSL.
void ni_end_thread(void);

NIEasy ni_easy_init(void);
int ni_easy_set_long(NIEasy easy, int option, long value);
int ni_easy_set_offset(NIEasy easy, int option, int64_t value);
int ni_easy_set_pointer(NIEasy easy, int option, const void *value);
/// Sets `read`, `seek` and `reported` only for uploads. Returns `false` if libcurl is older than 7.80, and never calls
/// `connected`.
bool ni_easy_set_callbacks(NIEasy easy, NICallbacks callbacks, bool uploads, void *transfer);
long ni_easy_info(NIEasy easy, int info);
/// Continues after a result of `NI_WRITE_PAUSE`.
void ni_easy_resume(NIEasy easy);
const char *ni_easy_error(int code);
NIList *ni_list_append(NIList *list, const char *text);
/// Returns a list that the caller frees, or `NULL`.
NIList *ni_easy_list(NIEasy easy, int info);
const char *ni_list_text(const NIList *list);
NIList *ni_list_next(const NIList *list);
void ni_list_free(NIList *list);

/// Returns `NULL` if memory or file descriptors are exhausted. Any thread may call this function.
NIMulti ni_multi_init(void);
void ni_multi_cleanup(NIMulti multi);
int ni_multi_set_long(NIMulti multi, int option, long value);
int ni_multi_add(NIMulti multi, NIEasy easy);
/// Frees the handle, after its removal if it has been added.
void ni_multi_close(NIMulti multi, NIEasy easy);
int ni_multi_perform(NIMulti multi);
int ni_multi_poll(NIMulti multi, int milliseconds);
/// Any thread may call this function.
int ni_multi_wakeup(NIMulti multi);
/// Returns `NULL` if no transfer has ended since the last call.
NIEasy ni_multi_next_ended(NIMulti multi, int *code);
