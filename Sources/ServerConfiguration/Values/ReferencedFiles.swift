import Base
import Brokers
import Cryptography
import JOSE
import KeyFiles
import Sessions

/// Reads the files that a configuration names: keys, certificates, and the folder of the pages.
struct ReferencedFiles: Sendable {
    private(set) var serverKeys: [Secret] = []
    private(set) var signingKeys: [SigningKey] = []
    private(set) var assertionKeys: [SigningKey] = []
    private(set) var accessKeys: [SigningKey] = []
    private(set) var auditKeys: [SigningKey] = []
    private(set) var sessionKeys: [SessionKey] = []
    private(set) var personKey: PersonKey?
    private(set) var decryptionKeys: [DecryptionKeyFile] = []
    /// The keys that brokers should encrypt to.
    private(set) var offeredDecryptionKeys: [DecryptionKeyFile] = []
    /// Encrypts to the APIs of apps, by app.
    private(set) var assertionRecipients: [String: Encrypter] = [:]
    /// The logos of apps, by setting.
    private(set) var logos: [SettingPath: LogoFile] = [:]
    /// The fonts of apps, by app.
    private(set) var fonts: [String: FontFile] = [:]
    /// The schedule of each list of keys.
    private(set) var schedules: [KeyUse: KeySchedule] = [:]
    private var entries: [KeyUse: [KeySchedule.Key]] = [:]
    let now: Timestamp
    let attestation: AttestationFiles
    private(set) var tls: Configuration.TLS?
    /// For files that are read again while the server runs.
    let access: FileAccess

    /// Appends to `problems` what is wrong with the files.
    init(_ settings: EffectiveSettings, _ files: FileAccess, now: Timestamp, _ problems: inout [Diagnostic]) {
        self.now = now
        self.access = files
        self.attestation = AttestationFiles(settings, files, &problems)
        self.readServerKeys(settings, files, &problems)
        let keys = settings.server.keys
        for setting in keys.signing {
            let key = self.readSigningKey(setting, files, .signing, in: self.clientKeyIDs, &problems)
            if let key { self.signingKeys.append(key) }
        }
        for setting in keys.assertion {
            let names = self.assertionKeys.map(\.keyID)
            let key = self.readSigningKey(setting, files, .assertion, in: names, &problems)
            if let key { self.assertionKeys.append(key) }
        }
        for setting in keys.access {
            let names = self.accessKeys.map(\.keyID)
            let key = self.readSigningKey(setting, files, .access, in: names, &problems)
            if let key { self.accessKeys.append(key) }
        }
        for setting in keys.audit {
            let names = self.auditKeys.map(\.keyID)
            let key = self.readSigningKey(setting, files, .audit, in: names, &problems)
            if let key { self.auditKeys.append(key) }
        }
        for setting in keys.session { self.readSessionKey(setting, files, &problems) }
        self.readPersonKey(keys, files, &problems)
        for setting in keys.decryption { self.readDecryptionKey(setting, files, &problems) }
        self.scheduleKeys(settings, &problems)
        for scope in settings.scopes("apps") {
            self.readRecipient(scope, files, &problems)
            for name in Self.logoSettings { self.readLogo(scope, name, files, &problems) }
            self.readFont(scope, files, &problems)
        }
        for scope in settings.scopes("brokers") {
            Self.check("CERTIFICATE", in: "ca_file", of: scope, files, &problems)
            Self.check("CERTIFICATE", in: "client_certificate_file", of: scope, files, &problems)
            Self.check("PRIVATE KEY", in: "client_key_file", of: scope, files, &problems)
        }
        self.checkPublicFolder(settings, files, &problems)
        self.tls = Configuration.TLS(settings, files, &problems)
    }

    private mutating func readServerKeys(
        _ settings: EffectiveSettings, _ files: FileAccess, _ problems: inout [Diagnostic]
    ) {
        let setting = settings.server.path(\.serverKeyFiles)
        guard let paths = settings.server.serverKeyFiles else { return }
        if paths.isEmpty { problems.append(settings.problem(setting, "must name at least one file")) }
        for path in paths {
            do throws(FileError) {
                let bytes = try files.bytes(path)
                let key = try ServerKeyFile.key(in: bytes)
                if self.serverKeys.contains(key) { throw FileError("is the same key as an earlier one") }
                try self.note(
                    .server, path, bytes, slots: ["server"], id: Base64URL.encode(Digest.sha256.hash(key.exposed)))
                self.serverKeys.append(key)
            } catch {
                problems.append(settings.problem(setting, "\(path): \(error.message)"))
            }
        }
    }

    private mutating func readSigningKey(
        _ setting: SettingReader<KeyFileSettings>, _ files: FileAccess, _ use: KeyUse, in names: [String],
        _ problems: inout [Diagnostic]
    ) -> SigningKey? {
        guard let path = setting.file else { return nil }
        do throws(FileError) {
            let bytes = try files.bytes(path)
            let key = try SigningKeyFile.key(in: bytes)
            let algorithm = use == .audit ? .es256 : setting.algorithm
            if use == .audit, !key.publicKey.fits(.es256) {
                throw FileError("is no key for ES256, which signs the audit")
            }
            guard let signingKey = SigningKey(key, algorithm: algorithm, keyID: setting.keyID) else {
                let algorithms = SignatureAlgorithm.allCases.filter { key.publicKey.fits($0) }.map(\.rawValue)
                let message = "does not fit the key in \(path), which supports \(algorithms.joined(separator: ", "))"
                if let problem = setting.problem(\.algorithm, message) { problems.append(problem) }
                return nil
            }
            try self.checkNew(signingKey.thumbprint)
            self.checkNew(signingKey.keyID, in: names, of: setting, &problems)
            // Assertions have one signer, whatever its algorithm, and so have access tokens.
            let slots =
                use == .signing ? SignatureAlgorithm.allCases.filter(signingKey.fits).map(\.rawValue) : [use.rawValue]
            try self.note(use, path, bytes, slots: Set(slots), id: signingKey.thumbprint)
            return signingKey
        } catch {
            problems.append(setting.problem(\.file, "\(path): \(error.message)"))
            return nil
        }
    }

    private mutating func readSessionKey(
        _ setting: SettingReader<KeyFileSettings>, _ files: FileAccess, _ problems: inout [Diagnostic]
    ) {
        guard let path = setting.file else { return }
        do throws(FileError) {
            let bytes = try files.bytes(path)
            // The key has its bytes, so there is one.
            guard let key = SessionKey(try SessionKeyFile.key(in: bytes)) else { return }
            if self.sessionKeys.contains(where: { $0.id == key.id }) {
                throw FileError("is the same key as an earlier one")
            }
            try self.note(.session, path, bytes, slots: ["session"], id: Base64URL.encode(key.id))
            self.sessionKeys.append(key)
        } catch {
            problems.append(setting.problem(\.file, "\(path): \(error.message)"))
        }
    }

    private mutating func readPersonKey(
        _ keys: SettingReader<KeySettings>, _ files: FileAccess, _ problems: inout [Diagnostic]
    ) {
        guard let path = keys.person else { return }
        do throws(FileError) {
            self.personKey = PersonKey(try PersonKeyFile.key(in: try files.bytes(path)))
        } catch {
            problems.append(keys.problem(\.person, "\(path): \(error.message)"))
        }
    }

    private mutating func readDecryptionKey(
        _ setting: SettingReader<KeyFileSettings>, _ files: FileAccess, _ problems: inout [Diagnostic]
    ) {
        guard let path = setting.file else { return }
        do throws(FileError) {
            let bytes = try files.bytes(path)
            let key = try DecryptionKeyFile(bytes, keyID: setting.keyID)
            try self.checkNew(key.thumbprint)
            self.checkNew(key.keyID, in: self.clientKeyIDs, of: setting, &problems)
            try self.note(.decryption, path, bytes, slots: [key.slot], id: key.thumbprint)
            self.decryptionKeys.append(key)
        } catch {
            problems.append(setting.problem(\.file, "\(path): \(error.message)"))
        }
    }

    private mutating func readRecipient(
        _ scope: SettingScope, _ files: FileAccess, _ problems: inout [Diagnostic]
    ) {
        guard let path = scope.text("assertion_key") else { return }
        do throws(FileError) {
            let (encrypter, thumbprint) = try RecipientKeyFile.encrypter(in: try files.bytes(path))
            if self.keyPairs.contains(thumbprint) { throw FileError("is a key of this server, not of the API") }
            self.assertionRecipients[scope.name] = encrypter
        } catch {
            problems.append(scope.problem("assertion_key", "\(path): \(error.message)"))
        }
    }

    private static let logoSettings = ["look.logo", "look.logo_dark", "look.icon"]

    private mutating func readFont(_ scope: SettingScope, _ files: FileAccess, _ problems: inout [Diagnostic]) {
        guard let path = scope.text("look.font") else { return }
        do throws(FileError) {
            self.fonts[scope.name] = try FontFile(try files.read(path))
        } catch {
            problems.append(scope.problem("look.font", "\(path): \(error.message)"))
        }
    }

    private mutating func readLogo(
        _ scope: SettingScope, _ name: String, _ files: FileAccess, _ problems: inout [Diagnostic]
    ) {
        guard let path = scope.text(name) else { return }
        do throws(FileError) {
            self.logos[scope.path.appending(name)] = try LogoFile(try files.read(path))
        } catch {
            problems.append(scope.problem(name, "\(path): \(error.message)"))
        }
    }

    private mutating func note(
        _ use: KeyUse, _ path: String, _ file: [UInt8], slots: Set<String>, id: String
    ) throws(FileError) {
        self.entries[use, default: []].append(KeySchedule.Key(path, try KeyTimes(file), slots: slots, id: id))
    }

    /// Sorts each list by the phases of its keys, so that the first key is the active one.
    private mutating func scheduleKeys(_ settings: EffectiveSettings, _ problems: inout [Diagnostic]) {
        let lifetime = settings.server.loginLifetime ?? .zero
        let resultLifetime = settings.server.resultLifetime ?? .zero
        for use in KeyUse.allCases {
            let retention = use.retention(loginLifetime: lifetime, resultLifetime: resultLifetime)
            let schedule = KeySchedule(use, self.entries[use] ?? [], retention: retention, now: self.now)
            self.schedules[use] = schedule
            problems += schedule.problems.map { settings.problem(SettingPath(use.setting), $0) }
        }
        if let order = self.schedules[.server]?.order { self.serverKeys = order.map { self.serverKeys[$0] } }
        if let order = self.schedules[.signing]?.order { self.signingKeys = order.map { self.signingKeys[$0] } }
        if let order = self.schedules[.assertion]?.order { self.assertionKeys = order.map { self.assertionKeys[$0] } }
        if let order = self.schedules[.access]?.order { self.accessKeys = order.map { self.accessKeys[$0] } }
        if let order = self.schedules[.audit]?.order { self.auditKeys = order.map { self.auditKeys[$0] } }
        if let order = self.schedules[.session]?.order { self.sessionKeys = order.map { self.sessionKeys[$0] } }
        if let schedule = self.schedules[.decryption] {
            let activeIndices = schedule.keys.indices.filter { schedule.phase($0) == .active }
            self.offeredDecryptionKeys = activeIndices.map { self.decryptionKeys[$0] }
            self.decryptionKeys = schedule.order.map { self.decryptionKeys[$0] }
        }
    }

    /// A key has one use (RFC 7517 §4.2): an assertion must never pass as something for a broker, or the reverse.
    private func checkNew(_ thumbprint: String) throws(FileError) {
        if self.keyPairs.contains(thumbprint) { throw FileError("is the same key as an earlier one") }
    }

    /// The thumbprints of the keys that were read.
    private var keyPairs: [String] {
        (self.signingKeys + self.assertionKeys + self.accessKeys + self.auditKeys).map(\.thumbprint)
            + self.decryptionKeys.map(\.thumbprint)
    }

    /// RFC 7517 §4.5: if two keys of a set had the same name, a reader could not tell which one signed.
    private func checkNew(
        _ keyID: String, in names: [String], of setting: SettingReader<KeyFileSettings>,
        _ problems: inout [Diagnostic]
    ) {
        guard names.contains(keyID) else { return }
        let message = "\(keyID) is already the name of another key in the same key set"
        if let problem = setting.problem(\.keyID, message) { problems.append(problem) }
    }

    /// The names in the key set for brokers.
    private var clientKeyIDs: [String] { self.signingKeys.map(\.keyID) + self.decryptionKeys.map(\.keyID) }

    /// Checks that a file contains PEM whose label ends with this text.
    private static func check(
        _ label: String, in name: String, of scope: SettingScope, _ files: FileAccess,
        _ problems: inout [Diagnostic]
    ) {
        guard let path = scope.text(name) else { return }
        do throws(FileError) {
            let bytes = try files.read(path)
            // OpenSSL reads this file itself.
            guard ByteOrderMark.removed(from: bytes).count == bytes.count else {
                throw FileError("begins with a byte order mark (U+FEFF): save it as UTF-8 without one")
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.contains("-----BEGIN "), text.contains("\(label)-----") else {
                throw FileError("contains no \(label.lowercased()) in PEM")
            }
        } catch {
            problems.append(scope.problem(name, "\(path): \(error.message)"))
        }
    }

    private func checkPublicFolder(
        _ settings: EffectiveSettings, _ files: FileAccess, _ problems: inout [Diagnostic]
    ) {
        guard let folder = settings.server.publicFolder, !files.isFolder(folder) else { return }
        problems.append(settings.problem(settings.server.path(\.publicFolder), "there is no folder \(folder)"))
    }
}
