/// Names that nobody guesses, for codes, tokens and pages.
import Base

enum RandomName {
    /// 256 bits.
    static func make() -> String { Base64URL.encode(RandomBytes.make(32)) }
}
