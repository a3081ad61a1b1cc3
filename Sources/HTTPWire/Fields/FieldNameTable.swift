/// Finds known field names by their bytes, without making a string.
struct FieldNameTable: Sendable {
    static let shared = FieldNameTable()

    private struct Name: Sendable {
        /// In lower case.
        let bytes: [UInt8]
        let field: KnownField
    }

    /// By length. At most seven names share one, so a name is compared with few others.
    private var names: [[Name]] = []

    private init() {
        for field in KnownField.allCases {
            let bytes = Array(field.rawValue.lowercased().utf8)
            while self.names.count <= bytes.count { self.names.append([]) }
            self.names[bytes.count].append(Name(bytes: bytes, field: field))
        }
    }

    /// Returns the field with this name, in upper or lower case.
    func field(_ name: Span<UInt8>) -> KnownField? {
        guard name.count < self.names.count else { return nil }
        return self.names[name.count].first { candidate in
            // The last byte differs most.
            for index in name.indices.reversed() where name[index].lowercased != candidate.bytes[index] { return false }
            return true
        }?.field
    }
}
