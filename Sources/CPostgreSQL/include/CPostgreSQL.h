// libpq, the client library of PostgreSQL, loaded when a database of its kind is first opened and not with
// the program: a post has no PostgreSQL, and need not have its library. Nothing of it is needed to build:
// what we call of it is declared here, as its documentation has it (PostgreSQL 15, chapter 34). Every
// function with a library's name behind `cpostgresql_` is that function.
#ifndef CHECKPOST_CPOSTGRESQL_H
#define CHECKPOST_CPOSTGRESQL_H

#include <stddef.h>

/// A connection, and an answer; what is in them is the library's own.
typedef struct pg_conn cpostgresql_connection;
typedef struct pg_result cpostgresql_result;

/// The number of a type in the database.
typedef unsigned int cpostgresql_type;

/// How far a connection is that is being made. Those between the two ends are steps of the way.
enum cpostgresql_status {
  CPOSTGRESQL_CONNECTED = 0,
  CPOSTGRESQL_BAD = 1,
  CPOSTGRESQL_REACHING = 2,
  CPOSTGRESQL_SECURING = 7,
};

/// What to wait for before the next step of connecting.
enum cpostgresql_polling {
  CPOSTGRESQL_POLL_FAILED = 0,
  CPOSTGRESQL_POLL_READING = 1,
  CPOSTGRESQL_POLL_WRITING = 2,
  CPOSTGRESQL_POLL_OK = 3,
};

/// What an answer is.
enum cpostgresql_outcome {
  CPOSTGRESQL_EMPTY = 0,
  CPOSTGRESQL_DONE = 1,
  CPOSTGRESQL_ROWS = 2,
  CPOSTGRESQL_COPY_OUT = 3,
  CPOSTGRESQL_COPY_IN = 4,
  CPOSTGRESQL_GARBLED = 5,
  CPOSTGRESQL_NOTICE = 6,
  CPOSTGRESQL_ERROR = 7,
  CPOSTGRESQL_COPY_BOTH = 8,
  CPOSTGRESQL_SYNCHRONISED = 10,
  CPOSTGRESQL_SKIPPED = 11,
};

/// Where a connection stands with its transaction.
enum cpostgresql_transaction {
  CPOSTGRESQL_IDLE = 0,
  CPOSTGRESQL_ACTIVE = 1,
  CPOSTGRESQL_INSIDE = 2,
  CPOSTGRESQL_FAILED = 3,
  CPOSTGRESQL_UNKNOWN = 4,
};

/// Loads the library; NULL when it is there, else the system's words for why it is not, valid in the calling
/// thread until it asks again. Everything else may be called only after it was there. Safe from any thread,
/// cheap once it is loaded, and it looks again when it was not.
const char *cpostgresql_load(void);

/// What ``cpostgresql_load`` would say if the library had this name.
const char *cpostgresql_probe(const char *name);

/// The library's version: 150018 is 15.18.
int cpostgresql_version(void);

/// Why the server ends a connection, when it said so while nothing was asked.
struct cpostgresql_farewell {
  char state[6];
  char words[300];
};

/// Begins to connect; the arrays end with NULL. NULL without memory. Warnings of the server, which the library
/// would write to standard error, are dropped but for a farewell, which stays where it is as long as the
/// connection is there; errors come with their codes.
cpostgresql_connection *cpostgresql_start(
    const char *const *keywords, const char *const *values, struct cpostgresql_farewell *farewell);
enum cpostgresql_polling cpostgresql_poll(cpostgresql_connection *connection);
/// Makes calls return instead of waiting; 0 when done.
int cpostgresql_set_nonblocking(cpostgresql_connection *connection);
void cpostgresql_finish(cpostgresql_connection *connection);

int cpostgresql_connection_status(const cpostgresql_connection *connection);
enum cpostgresql_transaction cpostgresql_transaction_status(const cpostgresql_connection *connection);
int cpostgresql_socket(const cpostgresql_connection *connection);
int cpostgresql_server_version(const cpostgresql_connection *connection);
int cpostgresql_process(const cpostgresql_connection *connection);
int cpostgresql_is_encrypted(cpostgresql_connection *connection);
const char *cpostgresql_parameter(const cpostgresql_connection *connection, const char *name);
const char *cpostgresql_message(const cpostgresql_connection *connection);

int cpostgresql_enter_pipeline(cpostgresql_connection *connection);
int cpostgresql_exit_pipeline(cpostgresql_connection *connection);
int cpostgresql_synchronise(cpostgresql_connection *connection);
int cpostgresql_send_script(cpostgresql_connection *connection, const char *text);
int cpostgresql_send_text(cpostgresql_connection *connection, const char *text);
int cpostgresql_send_prepare(
    cpostgresql_connection *connection, const char *name, const char *text);
int cpostgresql_send_describe(cpostgresql_connection *connection, const char *name);
/// Formats are 0 for text and 1 for binary.
int cpostgresql_send_prepared(
    cpostgresql_connection *connection, const char *name, int count, const char *const *values,
    const int *lengths, const int *formats, int format_of_result);

/// 0 when all is sent, 1 when some is left, -1 when it failed.
int cpostgresql_flush(cpostgresql_connection *connection);
int cpostgresql_consume(cpostgresql_connection *connection);
int cpostgresql_is_busy(cpostgresql_connection *connection);
cpostgresql_result *cpostgresql_next(cpostgresql_connection *connection);

void cpostgresql_clear(cpostgresql_result *result);
enum cpostgresql_outcome cpostgresql_outcome(const cpostgresql_result *result);
/// A field of an error, by its letter; NULL where there is none.
const char *cpostgresql_error_field(const cpostgresql_result *result, char field);
const char *cpostgresql_error_message(const cpostgresql_result *result);
const char *cpostgresql_tag(cpostgresql_result *result);
const char *cpostgresql_affected(cpostgresql_result *result);
int cpostgresql_rows(const cpostgresql_result *result);
int cpostgresql_columns(const cpostgresql_result *result);
const char *cpostgresql_column_name(const cpostgresql_result *result, int column);
cpostgresql_type cpostgresql_column_type(const cpostgresql_result *result, int column);
int cpostgresql_column_format(const cpostgresql_result *result, int column);
int cpostgresql_is_null(const cpostgresql_result *result, int row, int column);
int cpostgresql_length(const cpostgresql_result *result, int row, int column);
const char *cpostgresql_value(const cpostgresql_result *result, int row, int column);
int cpostgresql_parameters(const cpostgresql_result *result);
cpostgresql_type cpostgresql_parameter_type(const cpostgresql_result *result, int parameter);

#endif
