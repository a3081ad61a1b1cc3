import Attestation
import AttestedPhones
import Base
import Foundation
import StrictJSON

/// Finds and reads the attestations of real phones (see README.md).
enum Vectors {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private static let folder = ProcessInfo.processInfo.environment["SWITCHBACK_ATTESTATION_VECTORS"]

    static let isHere = folder != nil

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(self.folder ?? "")/\(path)")))
    }

    /// Some of Google's files have lines of comment.
    static func json(_ path: String) throws -> JSON {
        let lines = String(decoding: try self.bytes(path), as: UTF8.self).split(separator: "\n")
        let text = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        return try JSON(parsing: Array(text.utf8))
    }

    /// Returns the names of the files in a folder that end like this.
    static func names(in path: String, endingWith end: String) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: "\(self.folder ?? "")/\(path)")
        return (files?.allObjects ?? []).compactMap { $0 as? String }.filter { $0.hasSuffix(end) }.sorted()
    }

    /// Returns the certificates in DER.
    static func chain(_ path: String) throws -> [[UInt8]] {
        let text = String(decoding: try Self.bytes(path), as: UTF8.self)
        return try text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map { part in
            let base64 = part.components(separatedBy: "-----END")[0].filter { !$0.isWhitespace }
            return try Self.decoded(base64)
        }
    }

    static func decoded(_ base64: String?) throws -> [UInt8] {
        guard let base64, let bytes = Base64.decode(base64) else { throw Missing(description: "no base64") }
        return bytes
    }
}
