import EndToEndSupport
import Foundation
import StrictJSON
import Testing

@testable import SwitchbackCommand

/// How one OpenID provider behaves: a file of Tests/ProviderHabits, which follows the provider's public pages.
struct ProviderHabit: Sendable, CustomTestStringConvertible {
    let name: String
    private let text: String

    var testDescription: String { self.name }

    /// All providers that `init` knows, by name.
    static let all: [Self] = Self.names.map { name in
        Self(
            name: name,
            text: (try? String(contentsOf: Self.folder.appending(path: "\(name).yaml"), encoding: .utf8)) ?? "")
    }

    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: Self.folder.path)) ?? [])
        .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()

    private static let folder = URL(filePath: RunningServer.publicFolder).deletingLastPathComponent()
        .appending(path: "Tests/ProviderHabits")

    func known() throws -> KnownProvider { try #require(KnownProvider.named(self.name)) }

    /// The file, with the addresses that the provider has published.
    func published() throws -> JSON { try JSON(yaml: self.text) }

    /// The file with a provider on loopback: `localhost` in place of the issuer's host, and 127.0.0.1 in place of each
    /// other host of its endpoints.
    func onLoopback(port: UInt16) throws -> JSON {
        try JSON(yaml: Self.onLoopback(self.text, try self.published(), port))
    }

    /// Moves the addresses of a configuration to loopback, as `onLoopback` does.
    func onLoopback(_ configuration: String, port: UInt16) throws -> String {
        Self.onLoopback(configuration, try self.published(), port)
    }

    private static func onLoopback(_ text: String, _ published: JSON, _ port: UInt16) -> String {
        let own =
            published["issuer"]?.string.flatMap(Self.origin)
            ?? published["discovery"]?["issuer"]?.string
            .flatMap(Self.origin)
        let endpoints = published["discovery"]?.object.map { document in
            document.names.compactMap { name in document[name]?.string.flatMap(Self.origin) }
        }
        var moved = text
        for origin in Set(endpoints ?? []).union([own].compactMap(\.self)).sorted(by: { $0.count > $1.count }) {
            let host = origin == own ? "localhost" : "127.0.0.1"
            moved = moved.replacing(origin, with: "http://\(host):\(port)")
        }
        return moved
    }

    /// The scheme, host and port of a URL.
    private static func origin(_ url: String) -> String? {
        guard url.hasPrefix("https://") else { return nil }
        return "https://" + url.dropFirst(8).prefix { $0 != "/" }
    }
}
