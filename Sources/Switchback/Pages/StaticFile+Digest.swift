/// Names a file by what is in it: the same bytes have the same tag on every machine.
import Base
import Cryptography
import HTTPServer

extension StaticFile {
    init(bytes: [UInt8], contentType: String, cacheControl: String) {
        let hash = Base64URL.encode(Digest.sha256.hash(bytes).prefix(16))
        self.init(bytes: bytes, hash: hash, contentType: contentType, cacheControl: cacheControl)
    }
}
