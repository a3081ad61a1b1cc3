import Base
import HTTPWire
import StrictJSON

/// The values in a request or a response that belong to one login only, such as codes and tokens. Calls that share one
/// belong to the same login. They are kept in memory and never shown.
enum CallLinks {
    private static let names: Set<String> = [
        "id", "state", "nonce", "code", "code_challenge", "request_uri", "access_token", "refresh_token", "session_id",
        "login", "page", "poll_secret", "autostarttoken", "autoStartToken", "order", "headless_req_id", "auth_req_id",
        "requestId", "transaction_id", "SAMLart", "artefactId", "sessionID", "sessionId", "RelayState", "relayState",
        "ciba_nonce", "proof",
    ]
    /// Below these, the server's own paths have a login's id or a token that begins with it, and a broker's paths have
    /// the id of an order.
    private static let folders: Set<String> = ["logins", "sessions", "go", "done", "ciba"]
    /// A shorter value may belong to more than one login.
    private static let shortest = 16
    private static let deepest = 6

    static func values(of request: Request) -> Set<String> {
        var values = Self.values(ofURL: request.target.raw)
        if let token = request.fields[.authorization]?.split(separator: " ").last, token.utf8.count >= Self.shortest,
            request.fields[.authorization]?.hasPrefix("Basic") == false
        {
            values.insert(String(token))
        }
        return values.union(Self.values(of: request.body, type: request.fields[.contentType]))
    }

    static func values(of response: Response) -> Set<String> {
        let values = response.fields[.location].map(Self.values(ofURL:)) ?? []
        return values.union(Self.values(of: response.body, type: response.fields[.contentType]))
    }

    /// Returns the login that a text names: the id itself, or what the server makes of it.
    private static func values(ofURL url: String) -> Set<String> {
        let parts = url.split(separator: "?", maxSplits: 1)
        let path = (parts.first ?? "").prefix { $0 != "#" }.split(separator: "/").map(String.init)
        // Any other segment, such as the name of an algorithm, is the same in the calls of all logins.
        var values = Set(
            zip(path, path.dropFirst()).filter { Self.folders.contains($0.0) }.map(\.1).filter(Self.isLong))
        guard parts.count == 2 else { return values }
        if let mark = parts[1].firstRange(of: "app-app="), let bytes = Base64.decode(parts[1][mark.upperBound...]) {
            values.formUnion(Self.values(of: bytes, type: "application/json"))
        }
        return values.union(Self.values(ofForm: String(parts[1])))
    }

    private static func values(of body: [UInt8], type: String?) -> Set<String> {
        guard !body.isEmpty, let type else { return [] }
        if type.hasPrefix("application/x-www-form-urlencoded") {
            return self.values(ofForm: String(decoding: body, as: UTF8.self))
        }
        if type.hasPrefix("text/html") { return self.values(ofPage: String(decoding: body, as: UTF8.self)) }
        guard let json = try? JSON(parsing: body) else { return [] }
        var values: Set<String> = []
        self.collect(json, name: nil, depth: 0, &values)
        return values
    }

    private static func values(ofForm text: String) -> Set<String> {
        var values: Set<String> = []
        for parameter in (try? FormBody.parse(text)) ?? [] {
            self.collect(.string(parameter.value), name: parameter.name, depth: 0, &values)
        }
        return values
    }

    /// Hidden fields, in the pages of the sandbox.
    private static func values(ofPage page: String) -> Set<String> {
        var values: Set<String> = []
        for part in page.split(separator: "<input type=\"hidden\" name=\"").dropFirst() {
            let words = part.prefix { $0 != ">" }.split(separator: "\"")
            guard words.count == 3, self.names.contains(String(words[0])), self.isLong(words[2]) else { continue }
            values.insert(String(words[2]))
        }
        return values
    }

    /// Also looks into JSON in a text, links, and the claims of a JWT.
    private static func collect(_ json: JSON, name: String?, depth: Int, _ values: inout Set<String>) {
        guard depth < self.deepest else { return }
        switch json {
        case .object(let members):
            for (name, value) in members { self.collect(value, name: name, depth: depth + 1, &values) }
        case .array(let elements):
            for element in elements { self.collect(element, name: name, depth: depth + 1, &values) }
        case .string(let text):
            if let name, self.names.contains(name), self.isLong(text) { values.insert(text) }
            if text.hasPrefix("http"), text.contains("://") { values.formUnion(self.values(ofURL: text)) }
            if text.hasPrefix("{"), let inner = try? JSON(parsing: Array(text.utf8)) {
                self.collect(inner, name: nil, depth: depth + 1, &values)
            }
            if text.hasPrefix("ey"), let claims = self.claims(text) {
                self.collect(claims, name: nil, depth: depth + 1, &values)
            }
        case .null, .bool, .integer, .number, .decimal: break
        }
    }

    private static func claims(_ jwt: String) -> JSON? {
        let parts = jwt.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])) else { return nil }
        return try? JSON(parsing: bytes)
    }

    private static func isLong(_ text: some StringProtocol) -> Bool { text.utf8.count >= self.shortest }
}
