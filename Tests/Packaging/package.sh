#!/bin/bash
# The package in a bare Debian, from nothing to nothing: it is installed, replaced by a newer version,
# removed and purged, and at each step what is there has to be right and what was recorded still there.
#
# Usage: package.sh PROGRAM       with `--chroot DIRECTORY`, a bare Debian that is there already is copied
#                                 instead of one that debootstrap makes
set -euo pipefail

bare=""
if [[ "${1:-}" == --chroot ]]; then
  bare=$2
  shift 2
fi
program=$(realpath "${1:?usage: package.sh [--chroot DIRECTORY] PROGRAM}")
here=$(cd "$(dirname "$0")" && pwd)
export PATH=$PATH:/usr/sbin:/sbin
# What is only tested need not be small.
export DEB_LEVEL=1

if [[ $(id -u) -ne 0 ]]; then
  echo "skipped: a Debian of its own needs root; sudo bash Tests/Packaging/package.sh $program" >&2
  exit 0
fi
if [[ "${CHECKPOST_OWN_NAMESPACE:-}" != yes ]]; then
  exec env CHECKPOST_OWN_NAMESPACE=yes unshare --mount --pid --mount-proc --fork --kill-child \
    bash "$0" ${bare:+--chroot "$bare"} "$program"
fi

directory=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-package.XXXXXX")
debian=$directory/debian
mount_system() {
  mount -t proc proc "$debian/proc"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$debian/dev/pts"
}
umount_system() { umount "$debian/dev/pts" "$debian/proc"; }
finish() {
  status=$?
  trap - EXIT
  umount_system 2>/dev/null || true
  [[ $status -eq 0 ]] || echo "package: FAILED at: $step" >&2
  rm -rf --one-file-system "$directory"
  exit "$status"
}
step="making the packages"
trap finish EXIT

# must WHAT COMMAND...: the command succeeds. inside COMMAND...: in the Debian.
must() {
  local what=$1
  shift
  "$@" >"$directory/out" 2>&1 || {
    echo "package: not so: $what" >&2
    tail -n 40 "$directory/out" >&2
    exit 1
  }
}
inside() { chroot "$debian" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# Names of users are those of the Debian.
mode() { [[ $(inside stat -c '%a %U:%G' "$1") == "$2" ]]; }
owner() { [[ $(inside stat -c '%U:%G' "$1") == "$2" ]]; }
as_service() { inside setpriv --reuid checkpost --regid checkpost --init-groups "$@"; }
# A container's systemd wants a hierarchy of control groups of its own.
boots() {
  command -v systemd-nspawn >/dev/null || return 1
  [[ -e /sys/fs/cgroup/cgroup.controllers || -d /run/systemd/system ]] && return 0
  mkdir -p /sys/fs/cgroup/systemd
  mountpoint -q /sys/fs/cgroup/systemd ||
    mount -t cgroup -o none,name=systemd systemd /sys/fs/cgroup/systemd
}
has_passage() { as_service checkpost queue list --json | grep -q "${recorded:?}"; }
gone() { ! [[ -e $debian$1 ]]; }

mkdir "$directory/old" "$directory/new"
must "an older package is made" env DEB_VERSION=0.0.1 bash "$here/../../packaging/debian/deb.sh" \
  "$program" "$directory/old"
must "the package is made" env DEB_VERSION=0.0.2 bash "$here/../../packaging/debian/deb.sh" \
  "$program" "$directory/new"
must "the same is made twice, to the byte" bash -c '
  mkdir "$1/again" && DEB_VERSION=0.0.2 bash "$2" "$3" "$1/again" && cmp "$1"/again/*.deb "$1"/new/*.deb' \
  _ "$directory" "$here/../../packaging/debian/deb.sh" "$program"
if command -v lintian >/dev/null; then
  must "lintian finds no error" lintian --allow-root --fail-on error "$directory"/new/*.deb
else
  echo "package: lintian is not installed; its checks are left out" >&2
fi

step="making a bare Debian"
if [[ -n "$bare" ]]; then
  cp -a --reflink=auto "$bare" "$debian"
else
  must "debootstrap makes a Debian" debootstrap --variant=minbase \
    "$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")" "$debian"
fi
mount_system
cp /etc/resolv.conf "$debian/etc/resolv.conf" 2>/dev/null || true
printf '#!/bin/sh\nexit 101\n' >"$debian/usr/sbin/policy-rc.d"
chmod +x "$debian/usr/sbin/policy-rc.d"
cp "$directory"/old/*.deb "$debian/old.deb"
cp "$directory"/new/*.deb "$debian/new.deb"
must "the lists of packages come" inside apt-get update -qq

step="installing"
must "it installs with all that it needs" inside apt-get install -y -qq --no-install-recommends /old.deb
must "it runs" inside checkpost --version
must "its user is in the group of the ports" inside sh -c 'id -nG checkpost | grep -qw dialout'
must "its user has no shell" inside sh -c 'getent passwd checkpost | grep -q nologin'
for place in /var/lib/checkpost /var/log/checkpost; do
  must "$place is the service's" mode $place "750 checkpost:checkpost"
done
must "the directory of the settings is there" mode /etc/checkpost "755 root:root"
must "it has no settings of its own, that an upgrade would ask about" bash -c '
  ! test -e "$1/etc/checkpost/checkpost.yaml" && [[ -z $(chroot "$1" dpkg-query -W -f "\${Conffiles}" checkpost) ]]' \
  _ "$debian"
must "that nothing is set up is said, with what to do" inside bash -c '
  for command in "run" "run --config /etc/checkpost/checkpost.yaml"; do
    out=$(checkpost $command 2>&1); [[ $? -eq 78 && $out == *"sudo checkpost config init"* ]] || exit 1
  done'
for path in /usr/lib/systemd/system/checkpost.service /usr/lib/systemd/system/checkpost@.service \
  /usr/lib/udev/rules.d/60-checkpost-modem.rules /usr/share/man/man1/checkpost.1.gz \
  /usr/share/man/man5/checkpost.yaml.5.gz /usr/share/man/man7/checkpost-reference.7.gz \
  /usr/share/bash-completion/completions/checkpost /usr/share/zsh/vendor-completions/_checkpost \
  /usr/share/fish/vendor_completions.d/checkpost.fish /usr/share/doc/checkpost/copyright; do
  must "$path is there" test -s "$debian$path"
done
must "the program is stripped" bash -c '! readelf -S "$1" | grep -q debug_info' _ "$debian/usr/bin/checkpost"
# 34 MB of ICU's data would be in it, if Swift came with another ICU: Sources/CLinux/NoLocaleData.c.
must "it is below 70 MB" bash -c '[[ $(stat -c %s "$1") -lt 70000000 ]]' _ "$debian/usr/bin/checkpost"
must "the whole story runs in it" inside checkpost demo
must "nothing of the machine that built it is in it" bash -c '! dpkg-deb -c "$1" | grep -qE " \./(home|root|work|tmp)/"' _ "$debian/old.deb"

step="recording"
must "the settings are written" inside checkpost config init --role node \
  --post BNP-A --gateway +9779801234567 --modem auto
must "the settings are right" inside checkpost config check
recorded=$(as_service checkpost record --plate "BA 1 PA 1234" --type car)
must "it is in the queue" has_passage

step="upgrading"
must "the newer one replaces it without a question" inside apt-get install -y -qq /new.deb
must "it is the newer one" inside sh -c 'dpkg-query -W checkpost | grep -q 0.0.2'
must "the settings are as they were written" grep -q BNP-A "$debian/etc/checkpost/checkpost.yaml"
must "the passage is still there" has_passage

step="running under systemd"
cp "$here/booted.sh" "$debian/booted.sh"
cat >"$debian/etc/systemd/system/prove.service" <<'U'
[Unit]
After=multi-user.target
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/bin/bash /booted.sh
StandardOutput=file:/proved
StandardError=file:/proved
U
# Where a container cannot be booted, as in most containers, this part is left out and said to be.
if boots; then
  umount_system
  SYSTEMD_NSPAWN_API_VFS_WRITABLE=yes timeout 600 systemd-nspawn --quiet --register=no --keep-unit --boot --directory "$debian" \
    --private-network -- systemd.unit=prove.service </dev/null >"$directory/console" 2>&1 || true
  mount_system
  grep -qx proved "$debian/proved" || {
    cat "$debian/proved" >&2 || tail -n 20 "$directory/console" >&2
    exit 1
  }
  echo "package: $(sed -n 's/^ready: //p' "$debian/proved")"
  echo "package: systemd started, reloaded, watched and ended it"
  rm -rf "$debian"/{booted.sh,proved,etc/systemd/system/prove.service,etc/credstore,etc/checkpost/north.yaml}
  rm -rf "$debian"/var/{lib,log}/checkpost/north "$debian/run/systemd/system/checkpost.service.d"
else
  echo "package: no container can be booted here; what systemd does with the service is not tested" >&2
fi

step="removing"
must "it is removed" inside apt-get remove -y -qq checkpost
must "the program is gone" gone /usr/bin/checkpost
must "the unit is gone" gone /usr/lib/systemd/system/checkpost.service
must "the settings stay" test -e "$debian/etc/checkpost/checkpost.yaml"
must "the data stays" test -s "$debian/var/lib/checkpost/node.db"
must "it is installed again" inside apt-get install -y -qq /new.deb
must "and finds what was recorded" has_passage

step="purging"
must "it is purged" inside apt-get purge -y -qq checkpost
must "the settings are gone" gone /etc/checkpost
must "the data stays, the service's as before" owner /var/lib/checkpost/node.db checkpost:checkpost
must "nothing else of it is left" bash -c '
  left=$(find "$1" -xdev -path "$1/proc" -prune -o -name "*checkpost*" -print |
    grep -vE "^$1/(var/(lib|log|cache)/|old.deb|new.deb)" || true)
  [[ -z "$left" ]] || { echo "$left"; exit 1; }' _ "$debian"
echo "package: installed, upgraded, removed and purged; $(stat -c %s "$debian/new.deb") bytes"
