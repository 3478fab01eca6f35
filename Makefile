# Every target sets up what it needs on a fresh Debian or Ubuntu machine; a second run finds it done.

# What to pass on: make lab ARGS=--no-browser, make grade ARGS="--jobs 1", make test ARGS="-k chapter"
ARGS ?=
# The same for the first half of make bench: make bench GRADING="--growth 10 100 1000"
GRADING ?=

# nbgrader starts alembic, and Jupyter its kernels, through PATH.
export PATH := $(CURDIR)/.venv/bin:$(PATH)

CHAPTER = $(firstword $(sort $(wildcard notebooks/*/*.ipynb)))

.PHONY: help setup grade lab site notebooks test attack precision gallery bench lint lock clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

setup: .venv/.ready sandbox ## install everything: .venv from requirements.txt, bubblewrap from the system

grade: .venv/.ready sandbox ## grade the sample class: table, gradebook, feedback pages
	.venv/bin/autograder grade --all --sample $(ARGS)

lab: .venv/.ready ## open the chapters in JupyterLab
	.venv/bin/jupyter lab --ServerApp.root_dir=notebooks $(if $(CHAPTER),--LabApp.default_url=/lab/tree/$(CHAPTER:notebooks/%=%)) \
	    $$([ "$$(id -u)" != 0 ] || echo --allow-root) $(ARGS)

site: .venv/.ready ## build the chapters and documents as web pages: build/site/index.html
	.venv/bin/python docs/pages.py build/site-pages
	.venv/bin/python -m sphinx -q -W --keep-going -c docs -d build/site-doctrees build/site-pages build/site $(ARGS)
	@echo "build/site/index.html works from the disk and from any static host"

notebooks: .venv/.ready ## regenerate notebooks/ from solutions/
	.venv/bin/autograder course release $(ARGS)

test: lint sandbox ## ruff, pytest, and the solutions run again and compared with their outputs
	.venv/bin/python -m pytest -n 4 --dist loadgroup $(ARGS)
	.venv/bin/python -m pytest -n 2 --dist loadfile --nbval solutions/

attack: .venv/.ready sandbox ## the whole hostile corpus, slow ones too: a table of what held
	.venv/bin/python tests/hostile $(ARGS)
	.venv/bin/python -m pytest -n 0 -m slow tests/test_ordinary_user.py

bench: .venv/.ready sandbox ## measure grading beside nbgrader, training and encoding beside their peers (ten minutes)
	.venv/bin/python benchmarks/grading.py $(GRADING)
	.venv/bin/python -m benchmarks.algorithms $(ARGS)

precision: .venv/.ready ## how precisely misconceptions are named, over the whole catalogue: a table
	.venv/bin/python -u tests/precision.py $(ARGS)

gallery: .venv/.ready ## docs/feedback/: what students read for each wrong version
	.venv/bin/python tests/gallery.py $(ARGS)

lint: .venv/.ready ## ruff on modules and notebooks
	.venv/bin/ruff check .

lock: .venv/.ready ## renew requirements.txt after a change of pyproject.toml (ARGS=--upgrade: newest versions)
	.venv/bin/python -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lock/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --quiet \
	    --extra test --extra site --extra cluster --extra bench -o requirements.txt pyproject.toml $(ARGS)

clean: ## remove .venv, caches and build folders; gradebook and submissions stay
	rm -rf .venv build dist *.egg-info .pytest_cache .hypothesis .ruff_cache
	find autograder tests -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.ready: requirements.txt pyproject.toml tools/setup.sh
	@tools/setup.sh venv

.PHONY: sandbox
sandbox:
	@tools/setup.sh sandbox
