# Set-up shared by ./pyrometer and ./test, which source this file after setting `root` to the
# checkout. Everything here writes to stderr or to a log, never to stdout, and reads no input.
# shellcheck shell=bash

: "${root:?tools/setup.sh is sourced by ./pyrometer and ./test}"

build_packages=(
  g++ cmake ninja-build python3 python3-dev python3-venv
  libboost1.81-dev libcli11-dev libexpected-dev libfmt-dev libprotozero-dev libsqlite3-dev
  libxxhash-dev libzstd-dev nlohmann-json3-dev zlib1g-dev
)
# shellcheck disable=SC2034  # for ./test
test_packages=(
  "${build_packages[@]}" ccache chromium clang-16 clang-format-16 clang-tidy-16 fish gfortran
  graphviz libbenchmark-dev libclang-rt-16-dev libgtest-dev libjemalloc2 libmpich-dev
  libopenmpi-dev librsvg2-bin mpich openmpi-bin patchelf python3-mpi4py python3-pip shellcheck
  valgrind zsh
)
# shellcheck disable=SC2034  # for ./test --all
long_test_packages=(munge slurm-client slurmctld slurmd)

# What the release build is made from; the folders themselves count, so that a removed file
# is noticed as well.
build_inputs=(
  "$root/CMakeLists.txt" "$root/CMakePresets.json" "$root/cmake" "$root/src" "$root/view/bundle"
)

executable=$root/build/release/bin/pyrometer
release_stamp=$root/build/release/.pyrometer-current

log_lines=25  # how much of a failed command's log is shown
launcher=()   # goes before a build and what it runs

say() { printf 'pyrometer: %s\n' "$*" >&2; }

# run_logged NAME COMMAND...: the command's output goes to build/logs/NAME.log and is shown
# only when the command fails.
run_logged() {
  local name=$1 log=$root/build/logs/$1.log
  shift
  mkdir -p "$root/build/logs"
  "$@" </dev/null >"$log" 2>&1 && return
  tail -n "$log_lines" "$log" >&2
  say "$name failed; the whole log is $log."
  return 1
}

# locked COMMAND...: one at a time per checkout. In a shell of its own, so that no later
# command inherits the lock, and from the checkout, where CMake looks for its presets.
locked() {
  mkdir -p "$root/build" 2>/dev/null || { say "cannot write to $root/build."; return 1; }
  (
    cd "$root" || exit 1
    flock -n 9 || { say "waiting for another build of this checkout..."; flock 9; }
    "$@"
  ) 9>>"$root/build/.lock"
}

missing_packages() {
  comm -23 <(printf '%s\n' "$@" | sort -u) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
      sed -n 's/^installed //p' | sort -u)
}

# Systems without Debian's package manager bring their own; CMake names what it misses.
install_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || return 0
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    if ! sudo -n true 2>/dev/null; then
      say "some packages are missing; type: sudo apt-get update && sudo apt-get install -y" \
        "--no-install-recommends ${missing[*]}"
      return 1
    fi
    as_root=(sudo -n)
  fi
  say "installing ${#missing[@]} distribution packages..."
  # A stale list may still do, so only the installation itself may fail.
  run_logged packages "${as_root[@]}" sh -c '
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q update
    exec apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 \
      install --no-install-recommends "$@"' apt-get "${missing[@]}"
}

# A half-made environment has no working pip yet; making it again completes it.
make_venv() {
  local python=/usr/bin/python3
  "$root/.venv/bin/python" -m pip --version >/dev/null 2>&1 </dev/null && return
  [[ -x $python ]] || python=$(command -v python3) || { say "python3 is missing."; return 1; }
  run_logged venv "$python" -m venv "$root/.venv"
}

# CMake refuses a build folder whose checkout has moved since.
forget_moved_build() {
  local cache=$root/build/$1/CMakeCache.txt source
  [[ -f $cache ]] || return 0
  source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")
  [[ $source -ef $root ]] || rm -rf "$root/build/$1"
}

# configure PRESET [OPTION...]
configure() {
  local preset=$1
  shift
  forget_moved_build "$preset"
  run_logged "$preset-configure" cmake --preset "$preset" "$@"
}

# compile PRESET [OPTION...]
compile() {
  local preset=$1
  shift
  run_logged "$preset-build" "${launcher[@]}" cmake --build --preset "$preset" "$@"
}

release_is_current() {
  [[ -x $executable && -f $release_stamp && -x $root/.venv/bin/python ]] &&
    [[ -z $(find "${build_inputs[@]}" -newer "$release_stamp" -print -quit 2>&1) ]]
}

# release_built_by COMMAND...: marks the release build current as of the moment the command
# began, so that a file edited meanwhile still counts as newer.
release_built_by() {
  local began=$root/build/.release-began
  touch "$began"
  "$@" || return
  mv "$began" "$release_stamp"
}

configure_and_compile_executable() {
  forget_moved_build release
  # A build folder that has its tests configured keeps them; users need no test packages.
  [[ -f $root/build/release/build.ninja ]] || configure release -DPYROMETER_TESTS=OFF || return
  compile release --target pyrometer
}

# What ./pyrometer needs before it can run: everything, or nothing at all.
build_executable() {
  release_is_current && return
  install_packages "${build_packages[@]}" || return
  if [[ -x $executable ]]; then
    say "the sources changed, building..."
  else
    say "building (the first use takes a few minutes)..."
  fi
  make_venv && release_built_by configure_and_compile_executable
}
