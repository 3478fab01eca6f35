"""A plugin for pytest: within the sandbox nobody can make a user namespace, as on machines that forbid it."""

from autograder.sandbox import bubblewrap


def pytest_configure():
    command = bubblewrap.command
    bubblewrap.command = lambda *args, **kwargs: ["bwrap", "--disable-userns", *command(*args, **kwargs)[1:]]
