#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#if LIBCURL_VERSION_NUM < 0x074200
#error "libcurl 7.66 or newer is needed: curl_multi_poll"
#endif

#define FUNCTIONS(X)                                                                          \
  X(global_init) X(version_info) X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_getinfo)  \
  X(easy_strerror) X(slist_append) X(slist_free_all) X(multi_init) X(multi_cleanup)           \
  X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_info_read) X(multi_poll)

static struct {
#define DECLARE(name) __typeof__(curl_##name) *name;
  FUNCTIONS(DECLARE)
} lib;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static int is_loaded;

static void load(char *failure, size_t size) {
  // Debian has it built with either library for TLS, and they serve us alike.
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(failure, size, "%s", dlerror());
    handle = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle) return;
#define FIND(name)                                                                 \
  if (!(lib.name = (__typeof__(lib.name))dlsym(handle, "curl_" #name))) {          \
    snprintf(failure, size, "libcurl is too old: no curl_" #name);                 \
    dlclose(handle);                                                               \
    return;                                                                        \
  }
  FUNCTIONS(FIND)
  CURLcode code = lib.global_init(CURL_GLOBAL_DEFAULT);
  if (code == CURLE_OK) is_loaded = 1;
  else snprintf(failure, size, "libcurl: %s", lib.easy_strerror(code));
}

// Where it is not there it is looked for again with each call: somebody may install it while we run.
const char *ccurl_load(void) {
  static _Thread_local char failure[200];
  pthread_mutex_lock(&loading);
  if (!is_loaded) load(failure, sizeof failure);
  int done = is_loaded;
  pthread_mutex_unlock(&loading);
  return done ? NULL : failure;
}

const char *ccurl_version(void) { return lib.version_info(CURLVERSION_NOW)->version; }

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// What the system holds back of what was written and is not on its way: on a thin line more of it would only
// be in the way of what is more urgent, and nobody would know how far it has come.
enum { UNSENT_AT_MOST = 16 << 10 };

static int prepare_socket(void *context, curl_socket_t socket, curlsocktype purpose) {
  (void)context;
  (void)purpose;
  int bytes = UNSENT_AT_MOST;
  // A system without it is one that buffers more.
  setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
  return CURL_SOCKOPT_OK;
}

// A connection with more than a farewell still to send was given up: the system would go on sending for
// minutes what nobody waits for.
enum { FAREWELL = 512 };

static int close_socket(void *context, curl_socket_t socket) {
  (void)context;
  int unsent = 0;
  if (ioctl(socket, SIOCOUTQ, &unsent) == 0 && unsent > FAREWELL) {
    struct linger none = {.l_onoff = 1, .l_linger = 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  }
  return close(socket);
}

int ccurl_unsent(CURL *transfer) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  int unsent = 0;
  if (lib.easy_getinfo(transfer, CURLINFO_ACTIVESOCKET, &socket) != CURLE_OK) return 0;
  if (socket == CURL_SOCKET_BAD || ioctl(socket, SIOCOUTQ, &unsent) != 0) return 0;
  return unsent;
}

CURL *ccurl_make(void) {
  CURL *transfer = lib.easy_init();
  if (!transfer) return NULL;
  lib.easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
  lib.easy_setopt(transfer, CURLOPT_FOLLOWLOCATION, 0L);
  lib.easy_setopt(transfer, CURLOPT_PROXY, "");
  lib.easy_setopt(transfer, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  lib.easy_setopt(transfer, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  lib.easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  lib.easy_setopt(transfer, CURLOPT_SOCKOPTFUNCTION, prepare_socket);
  lib.easy_setopt(transfer, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
  lib.easy_setopt(transfer, CURLOPT_TCP_KEEPALIVE, 1L);
  lib.easy_setopt(transfer, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  // Its successor is not in every libcurl that may be found at a post.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  CURLcode code =
      lib.easy_setopt(transfer, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma clang diagnostic pop
#if LIBCURL_VERSION_NUM >= 0x075700
  lib.easy_setopt(transfer, CURLOPT_QUICK_EXIT, 1L);
#endif
  if (code == CURLE_OK) return transfer;
  lib.easy_cleanup(transfer);
  return NULL;
}

void ccurl_free(CURL *transfer) { lib.easy_cleanup(transfer); }

CURLcode ccurl_set_number(CURL *transfer, CURLoption option, long value) {
  return lib.easy_setopt(transfer, option, value);
}

CURLcode ccurl_set_text(CURL *transfer, CURLoption option, const char *value) {
  return lib.easy_setopt(transfer, option, value);
}

CURLcode ccurl_set_bytes(CURL *transfer, const void *bytes, size_t count) {
  lib.easy_setopt(transfer, CURLOPT_POST, 1L);
  lib.easy_setopt(transfer, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return lib.easy_setopt(transfer, CURLOPT_COPYPOSTFIELDS, bytes);
}

CURLcode ccurl_set_source(
    CURL *transfer, ccurl_receiver source, ccurl_seeker seeker, void *context, curl_off_t count) {
  lib.easy_setopt(transfer, CURLOPT_POST, 1L);
  lib.easy_setopt(transfer, CURLOPT_POSTFIELDSIZE_LARGE, count);
  lib.easy_setopt(transfer, CURLOPT_READDATA, context);
  lib.easy_setopt(transfer, CURLOPT_SEEKDATA, context);
  lib.easy_setopt(transfer, CURLOPT_SEEKFUNCTION, seeker);
  return lib.easy_setopt(transfer, CURLOPT_READFUNCTION, source);
}

CURLcode ccurl_set_headers(CURL *transfer, struct curl_slist *headers) {
  return lib.easy_setopt(transfer, CURLOPT_HTTPHEADER, headers);
}

CURLcode ccurl_set_words(CURL *transfer, char *words) {
  return lib.easy_setopt(transfer, CURLOPT_ERRORBUFFER, words);
}

CURLcode ccurl_set_receivers(
    CURL *transfer, ccurl_receiver header, ccurl_receiver body, void *context) {
  lib.easy_setopt(transfer, CURLOPT_HEADERDATA, context);
  lib.easy_setopt(transfer, CURLOPT_WRITEDATA, context);
  lib.easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
  return lib.easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
}

long ccurl_number(CURL *transfer, CURLINFO info) {
  long value = 0;
  lib.easy_getinfo(transfer, info, &value);
  return value;
}

int64_t ccurl_count(CURL *transfer, CURLINFO info) {
  curl_off_t value = 0;
  lib.easy_getinfo(transfer, info, &value);
  return value;
}

const char *ccurl_text(CURL *transfer, CURLINFO info) {
  char *value = NULL;
  lib.easy_getinfo(transfer, info, &value);
  return value;
}

const char *ccurl_words(CURLcode code) { return lib.easy_strerror(code); }

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text) {
  return lib.slist_append(list, text);
}

void ccurl_free_list(struct curl_slist *list) { lib.slist_free_all(list); }

CURLM *ccurl_make_group(void) { return lib.multi_init(); }

void ccurl_free_group(CURLM *group) { lib.multi_cleanup(group); }

CURLMcode ccurl_add(CURLM *group, CURL *transfer) { return lib.multi_add_handle(group, transfer); }

void ccurl_remove(CURLM *group, CURL *transfer) { lib.multi_remove_handle(group, transfer); }

CURLMcode ccurl_perform(CURLM *group) {
  int running;
  return lib.multi_perform(group, &running);
}

CURL *ccurl_next_ended(CURLM *group, CURLcode *code) {
  int left;
  CURLMsg *message;
  while ((message = lib.multi_info_read(group, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

void ccurl_wait(CURLM *group, int descriptor, int milliseconds) {
  struct curl_waitfd extra = {.fd = descriptor, .events = CURL_WAIT_POLLIN};
  // Less where a transfer has a time of its own.
  lib.multi_poll(group, &extra, 1, milliseconds, NULL);
}
