import Base
import StrictJSON
import Synchronization

/// Checks every response of a running server against `Public/openapi.yaml`, and records what was seen.
package final class OpenAPIDocument: Sendable {
    /// The header fields that the file describes once, in words, for all responses.
    private static let commonHeaders: Set<String> = [
        "access-control-allow-origin", "access-control-expose-headers", "connection", "content-length",
        "content-security-policy", "content-type", "date", "keep-alive",
        "permissions-policy", "referrer-policy", "strict-transport-security", "transfer-encoding",
        "vary", "x-content-type-options", "x-robots-tag",
    ]
    private static let methods = ["get", "post", "put", "patch", "delete"]

    package let root: JSON
    package let checker: SchemaChecker
    private let seenAnswers = Mutex<Set<String>>([])

    package init(yaml: String) throws {
        self.root = try JSON(yaml: yaml)
        self.checker = SchemaChecker(root: self.root)
    }

    /// The configuration defines these paths, so they are operations without a path, by their name in the components.
    private static let links = "ReturnLink"

    private var linkItem: JSON? { self.root["components"]?["pathItems"]?[Self.links] }

    /// Each operation with each status: `GET /v1/logins/{id} 304`, and `GET ReturnLink 200`.
    package var described: Set<String> {
        var answers: Set<String> = []
        let links = self.root["components"]?["pathItems"]?.object ?? [:]
        for path in Array(self.root["paths"]?.object ?? [:]) + Array(links) {
            for method in Self.methods {
                for response in path.value[method]?["responses"]?.object ?? [:] where response.name != "default" {
                    answers.insert("\(method.uppercased()) \(path.name) \(response.name)")
                }
            }
        }
        return answers
    }

    /// Those of them that were checked.
    package var seen: Set<String> { self.seenAnswers.withLock { $0 } }

    /// Returns what is wrong with a response; empty if it is as described. `path` may have a query.
    package func check(
        _ method: String, _ path: String, status: Int, headers: [Parameter], body: [UInt8]
    ) -> [String] {
        let headers = headers.map { Parameter($0.name.lowercased(), $0.value) }
        if let problems = self.checkRefusal(status, headers, body) { return problems }
        if let problems = self.checkRefusedPage(status, headers, body) { return problems }
        let path = String(path.prefix { $0 != "?" })
        let template = self.template(of: path)
        let found = template.flatMap { self.root["paths"]?[$0] } ?? (status == 404 ? nil : self.linkItem)
        guard let item = found else { return self.checkProblem("not_found", 404, status, headers, body) }
        if method == "OPTIONS" { return status == 204 && body.isEmpty ? [] : ["OPTIONS \(path): \(status)"] }
        let wanted = method == "HEAD" ? "get" : method.lowercased()
        guard let operation = item[wanted] else {
            return self.checkProblem("method_not_allowed", 405, status, headers, body)
        }
        let name = "\(wanted.uppercased()) \(template ?? Self.links) \(status)"
        guard let response = operation["responses"]?[String(status)].map({ self.checker.resolved($0) }) else {
            return method == "HEAD" && status == 200 ? [] : ["\(name): is not described"]
        }
        self.seenAnswers.withLock { _ = $0.insert(name) }
        let problems =
            self.checkHeaders(headers, response) + (method == "HEAD" ? [] : self.checkBody(body, headers, response))
        return problems.map { "\(name): \($0)" }
    }

    /// Returns the template of a path, such as `/v1/logins/{id}`. A path without parameters takes precedence.
    package func template(of path: String) -> String? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let names = self.root["paths"]?.object?.names ?? []
        let fitting = names.filter { name in
            let pattern = name.split(separator: "/", omittingEmptySubsequences: false)
            return pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0 == $1 || ($0.hasPrefix("{") && !$1.isEmpty) }
        }
        return fitting.first { $0 == path } ?? fitting.first
    }
}

// MARK: - Refusals of HTTP itself

extension OpenAPIDocument {
    /// Returns nil for any other response. An error of the server itself is never as described.
    private func checkRefusal(_ status: Int, _ headers: Headers, _ body: [UInt8]) -> [String]? {
        guard let refused = self.root["components"]?["responses"]?["Refused"], status >= 400, status != 500,
            let code = (try? JSON(parsing: body))?["code"], refused["x-codes"]?.array?.contains(code) == true
        else { return nil }
        return self.checkHeaders(headers, refused) + self.checkBody(body, headers, refused)
    }
}

// MARK: - Refusals that a user reads

extension OpenAPIDocument {
    /// Returns nil for any other response. Only a refusal depends on whether its reader prefers pages.
    private func checkRefusedPage(_ status: Int, _ headers: Headers, _ body: [UInt8]) -> [String]? {
        func has(_ name: String, _ word: String) -> Bool {
            let values = headers.first { $0.name == name }?.value.split { ",; ".contains($0) } ?? []
            return values.contains { $0 == word }
        }
        guard let page = self.root["components"]?["responses"]?["RefusedPage"], status >= 400,
            has("content-type", "text/html"), has("vary", "accept")
        else { return nil }
        return self.checkHeaders(headers, page) + self.checkBody(body, headers, page)
    }
}

// MARK: - Parts of an answer

extension OpenAPIDocument {
    private typealias Headers = [Parameter]

    private func checkHeaders(_ headers: Headers, _ response: JSON) -> [String] {
        let described = (response["headers"]?.object ?? [:]).map { (name: $0.name.lowercased(), value: $0.value) }
        var problems: [String] = []
        for header in described {
            let header = (name: header.name, rule: self.checker.resolved(header.value))
            guard let value = headers.first(where: { $0.name == header.name })?.value else {
                if header.rule["required"] == true { problems.append("lacks the header \(header.name)") }
                continue
            }
            let schema = header.rule["schema"] ?? [:]
            let json = schema["type"] == "integer" ? Int(value).map { JSON.integer($0) } : nil
            problems += self.checker.problems(json ?? .string(value), schema, at: header.name)
        }
        let known = Self.commonHeaders.union(described.map(\.name))
        return problems + headers.filter { !known.contains($0.name) }.map { "the header \($0.name) is not described" }
    }

    private func checkBody(_ body: [UInt8], _ headers: Headers, _ response: JSON) -> [String] {
        guard !body.isEmpty else { return [] }
        let type = headers.first { $0.name == "content-type" }?.value.prefix { $0 != ";" } ?? ""
        guard let content = response["content"]?[String(type)] else {
            return ["a body of type \(type) is not described"]
        }
        guard let schema = content["schema"], !headers.contains(where: { $0.name == "content-encoding" }) else {
            return []
        }
        guard let json = try? JSON(parsing: body) else { return ["the body is not JSON"] }
        return self.checker.problems(json, schema, at: "body")
    }

    private func checkProblem(
        _ code: String, _ expected: Int, _ status: Int, _ headers: Headers, _ body: [UInt8]
    ) -> [String] {
        guard status == expected else { return ["\(status) instead of \(expected) \(code)"] }
        guard let json = try? JSON(parsing: body) else { return body.isEmpty ? [] : ["the body is not JSON"] }
        let schema: JSON = ["$ref": "#/components/schemas/Problem"]
        return self.checker.problems(json, schema, at: "body")
            + (json["code"]?.string == code ? [] : ["the code is not \(code)"])
    }
}
