import ConfigurationSamples
import OpenIDConnect
import TestSupport
import Testing

@testable import Brokers

/// docs/reference/errors.md has every word of `broker_error`, and each of its words is written somewhere.
@Suite struct BrokerErrorsPageTests {
    /// The words of the page. `…` stands for a part that varies.
    private static func documented() throws -> [String] {
        let page = try #require(Documentation.page("docs/reference/errors.md"))
        let rows = page.tables.filter { $0.header.first == "`broker_error`" }.flatMap(\.rows)
        return rows.flatMap { Inline($0[0]).code }
    }

    private static func covers(_ pattern: String, _ word: String) throws -> Bool {
        let parts = pattern.split(separator: "…", omittingEmptySubsequences: false).map { part in
            part.map { $0 == "." ? "\\." : String($0) }.joined()
        }
        return try word.wholeMatch(of: Regex(parts.joined(separator: ".+"))) != nil
    }

    @Test func `the page has every word that is written`() throws {
        let documented = try Self.documented()
        for word in try Self.written() {
            #expect(try documented.contains { try Self.covers($0, word) }, "\(word) is not on the page")
        }
        #expect(documented.count == Set(documented).count, "a word is there twice")
    }

    @Test func `each of the page's words is written somewhere`() throws {
        let written = try Self.written()
        for word in try Self.documented() {
            #expect(try written.contains { try Self.covers(word, $0) }, "nothing writes \(word)")
        }
        #expect(written.count > 150)
    }

    /// `userinfo_…` and the like cover much, so the words that they stand for are looked for too.
    @Test func `the page has the reasons of keys and discovery`() throws {
        let written = Set(try Self.written())
        for word in [
            "keys_none_usable", "keys_malformed", "keys_throttled", "directory_status_503", "id_token_too_large",
        ] {
            #expect(written.contains(word))
        }
    }

    // MARK: - What is written

    private static func written() throws -> Set<String> {
        var words = Set(self.ofRules + self.ofDirectories + self.ofResponses + self.ofResolvers)
        words.formUnion(try self.literals())
        return words
    }

    private static let ofRules: [String] =
        IDTokenError.allCases.map { BrokerError($0).detail }
        + AuthorizationResponseError.allCases.map { BrokerError($0).detail }
        + JWTFormatError.allCases.map { BrokerError(UserInfoError.form($0)).detail }
        + JWTRulesError.allCases.map { BrokerError(UserInfoError.rules($0)).detail }
        + JWTPartyError.allCases.map { BrokerError(UserInfoError.party($0)).detail }
        + ClientAuthenticationError.allCases.map { "token_request_\($0.rawValue.snakeCased)" }
        + AuthorizationRequestError.allCases.map { "authorize_\($0.rawValue.snakeCased)" }

    /// One of each. The compiler asks below for a case that is new.
    private static let fetchErrors =
        ([
            .unreachable(""), .noDescriptors(""), .timedOut(""), .tooLarge(""), .tls(""), .refused(""), .closed(""),
            .encoding(""), .broken(""), .busy, .cancelled,
        ] as [FetchError]).filter(Self.isListed)
    private static let metadataErrors: [ProviderMetadataError] =
        [.notAnObject, .issuer, .codeFlowUnsupported, .challengeMethodUnsupported]
        + ProviderMetadata.Member.allCases.flatMap { member -> [ProviderMetadataError] in
            [.missing(member), .wrongType(member)] + EndpointPolicyError.allCases.map { .refused(member, $0) }
        }
    private static let responseErrors: [ProviderResponseError] = [
        .oauth(OAuthError(code: "invalid_client")), .status(503), .status(404), .status(410), .contentType, .tooLarge,
    ]

    private static let ofDirectories: [String] = {
        let errors: [ProviderDirectoryError] =
            [.status(503), .tooLarge, .keySet, .noUsableKey, .throttled] + Self.fetchErrors.map { .fetch($0) }
            + Self.metadataErrors.map { .metadata($0) }
        return errors.filter(Self.isListed).flatMap { error in
            [
                BrokerError(error), BrokerError(VerificationError<IDTokenError>.keysUnavailable(error)),
                BrokerError(VerificationError<AuthorizationResponseError>.keysUnavailable(error)),
            ].map(\.detail)
        }
    }()

    private static let ofResponses: [String] = {
        let tokens: [TokenResponseError] =
            [.malformed, .idTokenMissing, .tokenType] + Self.responseErrors.map { .refused($0) }
        let pushes: [PushedAuthorizationError] = [.malformed] + Self.responseErrors.map { .refused($0) }
        let claims: [UserInfoError] = [
            .endpointMissing, .endpointAlias, .status(500), .contentType, .tooLarge, .malformed, .subjectMissing,
            .subject,
        ]
        let requests = ProviderRequest.Purpose.allCases.flatMap { purpose in
            Self.fetchErrors.map { BrokerError($0, asking: purpose.rawValue).detail }
        }
        return tokens.map { BrokerError($0).detail } + pushes.map { BrokerError($0).detail }
            + claims.filter(Self.isListed).map { BrokerError($0).detail } + requests
    }()

    /// What a resolver's own status becomes, in each of its two steps.
    private static let ofResolvers: [String] = RegistrationStep.allCases.compactMap { step -> String? in
        do throws(BrokerError) {
            _ = try RegistrationResponse(Array(#"{"status": 4001}"#.utf8), to: step)
            return nil
        } catch {
            return error.detail
        }
    }

    private static func isListed(_ error: FetchError) -> Bool {
        switch error {
        case .unreachable, .noDescriptors, .timedOut, .tooLarge, .tls, .refused, .closed, .encoding, .broken, .busy,
            .cancelled:
            true
        }
    }

    private static func isListed(_ error: ProviderDirectoryError) -> Bool {
        switch error {
        case .fetch, .status, .tooLarge, .metadata, .keySet, .noUsableKey, .throttled: true
        }
    }

    private static func isListed(_ error: UserInfoError) -> Bool {
        switch error {
        case .endpointMissing, .endpoint, .endpointAlias, .status, .contentType, .tooLarge, .malformed,
            .keysUnavailable, .form, .rules, .party, .subjectMissing, .subject:
            true
        }
    }

    /// `BrokerError(.unavailable, "ciba_init_auth_\(status)")` writes `ciba_init_auth_…`. What begins with a part that
    /// varies has the words of the lists above, or is described on the page.
    private static func literals() throws -> Set<String> {
        var words: Set<String> = []
        for path in SourceFile.paths(below: "Sources/Brokers") + SourceFile.paths(below: "Sources/Logins") {
            let text = try SourceFile.text(path)
            for match in text.matches(of: /BrokerError\(\s*[^,"()]+,\s*"([^"]+)"\s*[,)]/) {
                let word = match.1.replacing(/\\\([^)]*\)/, with: "…")
                if !word.hasPrefix("…") { words.insert(String(word)) }
            }
            // The two levels of kind signaturgruppen.
            for match in text.matches(of: /\("(\w+)", options\.minimum/) { words.insert(String(match.1)) }
        }
        return words
    }
}
