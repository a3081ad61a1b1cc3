import Base
import Logging
import ServerConfiguration
import Telemetry
import UnixSignals

/// Applies a new configuration to a running server: on SIGHUP, or when one of its files has changed. It refuses an
/// invalid configuration, and the server keeps its current one.
package actor Reloader {
    /// A file is read once it has not changed for this time, because a writer may not be finished.
    private static let debounceTime = Duration.seconds(1)

    private let loader: ConfigurationLoader
    private let server: SwitchbackServer
    private let logger: Logger
    private var settings: EffectiveSettings
    /// Those of the start, some of which stay in effect until the server restarts.
    private let settingsAtStart: EffectiveSettings
    /// The settings that wait for a restart.
    private var waiting: [String] = []
    /// The warnings that were already logged.
    private var warnings: [Diagnostic]
    /// The latest attempt, successful or not, so that each problem is reported only once.
    private var attempt: ConfigurationLoader.LoadResult
    private var signals: UnixSignalsSequence?
    /// The latest key change that we tried. If it failed, we try again after a file has changed.
    private var keyChange: Timestamp?
    private let tell: @Sendable (ServiceManager.State) -> Void
    private let pause: @Sendable (Duration) async throws -> Void

    /// `attempt` is the load that the server was made from. Returns nil if it failed.
    package init?(
        _ loader: ConfigurationLoader, _ attempt: ConfigurationLoader.LoadResult, server: SwitchbackServer,
        logger: Logger, tell: @escaping @Sendable (ServiceManager.State) -> Void = { _ in },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        guard case .success(let loaded) = attempt.outcome else { return nil }
        self.loader = loader
        self.server = server
        self.logger = logger
        self.settings = loaded.settings
        self.settingsAtStart = loaded.settings
        self.warnings = loaded.warnings
        self.attempt = attempt
        self.tell = tell
        self.pause = pause
    }

    /// From now on SIGHUP is caught.
    func listen() async { self.signals = await UnixSignalsSequence(trapping: .sighup) }

    /// Runs until the task is cancelled.
    func run() async {
        guard let signals = self.signals else { preconditionFailure("listen() comes first") }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { await self.reload(.signal) } }
            group.addTask { await self.watch() }
            await group.waitForAll()
        }
    }

    private func watch() async {
        while !Task.isCancelled {
            let interval = self.server.reloadInterval
            // If the interval is 0, we still check regularly whether that has changed.
            guard (try? await self.pause(interval > .zero ? interval : .seconds(10))) != nil else { return }
            if interval > .zero { await self.checkForChanges() } else { await self.changeKeys() }
        }
    }

    /// Reloads when a key becomes active, because the order of its list changes then.
    private func changeKeys() async {
        guard let due = self.server.dueKeyChange, due != self.keyChange else { return }
        self.keyChange = due
        await self.reload(.key)
    }

    /// Reloads if a file has changed or a key has become active.
    package func checkForChanges() async {
        await self.changeKeys()
        var files = self.loader.reread(self.attempt)
        guard files != self.attempt.files else { return }
        while true {
            guard (try? await self.pause(Self.debounceTime)) != nil else { return }
            let later = self.loader.reread(self.attempt)
            guard later != files else { break }
            files = later
        }
        await self.reload(.file)
    }

    package func reload(_ cause: ReloadCause) async {
        self.tell(.reloading)
        defer { self.tell(.ready) }
        let attempt = self.loader.load()
        let files = attempt.files.changes(since: self.attempt.files)
        self.attempt = attempt
        switch attempt.outcome {
        case .failure(let problems):
            self.server.noteReload(cause, succeeded: false)
            for problem in problems.errors { self.reportRefusal(cause, "\(problem)") }
        case .success(let loaded):
            let changedSettings = SettingChanges(from: self.settings, to: loaded.settings).applied
            do {
                try await self.server.reload(loaded.configuration)
            } catch {
                self.server.noteReload(cause, succeeded: false)
                return self.reportRefusal(cause, "\(error)")
            }
            self.server.noteReload(cause, succeeded: true)
            for warning in loaded.warnings where !self.warnings.contains(warning) { self.logger.log(warning) }
            (self.settings, self.warnings) = (loaded.settings, loaded.warnings)
            self.logger.notice(
                "configuration_reloaded",
                metadata: [
                    "cause": "\(cause.words)", "settings": "\(changedSettings.joined(separator: " "))",
                    "files": "\(files.joined(separator: " "))",
                ])
            self.reportWaitingSettings()
        }
    }

    /// Compares with the start, not with the last load: a setting that is changed back no longer waits.
    private func reportWaitingSettings() {
        let former = self.waiting
        self.waiting =
            SettingChanges(from: self.settingsAtStart, to: self.settings).needingRestart
            + self.server.settingsWaitingForRestart
        self.server.noteWaitingSettings(self.waiting.count)
        guard !self.waiting.isEmpty, self.waiting != former else { return }
        self.logger.warning(
            "configuration_needs_restart", metadata: ["settings": "\(self.waiting.joined(separator: " "))"])
    }

    private func reportRefusal(_ cause: ReloadCause, _ problem: String) {
        self.logger.error("configuration_refused", metadata: ["cause": "\(cause.words)", "reason": "\(problem)"])
    }
}

extension ReloadCause {
    /// As the log says it.
    fileprivate var words: String {
        switch self {
        case .signal: "SIGHUP"
        case .file: "a file has changed"
        case .key: "a key has become active"
        }
    }
}
