import EventLoop
import Testing

/// A slot is used again, and a token of what was in it before finds nothing.
@Suite struct SlotMapTests {
    @Test func `an old token is worthless once its slot is used again`() {
        var map = SlotMap<String>()
        let first = map.insert("first")
        #expect(map[first] == "first")
        #expect(map.remove(first) == "first")
        #expect(map.remove(first) == nil)
        let second = map.insert("second")
        #expect(second.slot == first.slot)
        #expect(map[first] == nil)
        #expect(!map.contains(first))
        #expect(map[second] == "second")
        #expect(map.token(of: second.slot) == second)
        #expect(map.elements == ["second"])
    }

    @Test func `a reserved slot is empty until it is filled`() {
        var map = SlotMap<Int>()
        let token = map.reserve()
        #expect(map[token] == nil)
        #expect(map.insert(2).slot == 1)
        map.fill(token, with: 1)
        #expect(map.elements == [1, 2])
    }
}
