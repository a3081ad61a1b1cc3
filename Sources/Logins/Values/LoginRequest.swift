import Base
import Brokers
import StrictJSON

/// The create request of an app, parsed and checked for its form.
package struct LoginRequest: Equatable, Sendable {
    package var provider: String
    package var app: String
    package var platform: AuthorizationContext.Platform?
    /// The operating system that the browser runs on, for the platform `web`.
    package var os: String?
    /// Where the app opens links.
    package var surface: AuthorizationContext.Surface?
    package var eidAppInstalled: Bool?
    package var appSwitch = true
    /// A BCP 47 language tag, for the pages of the e-ID and ours.
    package var locale: String?
    /// The app's own nonce, which the assertion returns to its API.
    package var nonce: String?
    /// Authorize parameters that the provider lets the app set, sorted by name.
    package var parameters: [Parameter] = []
    package var callback: ReturnCallback?
    /// The thumbprint (RFC 7638) of the key that proves possession of the session after this login (RFC 9449 §10).
    package var dpopThumbprint: String?
    package var actions = KnownActions.usual
    /// The secret of a login of the same app that the user has left for this one. It changes nothing in either login.
    package var replaces: PollSecret?

    package init(provider: String, app: String) {
        self.provider = provider
        self.app = app
    }

    package static func == (a: Self, b: Self) -> Bool { a.canonical == b.canonical }
}

// MARK: - Its two forms

// A new member is a property above, and a line in each of `canonical`, `addedMembers` and `read(stored:)`, except for
// one that has a field of its own in `Login`.

extension LoginRequest {
    /// Returns the same bytes for the same request, whatever the order of the app's JSON members.
    package var canonical: [UInt8] {
        var object = JSONObjectWriter()
        object.add("app", self.app)
        object.add("app_switch", self.appSwitch)
        object.add("provider", self.provider)
        if let isInstalled = self.eidAppInstalled { object.add("eid_app_installed", isInstalled) }
        if let platform = self.platform { object.add("platform", platform.rawValue) }
        if let os = self.os { object.add("os", os) }
        if let surface = self.surface { object.add("surface", surface.rawValue) }
        if let locale = self.locale { object.add("locale", locale) }
        if let nonce = self.nonce { object.add("nonce", nonce) }
        if let callback = self.callback { object.add("callback", callback.rawValue) }
        if let thumbprint = self.dpopThumbprint { object.add("dpop_jkt", thumbprint) }
        // A client that names the usual ones sends the same request as one that names none.
        if self.actions != .usual { object.add("actions", self.actions.names) }
        // The id is made from the secret and gives no right to anything.
        if let secret = self.replaces { object.add("replaces", secret.loginID.description) }
        let parameters = self.parameters.sorted { $0.name < $1.name }
        object.add("parameters", .array(parameters.map { .array([.string($0.name), .string($0.value)]) }))
        return object.finish()
    }

    /// The members that later steps need and that no other field of a row has. Empty if all of them are as usual.
    ///
    /// They may identify a user, so the row stores them encrypted. Servers of several versions read them, so these
    /// bytes never change for the same request.
    var stored: [UInt8] {
        let added = Self.addedMembers
        let count = added.lastIndex { !$0.isUsual(self) }.map { $0 + 1 } ?? 0
        let isUsual = self.nonce == nil && self.switchesApps && self.os == nil && self.parameters.isEmpty && count == 0
        // Most requests are.
        guard !isUsual else { return [] }
        var writer = ByteWriter()
        writer.write(self.nonce)
        writer.write(UInt8(self.switchesApps ? 1 : 0))
        writer.write(self.os)
        writer.write(self.parameters.count)
        for parameter in self.parameters {
            writer.write(parameter.name)
            writer.write(parameter.value)
        }
        for member in added.prefix(count) { member.write(self, &writer) }
        return writer.bytes
    }

    /// A member that a later version added to the stored ones. It is written only if it, or one after it, is not as
    /// usual.
    private struct AddedMember: Sendable {
        let isUsual: @Sendable (LoginRequest) -> Bool
        let write: @Sendable (LoginRequest, inout ByteWriter) -> Void
    }

    /// Each new one stands at the end, where earlier versions do not look. A version that knows the thumbprint and not
    /// the actions reads an empty one as a thumbprint of no key, and begins no session of this login.
    private static let addedMembers = [
        AddedMember(isUsual: { $0.dpopThumbprint == nil }, write: { $1.write($0.dpopThumbprint ?? "") }),
        AddedMember(isUsual: { $0.actions == .usual }, write: { $1.write($0.actions.names) }),
    ]

    /// Reads what `stored` has. Earlier versions wrote fewer members; those that are missing stay as they are.
    mutating func read(stored bytes: [UInt8]) throws(ByteReaderError) {
        var reader = ByteReader(bytes)
        self.nonce = try reader.readOptionalString()
        self.appSwitch = try reader.readByte() == 1
        self.os = try reader.readOptionalString()
        self.parameters = []
        for _ in 0..<max(0, try reader.readInteger()) {
            self.parameters.append(Parameter(try reader.readString(), try reader.readString()))
        }
        if !reader.isAtEnd {
            let thumbprint = try reader.readString()
            self.dpopThumbprint = thumbprint.isEmpty ? nil : thumbprint
        }
        if !reader.isAtEnd { self.actions = KnownActions(try reader.readStrings()) }
    }

    /// The create request of a login, as its row keeps it: `replaces` is gone, and `appSwitch` is also false if the
    /// e-ID's app is not installed.
    init(of login: Login, stored bytes: [UInt8]) throws(ByteReaderError) {
        self.init(provider: login.provider, app: login.app)
        self.platform = login.platform
        self.surface = login.surface
        self.locale = login.locale
        self.callback = login.callback
        try self.read(stored: bytes)
    }

    /// If the e-ID's app is not installed, the e-ID has to use the browser, if it can.
    private var switchesApps: Bool { self.appSwitch && self.eidAppInstalled != false }
}

extension ByteWriter {
    /// Writes the texts after their number.
    fileprivate mutating func write(_ texts: [String]) {
        self.write(texts.count)
        for text in texts { self.write(text) }
    }
}

extension ByteReader {
    fileprivate mutating func readStrings() throws(ByteReaderError) -> [String] {
        var texts: [String] = []
        for _ in 0..<max(0, try self.readInteger()) { texts.append(try self.readString()) }
        return texts
    }
}

/// The kind of link through which the app wants to be opened.
package enum ReturnCallback: String, CaseIterable, Sendable {
    /// An https link, which the operating system gives to the app that the site names.
    case https
    /// A custom scheme of the app, which another app may claim too.
    case scheme
}
