#define _GNU_SOURCE
#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef cpostgresql_connection C;
typedef cpostgresql_result R;
typedef void notice_receiver(void *context, const R *notice);

// Answer, name, arguments.
#define FUNCTIONS(X)                                                                               \
  X(int, libVersion, (void))                                                                       \
  X(C *, connectStartParams, (const char *const *, const char *const *, int))                      \
  X(int, connectPoll, (C *))                                                                       \
  X(int, setnonblocking, (C *, int))                                                               \
  X(int, setErrorVerbosity, (C *, int))                                                            \
  X(notice_receiver *, setNoticeReceiver, (C *, notice_receiver *, void *))                        \
  X(void, finish, (C *))                                                                           \
  X(int, status, (const C *))                                                                      \
  X(int, transactionStatus, (const C *))                                                           \
  X(int, socket, (const C *))                                                                      \
  X(int, serverVersion, (const C *))                                                               \
  X(int, backendPID, (const C *))                                                                  \
  X(int, sslInUse, (C *))                                                                          \
  X(const char *, parameterStatus, (const C *, const char *))                                      \
  X(char *, errorMessage, (const C *))                                                             \
  X(int, enterPipelineMode, (C *))                                                                 \
  X(int, exitPipelineMode, (C *))                                                                  \
  X(int, pipelineSync, (C *))                                                                      \
  X(int, sendQuery, (C *, const char *))                                                           \
  X(int, sendQueryParams,                                                                          \
    (C *, const char *, int, const cpostgresql_type *, const char *const *, const int *,           \
     const int *, int))                                                                            \
  X(int, sendPrepare, (C *, const char *, const char *, int, const cpostgresql_type *))            \
  X(int, sendDescribePrepared, (C *, const char *))                                                \
  X(int, sendQueryPrepared,                                                                        \
    (C *, const char *, int, const char *const *, const int *, const int *, int))                  \
  X(int, flush, (C *))                                                                             \
  X(int, consumeInput, (C *))                                                                      \
  X(int, isBusy, (C *))                                                                            \
  X(R *, getResult, (C *))                                                                         \
  X(void, clear, (R *))                                                                            \
  X(int, resultStatus, (const R *))                                                                \
  X(char *, resultErrorField, (const R *, int))                                                    \
  X(char *, resultErrorMessage, (const R *))                                                       \
  X(char *, cmdStatus, (R *))                                                                      \
  X(char *, cmdTuples, (R *))                                                                      \
  X(int, ntuples, (const R *))                                                                     \
  X(int, nfields, (const R *))                                                                     \
  X(char *, fname, (const R *, int))                                                               \
  X(cpostgresql_type, ftype, (const R *, int))                                                     \
  X(int, fformat, (const R *, int))                                                                \
  X(int, getisnull, (const R *, int, int))                                                         \
  X(int, getlength, (const R *, int, int))                                                         \
  X(char *, getvalue, (const R *, int, int))                                                       \
  X(int, nparams, (const R *))                                                                     \
  X(cpostgresql_type, paramtype, (const R *, int))

struct table {
#define DECLARE(answer, name, arguments) answer(*name) arguments;
  FUNCTIONS(DECLARE)
};

static struct table lib;
static atomic_int is_loaded;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char failure[300];

// NULL when every function was found.
static const char *fill(struct table *table, const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(failure, sizeof failure, "%s", dlerror());
    return failure;
  }
#define FIND(answer, function, arguments)                                                          \
  if (!(table->function = (answer(*) arguments)dlsym(handle, "PQ" #function))) {                   \
    snprintf(failure, sizeof failure, "%s is too old: it has no PQ" #function, name);              \
    dlclose(handle);                                                                               \
    return failure;                                                                                \
  }
  FUNCTIONS(FIND)
  return NULL;
}

const char *cpostgresql_load(void) {
  if (atomic_load_explicit(&is_loaded, memory_order_acquire)) return NULL;
  pthread_mutex_lock(&loading);
  const char *words = NULL;
  if (!atomic_load_explicit(&is_loaded, memory_order_relaxed)) {
    words = fill(&lib, "libpq.so.5");
    if (!words) atomic_store_explicit(&is_loaded, 1, memory_order_release);
  }
  pthread_mutex_unlock(&loading);
  return words;
}

const char *cpostgresql_probe(const char *name) {
  struct table table;
  return fill(&table, name);
}

static void hear(void *context, const R *notice) {
  struct cpostgresql_farewell *farewell = context;
  const char *severity = lib.resultErrorField(notice, 'V');
  const char *state = lib.resultErrorField(notice, 'C');
  const char *words = lib.resultErrorField(notice, 'M');
  if (!severity || !state || !words || strlen(state) != 5) return;
  // A server that breaks off says so with a warning.
  int is_farewell = !strcmp(severity, "FATAL") || !strcmp(severity, "PANIC") || !strncmp(state, "57P", 3);
  if (!is_farewell) return;
  snprintf(farewell->state, sizeof farewell->state, "%s", state);
  snprintf(farewell->words, sizeof farewell->words, "%s", words);
}

int cpostgresql_version(void) { return lib.libVersion(); }

C *cpostgresql_start(
    const char *const *keywords, const char *const *values, struct cpostgresql_farewell *farewell) {
  C *connection = lib.connectStartParams(keywords, values, 0);
  if (!connection) return NULL;
  // Codes stand in what it says while it connects only when it says all.
  enum { VERBOSE = 2 };
  lib.setErrorVerbosity(connection, VERBOSE);
  lib.setNoticeReceiver(connection, hear, farewell);
  return connection;
}

enum cpostgresql_polling cpostgresql_poll(C *connection) { return lib.connectPoll(connection); }
int cpostgresql_set_nonblocking(C *connection) { return lib.setnonblocking(connection, 1); }
void cpostgresql_finish(C *connection) { lib.finish(connection); }
int cpostgresql_connection_status(const C *connection) { return lib.status(connection); }
enum cpostgresql_transaction cpostgresql_transaction_status(const C *connection) {
  return lib.transactionStatus(connection);
}
int cpostgresql_socket(const C *connection) { return lib.socket(connection); }
int cpostgresql_server_version(const C *connection) { return lib.serverVersion(connection); }
int cpostgresql_process(const C *connection) { return lib.backendPID(connection); }
int cpostgresql_is_encrypted(C *connection) { return lib.sslInUse(connection); }
const char *cpostgresql_parameter(const C *connection, const char *name) {
  return lib.parameterStatus(connection, name);
}
const char *cpostgresql_message(const C *connection) { return lib.errorMessage(connection); }

int cpostgresql_enter_pipeline(C *connection) { return lib.enterPipelineMode(connection); }
int cpostgresql_exit_pipeline(C *connection) { return lib.exitPipelineMode(connection); }
int cpostgresql_synchronise(C *connection) { return lib.pipelineSync(connection); }
int cpostgresql_send_script(C *connection, const char *text) {
  return lib.sendQuery(connection, text);
}
int cpostgresql_send_text(C *connection, const char *text) {
  return lib.sendQueryParams(connection, text, 0, NULL, NULL, NULL, NULL, 0);
}
int cpostgresql_send_prepare(C *connection, const char *name, const char *text) {
  return lib.sendPrepare(connection, name, text, 0, NULL);
}
int cpostgresql_send_describe(C *connection, const char *name) {
  return lib.sendDescribePrepared(connection, name);
}
int cpostgresql_send_prepared(
    C *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int format_of_result) {
  return lib.sendQueryPrepared(
      connection, name, count, values, lengths, formats, format_of_result);
}
int cpostgresql_flush(C *connection) { return lib.flush(connection); }
int cpostgresql_consume(C *connection) { return lib.consumeInput(connection); }
int cpostgresql_is_busy(C *connection) { return lib.isBusy(connection); }
R *cpostgresql_next(C *connection) { return lib.getResult(connection); }

void cpostgresql_clear(R *result) { lib.clear(result); }
enum cpostgresql_outcome cpostgresql_outcome(const R *result) { return lib.resultStatus(result); }
const char *cpostgresql_error_field(const R *result, char field) {
  return lib.resultErrorField(result, field);
}
const char *cpostgresql_error_message(const R *result) { return lib.resultErrorMessage(result); }
const char *cpostgresql_tag(R *result) { return lib.cmdStatus(result); }
const char *cpostgresql_affected(R *result) { return lib.cmdTuples(result); }
int cpostgresql_rows(const R *result) { return lib.ntuples(result); }
int cpostgresql_columns(const R *result) { return lib.nfields(result); }
const char *cpostgresql_column_name(const R *result, int column) {
  return lib.fname(result, column);
}
cpostgresql_type cpostgresql_column_type(const R *result, int column) {
  return lib.ftype(result, column);
}
int cpostgresql_column_format(const R *result, int column) { return lib.fformat(result, column); }
int cpostgresql_is_null(const R *result, int row, int column) {
  return lib.getisnull(result, row, column);
}
int cpostgresql_length(const R *result, int row, int column) {
  return lib.getlength(result, row, column);
}
const char *cpostgresql_value(const R *result, int row, int column) {
  return lib.getvalue(result, row, column);
}
int cpostgresql_parameters(const R *result) { return lib.nparams(result); }
cpostgresql_type cpostgresql_parameter_type(const R *result, int parameter) {
  return lib.paramtype(result, parameter);
}
