#!/bin/sh
# What the Makefile needs of the machine, one word at a time; a second run of any of them changes nothing.
#
#   tools/setup.sh venv        .venv with the locked packages and this project (Python 3.11 or newer)
#   tools/setup.sh sandbox     bubblewrap, and the right to use it
#   tools/setup.sh install P…  Debian packages
#
# System packages are installed where this user may; otherwise the one command to run is printed, and we stop.
set -eu
cd "$(dirname "$0")/.."
PATH=${PATH#"$PWD/.venv/bin:"}  # the Makefile puts it there, but a new .venv is not made from the old one

stop() {
    printf '\nbpe-workbook: %s\n' "$1" >&2
    exit 1
}

install() {
    if ! command -v apt-get >/dev/null; then
        stop "$* is missing. Install it with your system's package manager, then run make again.
Without one (macOS, Windows): conda env create -f environment.yml"
    elif [ "$(id -u)" = 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        stop "$* is missing. Run this once, then make again:

    sudo apt-get install -y $*
"
    fi
    # The update may fail for one of many sources; whether the packages are to be had is what counts.
    $as_root apt-get update -qq || true
    # shellcheck disable=SC2086  # an empty $as_root must vanish
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
        stop "apt-get could not install $*; its words are above."
}

recent_python() {
    for python in python3.11 python3.12 python3.13 python3.14 python3; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            echo "$python"
            return
        fi
    done
}

venv() {
    if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        command -v python3 >/dev/null || [ -n "$(recent_python)" ] || install python3 python3-venv
        python=$(recent_python)
        [ -n "$python" ] || stop "this needs Python 3.11 or newer, and there is only $(python3 --version). \
Install a newer one beside it (on Ubuntu 22.04: sudo apt-get install -y python3.11 python3.11-venv), then run make again."
        # Debian and Ubuntu keep ensurepip, without which no virtual environment is made, in a package of its own.
        "$python" -c 'import ensurepip, venv' 2>/dev/null ||
            install "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
        rm -rf .venv
        "$python" -m venv .venv
    fi
    if [ ! -e .venv/.locked ] || [ requirements.txt -nt .venv/.locked ]; then
        echo "Installing the locked packages into .venv (once; a minute or two)"
        # The lock is whole, so nothing is to be resolved; pip's resolver trips over other versions that are installed.
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.txt
        touch .venv/.locked
    fi
    # Without build isolation: the lock holds setuptools, and nothing unlocked is fetched.
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
    touch .venv/.ready
}

sandbox() {
    [ "$(uname)" = Linux ] ||
        stop "grading a class runs in bubblewrap, which exists on Linux only. For your own notebook: autograder check"
    command -v bwrap >/dev/null || install bubblewrap
    bwrap --ro-bind / / --unshare-all true || stop "bubblewrap is installed but may not make its walls here; its words are above.
Ubuntu 23.10 and newer forbid it to ordinary users; this allows it until the next start:

    sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0

In a container, the container itself must be allowed to make namespaces."
    within="unshare --user --map-root-user --mount mount -t tmpfs none /tmp"
    [ "$(id -u)" = 0 ] || bwrap --ro-bind / / --proc /proc --unshare-all $within 2>/dev/null ||
        echo >&2 "Within bubblewrap no further walls can be made here, so each notebook is graded in a sandbox of its own, one to two seconds slower."
}

"$@"
