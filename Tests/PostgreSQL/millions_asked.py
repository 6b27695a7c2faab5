"""Asks a central with millions of passages all that people and dashboards ask, and says how long each takes.

Usage: millions_asked.py PROGRAM PORT SERVICE PLATE [WORD]

The configuration is that of CHECKPOST_CONFIG, SERVICE the process that serves at the port, PLATE one that is there; in
the folder of the configuration lie the keys `key`, `admin` and `ranger`. With WORD only what has it in its name is
asked. Each is asked three times, and the least counts: its goal are two seconds. Of an export of everything that
counts which begins to come, and how fast it goes on is said beside.
"""

import http.client
import os
import re
import subprocess
import sys
import threading
import time

PROGRAM, PORT, SERVICE, PLATE = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
WORD = sys.argv[5] if len(sys.argv) > 5 else ""
TIMES = int(os.environ.get("TIMES_EACH", "3"))
GOAL = 2.0
FOLDER = os.path.dirname(os.environ["CHECKPOST_CONFIG"])
missed, asked = [], 0


def told(name, seconds, megabytes, is_met, note=""):
    global asked
    asked += 1
    if not is_met:
        missed.append(name)
    print(f"{name:<74} {seconds:7.3f} s {megabytes:5d} MB  {'met' if is_met else 'MISSED'} {note}", flush=True)


def command(name, *words, fails=False):
    """A command as a process: seconds, and the most memory it had."""
    if WORD not in name:
        return
    least, most, good = 1e9, 0, True
    for _ in range(TIMES):
        begun = time.monotonic()
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        words_of_error = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        least, most = min(least, time.monotonic() - begun), max(most, usage.ru_maxrss)
        if status and not fails:
            good = False
            name += f" [exit {os.waitstatus_to_exitcode(status)}: {words_of_error[:100]}]"
        if not good or least > 10:
            break
    told(name, least, most // 1024, good and least < GOAL)


def export(name, *words, stops=None):
    """An export of everything: when it begins, and how many lines a second come. It is ended after some seconds."""
    if WORD not in name:
        return
    begun = time.monotonic()
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    first, lines = None, 0
    while chunk := process.stdout.read1(1 << 16):
        lines += chunk.count(b"\n")
        if first is None:
            first = time.monotonic() - begun
        if stops and time.monotonic() - begun > stops:
            process.kill()
            break
    process.stdout.close()
    seconds = time.monotonic() - begun
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    told(name, first or seconds, usage.ru_maxrss // 1024, (first or seconds) < GOAL and usage.ru_maxrss < 200_000,
         f"first byte; {lines} lines in {seconds:.1f} s: {lines / seconds:.0f} a second")


def memory():
    with open(f"/proc/{SERVICE}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) // 1024


def token(name):
    with open(f"{FOLDER}/{name}") as file:
        return file.read().strip()


def request(name, who, path, headers=(), method="GET", good=(200, 206), first=False):
    name = f"{who} {name}"
    if WORD not in name:
        return
    least, status, body = 1e9, 0, b""
    for _ in range(TIMES):
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
        begun = time.monotonic()
        connection.request(method, path, None, {"apikey": token("key"), "Authorization": f"Bearer {token(who)}", **dict(headers)})
        answer = connection.getresponse()
        status, body = answer.status, b"" if first else answer.read()
        least = min(least, time.monotonic() - begun)
        connection.close()
        if status not in good or least > 5:
            break
    is_good = status in good
    told(name, least, memory(), is_good and least < GOAL, "" if is_good else f"[{status} {body[:150]}]")


def commands():
    part = PLATE[-9:]
    list_of = ("central", "passages")
    command("status", "status")
    command("doctor", "doctor", fails=True)
    command("central init", "central", "init")
    command("passages", *list_of)
    command("passages --limit 1000", *list_of, "--limit", "1000")
    command("passages --until (deep)", *list_of, "--until", "2025-06-01")
    command("passages --until (the last page)", *list_of, "--until", "2025-01-04")
    command("passages --since ahead", *list_of, "--since", "2026-11-27")
    command("passages --since --until", *list_of, "--since", "2025-06-01", "--until", "2025-06-02")
    command("passages --checkpost", *list_of, "--checkpost", "P07-A")
    command("passages --checkpost --until (deep)", *list_of, "--checkpost", "P07-A", "--until", "2025-06-01")
    command("passages --checkpost of none", *list_of, "--checkpost", "P99-A", fails=True)
    command("passages --segment", *list_of, "--segment", "Segment 07")
    command("passages --segment --until (deep)", *list_of, "--segment", "Segment 07", "--until", "2025-06-01")
    command("passages --plate", *list_of, "--plate", PLATE)
    command("passages --plate, a rare part", *list_of, "--plate", part)
    command("passages --plate, a part of many", *list_of, "--plate", "PA1")
    command("passages --plate, a part of some", *list_of, "--plate", PLATE[-6:])
    command("passages --plate, a part of none", *list_of, "--plate", "QQQ")
    command("passages --plate --checkpost, a rare part", *list_of, "--plate", part, "--checkpost", "P07-A")
    command("passages --plate --segment, a rare part", *list_of, "--plate", part, "--segment", "Segment 07")
    command("passages --ranger", *list_of, "--ranger", token("digits"))
    command("passages --ranger of none", *list_of, "--ranger", "9991")
    command("passages --ranger --checkpost", *list_of, "--ranger", token("digits"), "--checkpost", "P07-A")
    command("passages --unpaired", *list_of, "--unpaired")
    command("passages --unpaired --until (deep)", *list_of, "--unpaired", "--until", "2025-02-01")
    command("passages --unpaired --checkpost", *list_of, "--unpaired", "--checkpost", "P07-A")
    command("passages --unpaired --segment", *list_of, "--unpaired", "--segment", "Segment 07")
    command("passages --unreadable", *list_of, "--unreadable")
    for state in ("received", "part", "report", "decoded", "duplicate", "heartbeat", "undecodable", "all"):
        command(f"inbox --state {state}", "central", "inbox", "list", "--state", state)
    inbox = ("central", "inbox", "list")
    command("inbox --dismissed", *inbox, "--dismissed")
    command("inbox --from", *inbox, "--state", "all", "--from", token("number"))
    command("inbox --from nobody", *inbox, "--state", "all", "--from", "+9779809999999")
    command("inbox --from nobody, undecodable", *inbox, "--from", "+9779809999999")
    command("inbox --reason", *inbox, "--reason", "field_count")
    command("inbox --reason of none", *inbox, "--reason", "rate")
    command("inbox --until", *inbox, "--state", "all", "--until", "2025-01-04")
    command("inbox --since", *inbox, "--state", "all", "--since", "2026-11-27")
    command("inbox --since --until", *inbox, "--state", "all", "--since", "2025-06-01", "--until", "2025-06-02")
    command("rangers", "central", "rangers")
    command("rangers --history", "central", "rangers", "--history")
    command("numbers", "central", "numbers")
    listed = ("central", "violations", "list")
    command("violations", *listed)
    for words in (("--standing", "retracted"), ("--standing", "all"), ("--kind", "speeding"), ("--kind", "overstay"),
                  ("--finality", "provisional"), ("--finality", "reported"), ("--finality", "unreported"),
                  ("--confirmed",), ("--unconfirmed",), ("--changed",), ("--outcome", "open"), ("--outcome", "recorded"),
                  ("--plate", PLATE), ("--segment", "Segment 07"), ("--checkpost", "P07-A"),
                  ("--until", "2025-06-01"), ("--until", "2025-01-04"), ("--since", "2026-11-27"), ("--segment", "Segment 99"),
                  ("--segment", "Segment 07", "--finality", "unreported"),
                  *(("--doubt", doubt) for doubt in ("by_text_alone", "long_stay", "clocks", "contradicted",
                                                     "contradicted_by_text", "turned", "impossible_speed"))):
        command(f"violations {' '.join(words)}", *listed, *words)
    command("violations show", "central", "violations", "show", token("violation"))
    for words in ((), ("--all",), ("--all", "--until", "2025-06-01"), ("--checkpost", "P07-A"), ("--all", "--checkpost", "P07-A"),
                  ("--segment", "Segment 07"), ("--all", "--segment", "Segment 07"), ("--plate", PLATE), ("--all", "--plate", PLATE),
                  ("--since", "2026-11-27"), ("--all", "--segment", "Segment 99")):
        command(f"alerts {' '.join(words)}", "central", "alerts", *words)
    if "store: postgresql" not in open(os.environ["CHECKPOST_CONFIG"]).read():
        command("forwards", "central", "forwards")
    command("users list", "central", "users", "list")
    command("users audit", "central", "users", "audit")
    command("keys list", "central", "keys", "list")
    command("erase --dry-run", "central", "erase", "--plate", PLATE, "--dry-run")
    export("export --plate", "central", "export", "--plate", PLATE)
    export("export passages --plate", "central", "export", "passages", "--plate", PLATE)
    export("export passages --since", "central", "export", "passages", "--csv", "--since", "2026-11-26", stops=20)
    export("export passages --since --until", "central", "export", "passages", "--csv", "--since", "2025-06-01", "--until", "2025-06-02", stops=20)
    export("export passages --checkpost", "central", "export", "passages", "--csv", "--checkpost", "P07-A", stops=10)
    export("export violations --checkpost", "central", "export", "violations", "--csv", "--checkpost", "P07-A", stops=10)
    export("export inbox --since", "central", "export", "inbox", "--csv", "--since", "2026-11-26", stops=20)
    whole = None if os.environ.get("WHOLE") else 15
    export("export passages --csv", "central", "export", "passages", "--csv", stops=whole)
    export("export violations", "central", "export", "violations", stops=whole)
    export("export violations --csv", "central", "export", "violations", "--csv", stops=whole)
    export("export inbox --csv", "central", "export", "inbox", "--csv", stops=whole)


def requests():
    exact, planned = ("Prefer", "count=exact"), ("Prefer", "count=planned")
    rows = "/rest/v1/vehicle_passages?select=*&"
    segment, post, person = token("segment"), token("post"), token("person")
    for who in ("key", "admin", "ranger"):
        request("OpenAPI", who, "/rest/v1/")
        request("passages", who, rows)
        for column in ("recorded_at", "created_at", "server_received_at", "plate_number", "id", "client_id", "checkpost_id",
                       "vehicle_type", "source", "is_entry", "ranger_id"):
            for way in ("desc", "asc"):
                request(f"passages order={column}.{way}", who, rows + f"order={column}.{way}&limit=50")
        order = rows + "order=recorded_at.desc&limit=50"
        request("passages offset=100000", who, order + "&offset=100000")
        request("passages offset=4900000", who, order + "&offset=4900000")
        request("passages order=recorded_at.desc,id.desc", who, rows + "order=recorded_at.desc,id.desc&limit=50")
        request("passages recorded_at<", who, order + "&recorded_at=lt.2025-06-01T00:00:00Z")
        request("passages a day", who, order + "&recorded_at=gte.2025-06-01T00:00:00Z&recorded_at=lt.2025-06-02T00:00:00Z")
        request("passages a day, count=exact", who, order + "&recorded_at=gte.2025-06-01T00:00:00Z&recorded_at=lt.2025-06-02T00:00:00Z", [exact])
        request("passages count=exact", who, order, [exact], good=(200, 206))
        request("passages HEAD count=exact", who, rows + "limit=1", [exact], method="HEAD")
        request("passages count=planned", who, order, [planned])
        request("passages count=estimated", who, order, [("Prefer", "count=estimated")])
        request("passages Range", who, rows + "order=recorded_at.desc", [("Range-Unit", "items"), ("Range", "50-99")])
        request("passages embedding", who, "/rest/v1/vehicle_passages?select=*,checkposts(code,name),highway_segments(name)&order=recorded_at.desc&limit=50")
        request("passages plate=eq", who, rows + f"plate_number=eq.{PLATE}")
        request("passages plate=eq, order", who, order + f"&plate_number=eq.{PLATE}")
        request("passages plate=ilike, rare", who, order + f"&plate_number=ilike.*{PLATE[-9:]}*")
        request("passages plate=ilike, begins", who, order + f"&plate_number=ilike.{PLATE[:8]}*")
        request("passages plate=like, begins", who, order + f"&plate_number=like.{PLATE[:8]}*")
        request("passages plate=ilike, none", who, order + "&plate_number=ilike.*QQQ*")
        request("passages plate=ilike, many", who, order + "&plate_number=ilike.*PA1*")
        request("passages or", who, order + f"&or=(plate_number.ilike.*{PLATE[-9:]}*,plate_number_raw.ilike.*{PLATE[-9:]}*)")
        request("passages or=eq", who, order + f"&or=(plate_number.eq.{PLATE},plate_number.eq.BA1PA1)")
        request("passages segment_id", who, order + f"&segment_id=eq.{segment}")
        request("passages segment_id, count=exact", who, order + f"&segment_id=eq.{segment}", [exact])
        request("passages checkpost_id", who, order + f"&checkpost_id=eq.{post}")
        request("passages checkpost_id, count=exact", who, order + f"&checkpost_id=eq.{post}", [exact])
        request("passages ranger_id", who, order + f"&ranger_id=eq.{person}")
        request("passages ranger_id of none", who, order + "&ranger_id=eq.00000000-0000-4000-8000-000000000000")
        request("passages unpaired", who, order + "&matched_passage_id=is.null")
        request("passages unpaired of a segment", who, order + f"&matched_passage_id=is.null&segment_id=eq.{segment}")
        request("passages source=sms", who, order + "&source=eq.sms")
        request("passages vehicle_type=tanker (none)", who, order + "&vehicle_type=eq.tanker")
        request("passages id", who, rows + f"id=eq.{token('passage')}")
        request("passages client_id", who, rows + f"client_id=eq.{token('passage')}")
        request("passages text/csv", who, order.replace("limit=50", "limit=1000"), [("Accept", "text/csv")])
        broken = "/rest/v1/violations?select=*&"
        for column in ("exit_time", "entry_time", "created_at", "id", "plate_number", "calculated_speed_kmh", "violation_type"):
            request(f"violations order={column}.desc", who, broken + f"order={column}.desc&limit=50")
        request("violations", who, broken)
        request("violations offset=100000", who, broken + "order=created_at.desc&limit=50&offset=100000", good=(200, 206, 416))
        request("violations count=exact", who, broken + "limit=50", [exact])
        request("violations of a kind, count=exact", who, broken + "violation_type=eq.speeding&limit=50", [exact])
        request("violations embedding", who, "/rest/v1/violations?select=*,entry:vehicle_passages!entry_passage_id(plate_number_raw),violation_outcomes(*)&order=exit_time.desc&limit=50")
        request("violations provisional", who, broken + "finality=eq.provisional&order=created_at.desc&limit=50")
        request("violations unreported (none)", who, broken + "finality=eq.unreported&order=created_at.desc&limit=50")
        request("violations without an outcome", who, "/rest/v1/violations?select=*,violation_outcomes(id)&violation_outcomes=is.null&order=created_at.desc&limit=50", good=(200, 206, 400))
        request("violations segment_id", who, broken + f"segment_id=eq.{segment}&order=created_at.desc&limit=50", [exact])
        request("violations plate=ilike", who, broken + f"plate_number=ilike.*{PLATE[-6:]}*&order=created_at.desc&limit=50")
        request("violations id", who, broken + f"id=eq.{token('violation')}")
        request("outcomes", who, "/rest/v1/violation_outcomes?select=*&order=recorded_at.desc&limit=50")
        request("outcomes count=exact", who, "/rest/v1/violation_outcomes?select=*&limit=50", [exact])
        overdue = "/rest/v1/proactive_overstay_alerts?select=*&"
        for column in ("created_at", "expected_exit_by", "entry_time", "id"):
            request(f"alerts order={column}.desc", who, overdue + f"order={column}.desc&limit=50")
        request("alerts resolved=false", who, overdue + "resolved=eq.false&order=created_at.desc&limit=50", [exact])
        request("alerts resolved=true", who, overdue + "resolved=is.true&order=created_at.desc&limit=50")
        for table in ("checkposts", "highway_segments", "user_profiles", "parks", "sync_metadata"):
            request(table, who, f"/rest/v1/{table}?select=*", [exact])
        request("the first of the changes", who, "/events/v1", first=True)
    request("healthz", "key", "/healthz")
    request("metrics", "key", "/metrics", good=(200, 404, 401))


print(f"load {os.getloadavg()[0]:.1f}")
if os.environ.get("ONLY") != "requests":
    commands()
if os.environ.get("ONLY") != "commands":
    requests()
print(f"load {os.getloadavg()[0]:.1f}; {asked - len(missed)} of {asked} targets are met")
for name in missed:
    print(f"missed: {name}")
sys.exit(1 if missed else 0)
