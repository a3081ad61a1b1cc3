import Foundation

@testable import SwitchbackClient

/// What all cases share: the server, the request, and values by name.
struct CaseContext: Sendable {
    let server: URL
    let secret: String
    private var members: [String: JSONValue]

    init() { (self.server, self.secret, self.members) = (URL(fileURLWithPath: "/"), "", [:]) }

    init(_ json: JSONValue) throws {
        try json.check([
            "server", "app", "poll_secret", "request", "login", "problem", "tokens", "pins", "calls", "values",
        ])
        guard let server = json["server"]?.string.flatMap(URL.init(string:)), let secret = json["poll_secret"]?.string
        else { throw BehaviourCase.FormatError("given.json has no server or poll_secret") }
        (self.server, self.secret, self.members) = (server, secret, json.members)
    }

    subscript(_ name: String) -> JSONValue { self.members[name] ?? .null }

    /// The same with another request, for a case that has one of its own.
    func with(_ request: JSONValue?) -> CaseContext {
        var context = self
        context.members["request"] = .object(self["request"].members.merging(request?.members ?? [:]) { $1 })
        return context
    }

    /// Puts the value in the place of its name: `"$go"`.
    func fill(_ json: JSONValue) throws -> JSONValue {
        switch json {
        case .string(let text) where text.hasPrefix("$"):
            guard let value = self["values"][String(text.dropFirst())] else {
                throw BehaviourCase.FormatError("given.json has no value \(text)")
            }
            return try self.fill(value)
        case .array(let elements): return .array(try elements.map(self.fill))
        case .object(let members): return .object(try members.mapValues(self.fill))
        case .null, .bool, .integer, .number, .string: return json
        }
    }

    /// Returns a call with this name, and what the case says about it.
    func call(_ json: JSONValue) throws -> JSONValue {
        guard let name = json["call"]?.string, let usualCall = self["calls"][name] else {
            throw BehaviourCase.FormatError("unknown call in \(json.text)")
        }
        let call = try self.fill(usualCall).members
        let headers = (call["headers"]?.members ?? [:]).merging(json["headers"]?.members ?? [:]) { $1 }
        var members = call.merging(json.members) { $1 }
        members["call"] = nil
        if name == "create" {
            let secret = ["poll_secret": JSONValue.string(self.secret)]
            members["body"] = .object(self["request"].members.merging(secret) { $1 })
        }
        members["headers"] = .object(headers)
        return .object(members)
    }

    func response(_ json: JSONValue) throws -> HTTPResponse {
        try json.check(["status", "headers", "login", "tokens", "without", "problem", "json", "html", "text"])
        guard let status = json["status"]?.integer else {
            throw BehaviourCase.FormatError("a response without a status: \(json.text)")
        }
        var (type, body): (String?, Data) = (nil, Data())
        if let name = ["login", "tokens"].first(where: { json[$0] != nil }) {
            var members = try self.fill(self[name]).members.merging(json[name]?.members ?? [:]) { $1 }
            for name in json["without"]?.strings ?? [] { members[name] = nil }
            (type, body) = ("application/json", JSONValue.object(members).data)
        } else if let problem = json["problem"] {
            let members = self["problem"].members.merging(problem.members) { $1 }
                .merging(["status": .integer(status)]) { first, _ in first }
            (type, body) = ("application/problem+json", JSONValue.object(members).data)
        } else if let value = json["json"] {
            (type, body) = ("application/json", value.data)
        } else if let text = json["html"]?.string ?? json["text"]?.string {
            (type, body) = (json["html"] == nil ? nil : "text/html", Data(text.utf8))
        }
        var fields: [String: String] = type.map { ["Content-Type": $0] } ?? [:]
        for (name, value) in json["headers"]?.members ?? [:] { fields[name] = value.string ?? "" }
        return HTTPResponse(status: status, fields: fields, body: body)
    }
}
