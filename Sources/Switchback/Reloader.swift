/// Brings another configuration into a running server: on SIGHUP, or when a file of it has changed. One that is wrong is
/// refused, and the server goes on with the one it has.
import Base
import Logging
import ServerConfiguration
import UnixSignals

package actor Reloader {
    /// Who writes a file may not be through: it is read when it has been the same for so long.
    private static let settling = Duration.seconds(1)

    private let loader: ConfigurationLoader
    private let server: SwitchbackServer
    private let logger: Logger
    private var settings: EffectiveSettings
    /// Those that the log has already.
    private var warnings: [Diagnostic]
    /// The last one, whatever came of it: what is wrong is said once.
    private var attempt: ConfigurationLoader.Attempt
    private var signals: UnixSignalsSequence?
    /// The last change of keys that was tried: one that fails is tried again when a file has changed.
    private var keyChange: Timestamp?
    private let tell: @Sendable (ServiceManager.State) -> Void
    private let pause: @Sendable (Duration) async throws -> Void

    /// `attempt` is what the server was made of; nil when it was made of nothing that can be loaded again.
    package init?(
        _ loader: ConfigurationLoader, _ attempt: ConfigurationLoader.Attempt, server: SwitchbackServer,
        logger: Logger, tell: @escaping @Sendable (ServiceManager.State) -> Void = { _ in },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        guard case .success(let loaded) = attempt.outcome else { return nil }
        self.loader = loader
        self.server = server
        self.logger = logger
        self.settings = loaded.settings
        self.warnings = loaded.warnings
        self.attempt = attempt
        self.tell = tell
        self.pause = pause
    }

    /// From now on no SIGHUP is lost.
    func listen() async { self.signals = await UnixSignalsSequence(trapping: .sighup) }

    /// Until the task is cancelled.
    func run() async {
        guard let signals = self.signals else { preconditionFailure("listen() comes first") }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { await self.reload("SIGHUP") } }
            group.addTask { await self.watch() }
            await group.waitForAll()
        }
    }

    private func watch() async {
        while !Task.isCancelled {
            let interval = self.server.reloadInterval
            // With 0 it is looked at only now and then whether that has changed.
            guard (try? await self.pause(interval > .zero ? interval : .seconds(10))) != nil else { return }
            if interval > .zero { await self.look() } else { await self.changeKeys() }
        }
    }

    /// Reloads if the time of a key has come: the order of its list is another from now on.
    private func changeKeys() async {
        guard let due = self.server.dueKeyChange, due != self.keyChange else { return }
        self.keyChange = due
        await self.reload("a key has become active")
    }

    /// Reloads if a file has changed, or a key has become active.
    package func look() async {
        await self.changeKeys()
        var files = self.loader.renewed(self.attempt)
        guard files != self.attempt.files else { return }
        while true {
            guard (try? await self.pause(Self.settling)) != nil else { return }
            let later = self.loader.renewed(self.attempt)
            guard later != files else { break }
            files = later
        }
        await self.reload("a file has changed")
    }

    package func reload(_ cause: String) async {
        self.tell(.reloading)
        defer { self.tell(.ready) }
        let attempt = self.loader.load()
        let files = attempt.files.changes(since: self.attempt.files)
        self.attempt = attempt
        switch attempt.outcome {
        case .failure(let problems):
            self.server.noteReload(succeeded: false)
            for problem in problems.errors { self.refused(cause, "\(problem)") }
        case .success(let loaded):
            let changes = SettingChanges(from: self.settings, to: loaded.settings)
            do {
                try await self.server.reload(loaded.configuration)
            } catch {
                self.server.noteReload(succeeded: false)
                return self.refused(cause, "\(error)")
            }
            self.server.noteReload(succeeded: true)
            for warning in loaded.warnings where !self.warnings.contains(warning) { self.logger.log(warning) }
            (self.settings, self.warnings) = (loaded.settings, loaded.warnings)
            self.logger.notice(
                "configuration_reloaded",
                metadata: [
                    "cause": "\(cause)", "settings": "\(changes.taken.joined(separator: " "))",
                    "files": "\(files.joined(separator: " "))",
                ])
            guard !changes.waiting.isEmpty else { return }
            self.logger.warning(
                "configuration_needs_restart", metadata: ["settings": "\(changes.waiting.joined(separator: " "))"])
        }
    }

    private func refused(_ cause: String, _ problem: String) {
        self.logger.error("configuration_refused", metadata: ["cause": "\(cause)", "reason": "\(problem)"])
    }
}
