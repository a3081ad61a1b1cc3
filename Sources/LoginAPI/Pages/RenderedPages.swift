import Logins
import Synchronization

/// The pages that are the same for every login, rendered once.
final class RenderedPages: Sendable {
    /// Everything that such a page depends on.
    struct Key: Hashable {
        private let app: String?
        private let provider: String?
        private let language: String
        private let kind: PageView.Kind
        private let isCodeOnly: Bool
        private let isEnding: Bool
        private let isWatched: Bool
        private let canRetry: Bool

        /// Nil if the page has something that only its login or its request has: a link, a code or a reference.
        init?(_ view: PageView, in language: String, isWatched: Bool) {
            guard view.code == nil, view.returnURL == nil,
                !view.isFailure || view.reference == nil
            else { return nil }
            self.app = view.app
            self.provider = view.provider
            self.language = language
            self.kind = view.kind
            self.isCodeOnly = view.isCodeOnly
            self.isEnding = view.isEnding
            self.isWatched = isWatched
            self.canRetry = view.canRetry
        }
    }

    /// A page takes a few kilobytes. An app and an e-ID have about 20 pages in each language, and few users want most of
    /// the languages.
    private static let limit = 2_000

    private let pages = Mutex<[Key: [UInt8]]>([:])

    /// Returns the page of this key. Renders it if there is no key, or if nobody has asked for it before.
    func page(_ key: Key?, _ render: () -> [UInt8]) -> [UInt8] {
        guard let key else { return render() }
        if let page = self.pages.withLock({ $0[key] }) { return page }
        let page = render()
        self.pages.withLock { pages in
            if pages.count < Self.limit { pages[key] = page }
        }
        return page
    }
}
