/// The configuration of a sandbox's server.
import Switchback

extension SandboxPlan {
    /// Keys are made at each start, and are gone with it.
    func configuration(secret: String, publicFolder: String?) throws -> Configuration {
        let flags = publicFolder.map { [Configuration.Source.Flag("--public-dir", "public_dir", $0)] } ?? []
        let files = FileAccess(
            [
                Self.serverKeyFile: try KeyGenerator.file(.server),
                Self.signingKeyFile: try KeyGenerator.file(.es256),
            ], isFolder: FileAccess.system.isFolder)
        return try Configuration(
            Configuration.Source(name: "sandbox", yaml: Array(self.yaml(secret).utf8), flags: flags, files: files))
    }

    private func yaml(_ secret: String) -> String {
        """
        public_url: \(self.publicURL)
        allow_insecure_public_url: true
        listen: "\(self.address(0))"
        operations_listen: "\(self.address(2))"
        store: memory
        server_keys: [\(Self.serverKeyFile)]
        keys:
          signing:
            - file: \(Self.signingKeyFile)
        drain_delay: 0
        apps:
          demo:
            name: {en: Sandbox app, da: Sandkasseapp}
            release: immediate
            return_prefixes: ["\(self.linkURL)/r/"]
        brokers:
          sandbox:
            kind: oidc
            issuer: \(self.issuer)
            client_id: \(Self.clientID)
            client_secret: \(secret)
            allow_insecure_loopback: true
        providers:
          sandbox:
            broker: sandbox
            names: {en: Sandbox eID, da: Sandkasse-eID}
            countries: [DK, SE, "NO", FI]
            scope: [openid, profile, email]
            prompt: login
            claims: [given_name, family_name, birthdate, country, email]
        """
    }
}
