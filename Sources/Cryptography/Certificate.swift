import CSSL
import Glibc

// Safe because libcrypto counts the references, and guards what it computes on first use with a lock.
/// An X.509 certificate (RFC 5280) as libcrypto reads it.
package final class Certificate: @unchecked Sendable {
    package let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { X509_free(self.pointer) }

    /// Returns nil unless the bytes are exactly one certificate.
    package convenience init?(der: [UInt8]) {
        defer { ERR_clear_error() }
        let pointer = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var position = bytes.baseAddress
            guard let pointer = d2i_X509(nil, &position, bytes.count) else { return nil }
            guard position == bytes.baseAddress?.advanced(by: bytes.count) else {
                X509_free(pointer)
                return nil
            }
            return pointer
        }
        guard let pointer else { return nil }
        self.init(owning: pointer)
    }

    /// Returns all certificates in `pem`, in their order, and skips other blocks; nil when one cannot be read.
    package static func all(inPEM pem: [UInt8]) -> [Certificate]? {
        PEM.read(pem) { file in
            var all: [Certificate] = []
            while let pointer = PEM_read_bio_X509(file, nil, nil, nil) { all.append(Certificate(owning: pointer)) }
            return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE ? all : nil
        }
    }

    /// Seconds since 1970.
    package var notBefore: Int { Self.seconds(X509_get0_notBefore(self.pointer)) ?? 0 }
    package var notAfter: Int { Self.end(of: self.pointer) ?? 0 }

    /// Returns when a certificate that OpenSSL owns ends, in seconds since 1970; nil if it does not say so.
    package static func end(of certificate: OpaquePointer) -> Int? { self.seconds(X509_get0_notAfter(certificate)) }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
        var moment = tm()
        guard let time, ASN1_TIME_to_tm(time, &moment) == 1 else { return nil }
        return timegm(&moment)
    }
}
