/// Starts the sandbox provider and the server, and stays until they have ended.
import Switchback

enum SandboxRunning {
    static func run(_ plan: SandboxPlan, publicFolder: String?) async throws {
        let secret = KeyGenerator.word()
        try await Serving.run(try plan.configuration(secret: secret, publicFolder: publicFolder))
    }
}
