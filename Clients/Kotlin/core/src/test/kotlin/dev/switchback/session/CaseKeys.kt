package dev.switchback.session

import dev.switchback.BehaviourCase
import dev.switchback.DeviceKeyException
import dev.switchback.JsonValue
import dev.switchback.P256PublicKey
import dev.switchback.text

/** The key of a case's phone, and what making or using one fails with. Keys work unless the case says otherwise. */
internal class CaseKeys(var key: P256PublicKey?) {
    private var count = if (key == null) 0 else 1
    var error: DeviceKeyException? = null
        private set

    /** Reads what a step says about keys. It stays so. */
    fun change(json: JsonValue) {
        when (json["key"]?.string) {
            "works" -> error = null
            "gone" -> key = null
            "other" -> key = caseKey(9)
            "unavailable" -> error = DeviceKeyException(DeviceKeyException.Kind.UNAVAILABLE)
            "cancelled" -> error = DeviceKeyException(DeviceKeyException.Kind.CANCELLED)
            "fails" -> error = DeviceKeyException(DeviceKeyException.Kind.FAILED, 7)
            null -> {}
            else -> throw BehaviourCase.FormatError("unknown key in ${json.text}")
        }
    }

    /** Makes the next key: the first is 1. */
    fun make(): P256PublicKey {
        count += 1
        return caseKey(count).also { key = it }
    }
}
