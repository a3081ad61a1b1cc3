// The rules for the permissions of the files that a configuration names, and of the configuration itself.

import Base
import Stores

extension ConfigurationValidator {
    /// What another user of this machine could do with the content of the file.
    private enum Content {
        /// Sign in its name, and decrypt what is encrypted with it.
        case key
        /// Use the secrets among the settings. Many operators write this file by hand, in a folder of their own.
        case settings
        /// Nothing, because it is public.
        case certificate
    }

    mutating func checkFileModes() {
        let top = self.settings.top
        for path in top.list("server_keys") ?? [] { self.check(.key, path, top, "server_keys") }
        let keys = self.settings.server.keys
        self.check(.key, keys.person, keys.path(\.person))
        for key in keys.files { self.check(.key, key.file, key.path(\.file)) }
        let tls = self.settings.tls
        for pair in [tls.usual] + tls.more {
            self.check(.key, pair.key, pair.path(\.key))
            self.check(.certificate, pair.certificate, pair.path(\.certificate))
        }
        self.check(.certificate, tls.clientAuthority, tls.path(\.clientAuthority))
        // Someone who can write this file can replace the key, and then read what we encrypt to it.
        for scope in self.settings.scopes("apps") { self.check(.certificate, of: scope, "assertion_key") }
        for scope in self.settings.scopes("apps") {
            for name in ["look.logo", "look.logo_dark", "look.icon", "look.font"] {
                self.check(.certificate, of: scope, name)
            }
        }
        for scope in self.settings.scopes("brokers") {
            self.check(.key, of: scope, "client_key_file")
            for name in ["ca_file", "client_certificate_file"] { self.check(.certificate, of: scope, name) }
        }
        // Someone who can write these files decides which phones are genuine.
        self.check(.certificate, of: top, "attestation.status_list")
        for name in ["attestation.apple_roots", "attestation.android_roots"] {
            for path in top.list(name) ?? [] { self.check(.certificate, path, top, name) }
        }
        let settings = self.settings
        var checkedFiles: Set<String> = []
        for entry in settings.entries where entry.setting.isSecret && Self.isSecret(entry) {
            switch entry.origin {
            case .variableFile(_, let file), .secretFile(_, _, let file):
                self.check(.key, file) { settings.problem(entry.path, $0, $1) }
            case .file(let file, _) where checkedFiles.insert(file).inserted:
                self.check(.settings, file) { settings.problem(entry.path, $0, $1) }
            case .file, .flag, .variable, .standard: break
            }
        }
        if !checkedFiles.contains(settings.file) {
            self.check(.certificate, settings.file) { Diagnostic(.file(settings.file, line: nil), "", $0, $1) }
        }
    }

    /// A database's address is a secret only because of the password in it.
    private static func isSecret(_ entry: EffectiveSettings.Entry) -> Bool {
        guard case .text(let text) = entry.value else { return entry.value != nil }
        guard entry.path.description.hasPrefix("postgresql."), entry.path.description.hasSuffix("url"),
            let address = try? PostgresAddress(Secret(text))
        else { return true }
        return address["password"] != nil || address["sslpassword"] != nil
    }

    private mutating func check(_ content: Content, _ file: String?, _ setting: SettingPath) {
        guard let file else { return }
        let settings = self.settings
        self.check(content, file) { settings.problem(setting, $0, $1) }
    }

    private mutating func check(_ content: Content, of scope: SettingScope, _ name: String) {
        guard let path = scope.text(name) else { return }
        self.check(content, path, scope, name)
    }

    private mutating func check(_ content: Content, _ path: String, _ scope: SettingScope, _ name: String) {
        self.check(content, path) { scope.problem(name, $0, $1) }
    }

    private mutating func check(
        _ content: Content, _ path: String,
        _ problem: (String, Diagnostic.Level) -> Diagnostic
    ) {
        guard let permissions = self.access.permissions(path) else { return }
        let mode = "0" + String(permissions.mode, radix: 8)
        func add(_ level: Diagnostic.Level, _ message: String) {
            self.problems.append(problem("\(path) has mode \(mode): \(message)", level))
        }
        if permissions.mode & 0o002 != 0 {
            return add(.error, "every user of this machine may replace it. Run `chmod o-rwx`")
        }
        if permissions.mode & 0o020 != 0 { add(.warning, "its group may replace it. Run `chmod g-w`") }
        switch content {
        case .certificate: return
        case .key where permissions.mode & 0o004 != 0 && !permissions.isMountedSecret:
            add(
                .error,
                "every user of this machine may read it. Run `chmod 0600`, and make a new one if the machine has other users"
            )
        case .key where permissions.mode & 0o004 != 0:
            add(
                .warning,
                "every process of this container may read it. In Kubernetes, mount it with defaultMode 0400, or 0440 and an fsGroup; in Compose, give the file on the host to the container's user, with mode 0400"
            )
        case .settings where permissions.mode & 0o004 != 0:
            add(
                .warning,
                "it contains a secret that every user of this machine may read. Run `chmod o-r`, or put the secret into its own file"
            )
        case .key where permissions.mode & 0o040 != 0 && !permissions.isForOneGroup:
            add(
                .warning,
                "its group may read it. Run `chmod 0600`, or change its owner to root and its group to the server's own"
            )
        case .key, .settings: return
        }
    }
}
