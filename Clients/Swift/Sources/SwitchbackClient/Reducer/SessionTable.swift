import Foundation

/// What each response means for a session: one row for every status and code.
enum SessionTable {
    /// What a response means.
    enum Decision: Equatable, Sendable {
        /// The request did what it should. Its body has yet to be read.
        case accept
        /// Repeat the request with a new proof, which has the nonce of this response.
        case newNonce
        /// Repeat the request with a new access token.
        case newToken
        /// Send the same request again later.
        case retry(TransientError)
        /// The session is over.
        case ended
        /// The PIN was wrong.
        case wrongPIN(triesLeft: Int)
        /// The PIN has to be typed: the one with this name, if the server knows its name.
        case pinRequired(id: String?)
        /// Only a login with the e-ID helps.
        case stepUp
        /// This request failed; the session is as before.
        case fail(SessionError)
    }

    /// Where the response must come from.
    enum Source: Equatable, Sendable {
        /// Switchback, with this code of a problem or error of OAuth.
        case code(String)
        /// Switchback, with any code.
        case coded
        /// Switchback, or anything between it and the app.
        case any
    }

    struct Row: Sendable {
        let kinds: Set<SessionCall.Kind>
        let statuses: ClosedRange<Int>
        let source: Source
        let outcome: Outcome
    }

    enum Outcome: Sendable {
        case accept, newNonce, newToken, ended, wrongPIN, pinRequired, stepUp, refuse
        case rateLimited, unavailable, unexpectedResponse
        case loginGone, notAllowed, otherUser, wrongLogin
    }

    private static let all = Set(SessionCall.Kind.allCases)
    private static let proven = all.subtracting([.revoke])
    /// The calls with an access token.
    private static let authorized: Set<SessionCall.Kind> = [.setPIN, .list, .end]

    /// The first row that matches counts. Only Switchback itself can end a session: a proxy's 400 or a hotel's 410 ends
    /// nothing.
    static let rows: [Row] = [
        Row(kinds: all, statuses: 200...299, source: .any, outcome: .accept),
        Row(kinds: proven, statuses: 400...401, source: .code("use_dpop_nonce"), outcome: .newNonce),
        Row(kinds: proven, statuses: 401...401, source: .code("dpop_nonce_required"), outcome: .newNonce),

        Row(kinds: [.renew], statuses: 400...401, source: .code("invalid_grant"), outcome: .ended),
        Row(kinds: [.renew, .setPIN], statuses: 400...403, source: .code("wrong_pin"), outcome: .wrongPIN),
        Row(kinds: proven, statuses: 400...403, source: .code("pin_required"), outcome: .pinRequired),
        Row(
            kinds: proven, statuses: 400...403, source: .code("insufficient_user_authentication"), outcome: .stepUp),
        Row(kinds: [.setPIN], statuses: 403...403, source: .code("pin_too_late"), outcome: .stepUp),

        Row(kinds: proven, statuses: 410...410, source: .code("session_ended"), outcome: .ended),
        Row(kinds: [.begin], statuses: 410...410, source: .code("gone"), outcome: .loginGone),
        Row(kinds: [.begin], statuses: 404...404, source: .code("unknown_login"), outcome: .loginGone),
        Row(kinds: [.begin], statuses: 403...403, source: .code("session_not_allowed"), outcome: .notAllowed),
        Row(kinds: [.begin], statuses: 409...409, source: .code("session_key_in_use"), outcome: .otherUser),
        Row(kinds: [.begin], statuses: 409...409, source: .code("not_final"), outcome: .wrongLogin),

        // A session that the server does not know has ended.
        Row(kinds: [.end], statuses: 404...404, source: .code("session_unknown"), outcome: .accept),
        // A token can end early, as when the server's keys were changed. The renewal will tell.
        Row(kinds: authorized, statuses: 401...401, source: .code("access_token_invalid"), outcome: .newToken),
        Row(kinds: authorized, statuses: 404...404, source: .code("session_unknown"), outcome: .newToken),

        Row(kinds: all, statuses: 400...499, source: .code("temporarily_unavailable"), outcome: .rateLimited),
        // The network was too slow for the request.
        Row(kinds: all, statuses: 408...408, source: .any, outcome: .unavailable),
        Row(kinds: all, statuses: 429...429, source: .any, outcome: .rateLimited),
        Row(kinds: all, statuses: 400...499, source: .coded, outcome: .refuse),
        Row(kinds: all, statuses: 500...599, source: .any, outcome: .unavailable),
        Row(kinds: all, statuses: 0...Int.max, source: .any, outcome: .unexpectedResponse),
    ]

    /// Returns what this response means for a call of this kind.
    static func decision(on response: HTTPResponse, to kind: SessionCall.Kind) -> Decision {
        let refusal = Refusal(response)
        let row = self.rows.first {
            $0.kinds.contains(kind) && $0.statuses.contains(response.status) && $0.source.matches(refusal)
        }
        switch row?.outcome ?? .unexpectedResponse {
        case .accept: return .accept
        case .newNonce: return .newNonce
        case .newToken: return .newToken
        case .ended: return .ended
        case .wrongPIN: return .wrongPIN(triesLeft: max(refusal?.triesLeft ?? 0, 0))
        case .pinRequired: return .pinRequired(id: refusal?.pinID)
        case .stepUp: return .stepUp
        case .refuse: return .fail(.refused(code: refusal?.code ?? ""))
        case .rateLimited: return .retry(.rateLimited)
        case .unavailable: return .retry(.serviceUnavailable)
        case .unexpectedResponse: return .retry(.unexpectedResponse(status: response.status))
        case .loginGone: return .fail(.loginGone)
        case .notAllowed: return .fail(.notAllowed)
        case .otherUser: return .fail(.otherUser)
        case .wrongLogin: return .fail(.wrongLogin)
        }
    }
}

/// The code by which Switchback refuses: of a problem (RFC 9457), or an error of OAuth (RFC 6749 §5.2).
private struct Refusal {
    let code: String
    let triesLeft: Int?
    let pinID: String?

    init?(_ response: HTTPResponse) {
        if let problem = Problem(response) {
            self.code = problem.code
            self.triesLeft = problem.triesLeft
            self.pinID = nil
            return
        }
        guard response["Content-Type"]?.lowercased().hasPrefix("application/json") == true,
            let json = try? JSONDecoder().decode(JSONValue.self, from: response.body),
            let code = json["error"]?.string
        else { return nil }
        self.code = code
        self.triesLeft = json["tries_left"]?.integer
        self.pinID = json["pin_id"]?.string
    }
}

extension SessionTable.Source {
    fileprivate func matches(_ refusal: Refusal?) -> Bool {
        switch self {
        case .code(let code): refusal?.code == code
        case .coded: refusal != nil
        case .any: true
        }
    }
}
