import Base

/// The addresses that proxies write into a request, from the farthest to the nearest.
///
/// Nil marks an element without an address. Anyone may have written what is left of the rightmost address of an
/// untrusted machine.
package enum ForwardedAddress {
    /// Reads X-Forwarded-For: addresses separated by commas, some with a port.
    package static func xForwardedFor(_ values: [String]) -> [IPAddress?] {
        values.flatMap { value in
            let elements = value.elements(separatedBy: .comma).map(\.trimmingBlanks)
            return elements.filter { !$0.isEmpty }.map { Self.node(String($0)) }
        }
    }

    /// Reads Forwarded (RFC 7239 §4): the `for` of each element. A malformed line counts as one without an address.
    package static func forwarded(_ values: [String]) -> [IPAddress?] {
        values.flatMap { value in
            FieldScanner.list([value]) { Self.element(&$0) } ?? [nil]
        }
    }

    /// Reads `for=192.0.2.43;proto=https`. No parameter may occur twice. The outer nil means a malformed element.
    private static func element(_ scanner: inout FieldScanner) -> IPAddress?? {
        var pairs: [String: String] = [:]
        repeat {
            guard let name = scanner.readToken()?.lowercased(), scanner.take(.equals), let value = scanner.readWord(),
                pairs.updateValue(value, forKey: name) == nil
            else { return nil }
        } while scanner.takeSeparator(.semicolon)
        return .some(pairs["for"].flatMap { Self.node($0) })
    }

    /// Reads an IPv4 address, or an IPv6 address in brackets, each with an optional port (RFC 7239 §6). X-Forwarded-For
    /// also has IPv6 addresses without brackets, which then have no port.
    private static func node(_ text: String) -> IPAddress? {
        if let address = IPAddress(text) { return address }
        let isBracketed = text.hasPrefix("[")
        let host = text.prefix { $0 != (isBracketed ? "]" : ":") }
        let rest = text[host.endIndex...].dropFirst(isBracketed ? 1 : 0)
        guard rest.isEmpty || Self.isPort(rest) else { return nil }
        guard isBracketed else { return IPAddress(v4: String(host)) }
        guard text.contains("]") else { return nil }
        return IPAddress(v6: String(host.dropFirst()))
    }

    /// Whether it is digits or an obfuscated port (RFC 7239 §6).
    private static func isPort(_ text: Substring) -> Bool {
        let port = text.utf8.dropFirst()
        return text.utf8.first == .colon && 1...5 ~= port.count && port.allSatisfy { $0.isDigit }
    }
}
