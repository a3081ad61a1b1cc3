import Base
import Foundation
import JOSE
import TestSupport
import Testing

/// Whether the recording is to be written again.
private let isWritten = ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_RECORDINGS"] == "1"

/// Compares the responses of a whole server, what it asks brokers, and the rows of its store with a recording, byte for
/// byte. Time, random numbers and keys are the same each time.
///
/// `SWITCHBACK_WRITE_RECORDINGS=1` writes the recording again. Its changes are then a part of the commit, and the
/// reviewer reads them.
@Suite(
    .blocking, .timeLimit(.minutes(60)),
    .enabled(
        if: TestTier.isWhole || isWritten,
        "a thousand requests take a minute of processor time: SWITCHBACK_TEST_ALL=1 compares them"))
struct RecordingTests {
    private static let path = "Tests/RecordingTests/recording.txt"

    /// It records in a process of its own, because random numbers are played for a whole process.
    @Test func `a server responds and stores as recorded`() async throws {
        let output = "\(NSTemporaryDirectory())switchback-recording-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let process = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [output = output as String] in
            endProcess(afterMinutes: 60)
            do { try await Self.record(below: output) } catch {
                try FileHandle.standardError.write(contentsOf: Array("\(error)\n".utf8))
                exit(1)
            }
        }
        let said = String(decoding: process?.standardErrorContent ?? [], as: UTF8.self)
        guard FileManager.default.fileExists(atPath: "\(output)/recording.txt") else {
            Issue.record("there is no recording: \(said)")
            return
        }
        #expect(said.isEmpty)
        let found = try String(contentsOfFile: "\(output)/recording.txt", encoding: .utf8)
        if isWritten {
            try found.write(toFile: SourceFile.path(Self.path), atomically: true, encoding: .utf8)
        }
        let wanted = try SourceFile.text(Self.path)
        let (old, new) = (wanted.components(separatedBy: "\n\n=== "), found.components(separatedBy: "\n\n=== "))
        #expect(new.count > 300)
        #expect(old.count == new.count)
        for (old, new) in zip(old, new).filter({ $0 != $1 }).prefix(5) {
            Issue.record("recorded:\n\(old.prefix(3000))\n\nnow:\n\(new.prefix(3000))")
        }
        // The texts are long, so only their difference is printed.
        let isSame = wanted == found
        #expect(isSame)
    }

    private static func record(below folder: String) async throws {
        try PlayedRandom.install()
        let time = PlayedTime()
        let key = try PrivateKey(pem: Secret(try SourceFile.text("Tests/RecordingTests/Keys/broker.pem")))
        let broker = try PlayedBroker(key: key) { time.now().seconds }
        broker.start()
        let recording = Recording(broker)
        let full = try RecordedServer(RecordedConfiguration.full, time, folder: "\(folder)/full")
        recording.begin(full)
        try await recording.files()
        try await recording.creates()
        try await recording.tornRequests()
        try await recording.logins()
        try await recording.sessions()
        await full.stop()
        let small = try RecordedServer(RecordedConfiguration.small, time, folder: "\(folder)/small")
        recording.begin(small)
        try await recording.smallServer()
        await small.stop()
        broker.stop()
        let text = "\(recording.count) requests\n\n" + recording.text
        try text.write(toFile: "\(folder)/recording.txt", atomically: true, encoding: .utf8)
        guard recording.problems.isEmpty else { throw RecordingError(recording.problems.joined(separator: "\n")) }
    }
}
