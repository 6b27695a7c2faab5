"""The few calls of PostgreSQL's client library that the server here needs, without a package for them."""

import ctypes
import ctypes.util

_library = ctypes.CDLL(ctypes.util.find_library("pq") or "libpq.so.5")
for _name, _result in (
    ("PQconnectdb", ctypes.c_void_p), ("PQerrorMessage", ctypes.c_char_p),
    ("PQexecParams", ctypes.c_void_p), ("PQresultErrorField", ctypes.c_char_p),
    ("PQgetvalue", ctypes.c_char_p), ("PQclear", None), ("PQfinish", None),
):
    getattr(_library, _name).restype = _result


class Refusal(Exception):
    """What the database refuses a statement with."""

    def __init__(self, code, message, details, hint):
        super().__init__(message)
        self.code, self.message, self.details, self.hint = code, message, details, hint


class Connection:
    """One connection to a database; a statement at a time."""

    def __init__(self, parameters):
        self._connection = ctypes.c_void_p(_library.PQconnectdb(parameters.encode()))
        if _library.PQstatus(self._connection) != 0:
            raise OSError(_library.PQerrorMessage(self._connection).decode())

    def query(self, statement, values=()):
        """The rows of a statement, each a list of texts or None."""
        texts = (ctypes.c_char_p * max(len(values), 1))(
            *[None if value is None else value.encode() for value in values])
        result = ctypes.c_void_p(_library.PQexecParams(
            self._connection, statement.encode(), len(values), None, texts, None, None, 0))
        try:
            status = _library.PQresultStatus(result)
            if status not in (1, 2):
                raise Refusal(*(self._field(result, letter) for letter in "CMDH"))
            columns = _library.PQnfields(result)
            return [
                [
                    None if _library.PQgetisnull(result, row, column)
                    else _library.PQgetvalue(result, row, column).decode()
                    for column in range(columns)
                ]
                for row in range(_library.PQntuples(result))
            ]
        finally:
            _library.PQclear(result)

    @staticmethod
    def _field(result, letter):
        text = _library.PQresultErrorField(result, ord(letter))
        return text.decode() if text is not None else None
