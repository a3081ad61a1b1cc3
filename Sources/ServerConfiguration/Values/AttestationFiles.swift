import Attestation
import Base

/// The files by which attestations are judged: the roots, and Google's list of revoked keys.
struct AttestationFiles: Sendable {
    /// The built-in roots and those of the operator's files; nil if there are no such files, or one cannot be read, which
    /// was reported.
    private(set) var appleRoots: TrustedRoots?
    private(set) var androidRoots: TrustedRoots?
    private(set) var statusList: StatusList?

    init(_ settings: EffectiveSettings, _ files: FileAccess, _ problems: inout [Diagnostic]) {
        let own = SettingReader<AttestationSettings>(settings)
        self.appleRoots = Self.roots(TrustedRoots.applePEM, own.appleRoots, files) {
            problems.append(settings.problem(own.path(\.appleRoots), $0))
        }
        self.androidRoots = Self.roots(TrustedRoots.googlePEM, own.androidRoots, files) {
            problems.append(settings.problem(own.path(\.androidRoots), $0))
        }
        guard let path = own.statusList else { return }
        do throws(FileError) {
            let bytes = try files.bytes(path)
            // A file of unknown age counts as too old.
            let writtenAt = files.modified(path) ?? Timestamp(seconds: 0)
            self.statusList = try StatusList(parsing: bytes, writtenAt: writtenAt)
        } catch {
            problems.append(settings.problem(own.path(\.statusList), "\(path): \(error.message)"))
        }
    }

    private static func roots(
        _ builtIn: [UInt8], _ paths: [String]?, _ files: FileAccess, report: (String) -> Void
    ) -> TrustedRoots? {
        guard let paths, !paths.isEmpty else { return nil }
        var pem = builtIn
        for path in paths {
            do throws(FileError) {
                let bytes = try files.bytes(path)
                _ = try TrustedRoots(pem: bytes)
                pem += bytes + [UInt8(ascii: "\n")]
            } catch {
                report("\(path): \(error.message)")
            }
        }
        return try? TrustedRoots(pem: pem)
    }
}
