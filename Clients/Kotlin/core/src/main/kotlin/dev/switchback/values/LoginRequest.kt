package dev.switchback

/**
 * What the app wants from a login. Only the provider is needed.
 *
 * @property provider the id of a provider of [LoginManager.providers]
 */
public class LoginRequest(public val provider: String) {
    /** The user's language as a BCP 47 tag. Null means the phone's. */
    public var locale: String? = null

    /** A nonce of the app or of its API. The assertion contains it. */
    public var nonce: String? = null

    /** Authorize parameters. The provider's configuration must allow the app to set them. */
    public var parameters: Map<String, String>? = null

    /** Whether the e-ID may switch to its app. Null means yes. */
    public var allowsAppSwitch: Boolean? = null

    /** Whether the e-ID's app is installed. Null if nobody knows. */
    public var isEidAppInstalled: Boolean? = null

    /** The kind of link that should open the app: `https` or `scheme`. Null means https. */
    public var callback: String? = null

    /** What to open the login in. Null means the best that the phone has. */
    public var surface: Surface? = null

    /** The body of the create, without its secret. The same request is always the same bytes. */
    internal fun body(config: SwitchbackConfig, surface: Surface, thumbprint: String?): JsonValue = JsonValue.of(
        "provider" to JsonValue.of(provider), "app" to JsonValue.of(config.app),
        "platform" to JsonValue.of(config.platform),
        "surface" to JsonValue.of((this.surface ?: config.surface ?: surface).code),
        "eid_app_installed" to isEidAppInstalled?.let { JsonValue.of(it) },
        "app_switch" to allowsAppSwitch?.let { JsonValue.of(it) },
        "locale" to (locale ?: config.languages().firstOrNull())?.let { JsonValue.of(it) },
        "nonce" to nonce?.let { JsonValue.of(it) },
        "parameters" to parameters?.let { all -> JsonValue.of(all.toSortedMap().mapValues { JsonValue.of(it.value) }) },
        "callback" to callback?.let { JsonValue.of(it) }, "dpop_jkt" to thumbprint?.let { JsonValue.of(it) },
        "actions" to JsonValue.texts(NextAction.NAMES),
    )

    /** Whether a login under way was started for this request. What the phone chose by itself does not count. */
    internal fun isSame(body: JsonValue): Boolean {
        val texts = parameters.orEmpty()
        return provider == body["provider"]?.string && nonce == body["nonce"]?.string &&
            texts == body["parameters"]?.members.orEmpty().mapValues { it.value.string } &&
            allowsAppSwitch == body["app_switch"]?.boolean && callback == body["callback"]?.string &&
            (locale == null || locale == body["locale"]?.string) &&
            (surface == null || surface?.code == body["surface"]?.string)
    }
}
