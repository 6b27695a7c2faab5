#!/bin/bash
# Asks the model of the server and a real PostgreSQL the same, and compares what they say: status, codes,
# names of constraints, and rows. The database is one of its own in a temporary directory, with the schema
# and the policies that are deployed; before it stands a small server like PostgREST.
#
# Usage: compare.sh PATH-OF-CHECKPOST
set -euo pipefail
program=${1:?usage: compare.sh PATH-OF-CHECKPOST}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$(cd "$(dirname "$program")" && pwd)/checkpostPackageTests.xctest
[[ -x $tests ]] || {
  echo "postgresql: there are no tests at $tests; run \`make build-tests\` first" >&2
  exit 1
}
binaries=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[[ -n $binaries ]] || {
  echo "postgresql: PostgreSQL is not installed; apt-get install postgresql" >&2
  exit 1
}
directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-postgresql.XXXXXX")
chmod 711 "$directory"
rest=""

# It refuses to run as root.
as_owner=()
if [[ $(id -u) -eq 0 ]]; then
  mkdir "$directory/run"
  chown postgres "$directory/run"
  as_owner=(setpriv --reuid=postgres --regid=postgres --clear-groups --)
else
  mkdir "$directory/run"
fi

finish() {
  status=$?
  trap - EXIT INT TERM
  if [[ -n $rest ]]; then
    kill "$rest" 2>/dev/null || true
    wait "$rest" 2>/dev/null || true
  fi
  "${as_owner[@]}" "$binaries/pg_ctl" --pgdata="$directory/run/data" --mode=immediate --silent stop \
    >/dev/null 2>&1 || true
  if [[ $status -ne 0 ]]; then
    echo "postgresql: FAILED" >&2
    tail -n 20 "$directory"/rest.log "$directory"/run/log >&2 2>/dev/null || true
  fi
  rm -rf --one-file-system "$directory"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

cd "$directory/run"
"${as_owner[@]}" "$binaries/initdb" --pgdata="$directory/run/data" --username=owner --auth=trust \
  --encoding=UTF8 --locale=C --no-sync >"$directory/initdb.log"
"${as_owner[@]}" "$binaries/pg_ctl" --pgdata="$directory/run/data" --log="$directory/run/log" --wait --silent \
  --options="-c listen_addresses='' -c unix_socket_directories='$directory/run' -c fsync=off -c timezone=UTC" \
  start
parameters="host=$directory/run user=owner dbname=postgres"
"$binaries/psql" --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --file="$here/schema.sql" "$parameters"

PYTHONDONTWRITEBYTECODE=1 python3 "$here/rest.py" "$parameters" >"$directory/port" 2>"$directory/rest.log" &
rest=$!
for _ in {1..100}; do
  [[ -s $directory/port ]] && break
  kill -0 "$rest" 2>/dev/null || exit 1
  sleep 0.1
done

version=$("$binaries/postgres" --version)
# One after the other: the comparison begins with empty tables.
for suite in PostgreSQLCallTests ServerModelTests.PostgreSQLTests; do
  CHECKPOST_TEST_POSTGREST=$(cat "$directory/port") "$tests" --testing-library swift-testing \
    --filter "$suite" >"$directory/tests.log" 2>&1 || {
    grep -E '✘|error' "$directory/tests.log" >&2 || cat "$directory/tests.log" >&2
    exit 1
  }
  grep -q 'Test run with [1-9]' "$directory/tests.log" || {
    cat "$directory/tests.log" >&2
    exit 1
  }
done
echo "postgresql: $version takes a node's calls, and says what the model says"
