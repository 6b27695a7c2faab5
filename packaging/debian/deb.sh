#!/usr/bin/env bash
# Makes a Debian package of a program that is built: `make deb`.
#
#   deb.sh PROGRAM DIRECTORY    writes checkpost_VERSION_ARCHITECTURE.deb into DIRECTORY
#
# DEB_LEVEL is how hard xz tries (9). The architecture is the program's. The same commit and program make the same package, to the byte.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
program=$(realpath "${1:?usage: deb.sh PROGRAM DIRECTORY}")
output=$(realpath "${2:?usage: deb.sh PROGRAM DIRECTORY}")

stage=$(mktemp -d "${TMPDIR:-/tmp}/checkpost-deb.XXXXXX")
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"

case $(readelf -h "$program" | sed -n 's/ *Machine: *//p') in
  *X86-64*) architecture=amd64 ;;
  AArch64) architecture=arm64 ;;
  *)
    echo "checkpost: $program is for a machine that there is no package for" >&2
    exit 65
    ;;
esac

# Between two releases each commit is a version of its own, above the one before.
version=$(sed -n 's/.*current = "\([^"]*\)".*/\1/p' "$source/Sources/Host/Version.swift")
time=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null ||
  stat -c %Y "$source/CHANGELOG.md")}
export SOURCE_DATE_EPOCH=$time
if [[ -n "${DEB_VERSION:-}" ]]; then
  version=$DEB_VERSION
elif commit=$(git -C "$source" rev-parse --short=8 HEAD 2>/dev/null) &&
  ! git -C "$source" describe --exact-match --tags HEAD >/dev/null 2>&1; then
  version="$version+git$(date -u -d "@$time" +%Y%m%d.%H%M%S).$commit"
fi
version=$version-1

# Who built it: as Debian's own tools are told, or the author of the commit.
maintainer=${DEBFULLNAME:-}${DEBEMAIL:+ <$DEBEMAIL>}
[[ -n "${DEBEMAIL:-}" ]] ||
  maintainer=$(git -C "$source" log -1 --format='%an <%ae>' 2>/dev/null || echo "checkpost <root@localhost>")

DESTDIR=$stage PREFIX=/usr bash "$source/packaging/install.sh" "$program"

documentation=$stage/usr/share/doc/checkpost
install -m 644 "$here/copyright" "$documentation/copyright"
gzip -9nc "$source/CHANGELOG.md" >"$documentation/changelog.gz"
{
  printf 'checkpost (%s) unstable; urgency=medium\n\n  * See changelog.gz.\n\n' "$version"
  printf ' -- %s  %s\n' "$maintainer" "$(LC_ALL=C date -u -R -d "@$time")"
} | gzip -9nc >"$documentation/changelog.Debian.gz"
install -D -m 644 "$here/lintian-overrides" "$stage/usr/share/lintian/overrides/checkpost"
# The list of what is built in is for machines; the settings are for people to read.
gzip -9n "$documentation/checkpost.cdx.json"

# The packages that have the libraries. The least version of the C libraries is that of the newest
# symbol which the program takes from them.
newest() {
  readelf -VW "$program" | grep -oE "$1[0-9][0-9.]*" | sed "s/$1//" | sort -uV | tail -n 1
}
# The short form of relocations is a matter of the C library, too.
least=$(newest GLIBC_)
if readelf -VW "$program" | grep -q GLIBC_ABI_DT_RELR; then
  least=$(printf '%s\n2.36\n' "$least" | sort -V | tail -n 1)
fi
depends=()
while read -r library; do
  case $library in
    libsqlite3.so.0) depends+=("libsqlite3-0 (>= 3.35)") ;;
    libserialport.so.0) depends+=("libserialport0") ;;
    libc.so.6 | libm.so.6) depends+=("libc6 (>= $least)") ;;
    libstdc++.so.6) depends+=("libstdc++6 (>= 12)") ;;
    libgcc_s.so.1) depends+=("libgcc-s1") ;;
    ld-linux*) ;;
    *)
      echo "checkpost: nobody has told which package has $library; say so in packaging/debian/deb.sh" >&2
      exit 70
      ;;
  esac
done < <(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
list=$(printf '%s\n' "${depends[@]}" | sort -u | paste -sd, | sed 's/,/, /g')

mkdir "$stage/DEBIAN"
for script in postinst prerm postrm; do install -m 755 "$here/$script" "$stage/DEBIAN/$script"; done
(cd "$stage" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z |
  xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
size=$(du -sk --apparent-size --exclude=DEBIAN "$stage" | cut -f1)
sed -e "s|@VERSION@|$version|; s|@ARCHITECTURE@|$architecture|; s|@DEPENDS@|$list|" \
  -e "s|@SIZE@|$size|; s|@MAINTAINER@|$maintainer|" "$here/control.in" >"$stage/DEBIAN/control"
find "$stage" -depth -exec touch --no-dereference --date "@$time" {} +

package=$output/checkpost_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz "-z${DEB_LEVEL:-9}" --build "$stage" "$package" >/dev/null
echo "$package"
