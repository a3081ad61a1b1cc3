/// Apache with mod_auth_openidc, which keeps the session in a cookie and nothing durably.
import Foundation
import Sandbox
import TestSupport

final class ApacheParty: RelyingParty {
    static let module = "/usr/lib/apache2/modules/mod_auth_openidc.so"

    let name: String
    private let party: ForeignParty
    private let process: ChildProcess

    init(name: String, connections: Int) async throws {
        let party = try ForeignParty(path: "/callback", connections: connections)
        let pages = "\(party.folder)/pages"
        try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
        try "logged in\n".write(toFile: "\(pages)/index.html", atomically: true, encoding: .utf8)
        let modules = [
            "mpm_event": "mpm_event", "authn_core": "authn_core", "authz_core": "authz_core",
            "authz_user": "authz_user", "dir": "dir", "auth_openidc": "auth_openidc",
        ].map { "LoadModule \($0.key)_module /usr/lib/apache2/modules/mod_\($0.value).so" }.sorted()
        try """
        ServerRoot \(party.folder)
        ServerName localhost
        PidFile \(party.folder)/apache.pid
        DefaultRuntimeDir \(party.folder)
        ErrorLog \(party.folder)/error.log
        Listen 127.0.0.1:\(party.port)
        \(modules.joined(separator: "\n"))
        User www-data
        Group www-data
        StartServers 2
        ServerLimit 2
        ThreadsPerChild 64
        MaxRequestWorkers 128
        KeepAlive On
        MaxKeepAliveRequests 0
        DocumentRoot \(pages)
        DirectoryIndex index.html
        OIDCProviderMetadataURL \(party.issuer)/.well-known/openid-configuration
        OIDCClientID them
        OIDCClientSecret secret
        OIDCProviderTokenEndpointAuth client_secret_basic
        OIDCRedirectURI \(party.url)/callback
        OIDCCryptoPassphrase \(UInt64.random(in: 0 ... .max))
        OIDCScope "openid profile"
        OIDCResponseType code
        OIDCPKCEMethod S256
        OIDCSessionType client-cookie
        OIDCStateMaxNumberOfCookies 4 true
        <Location />
            AuthType openid-connect
            Require valid-user
        </Location>

        """.write(toFile: "\(party.folder)/apache.conf", atomically: true, encoding: .utf8)
        // Apache's children have another user.
        chmod(party.folder, 0o755)
        self.name = name
        self.party = party
        self.process = try ChildProcess(
            path: "/usr/sbin/apache2", ["-f", "\(party.folder)/apache.conf", "-DFOREGROUND"], in: party.folder,
            output: "\(party.folder)/output")
        try await party.untilReady(self.process)
    }

    var cpuSeconds: Double { get throws { try ForeignParty.cpuSeconds(of: self.process.id) } }

    func logIn(fault: String) async throws -> Bool {
        let end = try await self.party.browser.logIn(at: "\(self.party.url)/", of: self.party.url, fault: fault)
        return end.status == 200 && String(decoding: end.body, as: UTF8.self).contains("logged in")
    }

    func requests(of endpoint: RequestLog.Endpoint) -> Int { self.party.requests(of: endpoint) }

    func stop() async { await self.party.stop(self.process) }
}
