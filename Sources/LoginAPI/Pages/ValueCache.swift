import Logins
import Synchronization

/// The pages that are the same for every login, rendered once.
final class RenderedPages: Sendable {
    /// Everything that such a page depends on.
    struct Key: Hashable {
        let view: PageView
        let language: String
        let isWatched: Bool
    }

    /// A page takes a few kilobytes. An app and an e-ID have about 20 pages in each language, and few users want most of
    /// the languages.
    private static let limit = 2_000

    private let pages = Mutex<[Key: [UInt8]]>([:])

    /// Returns the page of this key. Renders it if nobody has asked for it before.
    func page(_ key: Key, _ render: () -> [UInt8]) -> [UInt8] {
        if let page = self.pages.withLock({ $0[key] }) { return page }
        let page = render()
        self.pages.withLock { pages in
            if pages.count < Self.limit { pages[key] = page }
        }
        return page
    }
}
