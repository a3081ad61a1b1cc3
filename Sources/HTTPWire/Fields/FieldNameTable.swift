/// Finds known field names by their bytes, without making a string.
struct FieldNameTable: Sendable {
    static let shared = FieldNameTable()

    private static let slotCount = 512

    private let fields: [KnownField]
    /// The bytes of all names, concatenated, and where each begins. The last entry is the end.
    private var bytes: [UInt8] = []
    private var starts: [Int] = [0]
    /// An open hash table of positions in `fields`, each plus one. Zero is free.
    private var slots = [UInt8](repeating: 0, count: Self.slotCount)

    private init() {
        self.fields = KnownField.allCases
        for (position, field) in self.fields.enumerated() {
            self.bytes += field.rawValue.lowercased().utf8
            self.starts.append(self.bytes.count)
            let range = self.starts[position]..<self.bytes.count
            var slot = Self.slot(self.bytes.span.extracting(range))
            while self.slots[slot] != 0 { slot = (slot + 1) % Self.slotCount }
            self.slots[slot] = UInt8(truncatingIfNeeded: position + 1)
        }
    }

    /// Returns the field with this name, in upper or lower case.
    func field(_ name: Span<UInt8>) -> KnownField? {
        guard !name.isEmpty else { return nil }
        var slot = Self.slot(name)
        while self.slots[slot] != 0 {
            let position = Int(self.slots[slot]) - 1
            if self.isName(position, name) { return self.fields[position] }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    private func isName(_ position: Int, _ name: Span<UInt8>) -> Bool {
        let start = self.starts[position]
        guard self.starts[position + 1] - start == name.count else { return false }
        for index in name.indices where name[index].lowercased != self.bytes[start + index] { return false }
        return true
    }

    /// Few known names agree in length and in first, middle and last letter. The name must not be empty.
    private static func slot(_ name: Span<UInt8>) -> Int {
        let first = Int(name[0] | 0x20)
        let middle = Int(name[name.count / 2] | 0x20)
        let last = Int(name[name.count - 1] | 0x20)
        return (name.count &* 67 &+ first &* 31 &+ middle &* 7 &+ last &* 13) % Self.slotCount
    }
}
