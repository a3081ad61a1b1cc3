import Foundation

/// Private authorities with certificates of good and bad servers and clients, made with openssl in their own folder.
package struct TestCertificates: Sendable {
    package enum Name: String, CaseIterable, Sendable {
        /// Server certificates, for `localhost` unless the name says otherwise.
        case good, unknownAuthority, otherName, expired, notYet, soonExpired, selfSigned
        /// Client certificates: `client.example` by the authority, the same name by another authority, and self-signed.
        case client, otherClient, selfSignedClient
        /// Client certificates with an RSA key, and with an encrypted key.
        case rsaClient, lockedClient

        package static let clients: [Name] = [
            .client, .otherClient, .selfSignedClient, .rsaClient, .lockedClient,
        ]
    }

    package let folder: String

    /// The authority that servers and clients trust.
    package var authority: String { "\(self.folder)/authority.pem" }

    package func certificate(_ name: Name) -> String { "\(self.folder)/\(name.rawValue).pem" }

    package func key(_ name: Name) -> String { "\(self.folder)/\(name.rawValue).key" }

    /// Makes the named certificates.
    package init(_ names: [Name] = Name.allCases) throws {
        self.folder = NSTemporaryDirectory() + "switchback-tls-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        do {
            try self.makeAuthority("authority")
            try self.makeAuthority("unknown")
            for name in names { try self.make(name) }
        } catch {
            self.remove()
            throw error
        }
    }

    package func remove() { try? FileManager.default.removeItem(atPath: self.folder) }

    private func make(_ name: Name) throws {
        switch name {
        case .good: try self.makeSigned(name)
        case .unknownAuthority: try self.makeSigned(name, authority: "unknown")
        case .otherName: try self.makeSigned(name, for: "other.example")
        case .expired: try self.makeSigned(name, from: "20200101000000Z", to: "20200201000000Z")
        case .notYet: try self.makeSigned(name, from: "20990101000000Z", to: "20990201000000Z")
        case .soonExpired: try self.makeSigned(name, days: 5)
        case .selfSigned: try self.makeSelfSigned(name, for: "localhost")
        case .client: try self.makeSigned(name, for: "client.example")
        case .otherClient: try self.makeSigned(name, authority: "unknown", for: "client.example")
        case .selfSignedClient: try self.makeSelfSigned(name, for: "client.example")
        case .rsaClient: try self.makeSigned(name, for: "client.example", key: ["rsa:2048", "-nodes"])
        case .lockedClient:
            try self.makeSigned(name, for: "client.example", key: Self.elliptic + ["-passout", "pass:secret"])
        }
    }

    // MARK: - openssl

    private static let elliptic = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

    private func request(_ file: String, for host: String, key: [String]) -> [String] {
        ["req", "-newkey"] + key
            + ["-keyout", "\(file).key", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)"]
    }

    private func makeSelfSigned(_ name: Name, for host: String) throws {
        try self.openssl(
            self.request(name.rawValue, for: host, key: Self.elliptic + ["-nodes"])
                + ["-x509", "-days", "30", "-out", "\(name.rawValue).pem"])
    }

    private func makeSigned(
        _ name: Name, authority: String = "authority", for host: String = "localhost",
        from: String = "20200101000000Z", to: String = "20990101000000Z", days: Int? = nil,
        key: [String] = elliptic + ["-nodes"]
    ) throws {
        let file = name.rawValue
        try self.openssl(self.request(file, for: host, key: key) + ["-out", "\(file).csr"])
        let validity = days.map { ["-days", "\($0)"] } ?? ["-startdate", from, "-enddate", to]
        try self.openssl(
            [
                "ca", "-batch", "-notext", "-config", "\(authority).conf", "-cert", "\(authority).pem",
                "-keyfile", "\(authority).key", "-in", "\(file).csr", "-out", "\(file).pem",
            ] + validity)
    }

    /// The authority has its own database, because only `openssl ca` can set a validity in the past.
    private func makeAuthority(_ file: String) throws {
        try FileManager.default.createDirectory(atPath: "\(self.folder)/\(file).d", withIntermediateDirectories: true)
        try "".write(toFile: "\(self.folder)/\(file).index", atomically: true, encoding: .utf8)
        try """
        [ca]
        default_ca = it
        [it]
        database = \(file).index
        new_certs_dir = \(file).d
        rand_serial = yes
        default_md = sha256
        policy = any
        copy_extensions = copy
        unique_subject = no
        [any]
        commonName = supplied
        """.write(toFile: "\(self.folder)/\(file).conf", atomically: true, encoding: .utf8)
        try self.openssl(
            ["req", "-x509", "-newkey"] + Self.elliptic
                + [
                    "-nodes", "-days", "30", "-keyout", "\(file).key", "-out", "\(file).pem",
                    "-subj", "/CN=Authority \(file)",
                ])
    }

    private func openssl(_ arguments: [String]) throws {
        let process = try ChildProcess(tool: "openssl", arguments, in: self.folder)
        guard process.end() else { throw MissingTool(description: "openssl \(arguments.prefix(2)) failed") }
    }
}
