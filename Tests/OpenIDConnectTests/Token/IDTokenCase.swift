import OpenIDConnect
import Testing

/// One ID token of the table: the change to a right one, and the validation error that it causes.
struct IDTokenCase: Sendable, CustomTestStringConvertible {
    /// The module of the OpenID conformance suite, if there is one.
    let testDescription: String
    let expected: VerificationError<IDTokenError>?
    let change: @Sendable (inout Minted) throws -> Void

    init(_ name: String, _ expected: IDTokenError?, _ change: @escaping @Sendable (inout Minted) throws -> Void) {
        self.testDescription = name
        self.expected = expected.map { .rule($0) }
        self.change = change
    }

    init(_ name: String, _ expected: JWTFormatError, _ change: @escaping @Sendable (inout Minted) throws -> Void) {
        self.testDescription = name
        self.expected = .form(expected)
        self.change = change
    }

    static let all =
        Self.signatures + Self.forms + Self.parties + Self.times + Self.contents + Self.encryption
        + Self.spellings

    func judge() async throws -> Result<IDToken, VerificationError<IDTokenError>> {
        var minted = try Minted()
        try self.change(&minted)
        let compact = try minted.compact()
        let directory = ScriptedProvider(keys: minted.published).directory(ManualClock())
        do throws(VerificationError<IDTokenError>) {
            return .success(try await IDToken.validate(compact, rules: minted.rules, directory: directory))
        } catch {
            if case .keysUnavailable = error { throw error }
            return .failure(error)
        }
    }
}
