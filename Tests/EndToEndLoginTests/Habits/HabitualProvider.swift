import Base
import Cryptography
import Foundation
import JOSE
import StrictJSON
import Synchronization
import TestSupport

/// An OpenID provider on loopback with the habits of one file. It is strict about what the server sends: a wrong
/// parameter, credential or verifier is kept as a problem.
final class HabitualProvider: Sendable {
    enum User: Sendable {
        case approves
        case cancels
    }

    struct Grant: Sendable {
        let request: [Parameter]
        let authenticatedAt: Int
    }

    private struct State {
        var server: FaultServer?
        var user = User.approves
        var keys: HabitKeys
        var refusesCodes = false
        var grants: [String: Grant] = [:]
        var pushed: [String: [Parameter]] = [:]
        var problems: [String] = []
    }

    static let clientID = "the-client"
    static let clientSecret = "a secret + of 100 % bytes/~="
    static let accessToken = "an-access-token"

    let port: UInt16
    let habit: JSON
    let now: @Sendable () -> Timestamp
    private let state: Mutex<State>

    init(_ habit: ProviderHabit, now: @escaping @Sendable () -> Timestamp) throws {
        self.port = try FreePort.find()
        self.habit = try habit.onLoopback(port: self.port)
        self.now = now
        self.state = Mutex(State(keys: try HabitKeys(self.habit["keys"])))
        let server = try FaultServer(port: self.port) { [self] connection in
            while let text = connection.readRequest() {
                let request = HabitRequest(text)
                guard connection.write(self.answer(request).bytes), request.field("Connection") != "close" else {
                    return
                }
            }
        }
        self.state.withLock { $0.server = server }
    }

    func stop() { self.state.withLock { $0.server }?.stop() }

    func expect(_ user: User) { self.state.withLock { $0.user = user } }
    func rotate() { self.state.withLock { $0.keys.rotate() } }
    /// From now on, or no longer, it refuses every code.
    func refuseCodes(_ refuses: Bool) { self.state.withLock { $0.refusesCodes = refuses } }

    /// What the server did that this provider does not accept.
    var problems: [String] { self.state.withLock { $0.problems } }

    func note(_ problem: String) { self.state.withLock { $0.problems.append(problem) } }

    var keys: HabitKeys { self.state.withLock { $0.keys } }
    var refusesCodes: Bool { self.state.withLock { $0.refusesCodes } }

    // MARK: - Requests

    /// The text of a member of discovery.
    func metadata(_ name: String) -> String? { self.habit["discovery"]?[name]?.string }

    /// Whether users who cancel stay on a page of this provider, and nothing comes back.
    var keepsCancelled: Bool { self.habit["cancel"]?.string == "none" }

    var issuer: String { self.habit["issuer"]?.string ?? self.metadata("issuer") ?? "" }

    private func path(of member: String) -> String? {
        self.metadata(member).flatMap { URL(string: $0)?.path(percentEncoded: true) }
    }

    private func answer(_ request: HabitRequest) -> HabitAnswer {
        let issuer = URL(string: self.issuer)?.path(percentEncoded: true) ?? ""
        let wellKnown =
            (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
        do {
            switch request.path {
            case wellKnown:
                guard let document = self.habit["discovery"] else { return .page(404, "no discovery") }
                return .json(document, type: self.habit["discovery_type"]?.string ?? "application/json")
            case self.path(of: "jwks_uri"):
                return .json(try self.keys.published(), type: self.habit["keys"]?["type"]?.string ?? "application/json")
            case self.path(of: "pushed_authorization_request_endpoint"): return self.push(request)
            case self.path(of: "authorization_endpoint"): return self.authorize(request)
            case self.path(of: "token_endpoint"): return try self.token(request)
            case self.path(of: "userinfo_endpoint"): return try self.userinfo(request)
            default: return .page(404, "\(request.path) is not here")
            }
        } catch {
            self.note("\(error)")
            return .page(500, "\(error)")
        }
    }

    // MARK: - Authorization

    private func push(_ request: HabitRequest) -> HabitAnswer {
        guard self.isAuthenticated(request) else { return .json(["error": "invalid_client"], status: 401) }
        if let problem = self.problem(with: request.form) {
            self.note(problem)
            return .json(["error": "invalid_request"], status: 400)
        }
        let uri = "urn:ietf:params:oauth:request_uri:" + Base64URL.encode(RandomBytes.make(16))
        self.state.withLock { $0.pushed[uri] = request.form }
        return .json(["request_uri": .string(uri), "expires_in": 60], status: 201)
    }

    private func authorize(_ request: HabitRequest) -> HabitAnswer {
        let pushed = request.query[named: "request_uri"].flatMap { uri in
            self.state.withLock { $0.pushed.removeValue(forKey: uri) }
        }
        let parameters = pushed ?? request.query
        if let problem = self.problem(with: parameters) {
            self.note(problem)
            return .page(400, problem)
        }
        return self.response(to: parameters)
    }

    /// What is wrong with an authorization request by the habits; nil if nothing is.
    private func problem(with parameters: [Parameter]) -> String? {
        let habit = self.habit["authorize"]
        for name in ["client_id", "redirect_uri", "state", "nonce", "code_challenge"]
        where parameters[named: name]?.isEmpty ?? true {
            return "authorize: \(name) is missing"
        }
        if let accepted = habit?["accepts"]?.array?.compactMap(\.string),
            let other = parameters.first(where: { !accepted.contains($0.name) })
        {
            return "authorize: \(other.name) is not accepted"
        }
        if let refused = habit?["refuses"]?.array?.compactMap(\.string),
            let other = parameters.first(where: { refused.contains($0.name) })
        {
            return "authorize: \(other.name) is refused"
        }
        for name in habit?["requires"]?.object?.names ?? [] {
            guard let value = parameters[named: name] else { return "authorize: \(name) is required" }
            let wanted = habit?["requires"]?[name]?.string ?? ""
            guard wanted.isEmpty || value == wanted else { return "authorize: \(name) must be \(wanted)" }
        }
        let prompts = habit?["prompts"]?.array?.compactMap(\.string) ?? ["login", "none", "consent", "select_account"]
        if let prompt = parameters[named: "prompt"], !prompts.contains(prompt) {
            return "authorize: prompt \(prompt) is not supported"
        }
        return nil
    }

    private func response(to request: [Parameter]) -> HabitAnswer {
        let habit = self.habit["authorize"]
        let user = self.state.withLock { $0.user }
        var fields: [Parameter]
        switch user {
        case .approves:
            let code = (habit?["code_prefix"]?.string ?? "") + Base64URL.encode(RandomBytes.make(16))
            let grant = Grant(request: request, authenticatedAt: self.authenticationTime(for: request))
            self.state.withLock { $0.grants[code] = grant }
            fields = [Parameter("code", code)] + Self.parameters(habit?["extra"])
        case .cancels:
            guard !self.keepsCancelled else { return .page(200, "You have cancelled the login.") }
            fields = Self.parameters(self.habit["cancel"] ?? ["error": "access_denied"])
        }
        if let state = request[named: "state"] { fields.append(Parameter("state", state)) }
        let namesItself = habit?["iss"]?.bool == true || (habit?["iss"]?.string == "success" && user == .approves)
        if namesItself { fields.append(Parameter("iss", self.issuer)) }
        let redirect = request[named: "redirect_uri"] ?? ""
        let mode = habit?["response"]?.string ?? request[named: "response_mode"] ?? "query"
        guard mode == "form_post" else {
            // A habit may be to send bytes that are no UTF-8.
            let raw = user == .cancels ? self.habit["cancel_raw"]?.string ?? "" : ""
            return HabitAnswer(status: 302, location: "\(redirect)?\(FormEncoded.text(fields))\(raw)")
        }
        let inputs = fields.map {
            "<input type=\"hidden\" name=\"\($0.name)\" value=\"\(FormEncoded.escaped($0.value))\">"
        }
        return .page(200, "<form method=\"post\" action=\"\(redirect)\">\(inputs.joined())</form>")
    }

    /// The user logged in an hour ago, and logs in anew where the request and the habits demand it.
    private func authenticationTime(for request: [Parameter]) -> Int {
        let isAsked = request[named: "prompt"]?.contains("login") ?? false || request[named: "max_age"] != nil
        let heeds = self.habit["authorize"]?["heeds_prompt"]?.bool != false
        return self.now().seconds - (isAsked && heeds ? 0 : 3600)
    }

    private static func parameters(_ json: JSON?) -> [Parameter] {
        (json?.object?.names ?? []).compactMap { name in json?[name]?.string.map { Parameter(name, $0) } }
    }

    /// Takes the grant of a code, which works once.
    func redeem(_ code: String) -> Grant? { self.state.withLock { $0.grants.removeValue(forKey: code) } }
}
