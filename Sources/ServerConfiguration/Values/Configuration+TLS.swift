// The certificates of this server, and whether it asks for those of clients.

import Base
import HTTPServer

extension Configuration {
    package struct TLS: Sendable {
        /// A certificate, and the file it was read from.
        package struct Named: Sendable {
            package let file: String
            package let identity: TLSIdentity
        }

        /// The certificate of `tls.certificate` comes first.
        package fileprivate(set) var certificates: [Named]
        package let clients: TLSClients

        package var settings: TLSSettings { TLSSettings(self.certificates.map(\.identity), clients: self.clients) }

        /// Nil without a certificate, and if something is wrong, which is added to `problems`.
        init?(_ settings: EffectiveSettings, _ files: FileAccess, _ problems: inout [Diagnostic]) {
            var certificates: [Named] = []
            for pair in [settings.tls.usual] + settings.tls.more {
                if let certificate = Self.named(pair, files, &problems) { certificates.append(certificate) }
            }
            let clients = Self.clients(settings.tls, files, &problems)
            guard !certificates.isEmpty, let clients else { return nil }
            self.certificates = certificates
            self.clients = clients
        }

        /// Returns nil if there is none, or only one half of it, which the rules report.
        private static func named(
            _ pair: SettingReader<CertificateFileSettings>, _ files: FileAccess, _ problems: inout [Diagnostic]
        ) -> Named? {
            guard let file = pair.certificate, let keyFile = pair.key else { return nil }
            let bytes: (certificate: [UInt8], key: [UInt8])
            do throws(FileError) {
                bytes.certificate = try files.bytes(file)
            } catch {
                problems.append(pair.problem(\.certificate, "\(file): \(error.message)"))
                return nil
            }
            do throws(FileError) {
                bytes.key = try files.bytes(keyFile)
            } catch {
                problems.append(pair.problem(\.key, "\(keyFile): \(error.message)"))
                return nil
            }
            do throws(TLSIdentityError) {
                return Named(file: file, identity: try TLSIdentity(certificate: bytes.certificate, key: bytes.key))
            } catch {
                problems.append(Self.problem(error, pair, file, keyFile))
                return nil
            }
        }

        private static func problem(
            _ failure: TLSIdentityError, _ pair: SettingReader<CertificateFileSettings>, _ file: String,
            _ keyFile: String
        ) -> Diagnostic {
            switch failure {
            case .noCertificate: pair.problem(\.certificate, "\(file): contains no certificate in PEM")
            case .noKey:
                pair.problem(\.key, "\(keyFile): does not contain one private key in PEM without a password")
            case .mismatch:
                pair.problem(
                    \.key,
                    "\(keyFile): is not the key of the first certificate in \(file); the server's own certificate must come first"
                )
            case .refused(let reason): pair.problem(\.certificate, "\(file): cannot be used: \(reason)")
            }
        }

        /// Returns nil if something is wrong.
        private static func clients(
            _ tls: SettingReader<CertificateSettings>, _ files: FileAccess, _ problems: inout [Diagnostic]
        ) -> TLSClients? {
            guard let mode = tls.clients else { return nil }
            guard mode != .off, let file = tls.clientAuthority else { return mode == .off ? .off : nil }
            do throws(FileError) {
                guard let authorities = TLSClients.Authorities(pem: try files.bytes(file)) else {
                    throw FileError("contains no certificate in PEM")
                }
                return mode == .required ? .required(authorities) : .optional(authorities)
            } catch {
                problems.append(tls.problem(\.clientAuthority, "\(file): \(error.message)"))
                return nil
            }
        }
    }
}

extension Configuration {
    /// Puts a certificate of `former` in the place of each one that ended before `now`, in seconds since 1970: the one
    /// of the same file, or else of the same place, if it is still valid. Returns the files that are not used.
    package mutating func keepCertificates(of former: Configuration, at now: Int) -> [String] {
        guard var tls = self.tls, let formerCertificates = former.tls?.certificates else { return [] }
        var unused: [String] = []
        for (index, certificate) in tls.certificates.enumerated() where certificate.identity.notAfter < now {
            let same =
                formerCertificates.first { $0.file == certificate.file }
                ?? (index < formerCertificates.count ? formerCertificates[index] : nil)
            guard let same, same.identity.notAfter >= now else { continue }
            tls.certificates[index] = TLS.Named(file: certificate.file, identity: same.identity)
            unused.append(certificate.file)
        }
        self.tls = tls
        return unused
    }
}
