import Base
import HTTPWire
import StrictJSON

/// Shortens what nobody else may use or read: codes, tokens, secrets, keys and national ids.
package enum CallRedaction {
    /// A run of this many letters, digits, `-` and `_`, with a digit or a capital, is random.
    private static let shortest = 20
    private static let kept = 4
    private static let bodyLimit = 4096

    /// Members and parameters whose value is hidden even if it is short.
    private static let hidden = Self.nationalIDs.union(["code", "client_secret", "user_code", "pin_secret"])
    private static let nationalIDs: Set<String> = ["national_id", "cprNumberIdentifier", "dk.cpr", "ssn", "nin", "bsn"]
    /// Fields that nobody needs to see.
    private static let dull: Set<String> = ["host", "connection", "content-length", "accept-encoding", "date"]

    package static func text(_ text: String) -> String {
        var out = ""
        var run: [Unicode.Scalar] = []
        func flush() {
            let isLong = run.count >= Self.shortest
            let isRandom = isLong && run.contains { ("0"..."9").contains($0) || ("A"..."Z").contains($0) }
            out.unicodeScalars.append(contentsOf: isRandom ? Array(run.prefix(Self.kept)) : run)
            if isRandom { out += "…" }
            run.removeAll(keepingCapacity: true)
        }
        for scalar in text.unicodeScalars {
            if Self.mayBeRandom(scalar) {
                run.append(scalar)
            } else {
                flush()
                out.unicodeScalars.append(scalar)
            }
        }
        flush()
        return out
    }

    private static func mayBeRandom(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    package static func target(_ target: Target) -> String {
        guard let query = target.query else { return self.text(target.path) }
        return self.text(target.path) + "?" + self.form(query)
    }

    package static func fields(_ fields: [Parameter]) -> [Parameter] {
        fields.compactMap { field in
            guard !self.dull.contains(field.name.lowercased()) else { return nil }
            switch field.name.lowercased() {
            case "authorization":
                let scheme = field.value.prefix { $0 != " " }
                let value = field.value.dropFirst(scheme.count + 1)
                return Parameter(field.name, "\(scheme) \(value.prefix(scheme == "Basic" ? 0 : self.kept))…")
            case "location": return Parameter(field.name, self.value(field.value))
            case "cookie", "set-cookie": return Parameter(field.name, self.cookies(field.value))
            default: return Parameter(field.name, self.text(field.value))
            }
        }
    }

    /// Keeps names and attributes.
    private static func cookies(_ value: String) -> String {
        let attributes: Set = ["path", "max-age", "samesite", "domain", "expires"]
        return value.split(separator: ";").map { part in
            guard let mark = part.firstIndex(of: "="),
                !attributes.contains(part[..<mark].drop { $0 == " " }.lowercased())
            else { return String(part) }
            return "\(part[..<mark])=…"
        }.joined(separator: ";")
    }

    /// Returns a form or a query with each value redacted, still encoded for a URL except for what was cut.
    private static func form(_ text: some StringProtocol) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { part -> String in
            guard let mark = part.firstIndex(of: "=") else { return self.text(String(part)) }
            let name = String(part[..<mark])
            let value = String(part[part.index(after: mark)...])
            return "\(name)=\(self.hidden.contains(name) && !value.isEmpty ? "…" : self.text(value))"
        }.joined(separator: "&")
    }

    package static func body(_ body: [UInt8], type: String?) -> String {
        guard !body.isEmpty else { return "" }
        let type = type.map { String($0.prefix { $0 != ";" }).lowercased() } ?? ""
        if type == "application/x-www-form-urlencoded" {
            return self.cut(self.form(String(decoding: body, as: UTF8.self)))
        }
        if type.hasSuffix("json"), let json = try? JSON(parsing: body) {
            return self.cut(String(decoding: self.value(json).encoded(), as: UTF8.self))
        }
        if type.hasPrefix("text/plain") || type.hasSuffix("jwt") || type.hasSuffix("json") {
            return self.cut(self.text(String(decoding: body, as: UTF8.self)))
        }
        return "\(type.isEmpty ? "unknown" : type), \(body.count) bytes"
    }

    /// Redacts the query of a link by its names.
    private static func value(_ text: String) -> String {
        guard text.contains("://"), let mark = text.firstIndex(of: "?") else { return self.text(text) }
        return self.text(String(text[..<mark])) + "?" + self.form(text[text.index(after: mark)...])
    }

    private static func value(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): return .string(self.value(text))
        case .array(let elements): return .array(elements.map(self.value))
        case .object(let members):
            return .object(
                JSON.Object(
                    members.map {
                        ($0.name, self.hidden.contains($0.name) ? self.short($0.value) : self.value($0.value))
                    }))
        case .null, .bool, .integer, .number, .decimal: return json
        }
    }

    /// Returns the claims of a token as its owner may see them.
    static func withoutNationalIDs(_ claims: JSON) -> JSON {
        guard let members = claims.object else { return claims }
        return .object(
            JSON.Object(
                members.map {
                    let isHidden = self.nationalIDs.contains($0.name)
                    return ($0.name, isHidden ? self.short($0.value) : self.withoutNationalIDs($0.value))
                }))
    }

    private static func short(_ json: JSON) -> JSON {
        switch json {
        case .null: .null
        case .object(let members):
            .object(JSON.Object(members.map { ($0.name, $0.name == "type" ? $0.value : self.short($0.value)) }))
        default: "…"
        }
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= self.bodyLimit ? text : String(text.prefix(self.bodyLimit)) + "…"
    }
}
