import Base
import Testing

/// Random bytes: the requested number, never the same twice, from many threads at once.
@Suite struct RandomBytesTests {
    @Test(arguments: [0, 1, 12, 16, 32, 511, 512, 513, 4096, 5000])
    func `as many random bytes are made as asked`(_ count: Int) {
        #expect(RandomBytes.make(count).count == count)
    }

    @Test func `no random bytes are given twice`() async {
        let given = await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<2000).map { _ in RandomBytes.make(16) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(given).count == 16_000)
    }

    /// Each bit of 16,000 bytes is set about half of the time: 8,000 times, plus or minus 10 standard deviations.
    @Test func `every bit is set about half of the time`() {
        let bytes = (0..<1000).flatMap { _ in RandomBytes.make(16) }
        for bit in 0..<8 {
            let count = bytes.count { $0 >> bit & 1 == 1 }
            #expect((7_368...8_632).contains(count))
        }
    }
}
