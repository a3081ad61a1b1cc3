/// The arrays that libpq wants a statement's parameters in.
extension PostgresStatement {
    /// Count, types, values, lengths, formats: as PQexecParams and PQsendQueryParams take them.
    func withParameters<Result>(
        _ body: (
            Int32, UnsafePointer<UInt32>, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>,
            UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        let encoded = self.parameters.map(\.encoded)
        // One buffer behind all of them; an empty value must not be a null pointer, which is NULL.
        let buffer = encoded.flatMap(\.self) + [0]
        return buffer.withUnsafeBytes { bytes in
            var start = 0
            let values: [UnsafePointer<CChar>?] = encoded.map { value in
                defer { start += value.count }
                return bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
            }
            return body(
                Int32(encoded.count), self.parameters.map(\.type), values, encoded.map { Int32($0.count) },
                encoded.map { _ in 1 })
        }
    }
}
