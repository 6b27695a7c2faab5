"""A central with millions of passages, quickly: what a small one has that the program itself judged, many times over.

Usage: millions.py directory FOLDER
       millions.py fill PORT KEY MODEL-ROWS PROGRAM
       millions.py multiply sqlite FILE COPIES
       millions.py multiply postgresql CONNECTION COPIES | psql
       millions.py known PORT FOLDER

`directory` writes the files of 30 segments, 60 posts and 120 rangers. `fill` hands some thousand passages since
2025 in over HTTP, with texts, heartbeats and what people do with them. `multiply` makes so many copies of each row,
each of other vehicles, some seconds earlier, under other numbers: the shape is the one in which judging leaves rows.
"""

import base64
import hashlib
import hmac
import http.client
import json
import random
import subprocess
import sys
import time
import urllib.parse
import uuid

SEGMENTS = 30
# What was before is of a clock that was not set.
BEGINNING = 1_735_776_000
HOOK = "https://hooks.example.org/functions/v1/sms-webhook"
# In each plate of the model, and in no other place; each copy has its own number there.
MARK = "777PA"
CODES = {"car": "CAR", "jeep": "JSV", "bus": "BUS", "truck": "TRK", "motorcycle": "MCY", "van": "OTH"}
ZONES = ["BA", "GA", "LU", "KO", "ME", "NA", "RA", "BHE", "SE", "MA", "DHA", "JA", "KA", "SAG"]


def post(segment, end):
    return f"P{segment:02d}-{'AB'[end]}"


def phone(segment, end, ranger):
    return f"+97798{segment:02d}{end}{ranger}{(segment * 997 + end * 313 + ranger * 171) % 10000:04d}"


def directory(folder):
    with open(f"{folder}/segments.csv", "w") as file:
        print("name,distance_km,min_speed_kmh,max_speed_kmh", file=file)
        for segment in range(SEGMENTS):
            print(f"Segment {segment:02d},{10 + segment},10,40", file=file)
    with open(f"{folder}/posts.csv", "w") as file:
        print("code,name,segment,position_index", file=file)
        for segment in range(SEGMENTS):
            for end in range(2):
                print(f"{post(segment, end)},Post {segment:02d} {'AB'[end]},Segment {segment:02d},{end}", file=file)
    with open(f"{folder}/rangers.csv", "w") as file:
        print("name,phone,checkpost", file=file)
        for segment in range(SEGMENTS):
            for end in range(2):
                for ranger in range(2):
                    print(f"Ranger {segment:02d}{end}{ranger},{phone(segment, end, ranger)},{post(segment, end)}", file=file)


class Central:
    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.key = key

    def ask(self, method, path, body=None, headers=()):
        self.connection.request(method, path, None if body is None else json.dumps(body),
                                {"apikey": self.key, "Authorization": f"Bearer {self.key}",
                                 "Content-Type": "application/json", **dict(headers)})
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"millions: {method} {path} is answered {answer.status}: {data[:500]}")
        return json.loads(data) if data else None

    def text(self, number, sender, body):
        fields = {"MessageSid": f"SM{number:032x}", "AccountSid": "AC" + "a" * 32, "From": sender,
                  "To": "+15005550006", "Body": body}
        signed = HOOK + "".join(name + fields[name] for name in sorted(fields))
        signature = base64.b64encode(hmac.new(b"12345", signed.encode(), hashlib.sha1).digest()).decode()
        self.connection.request("POST", "/functions/v1/sms-webhook", urllib.parse.urlencode(fields), {
            "Content-Type": "application/x-www-form-urlencoded", "X-Twilio-Signature": signature})
        answer = self.connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"millions: a text is answered {answer.status}")


def plates(chance, count):
    """So many plates, of which none has the mark twice."""
    found = set()
    while len(found) < count:
        digits = f"{chance.randrange(1, 10000):04d}"
        if "777" not in digits:
            found.add(f"{chance.choice(ZONES)}{MARK}{digits}")
    return sorted(found)


def travels(chance, rows, now):
    """Passages in the order of their time: (second, segment, end, ranger, plate, type, way)."""
    vehicles = plates(chance, max(20, rows // 9))
    types = [chance.choices(["car", "jeep", "bus", "truck", "motorcycle", "van"], [5, 2, 2, 4, 6, 1])[0] for _ in vehicles]
    homes = [chance.randrange(SEGMENTS) for _ in vehicles]
    passages = []
    while len(passages) < rows:
        # Some vehicles come every week, most now and then.
        vehicle = min(int(chance.paretovariate(0.6)) - 1, len(vehicles) - 1)
        if chance.random() < 0.6:
            vehicle = chance.randrange(len(vehicles))
        segment = homes[vehicle] if chance.random() < 0.8 else chance.randrange(SEGMENTS)
        begun = chance.randrange(BEGINNING, now - 8 * 86400)
        kilometres = 10 + segment
        kind = chance.random()
        speed = 55 if kind < 0.02 else 7 if kind < 0.03 else chance.uniform(18, 38)
        end = chance.randrange(2)
        moments = [(begun, end)]
        if chance.random() < 0.93:
            moments.append((begun + int(kilometres / speed * 3600), 1 - end))
        for second, at in moments:
            way = "text" if chance.random() < 0.1 else "upload"
            ranger = chance.randrange(2)
            passages.append((second, segment, at, ranger, vehicles[vehicle], types[vehicle], way))
            if chance.random() < 0.02:
                passages.append((second + 20, segment, at, 1 - ranger, vehicles[vehicle], types[vehicle], "upload"))
    # Who is inside now, one of them for too long.
    for hours in (0.1, 0.4, 1, 12):
        vehicle = chance.randrange(len(vehicles))
        passages.append((now - int(hours * 3600), homes[vehicle], 0, 0, vehicles[vehicle], types[vehicle], "upload"))
    return sorted(passages)


def fill(port, key, rows, program):
    chance = random.Random(30)
    now = int(time.time())
    central = Central(port, key)
    posts = {row["code"]: row for row in central.ask("GET", "/rest/v1/checkposts?select=id,code,segment_id")}
    people = {row["phone_number"]: row["id"] for row in central.ask("GET", "/rest/v1/user_profiles?select=id,phone_number")}
    batch, uploaded, texts = [], [], 0

    def hand_in():
        if batch:
            central.ask("POST", "/rest/v1/vehicle_passages", batch, [("Prefer", "return=minimal")])
            uploaded.extend(batch)
            batch.clear()

    for number, (second, segment, end, ranger, plate, kind, way) in enumerate(travels(chance, rows, now)):
        code, sender = post(segment, end), phone(segment, end, ranger)
        if number % 100 == 7:
            texts += 1
            central.text(texts, sender, chance.choice(["Where is the key?", "V1|" + code + "|?", "ok", f"V1|{code}|BA1PA|CAR|17"]))
        if number % 50 == 3:
            texts += 1
            central.text(texts, sender, f"H1|{code}|{number}|{second}|0|0")
        if way == "text":
            texts += 1
            central.text(texts, sender, f"V1|{code}|{plate}|{CODES[kind]}|{second}|{sender[-4:]}")
            continue
        batch.append({
            "client_id": str(uuid.UUID(int=chance.getrandbits(128), version=4)), "plate_number": plate,
            "plate_number_raw": plate.replace(MARK, " 777PA "), "vehicle_type": kind, "checkpost_id": posts[code]["id"],
            "segment_id": posts[code]["segment_id"], "ranger_id": people[sender], "source": "app",
            "recorded_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second)),
        })
        if len(batch) == 400:
            hand_in()
    hand_in()
    # Each post but the last has told that all is here.
    for segment in range(SEGMENTS):
        for end in range(2):
            texts += 1
            if (segment, end) != (SEGMENTS - 1, 1):
                central.text(texts, phone(segment, end, 0), f"H1|{post(segment, end)}|{rows}|{now - 90}|0|0")
    for segment in range(SEGMENTS):
        for end in range(2):
            for ranger in range(2):
                person = people[phone(segment, end, ranger)]
                central.ask("POST", "/rest/v1/sync_metadata", {
                    "user_id": person, "device_id": f"app-{person[:8]}", "pending_count": 0,
                    "last_sync_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - 60))}, [("Prefer", "return=minimal")])
    subprocess.run([program, "central", "inbox", "run", "--any-time"], check=True, stdout=subprocess.DEVNULL)
    for passage in chance.sample(uploaded, max(1, rows // 400)):
        subprocess.run([program, "central", "passages", "--withdraw", passage["client_id"], "--reason", "a wrong key"],
                       check=True, stdout=subprocess.DEVNULL)
    for passage in chance.sample(uploaded, max(1, rows // 200)):
        central.ask("PATCH", f"/rest/v1/vehicle_passages?client_id=eq.{passage['client_id']}", {"vehicle_type": "other"})
    people = central.ask("GET", "/rest/v1/user_profiles?select=id&limit=1")
    for index, row in enumerate(central.ask("GET", "/rest/v1/violations?select=id,exit_time&limit=1000")):
        if index % 3 == 0:
            subprocess.run([program, "central", "violations", "confirm", row["id"], "--by", "hari"], check=True,
                           stdout=subprocess.DEVNULL)
        if index % 4 == 0:
            central.ask("POST", "/rest/v1/violation_outcomes", {
                "violation_id": row["id"], "outcome_type": chance.choice(["warned", "fined", "let_go"]),
                "notes": "seen by two", "recorded_by": people[0]["id"], "recorded_at": row["exit_time"]}, [("Prefer", "return=minimal")])



# What becomes of a column in copy k of `copies`: numbers are spread, so that those of all copies of one row follow each
# other; seconds and moments go back by some seconds; a name gets other first digits; a plate gets the copy's number.
COLUMNS = {
    "sqlite": {
        "number": "(({0}-1)*{copies}+k+1)",
        "second": "({0}-back)",
        "moment": "({0}-back*1000)",
        "name": "(printf('%04x',(k*40503)&65535)||substr({0},5))",
        "plate": "replace({0},'" + MARK + "',printf('%03dPA',k))",
        "numbers": "(SELECT coalesce(group_concat((value-1)*{copies}+k+1,' '),'') FROM json_each('['||replace({0},' ',',')||']'))",
        "after": "({1}-back*1000+60000)",
        "once": "({0}||'-'||k)",
        "spread": "({since}*1000+(({1}-1)*{copies}+k)*{gap})",
    },
    "postgresql": {
        "number": "(({0}-1)*{copies}+k+1)",
        "second": "({0}-back)",
        "moment": "({0}-back*interval '1 s')",
        "name": "((lpad(to_hex((k*40503)&65535),4,'0')||substr({0}::text,5))::uuid)",
        "plate": "replace({0},'" + MARK + "',lpad(k::text,3,'0')||'PA')",
        "numbers": "ARRAY(SELECT (u-1)*{copies}+k+1 FROM unnest({0}) WITH ORDINALITY AS t(u,o) ORDER BY o)",
        "after": "({1}-back*interval '1 s'+interval '60 s')",
        "once": "({0}||'-'||k)",
        "digest": "sha256({0}||k::text::bytea)",
        "spread": "(to_timestamp({since})+(({1}-1)*{copies}+k)*{gap}*interval '1 ms')",
        "found": "millions_finding({0},k,back,{copies})",
        "json": "to_jsonb(millions_finding(jsonb_populate_record(NULL::checkpost.finding,{0}),k,back,{copies}))",
    },
}
# By table: (kind, column, and the column that it follows).
SQLITE = {
    "inbox": "number:id name:client_id plate:body,words once:provider_id spread:received_at_ms=id",
    "records": "number:number,passage,inbox_id second:received_second,second name:uuid,client_id"
    " plate:received_plate,plate after:last_at_ms=second*1000,inserted_at_ms=second*1000",
    "observations": "number:record,inbox_id name:client_id,uuid plate:plate_raw,plate moment:recorded_at_ms"
    " after:received_at_ms=recorded_at_ms,inserted_at_ms=recorded_at_ms",
    "identities": "name:client_id number:record",
    "names": "name:uuid number:record",
    "corrections": "number:record name:client_id plate:plate_raw,plate moment:recorded_at_ms",
    "passages": "number:id,partner,exit_row,entry_row,inbox_id name:uuid,client_id plate:plate_number,plate_number_raw"
    " moment:recorded_at_ms after:first_received_at_ms=recorded_at_ms,inserted_at_ms=recorded_at_ms",
    "violations": "number:entry,exit name:uuid plate:plate moment:unreported_from_ms"
    " second:entry_earliest,entry_latest,exit_earliest,exit_latest,entry_needs,exit_needs after:since_ms=exit_latest*1000",
    "violation_revisions": "number:entry,exit plate:plate second:entry_earliest,entry_latest,exit_earliest,exit_latest"
    " numbers:origins",
    "violation_notes": "number:n,entry",
    "violation_outcomes": "name:id,violation_id",
    "waiting": "number:entry plate:plate second:second,due_at,expires_at,look_at",
    "alerts": "number:entry,exit name:uuid plate:plate second:second,due_at,expires_at moment:raised_at_ms,ended_at_ms",
    "audit": "number:id",
}
POSTGRESQL = {
    "checkpost.inbox": "number:id name:client_id plate:body,words once:provider_id digest:digest spread:received_at=id",
    "checkpost.records": "number:number,row_number,inbox_id second:received_second,second name:passage_id,client_id"
    " plate:received_plate,plate after:last_at=to_timestamp(second),inserted_at=to_timestamp(second)",
    "checkpost.observations": "number:number,record,inbox_id name:client_id,own_row plate:plate,raw_plate"
    " moment:recorded_at after:received_at=recorded_at,inserted_at=recorded_at",
    "checkpost.identities": "name:client_id number:record",
    "checkpost.corrections": "number:number,record name:client_id plate:plate,raw_plate moment:recorded_at",
    "checkpost.passages": "number:row_number numbers:members plate:plate,raw_plate second:earliest,latest"
    " moment:recorded_at after:first_received_at=recorded_at",
    "checkpost.pairs": "number:entry,exit",
    "checkpost.unpaired": "number:row_number",
    "checkpost.violations": "number:entry name:uuid found:found second:entry_needs,exit_needs moment:unreported_from"
    " after:since=to_timestamp((found).exit_latest)",
    "checkpost.revisions": "number:entry json:before,after numbers:origins",
    "checkpost.violation_notes": "number:number,entry",
    "checkpost.waiting": "number:entry plate:plate second:second,due_at,expires_at,look_at",
    "checkpost.alerts": "number:entry,exit plate:plate second:second,due_at,expires_at moment:raised_at,ended_at",
    "checkpost.audit": "number:id",
    "public.vehicle_passages": "name:id,client_id,matched_passage_id plate:plate_number,plate_number_raw"
    " moment:recorded_at after:server_received_at=recorded_at,created_at=recorded_at",
    "public.violations": "name:id,entry_passage_id,exit_passage_id plate:plate_number moment:entry_time,exit_time"
    " after:created_at=exit_time",
    "public.proactive_overstay_alerts": "name:id,entry_passage_id,resolved_by_passage_id plate:plate_number"
    " moment:entry_time,expected_exit_by,resolved_at,created_at",
    "public.violation_outcomes": "name:id,violation_id",
}


def changed(store, rules, names, values):
    """What each column of a table becomes."""
    kinds = {}
    for rule in rules.split():
        kind, columns = rule.split(":", 1)
        for column in columns.split(","):
            name, _, source = column.partition("=")
            kinds[name] = (kind, source)
    unknown = set(kinds) - set(names)
    if unknown:
        raise SystemExit(f"millions: there are no columns {unknown}")
    return ", ".join(
        COLUMNS[store][kinds[name][0]].format(f"m.{name}", "m." + kinds[name][1] if "(" not in kinds[name][1]
                                              else kinds[name][1].replace("(second)", "(m.second)").replace("(found)", "(m.found)"), **values)
        if name in kinds else f"m.{name}" for name in names)


def values_of(copies, rows, messages):
    seconds = int(time.time()) - BEGINNING
    return {"copies": copies, "since": BEGINNING, "gap": seconds * 1000 // max(1, messages * copies),
            "step": max(1, seconds // max(1, rows * copies))}


def multiply_sqlite(path, copies):
    import sqlite3

    database = sqlite3.connect(path, isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000; PRAGMA temp_store=MEMORY;"
        " PRAGMA foreign_keys=OFF;")
    counts = [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("records", "inbox")]
    values = values_of(copies, *counts)
    database.execute("BEGIN EXCLUSIVE")
    made = database.execute("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
                            f" AND tbl_name IN ({','.join(repr(t) for t in SQLITE)}) ORDER BY type").fetchall()
    for kind, name, _ in made:
        database.execute(f"DROP {kind} {name}")
    for table, rules in SQLITE.items():
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        database.execute(f"CREATE TEMP TABLE m AS SELECT * FROM {table}")
        database.execute(f"DELETE FROM {table}")
        database.execute(
            f"WITH RECURSIVE copy(k, back) AS (SELECT 0, {(copies - 1) * values['step']}"
            f" UNION ALL SELECT k+1, back-{values['step']} FROM copy WHERE k+1 < {copies})"
            f" INSERT INTO {table} ({','.join(names)}) SELECT {changed('sqlite', rules, names, values)}"
            " FROM temp.m AS m CROSS JOIN copy")
        database.execute("DROP TABLE temp.m")
        print(table, time.strftime("%T"), file=sys.stderr)
    database.execute(f"UPDATE tally SET n = n * {copies}")
    database.execute(f"UPDATE heard SET passages = passages * {copies}, recorded = recorded * {copies},"
                     f" last_number = last_number * {copies}")
    for _, _, sql in made:
        database.execute(sql)
    # What another program wrote past all rules, and nobody can read.
    database.execute("UPDATE passages SET plate_number = '?' WHERE id IN (SELECT id FROM passages WHERE partner IS NULL"
                     " ORDER BY recorded_at_ms LIMIT 40)")
    database.execute("COMMIT")
    database.close()


def multiply_postgresql(connection, copies):
    def psql(command):
        return subprocess.run(["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-c", command, connection], check=True,
                              capture_output=True, text=True).stdout.strip()

    counts = [int(psql(f"SELECT count(*) FROM checkpost.{table}")) for table in ("records", "inbox")]
    values = values_of(copies, *counts)
    fields = psql("SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'checkpost.finding'::regclass").split(",")
    finding = changed("postgresql", "number:entry,exit plate:plate second:entry_earliest,entry_latest,exit_earliest,exit_latest",
                      fields, {**values, "copies": "copies"})
    print("SET session_replication_role = replica; SET synchronous_commit = off; SET maintenance_work_mem = '512MB';")
    print(f"CREATE FUNCTION public.millions_finding(m checkpost.finding, k int, back int, copies int) RETURNS checkpost.finding"
          f" LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN (m).kind IS NOT NULL THEN ROW({finding.replace('m.', '(m).')})::checkpost.finding END $$;")
    again = psql("SELECT string_agg(indexdef, ';' || chr(10)) || ';' FROM pg_indexes i WHERE schemaname || '.' || tablename IN ("
                 + ",".join(repr(t) for t in POSTGRESQL) + ") AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid ="
                 " (quote_ident(i.schemaname) || '.' || quote_ident(i.indexname))::regclass)")
    print(psql("SELECT string_agg(format('DROP INDEX %I.%I;', schemaname, indexname), chr(10)) FROM pg_indexes i"
               " WHERE schemaname || '.' || tablename IN (" + ",".join(repr(t) for t in POSTGRESQL)
               + ") AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid ="
               " (quote_ident(i.schemaname) || '.' || quote_ident(i.indexname))::regclass)"))
    models = {}
    for number, table in enumerate(POSTGRESQL):
        models[table] = f"millions_{number}"
        print(f"CREATE TABLE public.millions_{number} AS SELECT * FROM {table};")
    print(f"TRUNCATE {', '.join(POSTGRESQL)};")
    for table, rules in POSTGRESQL.items():
        names = psql(f"SELECT string_agg(quote_ident(attname), ',' ORDER BY attnum) FROM pg_attribute WHERE attrelid = '{table}'::regclass"
                     " AND attnum > 0 AND NOT attisdropped").split(",")
        print(f"INSERT INTO {table} ({','.join(names)}) OVERRIDING SYSTEM VALUE SELECT {changed('postgresql', rules, names, values)}"
              f" FROM (SELECT * FROM public.{models[table]} ORDER BY 1) m CROSS JOIN (SELECT k, ({copies}-1-k)*{values['step']} AS back"
              f" FROM generate_series(0, {copies}-1) AS k) copy;")
        print(f"DROP TABLE public.{models[table]};")
    print("UPDATE checkpost.tally SET n = n * %d; UPDATE checkpost.tally_changes SET n = n * %d;" % (copies, copies))
    for table in ("heard", "heard_changes"):
        print(f"UPDATE checkpost.{table} SET passages = passages * {copies}, recorded = recorded * {copies};")
    print(f"UPDATE checkpost.heard SET last_number = last_number * {copies};")
    print(again)
    print(psql("SELECT string_agg(format('SELECT setval(%L, greatest(1, (SELECT max(%I) FROM %s)));', s, a.attname, a.attrelid::regclass), chr(10))"
               " FROM pg_attribute a, pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) s WHERE s IS NOT NULL AND attnum > 0 AND a.attrelid::regclass::text IN ("
               + ",".join(repr(t.removeprefix('public.')) for t in POSTGRESQL) + ")"))
    print("DROP FUNCTION public.millions_finding; VACUUM ANALYZE;")



def known(port, folder):
    """Writes down whom and what there is to be asked for, and by whom: a file each."""
    with open(f"{folder}/key") as file:
        central = Central(port, file.read().strip())

    def keep(**names):
        for name, value in names.items():
            with open(f"{folder}/{name}", "w") as file:
                file.write(value)

    for login, password, name in (("hari", "office-1-office", "admin"), ("sita", "east-gate-1-east", "ranger")):
        session = central.ask("POST", "/auth/v1/token?grant_type=password", {"email": f"{login}@bnp.local", "password": password})
        keep(**{name: session["access_token"]})
    here = central.ask("GET", "/rest/v1/checkposts?select=id,segment_id&code=eq.P07-A")[0]
    person = central.ask("GET", f"/rest/v1/user_profiles?select=id,phone_number&phone_number=not.is.null&assigned_checkpost_id=eq.{here['id']}")[0]
    passage = central.ask("GET", f"/rest/v1/vehicle_passages?select=id,plate_number&checkpost_id=eq.{here['id']}&order=recorded_at.desc&limit=4")[-1]
    violation = central.ask("GET", f"/rest/v1/violations?select=id&limit=1&segment_id=eq.{here['segment_id']}")[0]
    keep(post=here["id"], segment=here["segment_id"], person=person["id"], number=person["phone_number"],
         digits=person["phone_number"][-4:], passage=passage["id"], plate=passage["plate_number"], violation=violation["id"])


def main():
    if sys.argv[1] == "directory":
        directory(sys.argv[2])
    elif sys.argv[1] == "fill":
        fill(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5])
    elif sys.argv[1:3] == ["multiply", "sqlite"]:
        multiply_sqlite(sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1:3] == ["multiply", "postgresql"]:
        multiply_postgresql(sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1] == "known":
        known(int(sys.argv[2]), sys.argv[3])
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
