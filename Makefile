# `make run` shows a login on this machine, `make demo` plays one in the terminal, `make test` runs the first
# tests, and `make check` everything that CI runs. `make soak` is for the night before a release. They install what is missing (with
# apt, and sudo only if needed) and say what they do.
SHELL := /bin/bash
PORT ?= 8080
.DEFAULT_GOAL := help
.PHONY: help run demo test check rest soak tools picture format lint image-check release fuzz release-clients clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## the sandbox on http://127.0.0.1:PORT (default 8080), no configuration needed
	@.ci/tools run
	@echo "==> Building Switchback (the first time takes a few minutes)"
	@swift build --product switchback
	@echo "==> Starting the sandbox"
	@exec "$$(swift build --product switchback --show-bin-path)/switchback" sandbox --listen 127.0.0.1:$(PORT)

demo: ## a login that fails and one that recovers, in this terminal, with a line for each event
	@.ci/tools run
	@echo "==> Building Switchback (the first time takes a few minutes)"
	@swift build --product switchback
	@exec "$$(swift build --product switchback --show-bin-path)/switchback" demo --listen 127.0.0.1:$(PORT)

test: ## format, build, the first tests and the first login of README, on a machine with only Swift installed
	@.ci/tools test
	@.ci/steps test

check: ## everything: also browsers, databases, proxies, foreign providers, generated clients; STEP=name runs one step
	@.ci/tools check
	@.ci/steps check

# What `make check` has beside `make test`, for CI.
rest:
	@.ci/tools check
	@.ci/steps rest

soak: ## all rows, kills, failover, 10,000 logins, systemd, fuzzing, ThreadSanitizer; PARTS="kills tsan" selects (.ci/soak lists them)
	@.ci/tools check
	@.ci/soak $(PARTS)

tools: ## install what `make check` needs
	@.ci/tools check

picture: ## make the README's picture again, from a login in the sandbox
	@.ci/tools check
	@swift build --product switchback
	@.venv/bin/python Tests/Browser/picture.py "$$(swift build --product switchback --show-bin-path)/switchback" \
	    docs/images/login.png

format: ## format all Swift files
	@swift format -i -r --configuration .swift-format Package.swift Plugins Sources Sandbox Clients Tests Benchmarks

lint: ## check formatting, the documentation's form, and that openapi-app.yaml is made from openapi.yaml
	@! git grep -nIE '\| *[ef]?grep -[a-zA-Z]*q' \
	    || { echo "grep -q ends early, and with pipefail the pipe then fails: use grep -c, or name a file"; exit 1; }
	@.ci/prose --self-test
	@.ci/checks --self-test
	@.ci/later-tests >/dev/null
	@.ci/api-for-apps --self-test
	@.ci/api-for-apps --check
	@Clients/cases/orders --check
	@Clients/api --self-test
	@Clients/operations --self-test
	@Clients/operations --check
	@Clients/texts/write --check
	@Clients/texts/sheet --self-test
	@Clients/texts/sheet --check
	@Tests/Places/count
	@.ci/prose
	@swift format lint -s -r --configuration .swift-format Package.swift Plugins Sources Sandbox Clients Tests Benchmarks

image-check: ## compare the Dockerfile's last stage with the image that is built without an engine (root, buildah, umoci)
	@.ci/image-check

release: ## the Debian package, the archive and their bills of materials, in .build-release/files
	@.ci/tools check
	@Deploy/package/release

fuzz: ## every parser of untrusted bytes under libFuzzer and AddressSanitizer, FUZZ_SECONDS (600) each, two at a time
	@.ci/tools run
	@Tests/Fuzzing/run

release-clients: ## split the libraries for Swift and JavaScript into repositories of their own: make release-clients VERSION=1.2.3
	@Clients/release "$(VERSION)"

clean:
	@[ ! -L .build-release/build ] || rm -rf "$$(readlink .build-release/build)"
	@rm -rf .build .build-release .build-fuzz .build-tsan .build-versions .venv
