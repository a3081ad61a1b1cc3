/// The script of a page that may change. It stands in the page, and the policy of the page names it by its hash.
import Base
import Cryptography

struct PageScript: Sendable {
    private static let file = "templates/page.js"

    let text: String

    init(_ folder: PublicFolder) throws(PublicFolder.Failure) {
        self.text = try folder.text(of: Self.file)
        // Either would end the element, or change how the rest of it is read (HTML §13.2.5.4).
        for word in ["</script", "<script", "<!--"] where self.text.lowercased().contains(word) {
            throw folder.failure(Self.file, "cannot stand in a page: it contains \(word)")
        }
    }

    /// As Content Security Policy names it (CSP Level 3 §2.3.1).
    var source: String {
        "'sha256-\(Base64.encode(Digest.sha256.hash(Array(self.text.utf8))))'"
    }
}
