import Foundation
import SwitchbackClient

/// What all cases share: the server, the request, the calls, and values by name.
struct CaseBook: Sendable {
    let server: URL
    /// The words of the poll secret, as random numbers.
    let secretWords: [UInt64]
    let secret: String
    let request: JSONValue
    private let json: JSONValue

    init(_ json: JSONValue) throws {
        guard let server = json["server"]?.string.flatMap(URL.init(string:)), let secret = json["poll_secret"]?.string
        else { throw LoginCase.FormatError("given.json has no server or poll_secret") }
        self.secretWords = try Self.words(of: secret)
        (self.server, self.secret, self.json) = (server, secret, json)
        self.request = json["request"] ?? .object([:])
    }

    /// The random numbers that make a poll secret.
    static func words(of secret: String) throws -> [UInt64] {
        let base64 = secret.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let bytes = Array(Data(base64Encoded: base64 + "=") ?? Data())
        guard bytes.count == 32 else { throw LoginCase.FormatError("a poll_secret has not 32 bytes") }
        return stride(from: 0, to: 32, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Puts the value in the place of its name: `"$go"`.
    func fill(_ json: JSONValue) throws -> JSONValue {
        switch json {
        case .string(let text) where text.hasPrefix("$"):
            guard let value = self.json["values"]?[String(text.dropFirst())] else {
                throw LoginCase.FormatError("given.json has no value \(text)")
            }
            return try self.fill(value)
        case .array(let elements): return .array(try elements.map(self.fill))
        case .object(let members): return .object(try members.mapValues(self.fill))
        default: return json
        }
    }

    /// The call that an effect names, with what the case says about it.
    func call(_ effect: JSONValue, _ request: JSONValue) throws -> JSONValue {
        guard let name = effect["call"]?.string, let usualCall = self.json["calls"]?[name] else {
            throw LoginCase.FormatError("unknown call in \(effect.text)")
        }
        let call = try self.fill(usualCall)
        var members = call.merging(effect).members
        members["call"] = nil
        if name == "create" { members["body"] = request.merging(.object(["poll_secret": .string(self.secret)])) }
        members["headers"] = (call["headers"] ?? .object([:])).merging(effect["headers"])
        return .object(members)
    }

    func response(_ json: JSONValue) throws -> HTTPResponse {
        guard let status = json["status"]?.integer else {
            throw LoginCase.FormatError("a response without a status: \(json.text)")
        }
        var (type, body): (String?, Data) = (nil, Data())
        if let login = json["login"] {
            var members = try self.fill(self.json["login"] ?? .null).merging(login).members
            for name in json["without"]?.texts ?? [] { members[name] = nil }
            (type, body) = ("application/json", JSONValue.object(members).data)
        } else if let problem = json["problem"] {
            let members = JSONValue.object(["status": .integer(status)]).merging(self.json["problem"]).merging(problem)
            (type, body) = ("application/problem+json", members.data)
        } else if let value = json["json"] {
            (type, body) = ("application/json", value.data)
        } else if let page = json["html"]?.string {
            (type, body) = ("text/html", Data(page.utf8))
        } else if let text = json["text"]?.string {
            body = Data(text.utf8)
        }
        let fields = (type.map { ["Content-Type": $0] } ?? [:])
            .merging(json["headers"]?.members.compactMapValues(\.string) ?? [:]) { $1 }
        return HTTPResponse(status: status, fields: fields, body: body)
    }

    /// What the store has before the first step.
    func record(_ saved: JSONValue, _ request: JSONValue, startedAt: Date) throws -> SavedLogin {
        let members: [String: JSONValue?] = [
            "id": .string(UUID().uuidString), "request": request, "secret": .string(self.secret),
            "started_at": .number(startedAt.timeIntervalSinceReferenceDate), "login": saved["login"],
            "reference": saved["reference"], "return_prefixes": saved["return_prefixes"],
            "is_acknowledged": saved["acknowledged"], "is_cancelling": saved["cancelling"],
            "opened": saved["opened"], "links": saved["links"], "replaces": request["replaces"],
        ]
        return try JSONDecoder().decode(SavedLogin.self, from: JSONValue.object(members.compactMapValues { $0 }).data)
    }
}
