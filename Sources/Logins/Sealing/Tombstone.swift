import Base
import Brokers
import Cryptography

/// What is kept of a login that is over: what its answers and its page need, in 23 bytes.
///
///     status and flags ‖ verifier[0..<8] ‖ page code[0..<8] ‖ hash of app and provider[0..<4] ‖ language
///
/// There are as many tombstones as logins in a day, so each value is as short as it may be: whoever guesses 8 bytes
/// needs 2⁶³ requests on average.
struct Tombstone: Equatable, Sendable {
    static let byteCount = 23
    private static let codeByteCount = Login.tombstoneCodeByteCount
    private static let namesByteCount = 4
    private static let languageByteCount = 2

    private static let hasReturned: UInt8 = 0x80
    private static let wantsScheme: UInt8 = 0x40
    private static let isAuthSession: UInt8 = 0x20

    let status: TombstoneStatus
    let pollVerifier: [UInt8]
    /// Recognises the browser that delivered the response. Empty if none has.
    let pageCode: [UInt8]
    /// Recognises the app and the provider among those that are configured.
    private let names: [UInt8]
    /// The language that the app asked for. Nil if its tag does not begin with two letters.
    let language: String?
    let wantsScheme: Bool
    let isAuthSession: Bool

    /// Returns nil unless the login is over.
    init?(_ login: Login, under key: ServerKey) {
        guard case .gone(let status, _) = login.state else { return nil }
        self.status = status
        self.pollVerifier = Array(login.pollVerifier.prefix(Self.codeByteCount))
        self.pageCode =
            login.acceptedResponse.map { PageToken.pageCode(of: login.id, $0, under: key) } ?? login.pageCode
        self.names = Self.hash(login.app, login.provider)
        let language = login.locale?.split(separator: "-").first
        self.language = language?.utf8.count == Self.languageByteCount ? language.map(String.init) : nil
        self.wantsScheme = login.callback == .scheme
        self.isAuthSession = login.surface == .authSession
    }

    /// Returns nil if the bytes have another length or another version wrote them.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let flags = bytes.first,
            let status = TombstoneStatus(code: flags & 0x1F)
        else { return nil }
        var rest = bytes.dropFirst()
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        self.status = status
        self.pollVerifier = take(Self.codeByteCount)
        let code = take(Self.codeByteCount)
        self.pageCode = flags & Self.hasReturned == 0 ? [] : code
        self.names = take(Self.namesByteCount)
        let language = take(Self.languageByteCount)
        self.language = language.first == 0 ? nil : String(validating: language, as: UTF8.self)
        self.wantsScheme = flags & Self.wantsScheme != 0
        self.isAuthSession = flags & Self.isAuthSession != 0
    }

    var bytes: [UInt8] {
        var flags = self.status.code
        if !self.pageCode.isEmpty { flags |= Self.hasReturned }
        if self.wantsScheme { flags |= Self.wantsScheme }
        if self.isAuthSession { flags |= Self.isAuthSession }
        let code = self.pageCode.isEmpty ? Array(repeating: 0, count: Self.codeByteCount) : self.pageCode
        let language = self.language.map { Array($0.utf8) } ?? Array(repeating: 0, count: Self.languageByteCount)
        return [flags] + self.pollVerifier + code + self.names + language
    }

    /// Returns whether the login was of this app and this provider.
    func isOf(_ app: String, _ provider: String) -> Bool { self.names == Self.hash(app, provider) }

    private static func hash(_ app: String, _ provider: String) -> [UInt8] {
        Array(Digest.sha256.hash(Array("\(app)\0\(provider)".utf8)).prefix(Self.namesByteCount))
    }
}

extension TombstoneStatus {
    /// Rows contain these numbers and the positions of the reasons, so both lists only grow at their ends.
    fileprivate var code: UInt8 {
        switch self {
        case .delivered: 0
        case .unclaimed: 1
        case .expired: 2
        case .failed(let reason): 3 + reason.position
        case .cancelled(let reason): 16 + reason.position
        }
    }

    fileprivate init?(code: UInt8) {
        switch code {
        case 0: self = .delivered
        case 1: self = .unclaimed
        case 2: self = .expired
        case 3..<16:
            guard let reason = Reason(position: code - 3) else { return nil }
            self = .failed(reason)
        case 16..<32:
            guard let reason = Reason(position: code - 16) else { return nil }
            self = .cancelled(reason)
        default: return nil
        }
    }
}

extension Reason {
    fileprivate var position: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

    fileprivate init?(position: UInt8) {
        guard Int(position) < Self.allCases.count else { return nil }
        self = Self.allCases[Int(position)]
    }
}
