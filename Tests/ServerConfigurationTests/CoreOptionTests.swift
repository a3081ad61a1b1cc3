import Brokers
import ConfigurationSamples
import TestSupport
import Testing

@testable import ServerConfiguration

/// Tests that an operator can reach every rule and option of the core: each has the setting that decides it, or the
/// reason why none does. A new property without a row fails, and so does a new setting that no row names.
@Suite struct CoreOptionTests {
    /// What decides a property.
    enum Source: Sendable {
        /// Any of these settings.
        case settings([String])
        /// The login, its request or its response.
        case login
        /// The kind of the broker, in its own file.
        case kind
        /// Nothing, for this reason.
        case fixed(String)

        static func broker(_ names: String...) -> Self { .settings(names.map { "brokers.*.\($0)" }) }
        static func provider(_ names: String...) -> Self { .settings(names.map { "providers.*.\($0)" }) }
    }

    struct Owner: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let properties: [String: Source]
        var testDescription: String { self.name }
    }

    static let owners: [Owner] = [
        Owner(
            name: "IDTokenRules", file: "OpenIDConnect/Token/IDTokenRules.swift",
            properties: [
                "issuer": .broker("issuer"), "clientID": .broker("client_id"), "nonce": .login,
                "algorithms": .broker("id_token_algorithms"), "now": .login, "accessToken": .login,
                "accessTokenHashes": .login, "code": .login,
                "decrypter": .broker("id_token_encrypted"), "trustedAudiences": .broker("trusted_audiences"),
                "acrClaims": .kind, "acrValues": .provider("acr_values"), "acrMustMatch": .provider("acr_values"),
                "maxAge": .provider("max_age"), "freshSince": .provider("prompt"), "leeway": .broker("clock_leeway"),
            ]),
        Owner(
            name: "JWTRules", file: "OpenIDConnect/JWT/JWTRules.swift",
            properties: [
                "issuer": .broker("issuer"), "clientID": .broker("client_id"),
                "algorithms": .broker("id_token_algorithms"), "leeway": .broker("clock_leeway"), "now": .login,
            ]),
        Owner(
            name: "JWTParties", file: "OpenIDConnect/JWT/JWTParties.swift",
            properties: ["clientID": .broker("client_id"), "trusted": .broker("trusted_audiences")]),
        Owner(
            name: "UserInfoRules", file: "OpenIDConnect/UserInfo/UserInfoRules.swift",
            properties: [
                "formats": .broker("userinfo_format"), "decrypter": .broker("userinfo_format"),
                "trustedAudiences": .broker("trusted_audiences"), "jwt": .fixed("JWTRules has its own rows"),
            ]),
        Owner(
            name: "AuthorizationRequest", file: "OpenIDConnect/Authorization/AuthorizationRequest.swift",
            properties: [
                "client": .fixed("Client has its own rows"), "challenge": .login, "scope": .provider("scope"),
                "maxAge": .provider("max_age", "prompt"), "requestedClaims": .provider("claims_parameter", "prompt"),
                "prompt": .provider("prompt"), "acrValues": .provider("acr_values"), "uiLocales": .login,
                "additional": .provider("parameters", "idp_values", "reference_text", "message", "action"),
            ]),
        Owner(
            name: "Client", file: "OpenIDConnect/Client/Client.swift",
            properties: [
                "clientID": .broker("client_id"),
                "authentication": .broker(
                    "client_authentication", "client_secret", "basic_encoding", "assertion_audience",
                    "signing_algorithm"),
                "redirectURI": .broker("callback"), "responseMode": .broker("response_mode"),
                "requestStyle": .broker("request_style"),
                "requestObject": .broker("request_object_algorithm", "signing_algorithm"),
                "requestObjectType": .broker("request_object_type"), "namesLanguages": .broker("ui_locales"),
            ]),
        Owner(
            name: "BrokerSettings", file: "Brokers/OpenID/Endpoints/BrokerSettings.swift",
            properties: [
                "id": .fixed("the broker's name"), "issuer": .broker("issuer"),
                "client": .fixed("Client has its own rows"),
                "endpoints": .fixed("EndpointPolicy has its own rows"),
                "issuerPolicy": .broker("issuer_in_response"), "idTokenAlgorithms": .broker("id_token_algorithms"),
                "idTokenDecrypter": .broker("id_token_encrypted"), "userInfoFormat": .broker("userinfo_format"),
                "userInfoDecrypter": .broker("userinfo_format"), "redirectsToApp": .broker("callback"),
                "kind": .fixed("each kind has its own rows"), "readQuery": .fixed("one parser for all"),
                "onUnusableKeys": .fixed("it only tells the log"),
                "pollInterval": .broker("poll_interval"), "clockLeeway": .broker("clock_leeway"),
                "trustedAudiences": .broker("trusted_audiences"), "loginLifetime": .settings(["login_lifetime"]),
            ]),
        Owner(
            name: "DigiDSettings", file: "Brokers/DigiD/DigiDSettings.swift",
            properties: [
                "id": .fixed("the broker's name"), "issuer": .broker("issuer"), "resolver": .broker("resolver"),
                "clientID": .broker("client_id"), "clientSecret": .broker("client_secret"),
                "basicEncoding": .broker("basic_encoding"), "endpoints": .fixed("EndpointPolicy has its own rows"),
                "returnURL": .fixed("a link on link_url"), "appLink": .broker("app_link"),
                "testHost": .broker("test_host"), "level": .broker("authn_context"),
                "subjectClaim": .broker("subject_claim"), "personKey": .settings(["keys.person"]),
                "service": .broker("entity_id", "destination", "icon_url", "acs_index", "acs_url"),
                "thirdPartyApps": .broker("app_links", "artifact_parameter", "artifact_proof"),
                "onNote": .fixed("it only tells the log"),
            ]),
        Owner(
            name: "EndpointPolicy", file: "OpenIDConnect/Metadata/EndpointPolicy.swift",
            properties: [
                "hosts": .broker("hosts"), "allowInsecureLoopback": .broker("allow_insecure_loopback"),
                "insecureHosts": .settings(["allow_insecure_public_url"]),
            ]),
        Owner(
            name: "OutboundSettings", file: "Outbound/OutboundSettings.swift",
            properties: [
                "caFile": .broker("ca_file"), "clientCertificateFile": .broker("client_certificate_file"),
                "clientKeyFile": .broker("client_key_file"), "readsCertificate": .fixed("only for check --online"),
                "allowInsecureLoopback": .broker("allow_insecure_loopback"),
                "insecureHosts": .settings(["allow_insecure_public_url"]),
                "allowPrivateAddresses": .broker("allow_private_addresses"), "allowedHosts": .broker("hosts", "issuer"),
                "connectTimeout": .fixed("within timeout, which is a setting"),
                "maxConnections": .settings(["limits.broker_connections"]),
                "maxWaiting": .fixed("a queue that is longer than a login waits"),
                "queueTimeout": .fixed("a code lives for a minute"),
                "keepsConnections": .fixed("decided by what each request may do"),
                "headLimit": .fixed("far more than any provider sends"), "userAgent": .fixed("this server's name"),
            ]),
        Owner(
            name: "Provider", file: "Brokers/Providers/Provider.swift",
            properties: [
                "id": .fixed("the provider's name"), "brokerID": .provider("broker"), "names": .provider("names"),
                "isEnabled": .provider("enabled"), "notices": .provider("notices"),
                "countries": .provider("countries"), "scope": .provider("scope"),
                "acrValues": .provider("acr_values"), "prompt": .provider("prompt"), "maxAge": .provider("max_age"),
                "claimsRequest": .provider("claims_parameter"), "usesUserInfo": .provider("userinfo"),
                "codeLifetime": .provider("code_lifetime"), "authorize": .provider("authorize"),
                "flow": .provider("flow"), "claims": .provider("claims"), "eid": .provider("eid"),
                "eidApp": .provider("eid_app.android_packages", "eid_app.ios_probe_links"),
                "download": .provider("eid_app.ios_store_url", "eid_app.android_store_url", "eid_app.fallback_url"),
                "surfaces": .provider("surfaces"), "isEphemeral": .provider("ephemeral"), "logo": .provider("logo"),
                "assurance": .provider("assurance"), "minimumAssurance": .provider("minimum_assurance"),
                "methods": .provider("amr_values"), "options": .fixed("each kind has its own rows"),
                "nationalID": .provider("national_id_claim", "national_id_type"),
                "person": .provider("person.namespace", "person.claim"), "parameters": .provider("parameters"),
            ]),
    ]

    static let kinds = "Brokers/OpenID/Kinds"

    /// What each kind of broker reads itself.
    static let ownersOfKinds: [Owner] = [
        Owner(
            name: "SignaturgruppenOptions", file: "\(kinds)/Signaturgruppen/SignaturgruppenOptions.swift",
            properties: [
                "minimumAuthenticationAssurance": .provider("minimum_aal"),
                "minimumIdentityAssurance": .provider("minimum_ial"), "idpValues": .provider("idp_values"),
                "referenceText": .provider("reference_text"),
            ]),
        Owner(
            name: "IduraOptions", file: "\(kinds)/Idura/IduraOptions.swift",
            properties: ["message": .provider("message"), "action": .provider("action")]),
        Owner(
            name: "Idura", file: "\(kinds)/Idura/Idura.swift",
            properties: [
                "headlessGrantType": .broker("headless_grant_type"), "bankIDLink": .broker("bankid_link"),
            ]),
        Owner(
            name: "Vipps", file: "\(kinds)/Vipps/Vipps.swift",
            properties: [
                "merchantSerialNumber": .broker("merchant_serial_number"), "version": .fixed("this server's version"),
            ]),
    ]

    /// Settings of brokers and providers that other modules read.
    static let elsewhere: Set<String> = [
        "brokers.*.kind", "brokers.*.timeout", "brokers.*.send_traceparent", "providers.*.release",
        "providers.*.session", "providers.*.session_idle", "providers.*.session_permission",
    ]

    @Test(arguments: owners + ownersOfKinds) func `every property has its setting`(_ owner: Owner) throws {
        let found = try Self.properties(of: owner)
        #expect(found.count > 1)
        for name in found where owner.properties[name] == nil {
            Issue.record("\(owner.name).\(name) has no setting: add one, or remove the property")
        }
        for name in owner.properties.keys where !found.contains(name) {
            Issue.record("\(owner.name) has no property \(name)")
        }
    }

    @Test func `every setting is named here`() {
        let all = Set(SettingTable.all.map(\.pattern.description))
        var named: Set<String> = Self.elsewhere
        for case .settings(let settings) in (Self.owners + Self.ownersOfKinds).flatMap(\.properties.values) {
            named.formUnion(settings)
        }
        #expect(named.subtracting(all) == [])
        // `KindOptionTests` holds that every kind reads its own.
        let ofKinds = Set(
            KnownKind.all.filter { $0 != .digid }.flatMap { kind in
                kind.settings.map { "brokers.*.\($0.name)" } + kind.providerSettings.map { "providers.*.\($0.name)" }
            })
        let ours = all.filter { $0.hasPrefix("brokers.") || $0.hasPrefix("providers.") }.subtracting(ofKinds)
        #expect(ours.subtracting(named) == [])
    }

    /// Reads the stored properties in the source, because these types show nothing of themselves in a mirror.
    private static func properties(of owner: Owner) throws -> [String] {
        let lines = try SourceFile.text("Sources/\(owner.file)").split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.contains("struct \(owner.name)") })
        let body = lines[start...].dropFirst().prefix { $0 != "}" }
        return body.compactMap { line in
            let isComputed = line.contains("{") && !line.contains("= {")
            guard !isComputed, let match = line.prefixMatch(of: Self.property) else { return nil }
            return String(match.1)
        }
    }

    private nonisolated(unsafe) static let property =
        /\ {4}(?:package |private |private\(set\) |package private\(set\) )*(?:let|var) (\w+)/
}
