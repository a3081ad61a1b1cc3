// The configuration of a sandbox's server.

import KeyFiles
import ServerConfiguration

extension SandboxPlan {
    /// Returns the configuration. Its keys are created at each start and exist only in memory.
    func configuration(secret: String, publicFolder: String?) throws -> Configuration {
        let flags = publicFolder.map { [ConfigurationSource.Flag("--public-dir", "public_dir", $0)] } ?? []
        let keys = [
            Self.serverKeyFile: try KeyGenerator.file(.server), Self.signingKeyFile: try KeyGenerator.file(.es256),
            Self.assertionKeyFile: try KeyGenerator.file(.es256), Self.accessKeyFile: try KeyGenerator.file(.es256),
            Self.sessionKeyFile: try KeyGenerator.file(.session),
            Self.decryptionKeyFile: try KeyGenerator.file(.es256),
        ]
        let files = FileAccess(keys.merging(SandboxLook.files) { $1 }, isFolder: FileAccess.system.isFolder)
        return try Configuration(
            ConfigurationSource(name: "sandbox", yaml: Array(self.yaml(secret).utf8), flags: flags, files: files))
    }

    private func yaml(_ secret: String) -> String {
        let brokers = SandboxFlow.allCases.map { self.broker($0, secret) }.joined(separator: "\n")
        let providers = SandboxFlow.allCases.map(self.provider).joined(separator: "\n")
        return """
            public_url: \(self.publicURL)
            link_url: \(self.linkURL)
            allow_insecure_public_url: true
            listen: "\(self.address(0))"
            operations_listen: "\(self.address(2))"
            store: memory
            allow_draft_languages: true
            server_keys: [\(Self.serverKeyFile)]
            keys:
              signing:
                - file: \(Self.signingKeyFile)
              decryption:
                - file: \(Self.decryptionKeyFile)
              assertion:
                - file: \(Self.assertionKeyFile)
              access:
                - file: \(Self.accessKeyFile)
              session:
                - file: \(Self.sessionKeyFile)
            sessions: {idle: 60}
            drain_delay: 0
            limits: {create_per_address_per_minute: 600}
            apps:
              demo:
                name: {en: Sandbox app, da: Sandkasseapp}
                look: \(SandboxLook.setting(of: "demo"))
                default: true
                \(self.links("r"))
              \(Self.sessionApp):
                name: {en: Sandbox bank, da: Sandkassebank}
                look: \(SandboxLook.setting(of: Self.sessionApp))
                session: unlock
                session_audience: \(Self.sessionAudience)
                session_by_code: true
                \(self.links("bank"))
              kiosk:
                name: {en: Sandbox kiosk, da: Sandkassekiosk}
                look: \(SandboxLook.setting(of: "kiosk"))
                release: immediate
                \(self.links("kiosk"))
              desk:
                name: {en: Sandbox desk, da: Sandkasseskranke}
                look: \(SandboxLook.setting(of: "desk"))
                release: code
                providers: [\(SandboxFlow.sandbox.rawValue)]
                \(self.links("desk"))
            brokers:
            \(brokers)
            providers:
            \(providers)
            """
    }

    /// The origins that links can lead to: those of pages outside hybrid apps.
    var pageOrigins: [String] { self.origins.filter(Configuration.App.isLinkable) }

    /// Returns the settings of an app's links, as lines: its own links, and those to web pages.
    private func links(_ folder: String) -> String {
        func list(_ texts: [String]) -> String { "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
        let prefixes = ["\(self.linkURL)/\(folder)/"] + self.pageOrigins.map { "\($0)/" }
        return "return_prefixes: \(list(prefixes))\n    origins: \(list(self.origins))"
    }

    private func broker(_ flow: SandboxFlow, _ secret: String) -> String {
        let proof =
            flow.isSigned ? "client_authentication: private_key_jwt" : "client_secret: \(secret)"
        let issuer = self.origin(of: flow.system) + (flow.system == .vipps ? "/" : "")
        return """
              \(flow.rawValue): {kind: \(flow.system.rawValue), issuer: "\(issuer)", \
            client_id: \(flow.clientID), \(proof), \(flow.brokerSettings(self.origin(of: flow.system))), allow_insecure_loopback: true}
            """
    }

    private func provider(_ flow: SandboxFlow) -> String {
        """
          \(flow.rawValue): {broker: \(flow.rawValue), names: {en: "\(flow.name.en)", da: "\(flow.name.da)"}, \
        \(flow.providerSettings)}
        """
    }
}
