#!/bin/bash
# Has the clients of Supabase for Python, supabase and postgrest, work against the API of the central: sign in,
# read with nesting, put in, merge, change, page, photographs, functions, refusals. They are installed into a
# virtual environment beside the build when they are missing.
#
# Usage: supabase.sh PATH-OF-CHECKPOST [postgresql]
set -euo pipefail
program=$(realpath "${1:?usage: supabase.sh PATH-OF-CHECKPOST [postgresql]}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
environment=$(realpath -m "$here/../../.build/supabase-clients")
if ! "$environment/bin/python" -c 'import supabase, postgrest' 2>/dev/null; then
  python3 -m venv "$environment" 2>/dev/null || {
    echo "supabase: python3 has no venv; apt-get install python3-venv" >&2
    exit 1
  }
  "$environment/bin/pip" install --quiet --disable-pip-version-check 'supabase>=2,<3'
fi

peer=supabase
kind=${2:-}
# shellcheck source=central.sh
source "$here/central.sh"
"$environment/bin/python" "$here/supabase_clients.py" "$url" "$(key anon)"
