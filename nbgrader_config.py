"""nbgrader's configuration of this course; nbgrader finds it in the folder that it is run in."""

from autograder.grading.nbgrader_glue import configure

configure(get_config())  # noqa: F821  nbgrader defines it
