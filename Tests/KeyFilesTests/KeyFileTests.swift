import Base
import JOSE
import KeyFiles
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Key files are written once, for their owner only, and read back. Errors name each kind of wrong file.
@Suite struct KeyFileTests {
    /// Gives a path without a file, and removes the file at the end.
    static func withPath<Result>(_ body: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.path + "/switchback-" + KeyGenerator.word()
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    static func mode(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.posixPermissions] as? Int
    }

    @Test func `a server key is read back`() throws {
        try Self.withPath { path in
            try KeyGenerator.write(.server, rsaBits: 2048, to: path)
            let bytes = try SystemFile.contents(of: path)
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("switchback-server-key-1:"))
            #expect(bytes.last == UInt8(ascii: "\n") && bytes.count { $0 == UInt8(ascii: "\n") } == 1)
            #expect(try ServerKeyFile.key(in: bytes).count == 32)
        }
    }

    static let kinds: [(KeyGenerator.Kind, bits: Int, SignatureAlgorithm, not: SignatureAlgorithm)] = [
        (.es256, 2048, .es256, .es384), (.es384, 2048, .es384, .es256), (.es512, 2048, .es512, .es256),
        (.rs256, 2048, .rs256, .es256), (.rs256, 3072, .ps512, .edDSA), (.ed25519, 2048, .edDSA, .rs256),
    ]

    @Test(arguments: Self.kinds) func `a signing key is read back`(
        _ kind: KeyGenerator.Kind, _ bits: Int, _ algorithm: SignatureAlgorithm, _ other: SignatureAlgorithm
    ) throws {
        try Self.withPath { path in
            try KeyGenerator.write(kind, rsaBits: bits, to: path)
            #expect(try Self.mode(path) == 0o600)
            let key = try SigningKeyFile.key(in: try SystemFile.contents(of: path))
            #expect(key.publicKey.fits(algorithm) && !key.publicKey.fits(other))
            if case .rsa(let size) = key.kind { #expect(size == bits) }
        }
    }

    @Test func `no key file is overwritten`() throws {
        try Self.withPath { path in
            try KeyGenerator.write(.server, rsaBits: 2048, to: path)
            let before = try SystemFile.contents(of: path)
            #expect(throws: FileError("already exists and is not overwritten")) {
                try KeyGenerator.write(.es256, rsaBits: 2048, to: path)
            }
            #expect(try SystemFile.contents(of: path) == before)
        }
    }

    @Test func `a folder that is not there is an error`() {
        #expect(throws: FileError("No such file or directory")) {
            try KeyGenerator.write(.server, rsaBits: 2048, to: "/nowhere/at/all/server.key")
        }
    }

    /// Files that are not server keys, and their error messages.
    static let wrong: [(String, String)] = [
        ("", "is empty; `switchback keys generate server` makes one"),
        ("secret\n", "is not a server key; `switchback keys generate server` makes one"),
        (
            "-----BEGIN PRIVATE KEY-----\n",
            "is a PEM file and not a server key; `switchback keys generate server` makes one"
        ),
        (
            "switchback-server-key-9:AAAA\n",
            "is a server key of another version; `switchback keys generate server` makes one"
        ),
        (
            "switchback-session-key-1:AAAA\n",
            "is a session key and not a server key; `switchback keys generate server` makes one"
        ),
        ("switchback-server-key-1:AAAA\n", "is a server key of 3 bytes; it must have 32"),
        ("switchback-server-key-1:\n", "is a server key of 0 bytes; it must have 32"),
        ("switchback-server-key-1:AA=A\n", "is a server key that is damaged: it is not one line of base64url"),
        ("switchback-server-key-1:AAAA\nAAAA\n", "is a server key that is damaged: it is not one line of base64url"),
        ("switchback-server-key-1:AAAA\r\n", "is a server key that is damaged: it is not one line of base64url"),
    ]

    @Test(arguments: Self.wrong)
    func `a file of another kind is named as what it is`(_ text: String, _ message: String) {
        #expect(throws: FileError(message)) { try ServerKeyFile.key(in: Array(text.utf8)) }
        // The same words hold for a session key.
        let marks: [(String, String)] = [("server", "*"), ("session", "server"), ("*", "session")]
        let (swapped, said) = marks.reduce((text, message)) { pair, mark in
            (pair.0.replacing(mark.0, with: mark.1), pair.1.replacing(mark.0, with: mark.1))
        }
        #expect(throws: FileError(said)) { try SessionKeyFile.key(in: Array(swapped.utf8)) }
    }

    @Test func `a secret key is no signing key`() throws {
        for (kind, name) in [(KeyGenerator.Kind.server, "server"), (.session, "session"), (.person, "person")] {
            let file = try KeyGenerator.file(kind)
            #expect(throws: FileError("is a \(name) key and not a signing key")) { try SigningKeyFile.key(in: file) }
        }
    }

    /// A person key never passes as a key that rotates, nor the other way round.
    @Test func `a person key is of its own kind`() throws {
        let (person, session) = (try KeyGenerator.file(.person), try KeyGenerator.file(.session))
        #expect(try PersonKeyFile.key(in: person).count == 32)
        #expect(throws: FileError.self) { try PersonKeyFile.key(in: session) }
        let message = "is a person key and not a session key; `switchback keys generate session` makes one"
        #expect(throws: FileError(message)) { try SessionKeyFile.key(in: person) }
        #expect(throws: FileError.self) { try ServerKeyFile.key(in: person) }
    }

    @Test func `a rotated secret key is of its own kind`() throws {
        for (use, name) in [(KeyUse.server, "server"), (.session, "session")] {
            let file = try KeyRotation.file(like: [], use, at: Timestamp(seconds: 0))
            #expect(String(decoding: file, as: UTF8.self).contains("\nswitchback-\(name)-key-1:"))
        }
    }
}
