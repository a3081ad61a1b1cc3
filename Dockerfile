# Switchback in a container: built with Swift, and run on Debian with only the libraries that the binary links to.
#
#   docker buildx build --platform linux/amd64,linux/arm64 -t switchback .
#   docker run --read-only --stop-timeout 30 -p 8080:8080 -v ./config:/etc/switchback:ro -v switchback:/var/lib/switchback switchback

ARG SWIFT_IMAGE=docker.io/library/swift:6.3-bookworm
ARG RUN_IMAGE=docker.io/library/debian:bookworm-slim

# --- build -----------------------------------------------------------------------------------------------------------
# Swift and the libraries. `.devcontainer` starts here too.
FROM ${SWIFT_IMAGE} AS libraries
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libssl-dev zlib1g-dev libcurl4-openssl-dev libsqlite3-dev \
        libpq-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*

FROM libraries AS build
WORKDIR /src
# The packages change less often than the code, so their layer stays cached.
COPY Package.swift ./
COPY Clients/Swift/Package.swift Clients/Swift/
RUN swift package resolve
# Swift needs the folders of tests and benchmarks to load the package, but builds none of them.
COPY Plugins Plugins
COPY Public Public
COPY Sources Sources
COPY Sandbox Sandbox
COPY Clients Clients
COPY Tests Tests
COPY Benchmarks Benchmarks
# Packed relocations make the binary 2.6 MB smaller, and 1.5 MB less of it is read at the start. They need lld.
RUN swift build -c release --static-swift-stdlib --product switchback \
        -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
    && install -D -s "$(swift build -c release --show-bin-path)/switchback" /out/switchback

# --- run -------------------------------------------------------------------------------------------------------------
FROM ${RUN_IMAGE} AS run
ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Switchback" \
    org.opencontainers.image.description="The login backend for native apps: OpenID Connect to e-ID brokers, on the server side." \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.base.name="docker.io/library/debian:bookworm-slim"
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libcurl4 libpq5 libsqlite3-0 libssl3 libstdc++6 \
        zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o 65532 -g 65532 -m 0700 /var/lib/switchback
COPY --from=build /out/switchback /usr/bin/switchback
# The licence. The base system has its full text in /usr/share/common-licenses.
COPY LICENSE /usr/share/doc/switchback/copyright
# The manual page, and the completion for shells.
COPY Config/switchback.1 /usr/share/man/man1/switchback.1
RUN install -d /usr/share/bash-completion/completions /usr/share/zsh/vendor-completions \
        /usr/share/fish/vendor_completions.d \
    && switchback --generate-completion-script bash > /usr/share/bash-completion/completions/switchback \
    && switchback --generate-completion-script zsh > /usr/share/zsh/vendor-completions/_switchback \
    && switchback --generate-completion-script fish > /usr/share/fish/vendor_completions.d/switchback.fish
USER 65532:65532
# The root may be read-only: a store writes only to this folder. Give the volume a name, so that its logins are kept.
VOLUME /var/lib/switchback
# 8082 serves /livez, /readyz and /metrics to probes and Prometheus outside the container. Do not publish it any further.
ENV SWITCHBACK_CONFIG=/etc/switchback/switchback.yaml \
    SWITCHBACK_LISTEN=0.0.0.0:8080 \
    SWITCHBACK_OPERATIONS_LISTEN=0.0.0.0:8082
EXPOSE 8080 8082
# At this signal long polls get their responses and code exchanges finish before the process ends. Kubernetes waits long
# enough for that, Docker only with --stop-timeout 30.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/usr/bin/switchback", "health"]
ENTRYPOINT ["/usr/bin/switchback"]
CMD ["serve"]
