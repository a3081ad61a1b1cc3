import Base
import Synchronization
import Testing

@Suite struct LazyTests {
    @Test func `a value is made at its first use and once`() async {
        let count = Atomic(0)
        let lazy = Lazy { count.add(1, ordering: .relaxed).newValue }
        let before = count.load(ordering: .relaxed)
        #expect(before == 0)
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { lazy.value } }
            for await value in group { #expect(value == 1) }
        }
        let after = count.load(ordering: .relaxed)
        #expect(after == 1)
    }
}
