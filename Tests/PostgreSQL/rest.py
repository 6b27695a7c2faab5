"""A small server like PostgREST before a real PostgreSQL, for tests: tables under /rest/v1/.

Usage: rest.py CONNECTION-PARAMETERS; prints the port that it listens at.

Who asks is told by the bearer: `anon`, `service`, or the identity of a user.
"""

import http.server
import json
import queue
import re
import sys
import urllib.parse

import libpq

RESERVED = {"select", "order", "limit", "offset", "on_conflict", "columns"}
COMPARISONS = {
    "eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "like": "like",
    "ilike": "ilike",
}
STATUSES = {
    "23505": 409, "23503": 409, "25006": 405, "42P01": 404, "42883": 404, "57P01": 503,
}
CLASSES = {"08": 503, "53": 503, "57": 500, "40": 500, "55": 500, "25": 500, "54": 413, "XX": 500}


class Refused(Exception):
    """What this server, not the database, refuses a request with."""

    def __init__(self, status, code, message, details=None, hint=None):
        super().__init__(message)
        self.status = status
        self.body = {"code": code, "message": message, "details": details, "hint": hint}


def name(text):
    return '"' + text.replace('"', '""') + '"'


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def parts(text):
    """The parts of a list between commas that stand in no brackets and in no quotes."""
    found, depth, quoted, escaped = [""], 0, False, False
    for character in text:
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character == "(") - (character == ")")
            if character == "," and depth == 0:
                found.append("")
                continue
        found[-1] += character
    return [part for part in found if part]


def unquoted(text):
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


class Schema:
    """The tables, their columns with types, and how they refer to each other."""

    def __init__(self, connection):
        self.columns = {}
        for table, column, kind, default in connection.query(
                "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod),"
                " pg_get_expr(d.adbin, d.adrelid) FROM pg_class c"
                " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
                " LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)"
                " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'"
                " ORDER BY c.relname, a.attnum"):
            self.columns.setdefault(table, {})[column] = (kind, default)
        self.references = connection.query(
            "SELECT k.conname, k.conrelid::regclass, a.attname, k.confrelid::regclass, EXISTS ("
            " SELECT FROM pg_constraint u WHERE u.conrelid = k.conrelid AND u.contype IN ('u', 'p')"
            " AND u.conkey = k.conkey) FROM pg_constraint k"
            " JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]"
            " WHERE k.contype = 'f'")

    def column(self, table, column):
        if column not in self.columns[table]:
            raise Refused(
                400, "PGRST204",
                f"Could not find the '{column}' column of '{table}' in the schema cache")
        return name(column)

    def relation(self, table, target, hint):
        """The condition by which rows of both belong together, and whether there is at most one."""
        found = []
        for constraint, source, column, other, alone in self.references:
            if hint and hint not in (constraint, column):
                continue
            if (source, other) == (table, target):
                found.append((f'{{there}}."id" = {{here}}.{name(column)}', True, constraint))
            if (source, other) == (target, table):
                found.append(
                    (f'{{there}}.{name(column)} = {{here}}."id"', alone == "t", constraint))
        if not found:
            raise Refused(
                400, "PGRST200", f"Could not find a relationship between '{table}' and '{target}'"
                " in the schema cache")
        if len(found) > 1:
            raise Refused(
                300, "PGRST201", "Could not embed because more than one relationship was found for"
                f" '{table}' and '{target}'")
        return found[0][0], found[0][1]


class Statement:
    """A request for a table, in SQL."""

    def __init__(self, schema, table, query):
        self.schema, self.table, self.query = schema, table, query
        self.options = {key: value for key, value in query if key in RESERVED}
        if table not in schema.columns:
            raise Refused(
                404, "PGRST205", f"Could not find the table 'public.{table}' in the schema cache")

    def selection(self, text, table, alias, depth=0):
        items = []
        for part in parts(text or "*"):
            if part == "*":
                items += [f"{alias}.{name(column)}" for column in self.schema.columns[table]]
            elif "(" in part:
                items.append(self.nested(part, table, alias, depth + 1))
            else:
                shown, _, column = part.rpartition(":")
                items.append(f"{alias}.{name(column)} AS {name(shown or column)}")
        return ", ".join(items)

    def nested(self, part, table, alias, depth):
        head, _, inside = part.partition("(")
        shown, _, target = head.rpartition(":")
        target, *hints = target.split("!")
        hints = [hint for hint in hints if hint not in ("inner", "left")]
        condition, is_single = self.schema.relation(table, target, hints[0] if hints else None)
        inner = f"t{depth}_{len(inside)}"
        rows = (
            f"SELECT {self.selection(inside[:-1], target, inner, depth)} FROM {name(target)} {inner}"
            f" WHERE {condition.format(there=inner, here=alias)}")
        value = (
            f"(SELECT row_to_json(r) FROM ({rows}) r)" if is_single
            else f"(SELECT coalesce(json_agg(r), '[]') FROM ({rows}) r)")
        return f"{value} AS {name(shown or target)}"

    def condition(self):
        found = []
        for key, value in self.query:
            if key in RESERVED:
                continue
            if key in ("or", "and", "not.or", "not.and"):
                found.append(self.logic(key + value))
            else:
                found.append(self.filter(key, value, False))
        return " AND ".join(found) or "true"

    def logic(self, text):
        match = re.fullmatch(r"(not\.)?(and|or)\((.*)\)", text)
        if match:
            joined = f" {match[2].upper()} ".join(self.logic(part) for part in parts(match[3]))
            return f"{'NOT ' if match[1] else ''}({joined})"
        column, _, rest = text.partition(".")
        return self.filter(column, rest, True)

    def filter(self, column, text, is_nested):
        if text.startswith("not."):
            return f"NOT {self.filter(column, text[4:], is_nested)}"
        word, dot, value = text.partition(".")
        if word not in COMPARISONS and word not in ("is", "in") or not dot:
            raise Refused(400, "PGRST100", f'"failed to parse filter ({text})" (line 1, column 1)')
        column = f"{name(self.table)}.{name(column)}"
        if word == "is":
            known = {"null": "NULL", "not_null": "NOT NULL", "true": "TRUE", "false": "FALSE"}
            if value.lower() not in known:
                raise Refused(400, "PGRST100", f'"failed to parse filter ({text})"')
            return f"{column} IS {known[value.lower()]}"
        if word == "in":
            values = [json.dumps(unquoted(part)) for part in parts(value[1:-1])]
            return f"{column} = ANY ({literal('{' + ','.join(values) + '}')})"
        if is_nested:
            value = unquoted(value)
        if word in ("like", "ilike"):
            value = value.replace("*", "%")
        return f"{column} {COMPARISONS[word]} {literal(value)}"

    def order(self):
        found = []
        for part in filter(None, self.options.get("order", "").split(",")):
            column, *words = part.split(".")
            known = {
                "asc": "ASC", "desc": "DESC", "nullsfirst": "NULLS FIRST", "nullslast": "NULLS LAST",
            }
            found.append(
                f"{name(self.table)}.{name(column)} " + " ".join(known[word] for word in words))
        return f" ORDER BY {', '.join(found)}" if found else ""

    def read(self):
        limit = "".join(
            f" {word.upper()} {int(self.options[word])}" for word in ("limit", "offset")
            if word in self.options)
        columns = self.selection(self.options.get("select"), self.table, name(self.table))
        rows = f"SELECT {columns} FROM {name(self.table)} WHERE {self.condition()}"
        return f"{rows}{self.order()}{limit}", rows

    def told(self, source, besides=None):
        columns = self.selection(self.options.get("select"), self.table, "source")
        besides = f", (SELECT {besides} FROM source)" if besides else ""
        return (
            f"WITH source AS ({source}) SELECT count(*), coalesce(json_agg(r), '[]'){besides}"
            f" FROM (SELECT {columns} FROM source) r")

    def payload(self, body):
        try:
            value = json.loads(body)
        except ValueError:
            raise Refused(400, "PGRST102", "Empty or invalid json") from None
        rows = value if isinstance(value, list) else [value]
        keys = sorted(rows[0]) if rows and isinstance(rows[0], dict) else []
        if "columns" in self.options:
            keys = [unquoted(column) for column in self.options["columns"].split(",")]
        elif any(not isinstance(row, dict) or sorted(row) != keys for row in rows):
            raise Refused(400, "PGRST102", "All object keys must match")
        for key in keys:
            self.schema.column(self.table, key)
        return rows, keys

    def insert(self, body, preferences, database):
        rows, keys = self.payload(body)
        if "missing=default" in preferences:
            # A row that does not name a column is put in with the others, and its default with it.
            for row in rows:
                for key in keys:
                    default = self.schema.columns[self.table][key][1]
                    if key not in row and default:
                        row[key] = database.query(f"SELECT to_json({default}) #>> '{{}}'")[0][0]
        clause = self.conflict(keys, preferences)
        kinds = ", ".join(f"{name(key)} {self.schema.columns[self.table][key][0]}" for key in keys)
        columns = ", ".join(map(name, keys))
        returning = "*" if "return=representation" in preferences else "1"
        if "resolution=merge-duplicates" in preferences:
            # What was there has been locked by this transaction, and tells so.
            returning = "*, xmax = 0 AS is_new"
        values = f"SELECT {columns} FROM json_to_recordset($1) AS _({kinds})"
        if not keys:
            values = "SELECT NULL::uuid WHERE false"
            columns = name("id")
        return (
            f"INSERT INTO {name(self.table)} ({columns}) {values}{clause} RETURNING {returning}",
            [json.dumps(rows)] if keys else [])

    def conflict(self, keys, preferences):
        if not any(word.startswith("resolution=") for word in preferences):
            return ""
        columns = self.options.get("on_conflict", "id").split(",")
        for column in columns:
            self.schema.column(self.table, column)
        target = ", ".join(map(name, columns))
        if "resolution=ignore-duplicates" in preferences:
            return f" ON CONFLICT ({target}) DO NOTHING"
        changes = ", ".join(f"{name(key)} = EXCLUDED.{name(key)}" for key in keys)
        return f" ON CONFLICT ({target}) DO UPDATE SET {changes}"

    def update(self, body):
        rows, keys = self.payload(body)
        kinds = ", ".join(f"{name(key)} {self.schema.columns[self.table][key][0]}" for key in keys)
        changes = ", ".join(f"{name(key)} = _.{name(key)}" for key in keys)
        return (
            f"UPDATE {name(self.table)} SET {changes}"
            f" FROM (SELECT * FROM json_to_recordset($1) AS _({kinds}) LIMIT 1) _"
            f" WHERE {self.condition()} RETURNING {name(self.table)}.*", [json.dumps(rows[:1])])

    def delete(self):
        return f"DELETE FROM {name(self.table)} WHERE {self.condition()} RETURNING *", []


PARAMETERS = ""
SCHEMA = None
# Connections that nobody uses now.
POOL = queue.LifoQueue()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer leaves in one piece.
    wbufsize = 1 << 16

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        try:
            self.database = POOL.get_nowait()
        except queue.Empty:
            self.database = libpq.Connection(PARAMETERS)
        try:
            self.exchange(body)
        finally:
            POOL.put(self.database)

    def exchange(self, body):
        bearer = (self.headers.get("Authorization") or "Bearer anon").split(" ", 1)[1]
        try:
            self.database.query("BEGIN")
            status, text, place = self.carry_out(body, bearer)
            self.database.query("COMMIT")
        except Refused as refused:
            self.database.query("ROLLBACK")
            status, text, place = refused.status, json.dumps(refused.body), None
        except libpq.Refusal as refusal:
            self.database.query("ROLLBACK")
            status = STATUSES.get(refusal.code) or CLASSES.get(refusal.code[:2], 400)
            if refusal.code == "42501":
                status = 401 if bearer == "anon" else 403
            place = None
            text = json.dumps({
                "code": refusal.code, "message": refusal.message, "details": refusal.details,
                "hint": refusal.hint})
        self.say(status, text, place)

    def carry_out(self, body, bearer):
        role = {"anon": "anon", "service": "service_role"}.get(bearer, "authenticated")
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qsl(url.query, keep_blank_values=True)
        statement = Statement(
            SCHEMA, url.path.removeprefix("/rest/v1/"), query)
        preferences = [word.strip() for word in (self.headers.get("Prefer") or "").split(",")]
        self.database.query(f"SET LOCAL ROLE {role}")
        if role == "authenticated":
            self.database.query(
                "SELECT set_config('request.jwt.claim.sub', $1, true)", [bearer])
        if self.command in ("GET", "HEAD"):
            return self.read(statement, preferences)
        if self.command == "POST":
            source, values = statement.insert(body, preferences, self.database)
        elif self.command == "PATCH":
            source, values = statement.update(body)
        else:
            source, values = statement.delete()
        merges = self.command == "POST" and "resolution=merge-duplicates" in preferences
        if merges or "return=representation" in preferences:
            count, rows, *are_new = self.database.query(
                statement.told(source, "bool_or(is_new)" if merges else None), values)[0]
            self.check_count(int(count))
            if "return=representation" not in preferences:
                rows = ""
        else:
            self.database.query(source, values)
            rows, are_new = "", []
        if self.command == "POST":
            return 200 if are_new == ["f"] else 201, rows, "*/*"
        return (200 if rows else 204), rows, None

    def read(self, statement, preferences):
        page, everything = statement.read()
        rows = self.database.query(
            f"SELECT count(*), coalesce(json_agg(r), '[]') FROM ({page}) r")[0]
        count, total = int(rows[0]), "*"
        offset = int(statement.options.get("offset", 0))
        status = 200
        if "count=exact" in preferences:
            total = int(self.database.query(f"SELECT count(*) FROM ({everything}) r")[0][0])
            if offset and offset >= total:
                raise Refused(416, "PGRST103", "Requested range not satisfiable")
            status = 206 if count < total else 200
        self.check_count(count)
        place = f"{offset}-{offset + count - 1}" if count else "*"
        return status, rows[1], f"{place}/{total}"

    def check_count(self, count):
        if "vnd.pgrst.object" in (self.headers.get("Accept") or "") and count != 1:
            raise Refused(
                406, "PGRST116", "Cannot coerce the result to a single JSON object",
                f"The result contains {count} rows")

    def say(self, status, text, place):
        if "vnd.pgrst.object" in (self.headers.get("Accept") or "") and text.startswith("["):
            text = json.dumps(json.loads(text)[0])
        body = text.encode()
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/json; charset=utf-8")
        if place:
            self.send_header("Content-Range", place)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = answer

    def log_message(self, *_):
        """Nothing: the tests tell what differs."""


if __name__ == "__main__":
    PARAMETERS = sys.argv[1]
    POOL.put(libpq.Connection(PARAMETERS))
    SCHEMA = Schema(POOL.queue[0])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
