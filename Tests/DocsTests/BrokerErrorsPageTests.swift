import ConfigurationSamples
import Foundation
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

    /// The workbench of the sandbox says why a login failed in the words of the page.
    @Test func `the workbench has the meanings of the page`() throws {
        let page = try #require(Documentation.page("docs/reference/errors.md"))
        var lines = ""
        for table in page.tables where table.header.first == "`broker_error`" {
            let column = try #require(table.header.firstIndex(of: "meaning"))
            for row in table.rows {
                let links = row[column].replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
                for word in Inline(row[0]).code { lines += "\(word)\t\(links.replacing("`", with: ""))\n" }
            }
        }
        let path = "Sandbox/Web/broker-errors.txt"
        guard try SourceFile.text(path) != lines else { return }
        if ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_DOCS"] == "1" {
            try lines.write(toFile: SourceFile.path(path), atomically: true, encoding: .utf8)
        } else {
            Issue.record("\(path) is not up to date: SWITCHBACK_WRITE_DOCS=1 rewrites it")
        }
    }

    /// An operator reads why a login failed, and what to do, in the words of the page.
    @Test func `the flight recorder has the meanings and the advice of the page`() throws {
        func plain(_ cell: String) -> String {
            cell.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }.replacing("`", with: "")
        }
        let page = try #require(Documentation.page("docs/reference/errors.md"))
        var lines = ""
        for table in page.tables {
            let isReason = table.header.first == "`reason.code`"
            guard isReason || table.header.first == "`broker_error`" else { continue }
            let meaning = try #require(table.header.firstIndex(of: isReason ? "when" : "meaning"))
            let advice = table.header.firstIndex(of: isReason ? "what the operator does" : "what to do")
            for row in table.rows {
                for word in Inline(row[0]).code {
                    lines += "\(isReason ? "reason:" : "")\(word)\t\(plain(row[meaning]))\t"
                    lines += "\(advice.map { plain(row[$0]) } ?? "")\n"
                }
            }
        }
        let path = "Sources/LoginAPI/Words/errors.txt"
        guard try SourceFile.text(path) != lines else { return }
        if ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_DOCS"] == "1" {
            try lines.write(toFile: SourceFile.path(path), atomically: true, encoding: .utf8)
        } else {
            Issue.record("\(path) is not up to date: SWITCHBACK_WRITE_DOCS=1 rewrites it")
        }
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
        Set((self.ofOurs + self.ofRules + self.ofDirectories + self.ofResponses + self.ofResolvers).map(\.text))
    }

    /// The compiler asks here for a cause that is new.
    private static func isListed(_ cause: BrokerError.Cause) -> Bool {
        switch cause {
        case .word, .status, .assurance, .app, .appLink, .signedRequest: Self.ofOurs.contains(cause)
        case .idToken, .idTokenForm, .authorizationResponse, .userInfo, .tokenRequest, .resolverRequest,
            .authorizationRequest:
            Self.ofRules.contains(cause)
        case .directory: Self.ofDirectories.contains(cause)
        case .unanswered, .tokenResponse, .pushedAuthorization: Self.ofResponses.contains(cause)
        case .resolver: Self.ofResolvers.contains(cause)
        // The broker's own words.
        case .oauth: true
        }
    }

    private static let ofOurs: [BrokerError.Cause] =
        BrokerError.Word.allCases.map { .word($0) } + BrokerError.Answer.allCases.map { .status($0, 503) }
        + Assurance.allCases.map { .assurance($0) } + BrokerError.AppProblem.allCases.map { .app($0) }
        + BrokerError.LinkProblem.allCases.map { .appLink($0) }
        + BrokerError.SigningProblem.allCases.map { .signedRequest($0) }

    private static let ofRules: [BrokerError.Cause] =
        IDTokenError.allCases.map { BrokerError($0).cause } + JWTFormatError.allCases.map { .idTokenForm($0) }
        + AuthorizationResponseError.allCases.map { BrokerError($0).cause }
        + JWTFormatError.allCases.map { BrokerError(UserInfoError.form($0)).cause }
        + JWTRules.Problem.allCases.map { BrokerError(UserInfoError.rules($0)).cause }
        + JWTParties.Problem.allCases.map { BrokerError(UserInfoError.party($0)).cause }
        + ClientAuthenticationError.allCases.flatMap { [.tokenRequest($0), .resolverRequest($0)] }
        + AuthorizationRequestError.allCases.map { .authorizationRequest($0) }

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
        .oauth(ErrorWord("invalid_client")), .status(503), .status(404), .status(410), .contentType, .tooLarge,
        .malformed,
    ]

    private static let ofDirectories: [BrokerError.Cause] = {
        let errors: [ProviderDirectoryError] =
            [.status(503), .tooLarge, .keySet, .noUsableKey, .throttled] + Self.fetchErrors.map { .fetch($0) }
            + Self.metadataErrors.map { .metadata($0) }
        return errors.filter(Self.isListed).flatMap { error in
            [
                BrokerError(error), BrokerError(VerificationError<IDTokenError>.keysUnavailable(error)),
                BrokerError(VerificationError<AuthorizationResponseError>.keysUnavailable(error)),
            ].map(\.cause)
        }
    }()

    private static let ofResponses: [BrokerError.Cause] = {
        let tokens: [TokenResponseError] =
            [.idTokenMissing, .tokenType] + Self.responseErrors.map { .refused($0) }
        let claims: [UserInfoError] = [
            .endpointMissing, .endpointAlias, .status(500), .contentType, .tooLarge, .malformed, .subjectMissing,
            .subject,
        ]
        let requests = ProviderRequest.Purpose.allCases.flatMap { purpose in
            Self.fetchErrors.map { BrokerError.Cause.unanswered(purpose, $0) }
        }
        return tokens.map { BrokerError($0).cause } + Self.responseErrors.map { BrokerError(pushing: $0).cause }
            + claims.filter(Self.isListed).map { BrokerError($0).cause } + requests
    }()

    /// What becomes of each step at a resolver.
    private static let ofResolvers: [BrokerError.Cause] = BrokerError.ResolverStep.allCases.flatMap { step in
        ([.url] + Self.fetchErrors.map { .unanswered($0) } + Self.responseErrors.map { .refused($0) })
            .map { BrokerError.Cause.resolver(step, $0) }
    }

    /// What a resolver's own status becomes is one of them.
    @Test(arguments: BrokerError.ResolverStep.allCases) func `the page has each status of a resolver`(
        _ step: BrokerError.ResolverStep
    ) throws {
        let error = #expect(throws: BrokerError.self) {
            _ = try RegistrationResponse(Array(#"{"status": 503}"#.utf8), to: step)
        }
        #expect(Self.isListed(try #require(error?.cause)))
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
}
