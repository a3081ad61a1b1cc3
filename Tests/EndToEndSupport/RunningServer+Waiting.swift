// Waits until a running server shows what a test needs.
import Foundation
import TestSupport

extension RunningServer {
    /// Returns when the metrics show `count` long polls.
    package func polls(areHeld count: Int) async throws {
        try await self.waits(for: "\(count) long polls") {
            try await TestClient.send("GET", "\(self.operations)/metrics").text.contains(
                "switchback_held_polls \(count)\n")
        }
    }

    /// Returns when the metrics have all of these samples. A step is counted after the store has it, so the app may learn
    /// of it first.
    package func metrics(have samples: [String]) async throws {
        for sample in samples {
            try await self.waits(for: sample) {
                try await TestClient.send("GET", "\(self.operations)/metrics").text.contains(sample)
            }
        }
    }

    package func refusesConnections() async throws {
        try await self.waits(for: "a closed port") {
            guard let connection = try? TestClient.connect(port: self.port) else { return true }
            close(connection)
            return false
        }
    }

    package func readiness(becomes status: Int) async throws {
        try await self.waits(for: "readyz \(status)") {
            try await TestClient.send("GET", "\(self.operations)/readyz").status == status
        }
    }

    private func waits(for what: String, _ condition: () async throws -> Bool) async throws {
        guard try await eventually(condition) else { throw TestClient.Failure(description: "never: \(what)") }
    }
}
