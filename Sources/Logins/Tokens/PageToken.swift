/// The token in a `/done` link: it shows the end of one opening to the browser that brought its response.
///
///     base64url(id ‖ opening ‖ code ‖ tag)
///     code = HMAC(G_page, id ‖ opening ‖ hash of the response)[0..<16]
///     tag  = HMAC(G_page, "page" ‖ id ‖ opening ‖ code)[0..<16]
///
/// It holds no code of the broker, and survives a reload. The tag tells a token of ours from a made-up one before the store
/// is asked; the code says for which response it was made.
import Base

struct PageToken: Equatable, Sendable {
    private static let partCount = 16

    let login: LoginID
    let opening: [UInt8]
    private let code: [UInt8]
    private let tag: [UInt8]

    init(_ login: LoginID, _ taken: TakenResponse, under key: ServerKey) {
        self.login = login
        self.opening = taken.opening
        self.code = Self.code(login, taken, key)
        self.tag = Self.tag(login.bytes + self.opening + self.code, key)
    }

    /// Nil for a token that we did not make. Whether it was made for the response that counts is known only with the login
    /// (`shows`).
    init?(_ text: String, keys: ServerKeys) {
        guard text.utf8.count == 86, let bytes = Base64URL.decode(text), bytes.count == 4 * Self.partCount else {
            return nil
        }
        let (body, tag) = (Array(bytes.dropLast(Self.partCount)), Array(bytes.suffix(Self.partCount)))
        guard keys.all.contains(where: { equalInConstantTime(Self.tag(body, $0), tag) }),
            let login = LoginID(Array(body.prefix(Self.partCount)))
        else { return nil }
        self.login = login
        self.opening = Array(body[Self.partCount..<2 * Self.partCount])
        self.code = Array(body.suffix(Self.partCount))
        self.tag = tag
    }

    var text: String { Base64URL.encode(self.login.bytes + self.opening + self.code + self.tag) }

    /// True when it was made for the response that this login took.
    func shows(_ taken: TakenResponse, under key: ServerKey) -> Bool {
        equalInConstantTime(self.code, Self.code(self.login, taken, key))
            && equalInConstantTime(self.opening, taken.opening)
    }

    private static func code(_ login: LoginID, _ taken: TakenResponse, _ key: ServerKey) -> [UInt8] {
        key.page.code { message in
            message.append(login)
            message.append(taken.opening)
            message.append(taken.hash)
        }.array(Self.partCount)
    }

    private static func tag(_ body: [UInt8], _ key: ServerKey) -> [UInt8] {
        key.page.code { message in
            message.append("page")
            message.append(body)
        }.array(Self.partCount)
    }
}
