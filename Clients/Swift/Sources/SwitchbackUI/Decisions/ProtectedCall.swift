import Foundation

/// A request to an API that wants this phone's access token: answers each of the API's challenges once.
struct ProtectedCall<Response: Sendable> {
    /// Makes the fields for one try. `nonce` is the API's.
    let fields: @Sendable (_ nonce: String?) async throws -> [String: String]
    /// Gets a new access token.
    let renew: @Sendable () async throws -> Void
    /// Logs in again with the e-ID. Nil if the app wants to do that itself.
    let stepUp: (@Sendable () async throws -> Void)?
    /// Sends one try.
    let send: @Sendable (_ fields: [String: String]) async throws -> Response
    /// Returns the API's challenge and the nonce of a response.
    let read: @Sendable (Response) -> (challenge: APIChallenge?, nonce: String?)

    /// Sends the request, and again after each challenge that it can answer. The last response stands.
    func run() async throws -> Response {
        var (nonce, answers): (String?, Set<APIChallenge>) = (nil, [])
        while true {
            let response = try await self.send(try await self.fields(nonce))
            let (challenge, newNonce) = self.read(response)
            nonce = newNonce ?? nonce
            guard let challenge, answers.insert(challenge).inserted else { return response }
            switch challenge {
            case .nonceWanted: if newNonce == nil { return response }
            case .tokenExpired: try await self.renew()
            case .stepUpWanted:
                guard let stepUp else { return response }
                try await stepUp()
            }
        }
    }
}

/// Why an API refuses an access token that may be good (RFC 9449 §9, RFC 6750 §3.1, RFC 9470 §3).
enum APIChallenge: Hashable, Sendable {
    case nonceWanted, tokenExpired, stepUpWanted

    /// Reads `WWW-Authenticate` of a response; nil if there is nothing to answer.
    init?(status: Int, field: String?) {
        guard status == 401, let field else { return nil }
        switch Self.error(in: field) {
        case "use_dpop_nonce": self = .nonceWanted
        case "invalid_token": self = .tokenExpired
        case "insufficient_user_authentication": self = .stepUpWanted
        default: return nil
        }
    }

    /// The value of the parameter `error`, with or without quotation marks.
    private static func error(in field: String) -> String? {
        for part in field.split(whereSeparator: { $0 == "," || $0 == " " }) {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, pair[0].lowercased() == "error" else { continue }
            return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return nil
    }
}
