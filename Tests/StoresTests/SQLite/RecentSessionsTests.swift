import Sessions
import TestSupport
import Testing

@testable import Stores

/// The sessions in memory are those of the disk: whatever is stored, removed and read again in any order.
@Suite struct RecentSessionsTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func `each row that is found is on the disk`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let recent = RecentSessions(limit: 512)
        var disk: [SessionID: SealedSession] = [:]
        /// Rows that a reader has read but not yet kept.
        var readings: [(row: SealedSession, changes: Int)] = []
        for step in 1...4_000 {
            let id = try SessionStoreConformanceTests.row(Int.random(in: 0..<700, using: &random)).id
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let row = SealedSession(
                    id: id, revision: Int64(step), due: SessionStoreConformanceTests.now, person: [], keyID: [],
                    bytes: [])
                disk[id] = row
                recent.store(row)
            case 1:
                disk[id] = nil
                recent.remove(id)
            case 2:
                let changes = recent.changes(near: id)
                if let row = disk[id] { readings.append((row, changes)) }
            case 3:
                guard let reading = readings.randomElement(using: &random) else { continue }
                recent.keep(reading.row, readAfter: reading.changes)
            default:
                if let row = recent.row(id) { #expect(row == disk[id]) }
            }
            #expect(recent.count <= 512)
        }
        #expect(recent.count > 100, "they are kept")
    }

    /// What is used again and again is not forgotten, however many others there are.
    @Test func `a session that is used stays`() throws {
        let recent = RecentSessions(limit: 1_024)
        let often = try SessionStoreConformanceTests.row(0)
        recent.store(often)
        for number in 1...20_000 {
            recent.store(try SessionStoreConformanceTests.row(number))
            #expect(recent.row(often.id) != nil)
        }
    }
}
