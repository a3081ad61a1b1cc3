/// One of the two alphabets of RFC 4648, with a strict encoder and decoder.
///
/// It is a class because a copy then retains one object instead of three tables.
final class Base64Alphabet: Sendable {
    private let digits: [UInt8]
    /// The two digits for each value of twelve bits, the first digit in the lower byte.
    private let pairs: [UInt16]
    /// The value of each byte as the first of four digits, then as the second, and so on. A byte that is no digit has
    /// all bits set.
    private let values: [UInt32]
    private let isPadded: Bool

    private static let padding = UInt8(ascii: "=")

    init(lastTwo: StaticString, isPadded: Bool) {
        let letters = Array(UInt8(ascii: "A")...UInt8(ascii: "Z")) + Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
        self.digits = letters + Array(UInt8(ascii: "0")...UInt8(ascii: "9")) + Array("\(lastTwo)".utf8)
        var values = [UInt32](repeating: .max, count: 4 * 256)
        for (value, digit) in self.digits.enumerated() {
            for place in 0..<4 { values[place << 8 | Int(digit)] = UInt32(value) << (18 - 6 * place) }
        }
        self.values = values
        self.isPadded = isPadded
        let digits = self.digits
        self.pairs = (0..<1 << 12).map { UInt16(digits[$0 >> 6]) | UInt16(digits[$0 & 0x3F]) << 8 }
    }

    func encode(_ bytes: [UInt8]) -> String { bytes.withUnsafeBufferPointer { self.encode($0) } }

    func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: self.digitCount(bytes.count)) { self.write(bytes, into: $0) }
    }

    /// Appends the digits to a text.
    func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.append(addingCapacity: self.digitCount(bytes.count)) { room in
            room.withUnsafeMutableBufferPointer { room, count in
                let free = UnsafeMutableBufferPointer(rebasing: room[count...])
                count += bytes.withUnsafeBufferPointer { self.write($0, into: free) }
            }
        }
    }

    /// Returns the largest possible number of digits. With padding it is exact.
    private func digitCount(_ byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// Writes the digits and returns their number. The caller makes room for them.
    private func write(_ bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var (readCount, writtenCount) = self.writeSixes(of: bytes, into: text)
        // Three bytes make four digits. Missing bytes count as zero.
        while readCount < bytes.count {
            let count = min(3, bytes.count - readCount)
            var bits = Int(bytes[readCount]) << 16
            if count > 1 { bits |= Int(bytes[readCount + 1]) << 8 }
            if count > 2 { bits |= Int(bytes[readCount + 2]) }
            text[writtenCount] = self.digits[bits >> 18]
            text[writtenCount + 1] = self.digits[bits >> 12 & 0x3F]
            if count > 1 { text[writtenCount + 2] = self.digits[bits >> 6 & 0x3F] }
            if count > 2 { text[writtenCount + 3] = self.digits[bits & 0x3F] }
            readCount += count
            writtenCount += count + 1
        }
        while self.isPadded && writtenCount % 4 != 0 {
            text[writtenCount] = Self.padding
            writtenCount += 1
        }
        return writtenCount
    }

    /// Encodes six bytes at a time with wrapping arithmetic, because most of the time is spent here. Returns how far it
    /// came: it stops when it can no longer load eight bytes.
    private func writeSixes(
        of bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>
    ) -> (readCount: Int, writtenCount: Int) {
        let (source, target) = (UnsafeRawBufferPointer(bytes), UnsafeMutableRawBufferPointer(text))
        return self.pairs.withUnsafeBufferPointer { pairs in
            var (readCount, writtenCount) = (0, 0)
            while readCount &+ 8 <= source.count {
                let word = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: readCount, as: UInt64.self))
                let first = UInt32(pairs[Int(word &>> 52)]) | UInt32(pairs[Int(word &>> 40 & 0xFFF)]) &<< 16
                let second = UInt32(pairs[Int(word &>> 28 & 0xFFF)]) | UInt32(pairs[Int(word &>> 16 & 0xFFF)]) &<< 16
                let digits = (UInt64(first) | UInt64(second) &<< 32).littleEndian
                target.storeBytes(of: digits, toByteOffset: writtenCount, as: UInt64.self)
                readCount &+= 6
                writtenCount &+= 8
            }
            return (readCount, writtenCount)
        }
    }

    /// Returns nil for anything that `encode` would not have written: whitespace, line ends, other digits, missing or
    /// surplus padding, and unused bits that are not zero (RFC 4648 §3.5). So no two texts mean the same bytes.
    func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let digits = self.withoutPadding(text), digits.count % 4 != 1 else { return nil }
        var isRight = false
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: digits.count / 4 * 3 + 2) { room in
            room.withUnsafeMutableBufferPointer { room, count in
                isRight = self.read(digits, into: room, &count)
            }
        }
        return isRight ? bytes : nil
    }

    /// Decodes into memory. Also returns false unless the memory is exactly as large as the decoded bytes.
    func decode(_ text: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard let digits = self.withoutPadding(text), digits.count % 4 != 1, digits.count * 3 / 4 == bytes.count else {
            return false
        }
        var count = 0
        return self.read(digits, into: bytes, &count)
    }

    /// Returns false for a digit of another alphabet, and for unused bits that are not zero.
    private func read(
        _ digits: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> Bool {
        self.values.withUnsafeBufferPointer { values in
            // The bitwise OR of all values. A byte that is no digit sets bits above the 24 of four digits.
            var (readCount, writtenCount, allBits) = Self.readEights(of: digits, values, into: bytes)
            // Four digits make three bytes.
            while readCount &+ 4 <= digits.count {
                let first = values[Int(digits[readCount])] | values[256 | Int(digits[readCount &+ 1])]
                let bits = first | values[512 | Int(digits[readCount &+ 2])] | values[768 | Int(digits[readCount &+ 3])]
                allBits |= bits
                bytes[writtenCount] = UInt8(truncatingIfNeeded: bits &>> 16)
                bytes[writtenCount &+ 1] = UInt8(truncatingIfNeeded: bits &>> 8)
                bytes[writtenCount &+ 2] = UInt8(truncatingIfNeeded: bits)
                readCount &+= 4
                writtenCount &+= 3
            }
            // The last of two or three digits has bits that belong to no byte.
            var unusedBits: UInt32 = 0
            let rest = digits.count - readCount
            if rest > 1 {
                let first = values[Int(digits[readCount])] | values[256 | Int(digits[readCount + 1])]
                let bits = first | (rest == 3 ? values[512 | Int(digits[readCount + 2])] : 0)
                allBits |= bits
                bytes[writtenCount] = UInt8(truncatingIfNeeded: bits >> 16)
                if rest == 3 { bytes[writtenCount + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
                unusedBits = bits & (rest == 3 ? 0xFF : 0xFFFF)
                writtenCount += rest - 1
            }
            count = writtenCount
            return allBits < 1 << 24 && unusedBits == 0
        }
    }

    /// Decodes eight digits at a time with wrapping arithmetic, because most of the time is spent here. Returns how far
    /// it came and the OR of all values. It stops when there is no room for eight bytes.
    private static func readEights(
        of digits: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt32>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> (readCount: Int, writtenCount: Int, allBits: UInt32) {
        let (source, target) = (UnsafeRawBufferPointer(digits), UnsafeMutableRawBufferPointer(bytes))
        let count = min(source.count / 8, (target.count - 2) / 6)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return (0, 0, 0) }
        var allBits: UInt32 = 0
        for index in 0..<count {
            let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: 8 &* index, as: UInt64.self))
            let first = self.value(of: UInt32(truncatingIfNeeded: word), values)
            let second = self.value(of: UInt32(truncatingIfNeeded: word &>> 32), values)
            allBits |= first | second
            let bits = (UInt64(first) &<< 40 | UInt64(second) &<< 16).bigEndian
            target.storeBytes(of: bits, toByteOffset: 6 &* index, as: UInt64.self)
        }
        return (8 * count, 6 * count, allBits)
    }

    /// Returns the value of four digits, the first in the lowest byte.
    private static func value(of digits: UInt32, _ values: UnsafeBufferPointer<UInt32>) -> UInt32 {
        let first = values[Int(digits & 0xFF)] | values[256 | Int(digits &>> 8 & 0xFF)]
        return first | values[512 | Int(digits &>> 16 & 0xFF)] | values[768 | Int(digits &>> 24)]
    }

    private func withoutPadding(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard self.isPadded else { return text }
        guard text.count % 4 == 0 else { return nil }
        let count = text.suffix(2).allSatisfy({ $0 == Self.padding }) ? 2 : text.last == Self.padding ? 1 : 0
        return UnsafeBufferPointer(rebasing: text.dropLast(count))
    }
}
