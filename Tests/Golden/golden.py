#!/usr/bin/env python3
"""Records what users and other programs see, and compares it with what was recorded before.

Usage: golden.py PATH-OF-CHECKPOST [--write]

What is recorded, a file each under Tests/Golden/recorded: the help of every command; what each command of a fixed story
prints (text, JSON, CSV) with its exit status, at a post and at central, there on SQLite and on PostgreSQL; the answers of
central's API to fixed questions; the schemas of new databases. What differs from run to run (times, identities, paths,
keys, ports) is replaced by a name. With --write the recorded files are replaced by what this program says.

A change that is meant shows as a difference: look at it, run with --write, and commit the files with the change.
"""
import difflib
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded"
PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else sys.exit(__doc__)
NOW = time.time()


def ago(minutes):
    """A time so many minutes ago, to the second; the same one in each answer of a run."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOW - 60 * minutes))


class Mask:
    """Replaces what differs from run to run. Identities are numbered in the order in which they come."""

    def __init__(self, directory):
        self.directory = str(directory)
        self.names = {}
        self.secrets = {}

    def secret(self, value, name):
        self.secrets[value] = name

    def named(self, kind, value):
        names = self.names.setdefault(kind, {})
        return names.setdefault(value.lower(), f"<{kind}-{len(names) + 1}>")

    def __call__(self, text):
        for value, name in self.secrets.items():
            text = text.replace(value, name)
        text = text.replace(self.directory, "<dir>").replace(PROGRAM, "checkpost")
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
        text = re.sub(
            r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
            lambda found: self.named("id", found.group()), text, flags=re.I)
        text = re.sub(r"\bV1\|[^\",\n]*", "<v1>", text)
        # A time and what is derived from it: the length of a table's column does not change with it.
        text = re.sub(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?", "<time>", text)
        text = re.sub(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d\d? \w{3}( 20\d\d)?( \d\d:\d\d(:\d\d)?)?", "<time>", text)
        text = re.sub(r"\b20\d\d-\d\d-\d\d\b", "<day>", text)
        text = re.sub(r"(?<![\d:])\d\d:\d\d(:\d\d(\.\d+)?)?(?![\d:])", "<clock>", text)
        text = re.sub(r"\b1[789]\d{8}(\d{3}|\d{6})?\b", "<moment>", text)
        text = re.sub(r"\b\d+(\.\d+)? ?(ms|s|min|h|d)( \d+ (s|min|h))?( ago|\b(?=[ ,;.)]))", "<span>\\5", text)
        text = re.sub(r"^(\d+ +)[0-9a-f]{8}(?= )", r"\1<short>", text, flags=re.M)
        text = re.sub(r"running since <clock>, for \d+ (s|min)", "running since <clock>, for <span>", text)
        text = re.sub(r'("(?:free|database)_bytes":)\d+', r"\1<bytes>", text)
        text = re.sub(r'("[a-z_]*_(?:s|seconds)":)\d+(\.\d+)?', r"\1<seconds>", text)
        text = re.sub(r"database of [\d.]+ \w+, [\d.]+ \w+ free", "database of <bytes>, <bytes> free", text)
        text = re.sub(r'"latency":\[[^\]]*\]', '"latency":<latency>', text)
        text = re.sub(r'("process":|\bprocess )\d+', r"\1<process>", text)
        return re.sub(r"[ \t]+(?=\n|$)", "", text)


class Story:
    """Commands and what they answer, as one text."""

    def __init__(self, directory, config):
        self.mask = Mask(directory)
        self.config = config
        self.lines = []

    def run(self, *arguments, input="", shown=True):
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.mask.directory), "TZ": "UTC", "LC_ALL": "C.UTF-8",
            "COLUMNS": "100", "CHECKPOST_CONFIG": str(self.config), "NO_COLOR": "1",
        }
        done = subprocess.run(
            [PROGRAM, *arguments], input=input, capture_output=True, text=True, env=environment, timeout=120)
        if shown:
            self.note(f"$ checkpost {' '.join(arguments)}", done.stdout, done.stderr, done.returncode)
        return done.stdout

    def note(self, head, out, err, status):
        self.lines.append(head)
        if out:
            self.lines.append(out.rstrip("\n"))
        if err:
            self.lines += [f"! {line}" for line in err.rstrip("\n").split("\n")]
        self.lines.append(f"= {status}\n")

    def text(self):
        return self.mask("\n".join(self.lines)).rstrip("\n") + "\n"


def helps():
    """The help of every command, found by the lists of commands in it."""
    lines = []

    def walk(words):
        text = subprocess.run(
            [PROGRAM, "help", *words], capture_output=True, text=True, timeout=60,
            env={"PATH": os.environ["PATH"], "COLUMNS": "80", "LC_ALL": "C.UTF-8"}).stdout
        lines.append(f"$ checkpost help {' '.join(words)}\n{text}")
        listed = text.partition("SUBCOMMANDS:\n")[2].partition("\n\n")[0]
        for name in re.findall(r"^  ([a-z][a-z-]*)(?: \(default\))? ", listed, flags=re.M):
            walk(words + [name])

    walk([])
    return "\n".join(lines).rstrip("\n") + "\n"


POST = """roles:
  node: true
node:
  database: {directory}/node.db
  photo_directory: {directory}/photos
  checkpost: BNP-A
  ranger_phone: "+9779841234567"
control:
  socket: {directory}/control.sock
log:
  file: {directory}/events.log
  mask_key_file: {directory}/mask.key
"""


def post(directory):
    config = directory / "post.yaml"
    config.write_text(POST.format(directory=directory))
    story = Story(directory, config)
    run = story.run
    run("config", "check")
    run("config", "print", "--json")
    run("status")
    run("record", "--plate", "BA 1 PA 1234", "--type", "car", "--at", ago(50))
    run("record", "--plate", "बा १ च ५६७८", "--type", "truck", "--at", ago(40), "--json")
    run("record", "--plate", "12E4", "--type", "bus", "--at", ago(30))
    run("record", "--plate", "?", "--type", "car")
    run("record", "--plate", "BA 2 KHA 77", "--type", "spaceship")
    rows = "recorded_at,plate,vehicle_type\n" + f"{ago(20)},GA 1 JA 9,jeep\n{ago(10)},,car\n"
    run("record", "--file", "-", "--json", input=rows)
    for words in (["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"], ["show", "99"]):
        run("queue", *words)
    run("queue", "export")
    run("queue", "export", "--csv")
    run("queue", "correct", "1", "--plate", "BA 1 PA 1235")
    run("queue", "park", "2")
    run("queue", "list", "--status", "stuck", "--json")
    run("queue", "retry", "2")
    run("queue", "withdraw", "3", "--reason", "no vehicle passed")
    run("queue", "list")
    run("queue", "conflicts", "--json")
    run("overdue")
    run("overdue", "--json")
    run("sms", "encode", "--plate", "BA 1 PA 1234", "--type", "car", "--checkpost", "BNP-A", "--at", "2026-11-21T14:00:00Z")
    run("sms", "decode", "V1|BNP-A|BA1PA1234|CAR|1763733600|4567")
    run("sms", "decode", "V1 BNP-A BA1PA1234")
    run("sms", "inbox", "--json")
    run("pdu", "decode", "--json", "07917797989101F0040C917779084321650000625031413040321BC8329BFD6681EE6F399B")
    run("pdu", "decode", "07")
    run("modem", "texts", "--json")
    run("sync", "status")
    run("status", "--json")
    run("log", "--json")
    run("backup", str(directory / "saved.db"))
    run("backup", str(directory / "saved.db"))
    run("record", "--plate")
    return story.text()


CENTRAL = """roles:
  central: true
central:
  {store}
  database: {directory}/central.db
  photos: {directory}/photos
  http:
    port: {port}
    api: true
  ingress:
    mode: open
control:
  socket: {directory}/control.sock
log:
  file: {directory}/events.log
  mask_key_file: {directory}/mask.key
"""


class API:
    """Questions to central's API, noted in a story."""

    def __init__(self, story, port, key):
        self.story, self.base, self.key, self.token = story, f"http://127.0.0.1:{port}", key, None

    def ask(self, method, path, body=None, shown=True, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key:
            headers.setdefault("apikey", self.key)
            headers.setdefault("Authorization", f"Bearer {self.token or self.key}")
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(self.base + path, data=data, method=method, headers=headers)
        try:
            answer = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read().decode()
        if shown:
            kept = ["Content-Type", "Content-Range", "Allow", "WWW-Authenticate", "Location"]
            head = "".join(f"{name}: {answer.headers[name]}\n" for name in kept if answer.headers[name])
            try:
                shape = json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False)
            except ValueError:
                shape = text
            note = f"> {method} {path}" + (f" {json.dumps(body, sort_keys=True)}" if body is not None else "")
            self.story.note(note, head + shape, "", answer.status)
        return answer.status, text


def questions(api, segment, post_a, post_b, ranger):
    """Questions of a dashboard and of a post, and mistakes."""
    ask = api.ask
    passage = {
        "plate_number": "BA1PA1234", "vehicle_type": "car", "checkpost_id": post_a, "segment_id": segment,
        "recorded_at": ago(100), "ranger_id": ranger, "client_id": "0b000000-0000-4000-8000-00000000a001", "source": "app",
    }
    told = {"Prefer": "return=representation"}
    ask("POST", "/rest/v1/vehicle_passages", passage, **told)
    ask("POST", "/rest/v1/vehicle_passages", passage, **told)
    ask("POST", "/rest/v1/vehicle_passages?on_conflict=client_id", passage,
        Prefer="return=representation,resolution=ignore-duplicates")
    other = dict(passage, checkpost_id=post_b, recorded_at=ago(75), client_id="0b000000-0000-4000-8000-00000000a002")
    ask("POST", "/rest/v1/vehicle_passages", other, **told)
    ask("POST", "/rest/v1/vehicle_passages", dict(other, client_id="0b000000-0000-4000-8000-00000000a003", plate_number=""))
    ask("POST", "/rest/v1/vehicle_passages", dict(other, client_id="no uuid"))
    end = time.time() + 30
    while time.time() < end and ask("GET", "/rest/v1/violations?select=id", shown=False)[1] == "[]":
        time.sleep(0.1)
    for path in (
        "/rest/v1/violations?select=*", "/rest/v1/vehicle_passages?select=plate_number,recorded_at&order=recorded_at.desc",
        "/rest/v1/vehicle_passages?select=plate_number,checkposts(code)&order=recorded_at&limit=1",
        "/rest/v1/vehicle_passages?select=count()", "/rest/v1/vehicle_passages?plate_number=like.BA*&select=plate_number",
        "/rest/v1/vehicle_passages?recorded_at=gt.yesterday-noon", "/rest/v1/nothing", "/rest/v1/checkposts?select=code,name&order=code",
        "/rest/v1/highway_segments?select=name,distance_km", "/rest/v1/user_profiles?select=*", "/rest/v1/vehicle_passages?select=nothing",
        "/auth/v1/user", "/storage/v1/object/list/photos", "/healthz", "/nothing",
    ):
        ask("GET", path)
    ask("HEAD", "/rest/v1/vehicle_passages", Prefer="count=exact")
    ask("DELETE", "/rest/v1/vehicle_passages?client_id=eq.0b000000-0000-4000-8000-00000000a00f")
    ask("PUT", "/rest/v1/vehicle_passages", {})
    ask("PATCH", "/rest/v1/vehicle_passages?client_id=eq.0b000000-0000-4000-8000-00000000a002", {"vehicle_type": "jeep"}, **told)
    ask("POST", "/rest/v1/rpc/nothing", {})
    ask("POST", "/auth/v1/token?grant_type=password", {"email": "sita", "password": "wrong"})
    api.key = None
    ask("GET", "/rest/v1/vehicle_passages")


def central(directory, connection=None):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    store = "store: sqlite"
    if connection:
        store = f"store: postgresql\n  postgresql:\n    connection: {connection}"
    config = directory / "central.yaml"
    config.write_text(CENTRAL.format(directory=directory, port=port, store=store))
    story = Story(directory, config)
    story.mask.secret(str(port), "<port>")
    if connection:
        story.mask.secret(connection, "<connection>")
    run = story.run
    run("central", *(["migrate", "--json"] if connection else ["init", "--json"]))
    for name, text in (
        ("segments", "name,distance_km,min_speed_kmh,max_speed_kmh\nBanke,45,10,40\n"),
        ("posts", "code,name,segment,position_index,phone\nBNP-A,East,Banke,0,+9779841000001\nBNP-B,West,Banke,1,\n"),
        ("rangers", "name,phone,checkpost\nSita,+9779841234567,BNP-A\nHari,12,BNP-B\n"),
    ):
        (directory / f"{name}.csv").write_text(text)
    files = [word for name in ("segments", "posts", "rangers") for word in (f"--{name}", str(directory / f"{name}.csv"))]
    run("central", "import", *files)
    run("central", "import", *files, "--json")
    run("central", "users", "add", "sita", "--name", "Sita K.C.", "--post", "BNP-A", input="a long pass phrase\n")
    made = json.loads(run("central", "keys", "add", "--name", "dashboard", "--role", "service", "--json", shown=False))
    key = made["key"]
    story.mask.secret(key, "<key>")
    story.mask.secret(made["prefix"], "<prefix>")
    service = subprocess.Popen(
        [PROGRAM, "run", "--config", str(config)], stdout=subprocess.DEVNULL, stderr=open(directory / "run.log", "w"),
        env={"PATH": os.environ["PATH"], "TZ": "UTC", "LC_ALL": "C.UTF-8"})
    try:
        api = API(story, port, key)
        end = time.time() + 30
        while True:
            try:
                if api.ask("GET", "/healthz", shown=False)[0] == 200:
                    break
            except OSError:
                pass
            if time.time() > end or service.poll() is not None:
                sys.exit(f"golden: central does not answer: {(directory / 'run.log').read_text()}")
            time.sleep(0.1)
        status, text = api.ask("GET", "/rest/v1/checkposts?select=id,code,segment_id", shown=False)
        if status != 200:
            sys.exit(f"golden: central does not tell its posts: {status} {text}")
        found = {row["code"]: row for row in json.loads(text)}
        profiles = json.loads(api.ask("GET", "/rest/v1/user_profiles?select=id&order=id", shown=False)[1])
        questions(
            api, found["BNP-A"]["segment_id"], found["BNP-A"]["id"], found["BNP-B"]["id"], profiles[0]["id"])
        for words in (
            ["passages"], ["passages", "--json"], ["violations"], ["violations", "--json"], ["violations", "show", "1"],
            ["alerts", "--json"], ["inbox", "--json"], ["rangers"], ["rangers", "--json"], ["numbers", "--json"],
            ["forwards", "--json"], ["users", "list", "--json"], ["users", "audit", "--json"], ["keys", "list", "--json"],
            ["match", "--json"], ["export", "passages"], ["export", "violations"], ["export", "passages", "--csv"], ["export", "violations", "--csv"],
            ["replay", "--json"],
        ):
            run("central", *words)
        run("status")
        run("status", "--json")
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=60)
    return story.text()


def sqlite_schema(path):
    database = sqlite3.connect(path)
    rows = database.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name").fetchall()
    version = database.execute("PRAGMA user_version").fetchone()[0]
    return "\n".join([f"-- user_version {version}"] + [f"{sql};" for (sql,) in rows]) + "\n"


class PostgreSQL:
    """A server of its own in a folder, which runs as a user that is not root."""

    def __init__(self, directory):
        folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
        if not folders:
            sys.exit("golden: PostgreSQL is not installed; apt-get install postgresql")
        self.binaries = folders[-1]
        self.home = directory / "pg"
        self.home.mkdir()
        self.prefix = []
        if os.getuid() == 0:
            shutil.chown(self.home, "postgres")
            self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        self.call("initdb", f"--pgdata={self.home}/data", "--username=owner", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        with open(self.home / "data/postgresql.conf", "a") as settings:
            settings.write(f"listen_addresses = ''\nunix_socket_directories = '{self.home}'\ntimezone = UTC\nfsync = off\n")
        self.call("pg_ctl", f"--pgdata={self.home}/data", f"--log={self.home}/log", "--wait", "--silent", "start")
        self.connection = f"host={self.home} user=owner dbname=postgres"

    def call(self, name, *arguments):
        return subprocess.run(
            [*self.prefix, str(self.binaries / name), *arguments], cwd=self.home, check=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def schema(self):
        text = self.call("pg_dump", "--schema-only", "--no-comments", f"--host={self.home}", "--username=owner", "postgres")
        text = re.sub(r"^\\(un)?restrict .*$", "", text, flags=re.M)
        # An object a line with a digest: the functions stand in the sources, and which of them changed is what counts.
        objects = re.split(r"^-- Name: (.*); Type: (.*); Schema: (.*); Owner: .*$", text, flags=re.M)
        lines = [
            f"{kind} {schema}.{name} {hashlib.sha256(body.strip().encode()).hexdigest()[:16]}"
            for name, kind, schema, body in zip(*(objects[start::4] for start in (1, 2, 3, 4)))
        ]
        return "\n".join([f"-- PostgreSQL {self.binaries.parent.name}"] + sorted(lines)) + "\n"

    def stop(self):
        subprocess.run(
            [*self.prefix, str(self.binaries / "pg_ctl"), f"--pgdata={self.home}/data", "--mode=immediate", "--silent", "stop"],
            cwd=self.home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def record():
    """All that is recorded, by the name of its file."""
    told = {"help.txt": helps()}
    with tempfile.TemporaryDirectory(prefix="checkpost-golden.") as name:
        root = pathlib.Path(name)
        root.chmod(0o711)
        folders = {part: root / part for part in ("post", "sqlite", "postgresql")}
        for folder in folders.values():
            folder.mkdir()
            folder.chmod(0o711)
        told["post.txt"] = post(folders["post"])
        told["post-schema.sql"] = sqlite_schema(folders["post"] / "node.db")
        told["central-sqlite.txt"] = central(folders["sqlite"])
        told["central-sqlite-schema.sql"] = sqlite_schema(folders["sqlite"] / "central.db")
        server = PostgreSQL(root)
        try:
            told["central-postgresql.txt"] = central(folders["postgresql"], server.connection)
            told["central-postgresql-schema.txt"] = server.schema()
        finally:
            server.stop()
    return told


def main():
    told = record()
    if "--write" in sys.argv[2:]:
        RECORDED.mkdir(exist_ok=True)
        for old in RECORDED.iterdir():
            old.unlink()
        for name, text in told.items():
            (RECORDED / name).write_text(text)
        print(f"golden: wrote {len(told)} files")
        return
    differing = []
    known = {path.name for path in RECORDED.iterdir()}
    for name in sorted(known | set(told)):
        path = RECORDED / name
        old = path.read_text() if path.exists() else ""
        new = told.get(name, "")
        if old == new:
            continue
        if name == "central-postgresql-schema.txt" and old and new and old.split("\n")[0] != new.split("\n")[0]:
            print(f"golden: {name} is not compared: it was written by another version, {old.splitlines()[0][3:]}")
            continue
        differing.append(name)
        lines = list(difflib.unified_diff(
            old.splitlines(), new.splitlines(), f"recorded/{name}", "what it says now", lineterm="", n=2))
        print("\n".join(lines[:200]))
    if differing:
        sys.exit(f"golden: {len(differing)} of {len(known)} files differ: {', '.join(differing)}. If that is meant: make golden WRITE=1")
    print(f"golden: {len(told)} files with {sum(text.count(chr(10)) for text in told.values())} lines are as recorded")


main()
