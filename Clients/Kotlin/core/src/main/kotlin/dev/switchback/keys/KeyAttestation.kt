package dev.switchback

/** A statement of the device's maker, as the body of the begin of a session: JSON. */
internal class KeyAttestation(val body: String)
