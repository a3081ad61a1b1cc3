/// A document of a provider as it was fetched once, numbered, so that a later one can be told from it.
import Base

package struct Edition<Document: Sendable>: Sendable {
    package let document: Document
    /// 1 for the first that was fetched.
    package let number: Int
    let fetchedAt: Timestamp
}
