import Base
import HTTPWire
import Sessions
import StrictJSON

/// Writes sessions and their tokens as apps see them.
enum SessionJSON {
    /// The response that begins a session, and that to each renewal (RFC 6749 §5.1, RFC 9449 §5).
    static func response(_ tokens: SessionTokens, unknown: UnknownMembers? = nil) -> Response {
        var members: JSON.Object = [
            "session_id": .string(tokens.sessionID.text),
            "token_type": .string(tokens.isBearer ? "Bearer" : "DPoP"),
        ]
        if let token = tokens.accessToken {
            members["access_token"] = .string(token)
            members["expires_in"] = .integer(Int(clamping: tokens.expiresIn.components.seconds))
        }
        if let token = tokens.refreshToken { members["refresh_token"] = .string(token.exposedText) }
        if let isPINSet = tokens.isPINSet { members["pin"] = .bool(isPINSet) }
        if let id = tokens.pinID { members["pin_id"] = .string(id) }
        return Self.response(members, unknown: unknown)
    }

    static func response(
        _ sessions: [SessionSummary], at now: Timestamp, unknown: UnknownMembers? = nil
    ) -> Response {
        Self.response(["sessions": .array(sessions.map { Self.object($0, at: now) })], unknown: unknown)
    }

    static func response(ended count: Int, unknown: UnknownMembers) -> Response {
        Self.response(["ended": .integer(count)], unknown: unknown)
    }

    static func noContent(unknown: UnknownMembers? = nil) -> Response {
        Response(.noContent, fields: Self.fields(unknown), body: [])
    }

    private static func response(_ members: JSON.Object, unknown: UnknownMembers?) -> Response {
        var (members, fields) = (members, Self.fields(unknown))
        if let names = unknown?.names, !names.isEmpty {
            members["ignored_members"] = .array(names.map { .string($0) })
        }
        fields[.contentType] = "application/json"
        return Response(.ok, fields: fields, body: JSON.object(members).encoded())
    }

    private static func fields(_ unknown: UnknownMembers?) -> Fields {
        var fields: Fields = [.cacheControl: "no-store"]
        if let preference = unknown?.appliedPreference { fields[.preferenceApplied] = preference }
        return fields
    }

    private static func object(_ session: SessionSummary, at now: Timestamp) -> JSON {
        [
            "id": .string(session.id.text), "platform": session.platform.map { .string($0) } ?? .null,
            "provider": .string(session.provider),
            "created_at": .string(session.createdAt.wholeSecondRFC3339),
            "used_at": session.usedAt.map { .string($0.wholeSecondRFC3339) } ?? .null,
            "ends_at": .string(session.endsAt.wholeSecondRFC3339),
            "ends_in": .integer(max(0, Int(clamping: session.endsAt.milliseconds(since: now) / 1000))),
            "pin": .bool(session.hasPIN), "current": .bool(session.isCurrent),
        ]
    }
}
