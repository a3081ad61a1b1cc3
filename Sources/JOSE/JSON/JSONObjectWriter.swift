/// Writes one JSON object, member by member, for those that are written far more often than read.

/// No two names may be the same: who adds them sees to that.
package struct JSONObjectWriter {
    private var bytes: [UInt8] = []

    package init() {
        // Most objects fit, and need not be moved as they grow.
        self.bytes.reserveCapacity(900)
    }

    package mutating func add(_ name: String, _ text: String) {
        self.separate()
        JSON.write(name, text, into: &self.bytes)
    }

    package mutating func add(_ name: String, _ number: Int) {
        self.begin(name)
        JSON.write(number, into: &self.bytes)
    }

    package mutating func add(_ name: String, _ object: JSON.Object) {
        self.begin(name)
        JSON.object(object).write(into: &self.bytes)
    }

    /// The whole object.
    package consuming func finished() -> [UInt8] {
        if self.bytes.isEmpty { self.bytes.append(UInt8(ascii: "{")) }
        self.bytes.append(UInt8(ascii: "}"))
        return self.bytes
    }

    private mutating func separate() {
        self.bytes.append(self.bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    }

    private mutating func begin(_ name: String) {
        self.separate()
        JSON.write(name, into: &self.bytes)
        self.bytes.append(UInt8(ascii: ":"))
    }
}
