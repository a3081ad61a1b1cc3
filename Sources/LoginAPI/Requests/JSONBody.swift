import Base
import HTTPWire
import StrictJSON

/// Reads the members of a JSON body one by one. The unknown ones are left at the end.
///
/// An optional member may also be `null`: many encoders write absent members that way.
struct JSONBody {
    private var members: JSON.Object
    /// The members that were read but not understood.
    private(set) var ignored: [String] = []
    /// The path of this object in the body: `parameters.` for the object of that name.
    private let prefix: String

    init(_ request: Request) throws(Problem) {
        guard request.mediaType?.isJSON == true else { throw Problem(.unsupportedMediaType) }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: request.body, limits: JSON.Limits(byteCount: 1 << 16, depth: 8))
        } catch {
            throw Problem(.malformedJSON)
        }
        guard let object = json.object else { throw Problem(.malformedJSON) }
        self.members = object
        self.prefix = ""
    }

    private init(_ members: JSON.Object, prefix: String) {
        self.members = members
        self.prefix = prefix
    }

    /// The members that were not read, in their order.
    var unreadNames: [String] { self.members.names.map { self.prefix + $0 } }

    /// Returns a text that passes `isGood`.
    mutating func readText(_ name: String, _ isGood: (String) -> Bool) throws(Problem) -> String? {
        guard let value = self.read(name) else { return nil }
        guard let text = value.string, isGood(text) else { throw self.invalid(name) }
        return text
    }

    /// Returns what is understood of a text that only states a preference, or that the phone's system has written. One
    /// that is not understood counts as absent and is named in `ignored`: it is never a reason to fail a login.
    mutating func readPreference(_ name: String, _ understand: (String) -> String?) throws(Problem) -> String? {
        guard let text = try self.readText(name, { _ in true }) else { return nil }
        let value = understand(text)
        if value == nil { self.ignored.append(self.prefix + name) }
        return value
    }

    /// Returns one of the words of a closed list.
    mutating func readWord<Word: RawRepresentable<String>>(_ name: String) throws(Problem) -> Word? {
        try self.readText(name) { Word(rawValue: $0) != nil }.flatMap { Word(rawValue: $0) }
    }

    mutating func readBool(_ name: String) throws(Problem) -> Bool? {
        guard let value = self.read(name) else { return nil }
        guard let bool = value.bool else { throw self.invalid(name) }
        return bool
    }

    /// Returns the members of an object of texts, in their order.
    mutating func readTexts(
        _ name: String, atMost limit: Int, _ isGood: (String) -> Bool
    ) throws(Problem) -> [Parameter] {
        guard var body = try self.readObject(name) else { return [] }
        guard body.members.count <= limit else { throw self.invalid(name) }
        var texts: [Parameter] = []
        for name in body.members.names {
            guard let text = try body.readText(name, isGood) else { throw body.invalid(name) }
            texts.append(Parameter(name, text))
        }
        return texts
    }

    /// Returns a list of names. The list may be empty.
    mutating func readNames(_ name: String, atMost limit: Int) throws(Problem) -> [String]? {
        guard let value = self.read(name) else { return nil }
        guard let items = value.array, items.count <= limit else { throw self.invalid(name) }
        let names = items.compactMap(\.string).filter(InputSyntax.isName)
        guard names.count == items.count else { throw self.invalid(name) }
        return names
    }

    /// Returns the members of an object, to read them one by one.
    mutating func readObject(_ name: String) throws(Problem) -> JSONBody? {
        guard let value = self.read(name) else { return nil }
        guard let object = value.object else { throw self.invalid(name) }
        return JSONBody(object, prefix: self.prefix + name + ".")
    }

    /// Returns bytes in base64url.
    mutating func readBytes(_ name: String, _ isGood: ([UInt8]) -> Bool) throws(Problem) -> [UInt8]? {
        guard let value = self.read(name) else { return nil }
        guard let bytes = value.string.flatMap({ Base64URL.decode($0) }), isGood(bytes) else {
            throw self.invalid(name)
        }
        return bytes
    }

    /// Returns a list of bytes in base64url.
    mutating func readByteLists(
        _ name: String, atMost limit: Int, _ isGood: ([UInt8]) -> Bool
    ) throws(Problem) -> [[UInt8]]? {
        guard let value = self.read(name) else { return nil }
        guard let items = value.array, items.count <= limit else { throw self.invalid(name) }
        var lists: [[UInt8]] = []
        for item in items {
            guard let bytes = item.string.flatMap({ Base64URL.decode($0) }), isGood(bytes) else {
                throw self.invalid(name)
            }
            lists.append(bytes)
        }
        return lists
    }

    /// Returns true if the member is present, even as `null`.
    func has(_ name: String) -> Bool { self.members[name] != nil }

    func missing(_ name: String) -> Problem { Problem(.missingMember, member: self.prefix + name) }

    func invalid(_ name: String) -> Problem { Problem(.invalidMember, member: self.prefix + name) }

    private mutating func read(_ name: String) -> JSON? {
        guard let value = self.members.removeValue(forName: name) else { return nil }
        if case .null = value { return nil }
        return value
    }
}

/// The type of a request's body.
extension Request {
    /// Nil if there is no Content-Type or several, and if the body is compressed: we decompress nothing (RFC 9110
    /// §15.5.16).
    var mediaType: MediaType? {
        guard let type = self.fields.only(.contentType), !self.fields.has(.contentEncoding) else { return nil }
        return MediaType(type)
    }
}

/// Handles body members that this server does not know: an app may be newer than its server.
struct UnknownMembers: Equatable, Sendable {
    enum Handling: Equatable, Sendable {
        /// They are ignored, and named in the response.
        case ignored
        /// The request is refused (`Prefer: handling=strict`, RFC 7240 §4.4).
        case refused
    }

    /// A response must not grow with the request.
    private static let namedAtMost = 16

    let handling: Handling
    /// The ignored members: those that were not understood, then those that are not known, each in their order. `?` stands for a member whose name is not a plain name.
    let names: [String]

    /// `unreadNames` are the members that remain after every known one was read, and `ignoredNames` are those that were
    /// not understood. Throws if there is one of either, and the request wants to be refused for it.
    init(_ unreadNames: [String], ignored ignoredNames: [String] = [], in request: Request) throws(Problem) {
        self.handling = Preference.isStrict(in: request.fields.all(.prefer)) ? .refused : .ignored
        if self.handling == .refused {
            if let first = ignoredNames.first { throw Problem(.invalidMember, member: first) }
            if let first = unreadNames.first { throw Problem(.unknownMember, member: first) }
        }
        var names: [String] = []
        for name in (ignoredNames + unreadNames).map({ Problem.displayable($0) ?? "?" })
        where names.count < Self.namedAtMost {
            if !names.contains(name) { names.append(name) }
        }
        self.names = names
    }

    /// What `Preference-Applied` says of what the request preferred. Nil if it preferred nothing.
    var appliedPreference: String? { self.handling == .refused ? "handling=strict" : nil }
}
