import Base
import Testing

@testable import Audit

/// Tests that the verifier finds each way to damage an audit, and calls it by its name.
@Suite struct AuditVerifierTests {
    @Test func `a chain that was closed is whole`() throws {
        let sample = try AuditSample()
        let verdict = sample.verdict([Array(sample.lines(9).joined())])
        #expect(verdict == AuditVerdict(finding: nil, notes: [], records: 11, chains: 1))
    }

    @Test func `a change of one byte anywhere is found`() throws {
        let sample = try AuditSample()
        let bytes = Array(sample.lines(6).joined())
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let place = Int.random(in: bytes.indices, using: &random)
            var changed = bytes
            changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            #expect(sample.verdict([changed]).finding != nil, "byte \(place), now \(changed[place])")
        }
    }

    @Test func `each play has its own status`() throws {
        let sample = try AuditSample()
        let lines = sample.lines(6)
        for index in lines.indices {
            let removed = Array(lines[..<index] + lines[(index + 1)...])
            let isLast = index == lines.count - 1
            #expect(sample.finding(removed)?.exitStatus == (isLast ? 14 : 11), "without line \(index + 1)")
            let doubled = Array(lines[...index] + lines[index...])
            #expect(sample.finding(doubled)?.exitStatus == 12, "line \(index + 1) twice")
            if index > 0 {
                #expect(sample.finding(Array(lines[..<index]))?.exitStatus == 14, "cut before line \(index + 1)")
                var swapped = lines
                swapped.swapAt(index - 1, index)
                #expect(sample.finding(swapped)?.exitStatus == 13, "line \(index + 1) before the one before")
            }
        }
    }

    /// The files of two starts, named in the wrong order: whoever puts them together so has reordered them.
    @Test func `a chain before the one that it follows is reordered`() throws {
        let sample = try AuditSample()
        let first = sample.lines(3)
        let last = try #require(first.last)
        let tail = try #require(AuditLineReader.tail(of: last))
        var chain = AuditChain()
        let start = AuditEvent.Start(version: "1", host: "h", key: AuditKey(sample.key), after: tail)
        let second = [
            chain.record(.started(start), at: AuditSample.begin),
            sample.signature(in: &chain, closing: .chain, at: AuditSample.begin),
        ]
        #expect(sample.finding(first + second) == nil)
        #expect(sample.finding(second + first)?.exitStatus == 13)
        #expect(sample.finding(second) == nil, "the former file was not given, which a note says")
    }

    @Test func `a record is changed where its chain was made anew`() throws {
        let sample = try AuditSample()
        let forger = try AuditSample("a1")
        #expect(sample.finding(forger.lines(6))?.exitStatus == 10)
        #expect(sample.finding(try AuditSample("other").lines(6))?.exitStatus == 15)
    }

    @Test func `a last minute without signature is said and is no error`() throws {
        let sample = try AuditSample()
        let lines = sample.lines(6, isClosed: false)
        let soon = sample.verdict([Array(lines.joined())], at: AuditSample.begin + .seconds(60))
        #expect(soon.finding == nil)
        #expect(soon.notes.map(\.description).contains { $0.contains("not signed yet") })
        #expect(sample.finding(lines)?.exitStatus == 14)
    }

    @Test func `half a line at the end is cut off`() throws {
        let sample = try AuditSample()
        let bytes = Array(sample.lines(6).joined())
        #expect(sample.verdict([bytes.dropLast()]).finding == .cutOff(AuditPlace("f0", line: 8), .insideRecord))
    }

    @Test func `no input stops the verifier`() throws {
        let sample = try AuditSample()
        for text in [
            "\n", "{}\n", "null\n\n", "{\"chain\":\"a\",\"number\":0}\n", "\u{0}\n",
            "{\"chain\":\"a\",\"number\":9223372036854775807,\"time\":\"2027-01-15T08:00:00.000Z\",\"event\":\"continued\",\"previous\":null}\n",
        ] {
            #expect(sample.verdict([Array(text.utf8)]).finding != nil, "\(text)")
        }
        #expect(sample.verdict([]).finding == nil)
    }
}
