/// What the page shows to the browser that brought the broker's answer, and to nobody else: a link's proof and a code.
///
/// Both are made from the response that was taken, so the app that started the login cannot know them before somebody has
/// logged in, and no answer to an app ever holds one. They are not stored: they can be made again.
import Base

struct PageProof: Equatable, Sendable {
    static let codeDigits = 6

    /// 22 characters, in the link of the page's button.
    let link: String
    /// Six digits, for people to type.
    let code: String

    init(_ login: LoginID, _ taken: TakenResponse, under key: ServerKey) {
        func made(_ use: String, _ byteCount: Int) -> [UInt8] {
            key.page.code { message in
                message.append(use)
                message.append(login)
                message.append(taken.opening)
                message.append(taken.hash)
            }.array(byteCount)
        }
        self.link = Base64URL.encode(made("proof", 16))
        let number = made("code", 8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let digits = String(number % 1_000_000)
        self.code = String(repeating: "0", count: Self.codeDigits - digits.count) + digits
    }

    func isLink(_ text: String) -> Bool { equalInConstantTime(Array(text.utf8), Array(self.link.utf8)) }

    /// Blanks and hyphens between the digits are not people's fault.
    func isCode(_ text: String) -> Bool {
        let digits = text.utf8.filter { $0 != 0x20 && $0 != 0x2D }
        return equalInConstantTime(Array(digits), Array(self.code.utf8))
    }
}
