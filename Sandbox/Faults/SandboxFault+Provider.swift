// Faults that do not belong to a single login: in discovery, in the published keys, and in pushed requests.

extension SandboxFault {
    static let ofPushedRequests = [
        Self("par-invalid-request", title: "error=invalid_request", .pushedRequest { $0 = .error(.invalidRequest) }),
        Self("par-status-500", title: "status 500", .pushedRequest { $0 = .internalServerError }),
        Self("par-status-200", title: "status 200", .pushedRequest { $0.status = .ok }),
        Self("par-without-request-uri", title: "no request_uri", .pushedRequest { $0.members["request_uri"] = nil }),
        Self(
            "par-wrong-content-type", title: "content type text/html",
            .pushedRequest { $0.contentType = "text/html" }),
        Self("par-broken-json", title: "JSON cut off", .pushedRequest { $0.cutOff() }),
        Self("par-dead", title: "closes without a response", .pushedRequest { $0.delivery = .never }),
    ]

    static let ofDiscovery = [
        Self(
            "oidcc-client-test-discovery-issuer-mismatch",
            "fapi2-security-profile-final-client-test-discovery-issuer-mismatch",
            title: "another issuer in the document", .discovery { $0["issuer"] = .string(Self.stranger) }),
        Self(
            "oidcc-client-test-discovery-openid-config", title: "all endpoints at other paths", isHarmless: true,
            .discovery { document in
                for (name, value) in document where name.hasSuffix("_endpoint") {
                    document[name] = value.string.map { .string(ProviderRoute.moved($0)) }
                }
            }),
        Self(
            "oidcc-client-test-discovery-jwks-uri-keys", title: "the keys at another path", isHarmless: true,
            .discovery { document in
                document["jwks_uri"] = document["jwks_uri"]?.string.map { .string(ProviderRoute.moved($0)) }
            }),
    ]

    static let ofKeys = [
        Self(
            "jwks-one-bad-key", title: "unusable keys among the good ones", isHarmless: true,
            .keys { keys in
                keys.insert(["kty": "RSA", "kid": "short", "n": "AQAB", "e": "AQAB"], at: 0)
                keys.insert(["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "no-point"], at: 0)
                keys.insert(["kty": "from-the-future", "kid": "future"], at: 0)
            }),
        Self("jwks-empty", title: "no keys at all", .keys { $0 = [] }),
    ]
}
