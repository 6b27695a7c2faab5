#!/bin/bash
# The configurations for Caddy and nginx that we ship, with Debian's Caddy and nginx in front of a centre: a
# provider's texts, whose they are, and what comes of those who send too much, too slowly or too often.
# Each proxy runs in a directory of its own at ports that are free, once before a port and once before a
# socket; only names, ports, certificates and places of logs are other ones, and Caddy's time for a
# photograph, which would be waited for here.
#
# Usage: proxies.sh PATH-OF-CHECKPOST
#
# A proxy that is not installed is looked for below .build/proxies, where `make` unpacks it.
set -euo pipefail
program=$(realpath "${1:?usage: proxies.sh PATH-OF-CHECKPOST}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
examples=$source/packaging/examples
PATH=$PATH:/usr/sbin:$source/.build/proxies/usr/bin:$source/.build/proxies/usr/sbin
for tool in caddy nginx curl openssl python3; do
  command -v "$tool" >/dev/null || {
    echo "proxies: $tool is not installed; apt-get install $tool" >&2
    exit 1
  }
done

directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-proxies.XXXXXX")
chmod 755 "$directory"
name=centre.example.org
hook=/functions/v1/sms-webhook
proxy=""
centre=""
crowd=""
# They need no rights, and get none.
as_nobody=()
socket_group=null
mkdir "$directory/proxy" "$directory/run"
if [[ $(id -u) -eq 0 ]]; then
  as_nobody=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)
  socket_group=nogroup
  chown nobody:nogroup "$directory/proxy"
fi

stop() {
  [[ -z $1 ]] || { kill "$1" && wait "$1"; } 2>/dev/null || true
}

finish() {
  status=$?
  trap - EXIT INT TERM
  stop "$crowd"
  stop "$proxy"
  stop "$centre"
  if [[ $status -ne 0 ]]; then
    echo "proxies: FAILED; what it left is in $directory" >&2
    tail -n 4 "$directory"/*.log "$directory"/proxy/*.log >&2 2>/dev/null || true
  else
    rm -rf --one-file-system "$directory"
  fi
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
  echo "proxies: $kind before a $way: $*" >&2
  exit 1
}
kind=none
way=none

# is WHAT FOUND WANTED...: fails unless it is one of those.
is() {
  local what=$1 found=$2 wanted
  shift 2
  for wanted in "$@"; do [[ $found != "$wanted" ]] || return 0; done
  fail "$what: $found in place of $*"
}

# wait_for WHAT COMMAND...: until it succeeds, for half a minute.
wait_for() {
  local what=$1
  shift
  for _ in {1..300}; do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.1
  done
  fail "no $what within half a minute"
}

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$name" \
  -addext "subjectAltName=DNS:$name" -keyout "$directory/key.pem" -out "$directory/cert.pem" 2>/dev/null
chmod 644 "$directory/key.pem"
token=0123456789abcdef0123456789abcdef
echo "$token" >"$directory/token"
chmod 600 "$directory/token"
read -r port tls plain < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(3)]
for one in sockets: one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in sockets])')
url=https://$name$hook

start_centre() {
  "$program" run --config "$directory/centre.yaml" >"$directory/centre.log" 2>&1 </dev/null &
  centre=$!
  wait_for "centre" is_up
}
is_up() {
  kill -0 "$centre" || return 1
  if [[ $way == port ]]; then
    curl -sf -m 2 "http://127.0.0.1:$port/healthz"
  else
    curl -sf -m 2 --unix-socket "$directory/run/http.sock" http://centre/healthz
  fi
}

# ask ADDRESS OPTIONS... PATH: a request from that address of this machine, over TLS; its status.
ask() {
  local from=$1
  shift
  local path=${*: -1}
  set -- "${@:1:$#-1}"
  curl -s -m 20 -o "$directory/answer" -D "$directory/head" -w '%{http_code}' --interface "$from" \
    --cacert "$directory/cert.pem" --resolve "$name:$tls:127.0.0.1" "$@" "https://$name:$tls$path" || true
}

# sign BODY: the provider's signature of a form, made by nothing of ours.
sign() {
  python3 -c '
import base64, hashlib, hmac, sys, urllib.parse
form = sorted(set(urllib.parse.parse_qsl(sys.argv[3], keep_blank_values=True)))
data = sys.argv[2] + "".join(name + value for name, value in form)
print(base64.b64encode(hmac.new(sys.argv[1].encode(), data.encode(), hashlib.sha1).digest()).decode())' \
    "$token" "$url" "$1"
}

number=0
# form BODY: a text as the provider sends it, its body as it stands in the form; each is another one.
form() {
  number=$((number + 1))
  printf 'MessageSid=SM%032x&AccountSid=AC%032x&From=%%2B9779801234567&To=%%2B15005550006&NumMedia=0&FromCity=&Body=%s' \
    "$number" 1 "$1"
}

# text ADDRESS FORM SIGNATURE OPTIONS...: hands a text in; the status.
text() {
  local from=$1 content=$2 signature=$3
  shift 3
  ask "$from" -H "X-Twilio-Signature: $signature" --data-binary "$content" "$@" "$hook"
}


start_caddy() {
  sed -e "s|^centre.example.org {|$name {\n\ttls $directory/cert.pem $directory/key.pem|" \
    -e "s|/var/log/caddy/|$directory/proxy/|; s|127.0.0.1:8080|$upstream|; s|read_body 60s|read_body 6s|" \
    -e "0,/^{/s|^{|{\n\tadmin off\n\thttp_port $plain\n\thttps_port $tls\n\tdefault_bind 127.0.0.1|" \
    "$examples/Caddyfile" >"$directory/Caddyfile"
  HOME=$directory/proxy XDG_DATA_HOME=$directory/proxy XDG_CONFIG_HOME=$directory/proxy "${as_nobody[@]}" \
    caddy run --adapter caddyfile --config "$directory/Caddyfile" >"$directory/caddy.log" 2>&1 </dev/null &
  proxy=$!
}

start_nginx() {
  sed -e "/listen \[::\]/d; s|listen 80;|listen 127.0.0.1:$plain;|" \
    -e "s|listen 443 ssl http2;|listen 127.0.0.1:$tls ssl http2;|" \
    -e "s|/etc/letsencrypt/live/centre.example.org/fullchain.pem|$directory/cert.pem|" \
    -e "s|/etc/letsencrypt/live/centre.example.org/privkey.pem|$directory/key.pem|" \
    -e "s|/var/log/nginx/|$directory/proxy/|; s|server 127.0.0.1:8080|server $upstream|" \
    "$examples/nginx.conf" >"$directory/site.conf"
  cat >"$directory/nginx.conf" <<CONFIGURATION
daemon off;
worker_processes 1;
pid $directory/proxy/nginx.pid;
error_log $directory/proxy/nginx.log warn;
events { worker_connections 1024; }
http {
  client_body_temp_path $directory/proxy/body;
  proxy_temp_path $directory/proxy/proxied;
  fastcgi_temp_path $directory/proxy/fastcgi;
  uwsgi_temp_path $directory/proxy/uwsgi;
  scgi_temp_path $directory/proxy/scgi;
  include $directory/site.conf;
}
CONFIGURATION
  "${as_nobody[@]}" nginx -e "$directory/proxy/nginx.log" -c "$directory/nginx.conf" \
    >"$directory/nginx.out.log" 2>&1 </dev/null &
  proxy=$!
}

is_proxied() {
  kill -0 "$proxy" || return 1
  [[ $(ask 127.0.0.2 /healthz) == 200 ]]
}

# What anybody sees: TLS and HTTP/2 outside, and headers that keep browsers off.
looks_right() {
  is "HTTP/2" "$(ask 127.0.0.2 --http2 /healthz)" 200
  grep -qi '^HTTP/2 200' "$directory/head" || fail "no HTTP/2 outside"
  grep -qi '^strict-transport-security: max-age=' "$directory/head" || fail "browsers are not kept to TLS"
  grep -qi '^x-content-type-options: nosniff' "$directory/head" || fail "a header of ours is missing"
  is "HTTP/1.1" "$(ask 127.0.0.2 --http1.1 /healthz)" 200
  is "a path that there is not" "$(ask 127.0.0.2 /nothing)" 404
  is "without TLS" "$(curl -s -m 20 -o "$directory/answer" -w '%{http_code}' -H 'apikey: shown' \
    --resolve "$name:$plain:127.0.0.1" "http://$name:$plain/rest/v1/vehicle_passages")" 403
  # A key over TLS is looked at, and without it is not.
  ask 127.0.0.2 -H 'apikey: shown' /rest/v1/vehicle_passages >"$directory/status"
  ! grep -q tls_required "$directory/answer" || fail "a key over TLS counts as one without"
  # The log has who and what, and nothing that is secret.
  is "a key in the URL" "$(ask 127.0.0.2 "/nothing?apikey=shownhere&plate=BA1PA1234")" 404
  wait_for "line in the log of who asked" grep -q '127\.0\.0\.2.*/nothing' "$directory/proxy/checkpost.log"
  keeps_secrets
}

keeps_secrets() {
  ! grep -qE 'shown|BA1PA1234' "$directory"/proxy/*.log "$directory"/*.log ||
    fail "a key or a plate stands in a log"
}

# A provider's texts arrive as they were signed, whatever is in them, and others do not.
takes_texts() {
  local body content signature option
  for body in 'V1%7CBNP-A%7CBA1PA1234%7CCAR%7C1709123456%7C4567' 'plus+and%2Band%20space+' '%C2%A1%E0%A4%A8%F0%9F%9A%97' \
    'a%00b%0D%0Ac%26d%3De%25' '%2f%2F..%2F;~*!()' ''; do
    content=$(form "$body")
    signature=$(sign "$content")
    for option in --http1.1 --http2; do
      is "the text $body" "$(text 127.0.0.2 "$content" "$signature" "$option")" 200
    done
    is "the text $body altered" "$(text 127.0.0.2 "${content}x" "$signature")" 403
  done
  content=$(form 'in+chunks')
  is "a text in chunks" "$(text 127.0.0.2 "$content" "$(sign "$content")" --http1.1 -H 'Transfer-Encoding: chunked')" 200
  is "a text that waits for leave" "$(text 127.0.0.2 "$content" "$(sign "$content")" --http1.1 -H 'Expect: 100-continue')" 200
}

# The address that counts is the client's, whatever the client says.
knows_the_client() {
  local content
  content=$(form x)
  is "a wrong signature" "$(text 127.0.0.3 "$content" wrong -H 'X-Forwarded-For: 198.51.100.66' \
    -H 'Forwarded: for=198.51.100.66;proto=https' -H 'X-Real-IP: 198.51.100.66' -H 'X-Forwarded-Proto: https')" 403
  wait_for "the client's address in the centre's log" grep -q '403 to 127\.0\.0\.3' "$directory/events.jsonl"
  ! grep -q '198\.51\.100\.66' "$directory/events.jsonl" || fail "the address that the client made up is believed"
  ! grep -qE '403 to (127\.0\.0\.1|this machine)' "$directory/events.jsonl" || fail "the proxy's address is taken for the client's"
  # Too many of them are not even read, from there alone.
  for _ in {1..9}; do is "a wrong signature" "$(text 127.0.0.3 "$content" wrong)" 403; done
  is "one wrong signature too many" "$(text 127.0.0.3 "$content" wrong)" 429
  grep -qi '^retry-after: [1-9]' "$directory/head" || fail "429 does not say when to try again"
  is "a text from elsewhere" "$(text 127.0.0.2 "$content" "$(sign "$content")")" 200
}

# What is too large is answered, and all goes on.
bounds_sizes() {
  local content
  content=$(form "$(head -c 20000 /dev/zero | tr '\0' x)")
  is "a text of 20 KB" "$(text 127.0.0.2 "$content" "$(sign "$content")")" 413
  head -c 4000000 /dev/zero >"$directory/large"
  is "4 MB to the webhook" "$(ask 127.0.0.2 --http1.1 --data-binary "@$directory/large" "$hook")" 413
  is "4 MB elsewhere" "$(ask 127.0.0.2 --http1.1 --data-binary "@$directory/large" /nothing)" 413
  # In HTTP/2 a proxy may end the connection in place of an answer.
  is "20 KB of headers" "$(ask 127.0.0.2 --http1.1 -H "X-Large: $(head -c 20000 /dev/zero | tr '\0' x)" /healthz)" 400 431
  is "20 KB of headers" "$(ask 127.0.0.2 --http2 -H "X-Large: $(head -c 20000 /dev/zero | tr '\0' x)" /healthz)" 400 431 000
  is "200 headers" "$(seq -f 'X-%g: y' 200 >"$directory/headers"; ask 127.0.0.2 -H "@$directory/headers" /healthz)" 400 431 502
  is "what comes after it" "$(ask 127.0.0.2 /healthz)" 200
}

# Hundreds of bodies that stop halfway keep nobody out, and end.
bounds_crowds() {
  local content
  python3 - "$tls" "$name" "$hook" >"$directory/crowd" 2>"$directory/crowd.log" <<'CROWD' &
import select, socket, ssl, sys, time
port, name, hook = int(sys.argv[1]), sys.argv[2], sys.argv[3]
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
open_ = []
for _ in range(300):
    try:
        raw = socket.create_connection(("127.0.0.1", port), 5, source_address=("127.0.0.4", 0))
        one = context.wrap_socket(raw, server_hostname=name)
        one.sendall(f"POST {hook} HTTP/1.1\r\nHost: {name}\r\nContent-Length: 1000\r\n"
                    "Content-Type: application/x-www-form-urlencoded\r\n\r\nBody=".encode())
        open_.append(one)
    except OSError:
        pass
print("open", len(open_), flush=True)
# Each is answered, or closed.
end = time.monotonic() + 25
waiting = {}
for one in open_:
    one.setblocking(False)
    waiting[one.fileno()] = one
while waiting and time.monotonic() < end:
    for number in select.select(list(waiting), [], [], 1)[0]:
        try:
            waiting[number].recv(4096)
        except ssl.SSLWantReadError:
            continue
        except OSError:
            pass
        waiting.pop(number)
print("left", len(waiting), flush=True)
CROWD
  crowd=$!
  wait_for "crowd" grep -q open "$directory/crowd"
  content=$(form 'beside+a+crowd')
  for _ in 1 2 3; do is "a text beside a crowd" "$(text 127.0.0.2 "$content" "$(sign "$content")")" 200; done
  wait "$crowd" || fail "$(cat "$directory/crowd.log")"
  crowd=""
  is "bodies that never end" "$(sed -n 's/left //p' "$directory/crowd")" 0
}

# The centre ends and comes back behind a proxy that stays.
comes_back() {
  local content=$1
  kill "$2" "$centre"
  wait "$centre" 2>/dev/null || true
  is "while the centre is away" "$(ask 127.0.0.2 -H 'apikey: shown' '/healthz?plate=BA1PA1234')" 502 503 504
  keeps_secrets
  if [[ $way == socket ]]; then
    if [[ $2 == -TERM ]]; then
      [[ ! -e $directory/run/http.sock ]] || fail "the socket of a centre that ended is still there"
    else
      [[ -S $directory/run/http.sock ]] || fail "there is nothing to take over"
    fi
  fi
  start_centre
  is "once it is back" "$(text 127.0.0.2 "$content" "$(sign "$content")")" 200
}

for way in port socket; do
  if [[ $way == port ]]; then
    place="address: 127.0.0.1, port: $port"
    upstream=127.0.0.1:$port
  else
    place="socket: $directory/run/http.sock, socket_group: $socket_group"
  fi
  cat >"$directory/centre.yaml" <<CONFIGURATION
roles: {central: true}
central:
  database: $directory/run/central.db
  http: {$place}
  twilio: {public_urls: ["$url"], auth_token_files: ["$directory/token"]}
  ingress: {mode: open}
log: {file: $directory/events.jsonl, format: off, mask_key_file: null}
control: {socket: $directory/run/control.sock}
CONFIGURATION
  for kind in caddy nginx; do
    rm -f "$directory/events.jsonl" "$directory"/run/central.db* "$directory"/proxy/checkpost.log
    [[ $way == port ]] || upstream=unix:$directory/run/http.sock
    [[ $way/$kind != socket/caddy ]] || upstream=unix/$directory/run/http.sock
    start_centre
    "start_$kind"
    wait_for "proxy" is_proxied
    looks_right
    takes_texts
    knows_the_client
    bounds_sizes
    [[ $way != port ]] || bounds_crowds
    if [[ $way == socket ]]; then
      is "the socket's rights" "$(stat -c %a "$directory/run/http.sock")" 660
      # Where one listens, another one does not.
      sed "s|run/central.db|run/other.db|; s|run/control.sock|run/other.sock|" "$directory/centre.yaml" >"$directory/other.yaml"
      other=0
      "$program" run --config "$directory/other.yaml" >"$directory/other.log" 2>&1 </dev/null || other=$?
      is "a second centre at the socket" "$other" 75
      is "the first one" "$(ask 127.0.0.2 /healthz)" 200
    fi
    comes_back "$(form again)" -TERM
    comes_back "$(form again)" -KILL
    stop "$proxy"
    proxy=""
    stop "$centre"
    centre=""
    echo "proxies: $kind before a $way passes texts as they were signed, and the client's address"
  done
done
