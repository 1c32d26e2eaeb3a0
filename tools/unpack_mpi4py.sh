#!/bin/bash
# Unpacks mpi4py for the tests: for each interpreter once as its wheel is, which loads Open MPI
# when it is imported, and once linked with the distribution's MPICH, as a build from source
# would be. Needs no compiler and no root, and changes nothing outside its cache folder.
#
#   tools/unpack_mpi4py.sh VERSION=PYTHON...      such as 3.11=/usr/bin/python3
#
# Prints one line per interpreter to stdout: 3.11=FOLDER. FOLDER/openmpi and FOLDER/mpich are for
# PYTHONPATH. The cache folder is ${XDG_CACHE_HOME:-~/.cache}/pyrometer/mpi4py.
set -euo pipefail

release=4.1.2
mpich_library=libmpich.so.12  # what Debian calls libmpi.so.12, as it has more than one MPI

say() { printf 'unpack_mpi4py: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

(($#)) || fail "name the interpreters, such as 3.11=/usr/bin/python3."
for tool in patchelf flock; do
  command -v "$tool" >/dev/null || fail "needs $tool, which is not installed here."
done
cache=${XDG_CACHE_HOME:-${HOME:?is not set, so there is no cache folder}/.cache}/pyrometer/mpi4py
mkdir -p "$cache" || fail "cannot make the cache folder $cache."

# unpack PYTHON FOLDER
unpack() {
  local python=$1 folder=$2 module
  "$python" -m pip install -q --disable-pip-version-check --no-cache-dir --no-deps \
    --root-user-action=ignore --only-binary :all: --target "$folder/openmpi" "mpi4py==$release"
  cp -r "$folder/openmpi" "$folder/mpich"
  rm "$folder"/openmpi/mpi4py/MPI.mpich.*
  rm "$folder"/mpich/mpi4py/MPI.openmpi.*
  module=$(echo "$folder"/mpich/mpi4py/MPI.mpich.*.so)
  patchelf --replace-needed libmpi.so.12 "$mpich_library" "$module"
  mv "$module" "${module/MPI.mpich./MPI.}"  # a plain extension module: mpi4py chooses no library
}

exec 9>>"$cache/.lock"
flock 9
for entry in "$@"; do
  version=${entry%%=*} python=${entry#*=}
  [[ $version =~ ^3\.[0-9]+$ && -x $python ]] || fail "'$entry' is no VERSION=PYTHON."
  home=$cache/recipe1-$release-$(uname -m)-$version
  if [[ ! -e $home/complete ]]; then
    rm -rf "$home"
    # Not in a condition, where bash would ignore -e inside.
    set +e
    (set -e; unpack "$python" "$home") </dev/null >"$home.log" 2>&1 9>&-
    status=$?
    set -e
    if ((status)); then
      tail -n 15 "$home.log" >&2
      fail "cannot unpack mpi4py $release for Python $version; the whole log is $home.log."
    fi
    touch "$home/complete"
    rm -f "$home.log"
  fi
  echo "$version=$home"
done
