# Switchback in a container: built with Swift on Debian, and run without a base. The image has the files that
# Deploy/image/build names: the program, the libraries that it links to, certificates, time zones. It has no shell.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) \
#       --build-arg REVISION=$(git rev-parse HEAD) -t switchback .
#   docker run --read-only --stop-timeout 30 -p 8080:8080 -v ./config:/etc/switchback:ro -v switchback:/var/lib/switchback switchback

# Pin it by the digest that your registry shows: --build-arg SWIFT_IMAGE=docker.io/library/swift@sha256:…
ARG SWIFT_IMAGE=docker.io/library/swift:6.3-bookworm

# --- build -----------------------------------------------------------------------------------------------------------
# Swift and the libraries. `.devcontainer` starts here too.
FROM ${SWIFT_IMAGE} AS libraries
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libssl-dev zlib1g-dev libcurl4-openssl-dev libsqlite3-dev \
        libpq-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*

FROM libraries AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends binutils ca-certificates python3 tzdata \
    && rm -rf /var/lib/apt/lists/*
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
# The commit, which switchback_build_info shows.
ARG REVISION=unknown
# Packed relocations make the binary 2.6 MB smaller, and 1.5 MB less of it is read at the start. They need lld.
RUN swift build -c release --static-swift-stdlib --product switchback -Xcc "-DSWITCHBACK_COMMIT=${REVISION}" \
        -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
COPY CHANGELOG.md LICENSE ./
COPY Config Config
COPY Deploy Deploy
# The time of every file, in seconds.
ARG SOURCE_DATE_EPOCH=0
RUN export SOURCE_DATE_EPOCH \
    && Deploy/image/build --root "$(swift build -c release --static-swift-stdlib --show-bin-path)/switchback" /out \
    && mkdir /out/volume && mv /out/root/var/lib/switchback /out/volume

# --- run -------------------------------------------------------------------------------------------------------------
# Deploy/image/build reads from here how the image runs, also where it makes one without an engine.
FROM scratch AS run
ARG VERSION=dev
ARG REVISION=unknown
ARG CREATED
ARG SOURCE
LABEL org.opencontainers.image.title="Switchback" \
    org.opencontainers.image.description="The login backend for native apps: OpenID Connect to e-ID brokers, on the server side." \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.source="${SOURCE}" \
    org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /out/root /
# The store's folder.
COPY --from=build --chown=65534:65534 /out/volume/ /var/lib/
# nobody
USER 65534:65534
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
