package dev.switchback

/** What a session does one after the other. */
internal sealed interface Work {
    /** Finds or makes the key that the next login carries. The name is for a new key. */
    data class MakeKey(val name: String, val isForLogin: Boolean) : Work

    class Begin(val secret: Secret, val attestation: KeyAttestation?) : Work

    data object Renew : Work

    /** Renews with a proof of the one of these PINs that the server has. */
    class Unlock(val candidates: List<PinCandidate>) : Work

    /** `old` is the PIN that the server has, if the login is long ago. */
    class SetPin(val candidate: PinCandidate, val old: PinCandidate?) : Work

    data object ListSessions : Work

    data class End(val id: String) : Work

    data class Revoke(val token: Secret) : Work
}

/** Work, who waits for it, and how far it is. */
internal class SessionOperation(val work: Work, callers: List<Int> = emptyList()) {
    var callers: List<Int> = callers

    /** Whether the operation behind this one needs its access token, and fails with it. */
    var isForNext = false

    /** The proof that is sent until the server has responded to it. */
    var proof: String? = null

    /** Which of the candidates of an unlock is tried. */
    var candidate = 0

    /** Whether `proof` has a proof of the PIN. An unlock with an old nonce first gets another one. */
    var isProven = false

    /** Whether the server may have judged that proof, though its response was lost. */
    var mayBeJudged = false

    /** Whether the record with the new PIN is stored. */
    var isStored = false

    var failures = 0
    var nonceRefusals = 0
    var tokenRefusals = 0

    /** Nothing is sent before this time. */
    var notBefore: Long? = null

    val isRevocation: Boolean get() = work is Work.Revoke

    val needsToken: Boolean get() = work is Work.SetPin || work is Work.ListSessions || work is Work.End

    /** The PIN that is to be proven, if any. */
    val provenPin: PinCandidate?
        get() = when (work) {
            is Work.Unlock -> work.candidates.getOrNull(candidate)
            is Work.SetPin -> work.old
            else -> null
        }
}
