"""A plugin for pytest: within the sandbox nobody can make a user namespace, as on machines that forbid it."""

from autograder.sandbox import bubblewrap

command = bubblewrap.command


def without(*args, **kwargs):
    return [*command(*args, **kwargs)[:1], "--disable-userns", *command(*args, **kwargs)[1:]]


bubblewrap.command = without
