/// A login's id in what a code is made of.
import Base
import Cryptography

extension HMACMessage {
    mutating func append(_ id: LoginID) { id.withBytes { self.append($0) } }
}
