/// A setting that only one kind of broker reads: its name, what it may be, and what operators read about it.
package struct KindOption: Equatable, Sendable {
    /// What a value may be.
    package enum Format: Equatable, Sendable {
        case text
        /// Printable ASCII without spaces.
        case word
        case host
        /// A URL, kept as it is written.
        case url
        case choice([String])
        case integer(ClosedRange<Int>)
        case words
        case urls
    }

    package enum Presence: Equatable, Sendable {
        /// A broker or provider of the kind must have it.
        case required
        /// There is no value if it is not set.
        case optional
        /// The default.
        case text(String)
        case list([String])
    }

    package let name: String
    package let format: Format
    package let presence: Presence
    /// The setting of all kinds that it stands after in the reference. Nil puts it behind all of them.
    package let place: String?
    /// The most characters of a text.
    package let limit: Int?
    /// Whether it is an error where the broker is of another kind.
    package let isRefusedElsewhere: Bool
    /// One or two sentences. `Config/switchback.yaml` has them above the setting, word for word.
    package let explanation: String

    package init(
        _ name: String, _ format: Format, _ presence: Presence, after place: String? = nil, limit: Int? = nil,
        isRefusedElsewhere: Bool = true, _ explanation: String
    ) {
        self.name = name
        self.format = format
        self.presence = presence
        self.place = place
        self.limit = limit
        self.isRefusedElsewhere = isRefusedElsewhere
        self.explanation = explanation
    }
}
