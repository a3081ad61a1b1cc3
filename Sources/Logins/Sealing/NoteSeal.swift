import Base
import Cryptography

/// Encrypts the steps that one write adds to a login's note, and opens a whole note:
///
///     (key id[0..<1] ‖ length (2) ‖ AES-256-GCM under HKDF(G_note, salt id))…
///
/// Each part is sealed alone, so a server adds to a note that it has not read. The login's id is bound to it, so no part
/// can be moved to another login. An attacker who can write to the store can still drop or double parts.
enum NoteSeal {
    /// The most bytes of a note.
    static let limit = 1024
    /// The most steps of a note. A part has at least `limit / mostSteps` bytes for each of its steps, so that the limit of
    /// bytes, which a store can keep without reading the note, is this limit too.
    static let mostSteps = 32
    private static let bytesPerStep = Self.limit / Self.mostSteps
    /// Most writes add less.
    private static let usualByteCount = 128
    private static let headByteCount = 3
    private static let overhead = Self.headByteCount + AESGCM.nonceByteCount + AESGCM.tagByteCount

    static func seal(_ steps: [NotedStep], of id: LoginID, under key: ServerKey) -> [UInt8] {
        var writer = ByteWriter(capacity: Self.usualByteCount, numbers: .packed)
        writer.write(steps.count)
        var last = Timestamp(milliseconds: 0)
        for step in steps {
            writer.write(step.at.milliseconds - last.milliseconds)
            last = step.at
            writer.write(step.name)
            writer.write(step.details.count)
            for detail in step.details {
                writer.write(detail.name)
                writer.write(detail.value)
            }
        }
        let room = steps.count * Self.bytesPerStep - Self.overhead
        for _ in 0..<max(0, room - writer.bytes.count) { writer.write(0 as UInt8) }
        let sealed = AESGCM.seal(writer.bytes, key: Self.key(of: id, key), additional: Self.additional(id))
        let length = UInt16(clamping: sealed.count)
        return [key.id.first ?? 0, UInt8(length >> 8), UInt8(length & 0xFF)] + sealed
    }

    /// Returns the steps in the order of their time. It never fails: parts that none of the keys opens are left out.
    static func open(_ note: StoredNote, keys: ServerKeys) -> [NotedStep] {
        var steps: [NotedStep] = []
        var rest = note.bytes.prefix(Self.limit)
        while rest.count >= Self.headByteCount {
            let head = Array(rest.prefix(Self.headByteCount))
            let length = Int(head[1]) << 8 | Int(head[2])
            rest = rest.dropFirst(Self.headByteCount)
            guard length <= rest.count else { break }
            let part = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            steps += Self.open(part, keys.all.filter { $0.id.first == head[0] }, note.id)
        }
        let ordered = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        return ordered.map(\.element)
    }

    private static func open(_ part: [UInt8], _ keys: [ServerKey], _ id: LoginID) -> [NotedStep] {
        for key in keys {
            let opened = AESGCM.open(part, key: Self.key(of: id, key), additional: Self.additional(id))
            if let opened { return (try? Self.steps(opened)) ?? [] }
        }
        return []
    }

    /// Reads the content of a part. What follows the steps is room.
    static func steps(_ content: [UInt8]) throws(ByteReaderError) -> [NotedStep] {
        var reader = ByteReader(content, numbers: .packed)
        var steps: [NotedStep] = []
        var last: Int64 = 0
        for _ in 0..<(try Self.count(&reader)) {
            let (time, overflow) = last.addingReportingOverflow(try reader.readInteger())
            guard !overflow else { throw ByteReaderError() }
            last = time
            let name = try reader.readString()
            var details: [Parameter] = []
            for _ in 0..<(try Self.count(&reader)) {
                details.append(Parameter(try reader.readString(), try reader.readString()))
            }
            steps.append(NotedStep(at: Timestamp(milliseconds: time), name: name, details: details))
        }
        return steps
    }

    private static func count(_ reader: inout ByteReader) throws(ByteReaderError) -> Int {
        let count = try reader.readInteger()
        guard (0...Int64(Self.mostSteps)).contains(count) else { throw ByteReaderError() }
        return Int(count)
    }

    private static func key(of id: LoginID, _ key: ServerKey) -> Secret {
        HKDF.derive(AESGCM.keyByteCount, from: key.note, salt: id.bytes, info: Array("note".utf8))
    }

    private static func additional(_ id: LoginID) -> [UInt8] { Array("note/1".utf8) + id.bytes }
}
