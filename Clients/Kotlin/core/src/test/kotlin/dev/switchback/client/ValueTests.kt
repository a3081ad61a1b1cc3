package dev.switchback

import java.io.ByteArrayOutputStream
import java.io.NotSerializableException
import java.io.ObjectOutputStream
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

/** The values that apps get. */
class ValueTests {
    @Test
    fun `a secret is printed and serialized by nobody`() {
        val secret = Secret("hunter2")
        assertEquals("‹secret›", "$secret")
        assertEquals("hunter2", secret.exposed)
        assertThrows(NotSerializableException::class.java) {
            ObjectOutputStream(ByteArrayOutputStream()).writeObject(secret)
        }
        // What a serializer that uses reflection would find.
        assertTrue(Secret::class.java.declaredMethods.none { it.name.startsWith("get") })
        assertTrue(Secret::class.java.declaredFields.all { java.lang.reflect.Modifier.isTransient(it.modifiers) })
    }

    @Test
    fun `the library says who it is in the form that the server reads`() {
        for ((words, field) in listOf(
            listOf("android 15", "com.example.shop", "4.2") to "(android 15; com.example.shop 4.2)",
            listOf("linux 6.1", null, null) to "(linux 6.1; unknown unknown)",
            listOf("", "", "") to "(unknown unknown; unknown unknown)",
            listOf("mac os x 14.1", "-a b", "1 (2)") to "(mac os_x_14.1; a_b 1__2_)",
            listOf("android " + "1".repeat(50), "æ", "..") to "(android ${"1".repeat(32)}; unknown unknown)",
        )) {
            val made = ClientVersion.userAgent(words[0]!!, words[1], words[2])
            assertEquals("switchback-kotlin/${ClientVersion.number} $field", made)
        }
    }

    @Test
    fun `a link is what a platform can make a URL of`() {
        for (link in listOf(
            "https://a.example/x?y=|{}#z", "app-example:x", "mitid://start", "https://[::1]:8080/",
            "https://ä.example/",
        )) {
            assertTrue(link, Links.isLink(link))
        }
        for (text in listOf("", "https", "https:", "://x", "1a://x", "https://[broken", "https://a b/", "a\n:b")) {
            assertFalse(text, Links.isLink(text))
        }
    }

    @Test
    fun `a stored login is read as it was and nothing else is`() {
        val request = JsonValue.of("provider" to "mitid".json(), "locale" to "da".json())
        val secret = Secret("A".repeat(43))
        val login = SavedLogin(
            "one", request, secret, 5, "L1", "R", listOf("https://a/"), true, true, listOf("x"), listOf("https://a/1"),
        )
        assertEquals(login, SavedLogin.read(login.toBytes()))
        assertEquals(String(request.toBytes()), String(SavedLogin.read(login.toBytes())!!.request.toBytes()))
        assertEquals("SavedLogin(one)", "$login")
        val text = String(login.toBytes())
        for (changed in listOf(
            "", "{}", text.replace("A".repeat(43), "short"), text.replace("\"one\"", "\"../x\""), text.dropLast(1),
            text.replace("5,", "\"5\","),
        )) {
            assertNull(changed, SavedLogin.read(changed.toByteArray()))
        }
        assertNull(SavedLogin.read(text.replace("\"L1\"", "\"../x\"").toByteArray())!!.login)
    }

    @Test
    fun `values compare by their codes and their kinds`() {
        assertEquals(Surface.Tab, Surface.of("tab"))
        assertNull(Surface.of("hologram"))
        assertFalse(Surface.System.equals(LoginState.Kind.Idle))
        assertEquals(TransientError.unexpectedResponse(500), TransientError.unexpectedResponse(500))
        assertFalse(TransientError.unexpectedResponse(500) == TransientError.unexpectedResponse(404))
    }
}
