import Base
import CPQ

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A parsed connection string (libpq §34.1.1), with our defaults added.
package struct PostgresAddress: Sendable, CustomStringConvertible, CustomReflectable {
    private var keywords: [Parameter]

    package init(_ text: Secret) throws(OperatorError) {
        try Self.checkDelimiters(of: text.exposedText)
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text.exposedText, &message)
        PQfreemem(message)
        guard let options else { throw Self.malformed }
        defer { PQconninfoFree(options) }
        self.keywords = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { self.set(String(cString: keyword), String(cString: value)) }
            option += 1
        }
        try self.checkParts()
        guard self["host"] != nil || self["hostaddr"] != nil || self["service"] != nil else {
            throw OperatorError("names no host")
        }
        for (name, value) in Self.additions where self[name] == nil { self.set(name, value) }
    }

    /// The defaults for keywords that the string does not set.
    private static let additions = [
        ("application_name", "switchback"), ("connect_timeout", "5"),
        // A standby refuses every write, so libpq looks for the primary among several hosts.
        ("target_session_attrs", "read-write"),
        // These detect a host that disappears silently.
        ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        // Otherwise libpq looks for Kerberos tickets first.
        ("gssencmode", "disable"),
    ]

    package subscript(name: String) -> String? { self.keywords.first { $0.name == name }?.value }

    mutating func set(_ name: String, _ value: String) {
        self.keywords.removeAll { $0.name == name }
        self.keywords.append(Parameter(name, value))
    }

    func with(password: Secret) -> PostgresAddress {
        var address = self
        address.set("password", password.exposedText)
        return address
    }

    /// Returns whether both addresses are the same except for the password.
    package func leadsWhere(_ other: PostgresAddress) -> Bool {
        func place(_ address: PostgresAddress) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: address.keywords.filter { $0.name != "password" }.map { ($0.name, $0.value) })
        }
        return place(self) == place(other)
    }

    package var password: Secret? { self["password"].map { Secret($0) } }

    /// Adds a `statement_timeout` that the server enforces. A pooler refuses this option or applies it to other
    /// clients.
    func limited(to timeout: Duration) -> PostgresAddress {
        var address = self
        address.add(options: "-c statement_timeout=\(timeout.components.seconds * 1000)")
        return address
    }

    /// Names the sessions of this process, and makes PostgreSQL end them within seconds if its host disappears. A plan is
    /// made once and fits every value, also every partition. A pooler would refuse these options or use the sessions for
    /// others.
    func named(_ process: ProcessName) -> PostgresAddress {
        var address = self
        address.set("application_name", process.session(after: self["application_name"] ?? ""))
        address.add(options: "-c tcp_keepalives_idle=3 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3")
        address.add(options: "-c tcp_user_timeout=6000 -c plan_cache_mode=force_generic_plan")
        return address
    }

    private mutating func add(options: String) {
        self.set("options", [self["options"], options].compactMap(\.self).joined(separator: " "))
    }

    /// The hosts, in the order in which libpq tries them.
    package var hosts: [String] {
        (self["host"] ?? self["hostaddr"] ?? "").split(separator: ",").map(String.init)
    }

    /// Whether every host must prove its identity. Local sockets need no proof.
    package var isVerified: Bool {
        self["sslmode"] == "verify-full" || self.hosts.allSatisfy(Self.isLocal)
    }

    private static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host)
    }

    /// The address in a readable form, without the password.
    package var description: String {
        let place = self.hosts.isEmpty ? "service \(self["service"] ?? "")" : self.hosts.joined(separator: ", ")
        let details = ["port", "dbname", "user", "sslmode", "target_session_attrs"].compactMap { name in
            self[name].map { "\(name) \($0)" }
        }
        return "\(place) (\(details.joined(separator: ", ")))"
    }

    /// Without this, `dump` would print the password.
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }

    /// Replaces the secrets in a message.
    func cleared(_ message: String) -> String {
        ["password", "sslpassword"].compactMap { self[$0] }.reduce(message) {
            $1.isEmpty ? $0 : $0.replacing($1, with: "***")
        }
    }

    /// Passes the keywords to libpq, which copies them.
    func withParameters<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        var names = self.keywords.map { UnsafePointer(strdup($0.name)) } + [nil]
        var values = self.keywords.map { UnsafePointer(strdup($0.value)) } + [nil]
        defer { for text in names + values { free(UnsafeMutablePointer(mutating: text)) } }
        return body(&names, &values)
    }
}
