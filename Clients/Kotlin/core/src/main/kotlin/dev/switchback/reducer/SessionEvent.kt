package dev.switchback

/** When an event happens, and the chance that it needs. */
internal class SessionMoment(
    /** The clock that never goes back, in milliseconds. */
    val instant: Long,
    /** The wall clock, in milliseconds since 1970. */
    val wall: Long,
    /** The id of the next proof: at least 96 random bits as base64url. */
    val proofId: String,
    /** From 0 to 1: spreads the retries of clients that failed together. */
    val jitter: Double = 0.0,
)

/** Something that happened. The ones with a caller are completed once. */
internal sealed interface SessionEvent {
    /** The app was started. */
    data object Started : SessionEvent

    /** The client needs the record: one that was read again, or the one that gave a token just now. */
    class RecordWanted(override val caller: Int, val isFresh: Boolean) : Asked

    /** A login is about to start. The name is for a new key, if there is none, or only one for another login. */
    class KeyWanted(override val caller: Int, val name: String, val isForLogin: Boolean = false) : Asked

    /** A login has completed. The thumbprint is the one that it carried, the nonce is from its responses. */
    class BeginWanted(
        override val caller: Int,
        val secret: Secret,
        val thumbprint: String?,
        val nonce: String?,
        val attestation: KeyAttestation?,
    ) : Asked

    /** The app needs an access token. With `isNew`, its API has refused the present one. */
    class TokenWanted(override val caller: Int, val isNew: Boolean) : Asked

    /** The user typed a PIN, or was recognized. */
    class UnlockWanted(override val caller: Int, val candidates: List<PinCandidate>) : Asked

    /** The user chose a PIN. `old` is the former one, if the user typed that too. */
    class PinChosen(override val caller: Int, val candidate: PinCandidate, val old: PinCandidate?) : Asked

    /** The wrapping key is gone, and what it wrapped with it. */
    class PinsLost(val purpose: WrappingPurpose) : SessionEvent

    /** A PIN got a copy for biometrics, or lost it. */
    class BiometricsChanged(val pin: WrappedPin) : SessionEvent

    /** The app shows the user's sessions. */
    class ListWanted(override val caller: Int) : Asked

    /** The user ends a session. */
    class EndWanted(override val caller: Int, val id: String) : Asked

    /** The app locks the session. */
    data object LockWanted : SessionEvent

    /** The user signs out. */
    class SignOutWanted(override val caller: Int) : Asked

    /** The key was found to be gone while it signed for an API. */
    data object KeyGone : SessionEvent

    /** The record of `StoreFirst` with this number is stored. */
    class Stored(val number: Int) : SessionEvent

    /** It is not. */
    class StoreFailed(val number: Int) : SessionEvent

    /** The key of `FindKey`. */
    class KeyFound(val number: Int, val key: P256PublicKey) : SessionEvent

    /** There is no key, or it cannot sign. */
    class KeyFailed(val number: Int, val error: DeviceKeyException) : SessionEvent

    /** The signature of `Sign`: r and s with 32 bytes each. */
    class Signed(val number: Int, val signature: ByteArray) : SessionEvent

    /** The response to the request with this number. */
    class Responded(val number: Int, val response: HttpResponse) : SessionEvent

    /** The request with this number got no response, and will get none. */
    class RequestFailed(val number: Int) : SessionEvent

    /** The time of the last `Wake` has come. */
    data object TimerFired : SessionEvent

    /** An event with a caller that waits for its reply. */
    sealed interface Asked : SessionEvent {
        val caller: Int
    }
}

/** Something to do. The runner performs the effects in order. */
internal sealed interface SessionEffect {
    /** Store the record, and report `Stored` or `StoreFailed`. */
    class StoreFirst(val number: Int, val record: SavedSession) : SessionEffect

    /** Store the record. If that fails, go on. */
    class Store(val record: SavedSession) : SessionEffect

    /** Find the key, or make it if `mayMake`; report `KeyFound` or `KeyFailed`. */
    class FindKey(val number: Int, val name: String, val mayMake: Boolean) : SessionEffect

    /** Remove the keys with this name. */
    class RemoveKeys(val name: String) : SessionEffect

    /** Sign the ASCII text with this key, and report `Signed` or `KeyFailed`. */
    class Sign(val number: Int, val key: String, val text: String) : SessionEffect

    /** Send this request, and report `Responded` or `RequestFailed`. */
    class Send(val number: Int, val kind: SessionCall.Kind, val request: HttpRequest) : SessionEffect

    /** Cancel what is done under this number. */
    class Abandon(val number: Int) : SessionEffect

    /** Report `TimerFired` at this time. Only the last `Wake` counts. */
    class Wake(val at: Long) : SessionEffect

    /** Tell the caller. */
    class Complete(val caller: Int, val reply: SessionReply) : SessionEffect

    /** Tell the app. */
    class Present(val state: SessionState) : SessionEffect
}

/** What a caller gets. */
internal sealed interface SessionReply {
    /** It is done. */
    data object Done : SessionReply

    /** An access token. */
    class Token(val token: Secret) : SessionReply

    /** The key's thumbprint. */
    class Thumbprint(val thumbprint: String) : SessionReply

    /** The PIN was right; the number is that of its candidate. */
    class Unlocked(val index: Int) : SessionReply

    /** The user's sessions. */
    class Sessions(val list: List<SessionSummary>) : SessionReply

    /** The record. */
    class Record(val record: SavedSession) : SessionReply

    /** It failed. */
    class Failed(val error: SessionException) : SessionReply
}
