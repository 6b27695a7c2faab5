#!/bin/bash
# Has schemathesis ask the API of the central for what its two descriptions describe, and for what they do not: no
# server error, no other status, type or shape than is described, 405 with the methods that there are to every other
# method, nothing taken that the description rules out. It is installed into a virtual environment beside the build
# when it is missing.
#
# Usage: schemathesis.sh PATH-OF-CHECKPOST [postgresql]
# SECONDS_OF_TABLES and SECONDS_OF_REST say how long each is asked for (400 and 200).
set -euo pipefail
program=$(realpath "${1:?usage: schemathesis.sh PATH-OF-CHECKPOST [postgresql]}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
environment=$(realpath -m "$here/../../.build/schemathesis")
if ! "$environment/bin/python" -c 'import schemathesis' 2>/dev/null; then
  python3 -m venv "$environment" 2>/dev/null || {
    echo "schemathesis: python3 has no venv; apt-get install python3-venv" >&2
    exit 1
  }
  "$environment/bin/pip" install --quiet --disable-pip-version-check 'schemathesis>=4.32,<5'
fi
peer=schemathesis
kind=${2:-}
# shellcheck source=central.sh
source "$here/central.sh"
service_key=$(key service)

# All checks are made but these:
# - positive_data_acceptance: that all that is well formed is taken. Whether a row may be depends on other rows (a
#   passage that is not there is HTTP 400 with PostgREST, and so is a photograph with Supabase's storage).
# - object_level_authorization: it asks as several accounts that each own rows, and would have to be told which;
#   WirePolicyTests asks that of accounts and rows by chance, against the deployed policies.
# And of the phases "examples", as the descriptions have none.
cat >"$directory/schemathesis.toml" <<'END'
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 416, 422, 429]
[checks.positive_data_acceptance]
enabled = false
END

# ask SECONDS DESCRIPTION OPTIONS...
ask() {
  seconds=$1
  description=$2
  shift 2
  report=$directory/report$(tr / - <<<"$description").log
  (cd "$directory" && SCHEMATHESIS_HOOKS=$hooks \
    "$environment/bin/schemathesis" --config-file schemathesis.toml run "$url$description" \
    --header "apikey: $service_key" --phases coverage,fuzzing,stateful --checks all \
    --exclude-checks positive_data_acceptance,object_level_authorization --continue-on-failure \
    --max-time "$seconds" "$@" >"$report" 2>&1) || {
    cat "$report" >&2
    return 1
  }
  grep -E 'generated|No issues|Seed' "$report"
}
failures=0
hooks=$here/schemathesis_hooks.py
ask "${SECONDS_OF_TABLES:-400}" /rest/v1/ || failures=1
hooks=
# A stream of changes has no end, and is asked for elsewhere.
ask "${SECONDS_OF_REST:-200}" /openapi.json --url "$url" --exclude-path /events/v1 || failures=1
kill -0 "$service" || failures=1
if [[ $failures -ne 0 ]]; then exit 1; fi
echo "schemathesis: nothing was found in ${SECONDS_OF_TABLES:-400} s of tables and ${SECONDS_OF_REST:-200} s of the rest${kind:+ on $kind}"
