// Apache with mod_auth_openidc, which keeps the session in a cookie and nothing durably.

import Foundation
import Served
import TestSupport

extension ForeignParty {
    static let apacheModule = "/usr/lib/apache2/modules/mod_auth_openidc.so"

    static func apache(
        name: String, scheme: ServedProvider.Scheme, connections: Int
    ) async throws -> ForeignParty {
        try await ForeignParty(name: name, scheme: scheme, connections: connections) { place in
            try self.configureApache(place)
            return try ChildProcess(
                path: "/usr/sbin/apache2", ["-f", "\(place.folder)/apache.conf", "-DFOREGROUND"], in: place.folder,
                output: "\(place.folder)/output")
        }
    }

    private static func configureApache(_ place: Place) throws {
        let pages = "\(place.folder)/pages"
        try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
        try "logged in\n".write(toFile: "\(pages)/index.html", atomically: true, encoding: .utf8)
        let modules = [
            "mpm_event": "mpm_event", "authn_core": "authn_core", "authz_core": "authz_core",
            "authz_user": "authz_user", "dir": "dir", "auth_openidc": "auth_openidc",
        ].map { "LoadModule \($0.key)_module /usr/lib/apache2/modules/mod_\($0.value).so" }.sorted()
        try """
        ServerRoot \(place.folder)
        ServerName localhost
        PidFile \(place.folder)/apache.pid
        DefaultRuntimeDir \(place.folder)
        ErrorLog \(place.folder)/error.log
        Listen 127.0.0.1:\(place.port)
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
        \(place.authority.map { "OIDCCABundlePath \($0)" } ?? "")
        OIDCProviderMetadataURL \(place.issuer)/.well-known/openid-configuration
        OIDCClientID them
        OIDCClientSecret secret
        OIDCProviderTokenEndpointAuth client_secret_basic
        OIDCRedirectURI \(place.url)/callback
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

        """.write(toFile: "\(place.folder)/apache.conf", atomically: true, encoding: .utf8)
        // Apache's children have another user.
        chmod(place.folder, 0o755)
    }
}
