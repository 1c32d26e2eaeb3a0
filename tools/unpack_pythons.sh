#!/bin/bash
# Unpacks newer CPythons from the distribution's newer suites, each with its own C library,
# so that the tests run them beside the system's Python. Needs no root and changes nothing
# outside its cache folder.
#
#   tools/unpack_pythons.sh [VERSION...]      (3.13 3.14 3.15 unless told)
#
# Prints one line per interpreter to stdout: 3.13=/path/to/python. To get newer builds of
# the same versions, delete the cache folder: ${XDG_CACHE_HOME:-~/.cache}/pyrometer/pythons.
set -euo pipefail

# The newest suite has all of them today; the stable one keeps 3.13 once the newest drops it.
suites=(trixie sid)
# In every interpreter: the C++ library that the code under test is linked with, and pip.
companions=(libstdc++6 python3-pip-whl)

say() { printf 'unpack_pythons: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

versions=("$@")
((${#versions[@]})) || versions=(3.13 3.14 3.15)
for version in "${versions[@]}"; do
  [[ $version =~ ^3\.[0-9]+$ ]] || fail "'$version' is not a Python version such as 3.13."
done
for tool in apt-get dpkg patchelf flock; do
  command -v "$tool" >/dev/null || fail "needs $tool, which is not installed here."
done

cache=${XDG_CACHE_HOME:-${HOME:?is not set, so there is no cache folder}/.cache}/pyrometer/pythons
mkdir -p "$cache" || fail "cannot make the cache folder $cache."
cache=${XDG_CACHE_HOME:-${HOME:?is not set, so there is no cache folder}/.cache}/pyrometer/pythons
# An unpacked interpreter knows its own path, so it is built in place, under a lock, and
# counts only once its folder holds the file `complete`. A new recipe gets a new folder.
home=$cache/recipe1-$(dpkg --print-architecture)-$(IFS=-; echo "${versions[*]}")
log=$home.log

print_interpreters() {
  local version
  for version in "${versions[@]}"; do echo "$version=$home/venv$version/bin/python"; done
}

# The archive that serves the release this machine runs also serves the newer suites.
archive() {
  local release
  # shellcheck disable=SC1091  # the machine's, not ours
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  # shellcheck disable=SC2016  # apt expands $(REPO_URI), not the shell
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $release" \
    'Component: main' | head -n 1
}

# Apt resolves, downloads and verifies, as it does for the system, but in folders of our own
# and as if nothing were installed.
private_apt() {
  apt-get -q -y \
    -o Dir::State="$home/apt" -o Dir::State::status="$home/apt/status" \
    -o Dir::Cache="$home/apt" -o Dir::Cache::archives="$home/apt/archives" \
    -o Dir::Etc::SourceList="$home/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
    -o Acquire::Languages=none -o Acquire::PDiffs=false -o Acquire::Retries=3 \
    -o Acquire::Check-Valid-Until=false -o APT::Install-Recommends=false \
    -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=true "$@"
}

download() {
  local uri suite
  uri=$(archive)
  [[ -n $uri ]] || { echo "apt's configuration names no archive for this release."; return 1; }
  mkdir -p "$home/apt/lists/partial" "$home/apt/archives/partial"
  : >"$home/apt/status"
  for suite in "${suites[@]}"; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg target=Packages]" \
      "$uri $suite main"
  done >"$home/apt/sources.list"
  private_apt update &&
    private_apt install --download-only "${companions[@]}" "${versions[@]/#/python}"
}

unpack() {
  local package version libraries loader wheel
  for package in "$home"/apt/archives/*.deb; do dpkg-deb -x "$package" "$home"; done
  libraries=$(dirname "$(find "$home/usr/lib" "$home/lib" -name libc.so.6 2>/dev/null | head -n 1)")
  rm -rf "$home/apt" "$libraries/gconv" "$home"/usr/share/{doc,man,lintian,locale}
  wheel=$(echo "$home"/usr/share/python-wheels/pip-*.whl)
  for version in "${versions[@]}"; do
    local python=$home/usr/bin/python$version
    loader=$libraries/$(basename "$(patchelf --print-interpreter "$python")")
    # RPATH rather than RUNPATH: it also serves the libraries that modules ask for.
    patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$libraries" "$python"
    # A virtual environment keeps the system's modules out and lets a test install its own.
    "$python" -m venv --without-pip "$home/venv$version"
    "$home/venv$version/bin/python" "$wheel/pip" install -q --no-index "$wheel"
  done
}

exec 9>>"$cache/.lock"
flock 9
if [[ ! -e $home/complete ]]; then
  say "unpacking CPython ${versions[*]} (about half a minute, once)..."
  rm -rf "$home"
  for stage in download unpack; do
    # Not in a condition, where bash would ignore -e inside the stage.
    set +e
    (set -e; "$stage") </dev/null >>"$log" 2>&1 9>&-
    status=$?
    set -e
    if ((status)); then
      tail -n 15 "$log" >&2
      fail "cannot $stage CPython ${versions[*]}; the whole log is $log."
    fi
  done
  touch "$home/complete"
  rm -f "$log"
fi
print_interpreters
