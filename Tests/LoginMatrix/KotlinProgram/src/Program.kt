import dev.switchback.FileSecretStore
import java.io.File
import kotlin.system.exitProcess
import kotlinx.coroutines.runBlocking

/** An app for the login matrix: Program SERVER FOLDER. It speaks the protocol of Tests/LoginMatrix/README.md. */
fun main(words: Array<String>) {
    if (words.size != 2) exitProcess(2)
    val app = MatrixApp(words[0], FileSecretStore(File(words[1])))
    runBlocking {
        app.begin()
        for (line in generateSequence(::readLine)) {
            val order = Order.read(line)
            if (order == null || !app.perform(order)) exitProcess(3)
        }
    }
    exitProcess(0)
}
