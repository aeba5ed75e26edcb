# The developer's menu, a thin list over the CMake presets. `make` shows it.
JOBS ?= $(shell nproc)
.DEFAULT_GOAL := help
.PHONY: help build test check format golden fuzz bench bench-growth sanitize thread tidy install

help:  ## show this menu
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

build:  ## build the release preset with its tests
	tools/configure release -DAXIAL_TESTS=ON
	cmake --build --preset release --parallel $(JOBS)

test:  ## everything that continuous integration runs
	./test

check: build  ## the quick rules: includes, format, names
	ctest --preset release -L rules

format:  ## format every C++ file
	tools/format

golden: build  ## write the texts that tests compare with anew; review with git diff
	AXIAL_UPDATE_GOLDEN=1 ctest --preset release -R '^(pages|diagnostics|cli)/'
	tools/run_docs.py --update

fuzz: build  ## half an hour of random documents and formulas each; findings are files crash-*
	build/release/bin/fuzz_document --seconds 1800 examples/*.tex
	build/release/bin/fuzz_notation --seconds 1800 examples/*.tex

bench:  ## compare times and results with other libraries; ./axial bench --help has options
	./axial bench

bench-growth:  ## how the work of derivatives grows with the size of a network
	tools/configure release -DAXIAL_BENCH=ON
	cmake --build --preset release --parallel $(JOBS) --target bench_growth
	build/release/bin/bench_growth

sanitize:  ## tests under the address and undefined-behaviour sanitizers
	tools/configure sanitize
	cmake --build --preset sanitize --parallel $(JOBS)
	ctest --preset sanitize --parallel $(JOBS)

thread:  ## tests under the thread sanitizer
	tools/configure thread
	cmake --build --preset thread --parallel $(JOBS)
	ctest --preset thread --parallel $(JOBS)

tidy:  ## compile with clang and clang-tidy
	tools/install_packages run test tidy
	tools/configure tidy
	cmake --build --preset tidy --parallel $(JOBS)

install: build  ## install to PREFIX, /usr/local unless given
	cmake --install build/release $(if $(PREFIX),--prefix $(PREFIX))
