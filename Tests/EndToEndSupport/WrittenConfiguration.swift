import Base
import Foundation
import ServerConfiguration
import TestSupport

@testable import SwitchbackCommand

/// The configuration that `init` writes for a provider, moved to addresses of this machine.
package struct WrittenConfiguration: Sendable {
    package let configuration: Configuration
    private let folder: String

    /// Writes the files, lets `move` change the text, and loads it for a server at `port`.
    package init(_ plan: InitPlan, port: UInt16, moving move: (String) throws -> String) throws {
        self.folder = plan.configuration.folder
        try plan.write()
        let path = plan.configuration.path
        let written = try String(contentsOfFile: path, encoding: .utf8)
        try move(written).write(toFile: path, atomically: true, encoding: .utf8)
        var environment = [
            "SWITCHBACK_PUBLIC_URL": "http://127.0.0.1:\(port)", "SWITCHBACK_LISTEN": "127.0.0.1:\(port)",
            "SWITCHBACK_OPERATIONS_LISTEN": "127.0.0.1:\(try FreePort.find())", "SWITCHBACK_STORE": "memory",
            "SWITCHBACK_DRAIN_DELAY": "0", "SWITCHBACK_BROKERS__BROKER__ALLOW_INSECURE_LOOPBACK": "true",
        ]
        if written.contains("    hosts:") { environment["SWITCHBACK_BROKERS__BROKER__HOSTS"] = "127.0.0.1" }
        self.configuration = try ConfigurationLoader(path: path, environment: environment).load().outcome.get()
            .configuration
    }

    package static func makeFolder() -> String {
        NSTemporaryDirectory() + "switchback-init-\(UInt32.random(in: 0 ... .max))"
    }

    package func remove() { try? FileManager.default.removeItem(atPath: self.folder) }
}
