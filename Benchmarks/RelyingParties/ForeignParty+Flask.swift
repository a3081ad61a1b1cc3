/// A Flask app with Authlib, served by gunicorn.
import Foundation
import TestSupport

extension ForeignParty {
    /// `python` has Authlib, Flask and gunicorn.
    static func flask(_ python: String, connections: Int) async throws -> ForeignParty {
        try await ForeignParty(name: "Authlib with Flask", start: "/login", connections: connections) { place in
            let root = FileManager.default.currentDirectoryPath
            let variables = [
                "ISSUER=\(place.issuer)", "ORIGIN=\(place.url)", "PYTHONPATH=\(root)/Benchmarks/RelyingParties",
                // The provider has no TLS.
                "AUTHLIB_INSECURE_TRANSPORT=1",
            ]
            let server = [
                python, "-m", "gunicorn", "--preload", "--workers", "2", "--threads", "32", "--bind",
                "127.0.0.1:\(place.port)", "authlib_flask:app",
            ]
            return try ChildProcess(
                path: "/usr/bin/env", variables + server, in: root, output: "\(place.folder)/output")
        }
    }
}
