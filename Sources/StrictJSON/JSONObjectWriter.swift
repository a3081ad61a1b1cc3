import Base

/// Writes one JSON object member by member, for objects that are written far more often than read.
///
/// The caller must not use a name twice in one object. A name that is a literal must not need an escape.
package struct JSONObjectWriter {
    private var bytes: [UInt8] = []
    private var isEmpty = true

    package init() {
        // Most objects fit, so the array rarely moves to grow.
        self.bytes.reserveCapacity(900)
        self.bytes.append(UInt8(ascii: "{"))
    }

    package mutating func add(_ name: StaticString, _ text: String) {
        text.withBytes { text in
            let isPlain = JSONPlainText.end(in: text, from: 0).end == text.count
            guard isPlain else {
                self.begin(name)
                return JSON.write(text, into: &self.bytes)
            }
            self.begin(name, addingCapacity: text.count + 2) { room in
                room.append(UInt8(ascii: "\""))
                JSON.copy(text, to: &room)
                room.append(UInt8(ascii: "\""))
            }
        }
    }

    /// Adds `null` if there is no text.
    package mutating func add(_ name: StaticString, orNull text: String?) {
        if let text { self.add(name, text) } else { self.add(name, literal: "null") }
    }

    package mutating func add(_ name: StaticString, _ truth: Bool) {
        self.add(name, literal: truth ? "true" : "false")
    }

    package mutating func add(_ name: StaticString, _ number: Int) {
        self.begin(name)
        JSON.write(number, into: &self.bytes)
    }

    package mutating func add(_ name: StaticString, _ texts: [String]) {
        self.begin(name)
        JSON.write(texts, into: &self.bytes)
    }

    package mutating func add(_ name: StaticString, _ value: JSON) {
        self.begin(name)
        value.write(into: &self.bytes)
    }

    /// Adds an object with the members that `addMembers` adds.
    package mutating func add(_ name: StaticString, object addMembers: (inout JSONObjectWriter) -> Void) {
        self.begin(name, addingCapacity: 1) { $0.append(UInt8(ascii: "{")) }
        self.isEmpty = true
        addMembers(&self)
        self.bytes.append(UInt8(ascii: "}"))
        self.isEmpty = false
    }

    /// Adds a member whose name is known only at run time.
    package mutating func add(named name: String, _ value: JSON) {
        if !self.isEmpty { self.bytes.append(UInt8(ascii: ",")) }
        self.isEmpty = false
        JSON.write(name, into: &self.bytes)
        self.bytes.append(UInt8(ascii: ":"))
        value.write(into: &self.bytes)
    }

    /// Returns the whole object.
    package consuming func finish() -> [UInt8] {
        self.bytes.append(UInt8(ascii: "}"))
        return self.bytes
    }

    private mutating func add(_ name: StaticString, literal: StaticString) {
        literal.withUTF8Buffer { literal in
            self.begin(name, addingCapacity: literal.count) { JSON.copy(literal, to: &$0) }
        }
    }

    /// Writes a member up to its value, and the part of the value that `write` puts into the room. It does all this in
    /// one go, because asking for room takes longer than filling it.
    @inline(__always) private mutating func begin(
        _ name: StaticString, addingCapacity count: Int = 0, _ write: (inout OutputSpan<UInt8>) -> Void = { _ in }
    ) {
        let isFirst = self.isEmpty
        self.isEmpty = false
        name.withUTF8Buffer { name in
            self.bytes.append(addingCapacity: name.count + count + 4) { room in
                if !isFirst { room.append(UInt8(ascii: ",")) }
                room.append(UInt8(ascii: "\""))
                JSON.copy(name, to: &room)
                room.append(UInt8(ascii: "\""))
                room.append(UInt8(ascii: ":"))
                write(&room)
            }
        }
    }
}
