import CSSL

/// Named values for libcrypto (OSSL_PARAM), kept in place while libcrypto reads them.
///
/// libcrypto keeps pointers to both the names and the values. So names are literals, which live forever, and the values
/// live while `withParameters` runs.
package struct OpenSSLParameters {
    private enum Kind {
        case number
        case text
        case bytes
    }

    private var values: [(name: StaticString, kind: Kind, bytes: [UInt8])] = []

    package init() {}

    /// Adds a number, given big-endian.
    package mutating func add(_ name: StaticString, number: [UInt8]) {
        #if _endian(little)
        self.values.append((name, .number, number.reversed()))
        #else
        self.values.append((name, .number, number))
        #endif
    }

    package mutating func add(_ name: StaticString, text: String) {
        // Some of libcrypto's readers use the length, others the final zero.
        self.values.append((name, .text, Array(text.utf8) + [0]))
    }

    package mutating func add(_ name: StaticString, bytes: [UInt8]) { self.values.append((name, .bytes, bytes)) }

    package func withParameters<Result>(_ body: (UnsafeMutablePointer<OSSL_PARAM>) -> Result) -> Result {
        var storage = self.values.flatMap(\.bytes)
        return storage.withUnsafeMutableBytes { storage in
            var parameters: [OSSL_PARAM] = []
            var offset = 0
            for (name, kind, bytes) in self.values {
                let value = storage.baseAddress?.advanced(by: offset)
                parameters.append(Self.parameter(name, kind, value, bytes.count))
                offset += bytes.count
            }
            parameters.append(OSSL_PARAM_construct_end())
            return parameters.withUnsafeMutableBufferPointer { list in
                guard let first = list.baseAddress else { preconditionFailure("there is at least the end") }
                return body(first)
            }
        }
    }

    private static func parameter(
        _ name: StaticString, _ kind: Kind, _ value: UnsafeMutableRawPointer?, _ count: Int
    ) -> OSSL_PARAM {
        let key = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        return switch kind {
        case .number: OSSL_PARAM_construct_BN(key, value?.assumingMemoryBound(to: UInt8.self), count)
        case .text: OSSL_PARAM_construct_utf8_string(key, value?.assumingMemoryBound(to: CChar.self), count - 1)
        case .bytes: OSSL_PARAM_construct_octet_string(key, value, count)
        }
    }
}
