// libcurl, loaded when it is first needed and not with the program: it brings three dozen libraries along,
// which cost each start 6 ms and 8 MB, and most commands ask no server. Its options are set through a
// variadic function that Swift does not see; here each kind of value has a function of its own.
#ifndef CHECKPOST_CCURL_H
#define CHECKPOST_CCURL_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library; NULL when it is there, else the system's words for why it is not. Everything else
/// may be called only after that. Safe from any thread, and cheap the second time.
const char *ccurl_load(void);

/// The library's version: `7.88.1`.
const char *ccurl_version(void);

/// Takes bytes; what it returns has to be `count`, else the transfer is broken off.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Moves within what is sent; returns CURL_SEEKFUNC_OK when it could.
typedef int (*ccurl_seeker)(void *context, curl_off_t offset, int origin);

/// A transfer with the settings that every one of ours has: http and https alone, TLS 1.2 or newer, no
/// redirects, no signals, no proxy until one is set, descriptors that no child inherits, little that the system
/// buffers, connections that end at once when they are given up, and a name's resolution that nobody waits for then.
/// NULL without memory.
CURL *ccurl_make(void);
void ccurl_free(CURL *transfer);

CURLcode ccurl_set_number(CURL *transfer, CURLoption option, long value);
CURLcode ccurl_set_text(CURL *transfer, CURLoption option, const char *value);
/// Sends these bytes with POST, or with the method of CURLOPT_CUSTOMREQUEST; they are copied.
CURLcode ccurl_set_bytes(CURL *transfer, const void *bytes, size_t count);
/// Sends so many bytes, each when it is its turn, read again from a place when a connection was gone.
CURLcode ccurl_set_source(
    CURL *transfer, ccurl_receiver source, ccurl_seeker seeker, void *context, curl_off_t count);
CURLcode ccurl_set_headers(CURL *transfer, struct curl_slist *headers);
/// `words` has CURL_ERROR_SIZE bytes and lives as long as the transfer.
CURLcode ccurl_set_words(CURL *transfer, char *words);
CURLcode ccurl_set_receivers(CURL *transfer, ccurl_receiver header, ccurl_receiver body, void *context);

long ccurl_number(CURL *transfer, CURLINFO info);
int64_t ccurl_count(CURL *transfer, CURLINFO info);
/// Bytes that were written to the connection of this transfer and that the other side has not confirmed.
int ccurl_unsent(CURL *transfer);
/// NULL where there is none.
const char *ccurl_text(CURL *transfer, CURLINFO info);
const char *ccurl_words(CURLcode code);

/// NULL without memory; then the list is as it was.
struct curl_slist *ccurl_append(struct curl_slist *list, const char *text);
void ccurl_free_list(struct curl_slist *list);

/// Many transfers on one thread. NULL without memory.
CURLM *ccurl_make_group(void);
void ccurl_free_group(CURLM *group);
CURLMcode ccurl_add(CURLM *group, CURL *transfer);
void ccurl_remove(CURLM *group, CURL *transfer);
/// Does what can be done without waiting.
CURLMcode ccurl_perform(CURLM *group);
/// The next transfer that ended, and how; NULL when none has.
CURL *ccurl_next_ended(CURLM *group, CURLcode *code);
/// Waits until a transfer can go on, `descriptor` is readable, or the time is over.
void ccurl_wait(CURLM *group, int descriptor, int milliseconds);

#endif
