import Base
import KeyFiles

/// What a server has done to the ring of keys, or has found out about it.
package enum KeyRingEvent: Equatable, Sendable {
    /// This server has made a key.
    case made(KeyUse, keyID: String, activeAt: Timestamp)
    /// The row was older than what servers have used, so all keys have retired.
    case restored(String)
    /// The ring cannot be used. The keys in the files sign.
    case failing(String)
    case working
    /// Another server does not know the ring, so the keys in the files sign. False when that has ended.
    case strangers(Bool)
}
