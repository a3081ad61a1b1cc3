/// A message that is digested piece by piece as it is written, so that nobody has to put the pieces together.

package struct HMACMessage {
    var digest: OpenSSLSHA256

    init(_ digest: OpenSSLSHA256) { self.digest = digest }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { self.digest.update(bytes) }

    package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { self.digest.update($0) } }

    package mutating func append(_ text: String) {
        text.withBytes { self.digest.update(UnsafeRawBufferPointer($0)) }
    }
}
