import Foundation
import FuzzTargets
import Testing

/// Replays every seed and every find of the fuzz targets: no property is violated, and every target has inputs.
@Suite struct CorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test func `every target has its folder, and every folder its target`() throws {
        #expect(try Self.names(in: Self.corpus) == FuzzTarget.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: FuzzTarget.allCases)
    func `every input replays without a violation`(_ target: FuzzTarget) async throws {
        let folder = Self.corpus.appending(path: target.rawValue)
        var verdicts: Set<Verdict> = []
        for name in try Self.names(in: folder) {
            let input = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            do throws(Violation) {
                verdicts.insert(try await target.judge(input))
            } catch {
                Issue.record("\(target.rawValue)/\(name): \(error)")
            }
        }
        #expect(verdicts == Set(Verdict.allCases), "a corpus has inputs that are accepted and such that are not")
    }
}
