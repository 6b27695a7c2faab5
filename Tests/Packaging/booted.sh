#!/bin/bash
# The installed service under a systemd of its own; runs in the container that package.sh boots, as root.
# What is not so is said on standard output, and the last line is `proved` when all was.
set -euo pipefail
export LC_ALL=C.UTF-8

step=""
trap '[[ $? -eq 0 ]] || { echo "not so: $step"; systemctl status checkpost --no-pager -l -n 30; }' EXIT

# wait_for WHAT COMMAND...: until the command succeeds, for two minutes at most.
wait_for() {
  local end=$((SECONDS + 120))
  step=$1
  shift
  until "$@" >/dev/null 2>&1; do
    [[ $SECONDS -lt $end ]] || exit 1
    sleep 0.1
  done
}
show() { systemctl show --value -p "$1" "${2:-checkpost}"; }
is() { [[ $(show "$1") == "$2" ]]; }
answers() { checkpost status --json | grep -q '"running":true'; }

cat >/etc/checkpost/checkpost.yaml <<'Y'
roles: {node: true}
node: {checkpost: BNP-A, gateway: "+9779801234567"}
Y

step="systemctl start returns once the service serves"
systemctl enable --quiet checkpost
systemctl start checkpost
answers
echo "ready: $(show StatusText)"
step="its status is one line"
[[ -n $(show StatusText) && $(show StatusText | wc -l) -eq 1 ]]
step="it runs as its own user, who has no capability"
pid=$(show MainPID)
[[ $(stat -c %U "/proc/$pid") == checkpost ]]
grep -q '^CapBnd:.*\b0000000000000000$' "/proc/$pid/status"
step="of the kernel's files it may write none but those of devices, among which the reset of a modem is"
options() { awk -v place="$1" '$5 == place { last = $6 } END { print last }' "/proc/$pid/mountinfo"; }
[[ $(options /sys) == ro* && $(options /sys/devices) == rw* ]]
step="the file system is the system's, but for its own directories"
[[ $(options /) == ro* && $(options /var/lib/checkpost) == rw* ]]
step="it was started once"
[[ $(show NRestarts) -eq 0 ]]

step="a member of its group uses it"
useradd --groups checkpost ranger
recorded=$(runuser -u ranger -- checkpost record --plate "BA 1 PA 1234" --type car)
step="anybody else is told which right is missing"
useradd stranger
code=0
runuser -u stranger -- checkpost record --plate "BA 1 PA 1235" --type car 2>/tmp/said || code=$?
[[ $code -eq 77 && -s /tmp/said ]]

step="a member records while the service does not run, and the service takes it in"
systemctl stop checkpost
runuser -u ranger -- checkpost record --plate "BA 1 PA 1236" --type car 2>/tmp/kept >/tmp/kept.id
grep -q "is kept in /var/lib/checkpost/node.db.spool" /tmp/kept
systemctl start checkpost
taken() { runuser -u checkpost -- checkpost queue list --json | grep -q "$(cat /tmp/kept.id)"; }
wait_for "and the service takes it in" taken

step="systemctl reload returns once the settings are read again"
systemctl reload checkpost
journalctl -u checkpost --no-pager -o cat | grep -q "configuration read again"

step="what is killed is started again"
kill -KILL "$(show MainPID)"
mkdir -p /run/systemd/system/checkpost.service.d
printf '[Service]\nRestartSec=1s\nWatchdogSec=3s\n' >/run/systemd/system/checkpost.service.d/fast.conf
systemctl daemon-reload
wait_for "what is killed is started again" is NRestarts 1
wait_for "and serves" answers

# The next start knows of the watchdog's new time.
systemctl restart checkpost
step="a service that does what it shall is left alone"
end=$((SECONDS + 8))
while [[ $SECONDS -lt $end ]]; do
  [[ $(show NRestarts) -eq 0 ]]
  sleep 0.5
done
kill -STOP "$(show MainPID)"
wait_for "a service that hangs is killed by the watchdog and started again" is NRestarts 1
wait_for "and serves again" answers
journalctl -u checkpost --no-pager -o cat | grep -i "watchdog timeout"
step="what was recorded is still there"
runuser -u checkpost -- checkpost queue list --json | grep -q "$recorded"

step="a secret of the credentials' store reaches the service"
mkdir -p /etc/credstore
(umask 077 && echo 1234 >/etc/credstore/checkpost.modem.pin)
systemctl restart checkpost
[[ -s /run/credentials/checkpost.service/modem.pin ]]

step="central runs beside the post, as an instance of its own"
checkpost config init --instance north --role central >/dev/null
systemctl start checkpost@north
north() { checkpost status --json --instance north | grep -q '"running":true'; }
north
answers
step="a restart of one leaves the socket of the other"
systemctl restart checkpost
answers
north
systemctl restart checkpost@north
north
answers
step="each says whose answer it is"
checkpost status --json | grep -q 'checkpost.yaml"'
checkpost status --json --instance north | grep -q 'north.yaml"'
step="its HTTP server answers"
exec 3<>/dev/tcp/127.0.0.1/8080
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
head -n 1 <&3 | grep -q ' 200 '
exec 3>&-

step="an upgrade restarts both, with their sockets and what was recorded"
before="$(show MainPID) $(show MainPID checkpost@north)"
printf '\n# written by hand\n' >>/etc/checkpost/checkpost.yaml
dpkg --install /new.deb >/tmp/upgrade 2>&1
if grep -qi "configuration file" /tmp/upgrade; then exit 1; fi
grep -qx "# written by hand" /etc/checkpost/checkpost.yaml
renewed() { [[ $(show MainPID) != "${before% *}" && $(show MainPID checkpost@north) != "${before#* }" ]]; }
wait_for "an upgrade restarts both" renewed
wait_for "and the post serves" answers
wait_for "and central serves" north
step="what was recorded is still there after an upgrade"
runuser -u checkpost -- checkpost queue list --json | grep -q "$recorded"
systemctl stop checkpost@north

step="it ends when it is asked to"
systemctl stop checkpost
is ActiveState inactive
is Result success
echo proved
