/// Where the foreign providers are installed, and whether the suites that need them run.
import Foundation
import TestSupport
import Testing

enum ForeignTools {
    /// The folder of the venv that `Tests/ForeignProviders/setup` makes.
    static let venv =
        ProcessInfo.processInfo.environment["SWITCHBACK_PYTHON"] ?? Self.root.appending(path: ".venv").path

    static let run = Self.root.appending(path: "Tests/ForeignProviders/run").path

    /// They take longer than everything else together.
    static let areWanted = TestTier.isWhole

    /// The file that setup writes last, so that a venv that was left half made does not count.
    static var areInstalled: Bool { FileManager.default.fileExists(atPath: "\(Self.venv)/requirements.txt") }

    static let howToGetThem: Comment = "`make test` installs foreign OpenID providers and logs in at them too"

    /// Glewlwyd is no Python; the program that sets it up is.
    static func has(_ program: ForeignProgram) -> Bool {
        switch program {
        case .canaille, .idpyoidc: Self.areInstalled
        case .glewlwyd: Self.areInstalled && FileManager.default.isExecutableFile(atPath: "/usr/bin/glewlwyd")
        }
    }

    /// Nil when all are there.
    static var missing: String? {
        let names = ForeignProgram.allCases.filter { !Self.has($0) }.map(\.rawValue)
        return names.isEmpty ? nil : "not installed: \(names.joined(separator: ", ")). \(Self.howToGetThem)"
    }

    private static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }
}
