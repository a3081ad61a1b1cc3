// A Flask app with Authlib, served by gunicorn.

import Foundation
import Served
import TestSupport

extension ForeignParty {
    /// `python` has Authlib, Flask and gunicorn.
    static func flask(
        _ python: String, scheme: ServedProvider.Scheme, connections: Int
    ) async throws -> ForeignParty {
        let name = "Authlib with Flask"
        return try await ForeignParty(name: name, start: "/login", scheme: scheme, connections: connections) { place in
            let root = FileManager.default.currentDirectoryPath
            var variables = [
                "ISSUER=\(place.issuer)", "ORIGIN=\(place.url)", "PYTHONPATH=\(root)/Benchmarks/RelyingParties",
                // The app itself has no TLS.
                "AUTHLIB_INSECURE_TRANSPORT=1",
            ]
            if let authority = place.authority { variables.append("REQUESTS_CA_BUNDLE=\(authority)") }
            let server = [
                python, "-m", "gunicorn", "--preload", "--workers", "2", "--threads", "32", "--bind",
                "127.0.0.1:\(place.port)", "authlib_flask:app",
            ]
            return try ChildProcess(
                path: "/usr/bin/env", variables + server, in: root, output: "\(place.folder)/output")
        }
    }
}
