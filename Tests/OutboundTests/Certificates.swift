// A private authority, and the certificates of good and bad servers, made with openssl.

import Foundation
import Testing

struct Certificates {
    let folder: String

    func make() throws {
        try self.makeAuthority("authority")
        try self.makeAuthority("unknown")
        try self.makeServer("good")
        try self.makeServer("unknownAuthority", authority: "unknown")
        try self.makeServer("otherName", name: "other.example")
        try self.makeServer("expired", from: "20200101000000Z", to: "20200201000000Z")
        try self.makeServer("notYet", from: "20990101000000Z", to: "20990201000000Z")
        try self.openssl(
            Self.request("selfSigned", name: "localhost") + ["-x509", "-days", "30", "-out", "selfSigned.pem"])
    }

    private static func request(_ file: String, name: String) -> [String] {
        [
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(file).key",
            "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
        ]
    }

    /// With a database of its own: `openssl ca` is what sets a validity in the past.
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
        try self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-keyout", "\(file).key", "-out", "\(file).pem", "-subj", "/CN=Authority \(file)",
        ])
    }

    private func makeServer(
        _ file: String, authority: String = "authority", name: String = "localhost",
        from: String = "20200101000000Z", to: String = "20990101000000Z"
    ) throws {
        try self.openssl(Self.request(file, name: name) + ["-out", "\(file).csr"])
        try self.openssl([
            "ca", "-batch", "-notext", "-config", "\(authority).conf", "-cert", "\(authority).pem",
            "-keyfile", "\(authority).key", "-startdate", from, "-enddate", to, "-in", "\(file).csr",
            "-out", "\(file).pem",
        ])
    }

    private func openssl(_ arguments: [String]) throws {
        let process = try TLSServer.start("openssl", arguments, in: self.folder)
        guard process.end() else {
            throw TLSServer.Unavailable(description: "openssl \(arguments.prefix(2)) failed")
        }
    }
}
