import HTTPWire
import Testing

@testable import LoginAPI

/// Tests who may see a login, and what other callers learn.
@Suite struct LoginAccessTests {
    static let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    /// Derived from the secret, like the id of every login.
    static let id = "ityJ-UGVgwNDeovJX5f5zw"

    static func refusal(_ authorization: [String], target: String = "/v1/logins/x", id: String) -> String {
        guard let target = Target(target) else { return "no target" }
        var fields: Fields = [:]
        for value in authorization { fields.add(.authorization, value) }
        do throws(Problem) {
            _ = try LoginAccess(Request(head: RequestHead(.get, target, fields: fields)), id)
            return "access"
        } catch {
            return error.code.rawValue
        }
    }

    @Test(arguments: [
        ([], "poll_secret_required"), ([""], "poll_secret_required"), (["Bearer"], "poll_secret_required"),
        (["Basic \(secret)"], "poll_secret_required"),
        (["Bearer \(secret)", "Bearer \(secret)"], "poll_secret_required"),
        (["Bearer short"], "malformed_poll_secret"), (["Bearer \(secret)="], "malformed_poll_secret"),
        (["Bearer \(secret)x"], "malformed_poll_secret"), (["Bearer a b"], "malformed_poll_secret"),
        (["Bearer \(secret)"], "access"), (["bearer \(secret)"], "access"),
    ]) func `a login needs a bearer secret`(_ authorization: [String], _ code: String) {
        #expect(Self.refusal(authorization, id: Self.id) == code)
    }

    @Test func `another login's ID is unknown`() {
        #expect(Self.refusal(["Bearer \(Self.secret)"], id: "AAAAAAAAAAAAAAAAAAAAAA") == "unknown_login")
    }

    @Test(arguments: ["x", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAAAA"])
    func `an ID that none can have is unknown`(_ id: String) {
        #expect(Self.refusal(["Bearer \(Self.secret)"], id: id) == "unknown_login")
        #expect(Self.refusal([], id: id) == "poll_secret_required")
    }

    /// RFC 6750 §2.3 allows it, but we do not.
    @Test(arguments: [
        "poll_secret=x", "access_token=x", "a=b&secret=x", "token=x", "x=\(secret)", secret, "POLL_SECRET=x",
    ]) func `a secret in the query is refused`(_ query: String) {
        let refusal = Self.refusal(["Bearer \(Self.secret)"], target: "/v1/logins/x?\(query)", id: "x")
        #expect(refusal == "secret_in_query")
    }

    @Test func `any other query is ignored`() {
        let refusal = Self.refusal(
            ["Bearer \(Self.secret)"], target: "/v1/logins/x?v=1", id: Self.id)
        #expect(refusal == "access")
    }
}
