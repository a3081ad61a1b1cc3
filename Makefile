# Two commands: `make run` shows a login on this machine, `make test` proves the rest. `make soak` is for the night before a
# release. They install what is missing (with apt, and sudo only where it is needed) and say what they do.
SHELL := /bin/bash
PORT ?= 8080
.DEFAULT_GOAL := help
.PHONY: help run test soak tools format lint image-check fuzz release-clients clean

help: ## what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## the sandbox on http://127.0.0.1:PORT (default 8080), nothing to configure
	@.ci/tools run
	@echo "==> Building Switchback (the first time takes a few minutes)"
	@swift build --product switchback
	@echo "==> Starting the sandbox"
	@exec "$$(swift build --product switchback --show-bin-path)/switchback" sandbox --listen 127.0.0.1:$(PORT)

test: ## everything, on a machine that has nothing but Swift
	@.ci/tools test
	@.ci/test

soak: ## all rows, kills, fail-over, 10,000 logins, fuzzing, ThreadSanitizer; PARTS="tables orders kills stopping machines databases flood fuzz tsan" picks
	@.ci/tools test
	@.ci/soak $(PARTS)

tools: ## install what `make test` needs
	@.ci/tools test

format: ## let swift format decide
	@swift format -i -r --configuration .swift-format Package.swift Sources Clients Tests Benchmarks

lint: ## what swift format and hadolint have to say
	@swift format lint -s -r --configuration .swift-format Package.swift Sources Clients Tests Benchmarks
	@.venv/bin/hadolint Dockerfile

image-check: ## build and run the image's run stage without an engine (root, buildah, debootstrap)
	@.ci/image-check

fuzz: ## every parser of foreign bytes under libFuzzer and AddressSanitizer, FUZZ_SECONDS (600) each, two at a time
	@.ci/tools run
	@Tests/Fuzzing/run

release-clients: ## split Clients/Swift off for a repository of its own: make release-clients VERSION=1.2.3
	@Clients/release "$(VERSION)"

clean:
	@rm -rf .build .build-fuzz .build-tsan .venv
