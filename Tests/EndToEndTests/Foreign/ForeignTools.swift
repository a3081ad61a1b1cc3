/// Where the foreign providers are installed, and whether the suites that need them run.
import Foundation

enum ForeignTools {
    /// The folder of the venv that `Tests/ForeignProviders/setup` makes.
    static let venv =
        ProcessInfo.processInfo.environment["SWITCHBACK_PYTHON"] ?? Self.root.appending(path: ".venv").path

    static let run = Self.root.appending(path: "Tests/ForeignProviders/run").path

    static let wantsAll = ProcessInfo.processInfo.environment["SWITCHBACK_TEST_ALL"] == "1"

    /// The file that setup writes last, so that a venv that was left half made does not count.
    static var areInstalled: Bool { FileManager.default.fileExists(atPath: "\(Self.venv)/requirements.txt") }

    /// Whoever wants all tests is told by a failure.
    static var areWanted: Bool { Self.areInstalled || Self.wantsAll }

    static let howToGetThem =
        "no foreign OpenID providers in \(Self.venv): `make test` installs them from PyPI and runs these tests too"

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
        return names.isEmpty
            ? nil : "no \(names.joined(separator: ", ")): `make test` installs them and runs these tests too"
    }

    private static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }
}
