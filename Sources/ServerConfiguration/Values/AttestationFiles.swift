import Attestation
import Base

/// The files by which attestations are judged: the roots, and Google's list of revoked keys.
struct AttestationFiles: Sendable {
    /// The built-in roots and those of the operator's files; nil if there are no such files, or one cannot be read, which
    /// was reported.
    private(set) var appleRoots: TrustedRoots?
    private(set) var androidRoots: TrustedRoots?
    private(set) var statusList: StatusList?

    init(_ top: SettingScope, _ files: FileAccess, _ problems: inout [Diagnostic]) {
        self.appleRoots = Self.roots(TrustedRoots.applePEM, "attestation.apple_roots", top, files, &problems)
        self.androidRoots = Self.roots(TrustedRoots.googlePEM, "attestation.android_roots", top, files, &problems)
        guard let path = top.text("attestation.status_list") else { return }
        do throws(FileError) {
            let bytes = try files.bytes(path)
            // A file of unknown age counts as too old.
            let writtenAt = files.modified(path) ?? Timestamp(seconds: 0)
            self.statusList = try StatusList(parsing: bytes, writtenAt: writtenAt)
        } catch {
            problems.append(top.problem("attestation.status_list", "\(path): \(error.message)"))
        }
    }

    private static func roots(
        _ builtIn: [UInt8], _ name: String, _ top: SettingScope, _ files: FileAccess, _ problems: inout [Diagnostic]
    ) -> TrustedRoots? {
        guard let paths = top.list(name), !paths.isEmpty else { return nil }
        var pem = builtIn
        for path in paths {
            do throws(FileError) {
                let bytes = try files.bytes(path)
                _ = try TrustedRoots(pem: bytes)
                pem += bytes + [UInt8(ascii: "\n")]
            } catch {
                problems.append(top.problem(name, "\(path): \(error.message)"))
            }
        }
        return try? TrustedRoots(pem: pem)
    }
}
