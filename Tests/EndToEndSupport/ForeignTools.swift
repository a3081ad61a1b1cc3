import Foundation
import TestSupport
import Testing

/// Where the foreign providers are installed, and whether the suites that need them run.
package enum ForeignTools {
    /// The folder of the venv that `Tests/ForeignProviders/setup` makes.
    package static let venv =
        ProcessInfo.processInfo.environment["SWITCHBACK_PYTHON"] ?? SourceFile.path(".venv")

    package static let run = SourceFile.path("Tests/ForeignProviders/run")

    /// These suites take longer than all others together.
    package static let areWanted = TestTier.isWhole

    /// Setup writes this file last, so that an unfinished venv does not count.
    package static var areInstalled: Bool { FileManager.default.fileExists(atPath: "\(Self.venv)/requirements.txt") }

    package static let howToGetThem: Comment = "`make check` installs foreign OpenID providers and logs in at them too"

    /// Glewlwyd is not written in Python, but the program that sets it up is.
    package static func has(_ program: ForeignProgram) -> Bool {
        switch program {
        case .canaille, .idpyoidc: Self.areInstalled
        case .glewlwyd: Self.areInstalled && FileManager.default.isExecutableFile(atPath: "/usr/bin/glewlwyd")
        }
    }

    /// Names what is not installed; nil when everything is.
    package static var missing: String? {
        let names = ForeignProgram.allCases.filter { !Self.has($0) }.map(\.rawValue)
        return names.isEmpty ? nil : "not installed: \(names.joined(separator: ", ")). \(Self.howToGetThem)"
    }
}
