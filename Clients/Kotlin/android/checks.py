"""The Kotlin of the pages, with what each block needs around it, and mistakes that must not compile."""

import re

# Its blocks say how many lines they may have.
GUIDE = "docs/how-to/android.md"
# Each block stands at HERE. Its imports come first.
PAGES = {
    GUIDE: [
        "import dev.switchback.Secret\nimport kotlinx.coroutines.GlobalScope\n"
        "import kotlinx.coroutines.DelicateCoroutinesApi\nHERE\n"
        "@OptIn(DelicateCoroutinesApi::class) internal val scope = GlobalScope\n"
        "internal object MyApi { fun logIn(assertion: Secret?): Boolean = assertion == null }",
        "import dev.switchback.LoginHost\nimport dev.switchback.LoginState\nimport dev.switchback.android.Switchback\n"
        "suspend fun follow(logins: Switchback, host: LoginHost) { HERE\n}\n"
        "fun show(vararg texts: String) { texts.size }\nfun askForCode(triesLeft: Int?) { triesLeft?.toString() }",
        "import dev.switchback.ApiCalls\nimport dev.switchback.LockReason\nimport dev.switchback.LoginHost\n"
        "import dev.switchback.LoginRequest\nimport dev.switchback.LoginResult\nimport dev.switchback.SessionState\n"
        "import dev.switchback.android.Switchback\n"
        "class Account(private val logins: Switchback, private val host: LoginHost) {\nHERE\n"
        "private fun show(text: String) { text.length }\n}",
    ],
    "docs/how-to/android-storage.md": [
        "import android.app.Activity\nimport dev.switchback.SessionClient\n"
        "import dev.switchback.android.SystemBiometricPrompt\n"
        "suspend fun unlock(activity: Activity, session: SessionClient, pin: ByteArray) { HERE\n}",
    ],
    "docs/how-to/android-screens.md": [
        "import androidx.activity.ComponentActivity\nimport dev.switchback.android.LoginScreens\n"
        "import dev.switchback.android.Switchback\n"
        "fun onCreate(activity: ComponentActivity, switchback: Switchback) { HERE\n}",
        "import android.app.Activity\nimport dev.switchback.SessionException\nimport dev.switchback.SessionState\n"
        "import dev.switchback.android.PinScreenView\nimport dev.switchback.android.Switchback\n"
        "import dev.switchback.android.SystemBiometricPrompt\n"
        "fun pin(activity: Activity, state: SessionState, switchback: Switchback, finger: SystemBiometricPrompt)"
        ": PinScreenView? { HERE\nreturn view }\nfun show(error: SessionException) { error.kind }",
        "import androidx.compose.runtime.Composable\nimport dev.switchback.Provider\n"
        "import dev.switchback.android.Switchback\nimport dev.switchback.compose.EidButton\n"
        "import dev.switchback.compose.LoginScreens\nimport dev.switchback.compose.PinScreen\n"
        "import dev.switchback.compose.rememberLoginHost\n"
        "@Composable fun Login(switchback: Switchback, provider: Provider) { HERE\n}\n"
        "fun logIn(provider: Provider) { provider.id }",
    ],
    "Clients/Kotlin/README.md": [
        "import dev.switchback.*\nimport java.io.File\nsuspend fun logIn(host: LoginHost) { HERE\n}\n"
        "fun greet(name: String?) { name?.length }\nfun show(vararg texts: String?) { texts.size }",
        "HERE",
        "import dev.switchback.*\nimport java.io.File\n"
        "suspend fun account(config: SwitchbackConfig, host: LoginHost): String { HERE\nreturn header.toString() }",
    ],
}

# What must not compile, and what the compiler says: members that do not exist, or not like this.
MISTAKES = [
    ("activity.openTheBrowser()", "unresolved reference 'openTheBrowser'"),
    ("android.content.Intent().setPackageName(\"x\")", "unresolved reference 'setPackageName'"),
    ("android.content.Intent(android.content.Intent.ACTION_VISIT)", "unresolved reference 'ACTION_VISIT'"),
    ("activity.onStop()", "cannot access 'fun onStop()"),
    ("activity.packageManager.getPackageInfo(1, 0)", "none of the following candidates is applicable"),
    ("android.content.Context()", "cannot create an instance of an abstract class"),
    ("androidx.browser.auth.AuthTabIntent.Builder().setPackage(\"x\")", "unresolved reference 'setPackage'"),
    ("androidx.browser.customtabs.CustomTabsIntent.Builder().build().intent = null", "'val' cannot be reassigned"),
    ("androidx.browser.customtabs.CustomTabsClient.isAuthTabSupported(activity, null)",
     "null cannot be a value of a non-null type"),
    ("androidx.browser.customtabs.CustomTabsClient.getPackageName(activity, null, true).length",
     "only safe (?.) or non-null asserted (!!.) calls are allowed"),
    ("androidx.activity.result.ActivityResult(0, null).data.extras", "only safe (?.) or non-null asserted (!!.)"),
    ("val state: Int = \"1\" + android.os.Build.VERSION.SDK_INT", "initializer type mismatch"),
    ("object : android.content.ServiceConnection { override fun onServiceDisconnected("
     "name: android.content.ComponentName) {} }", "does not implement abstract member"),
    ("val secret: String = dev.switchback.Secret(\"x\")", "initializer type mismatch"),
    ("dev.switchback.android.Switchback(activity, dev.switchback.SwitchbackConfig(\"\", \"\"))",
     "cannot access 'constructor("),
    ("val text: String = when (dev.switchback.LoginState.Kind.Paused) { dev.switchback.LoginState.Kind.Paused -> \"a\" }",
     "'when' expression must be exhaustive"),
    ("val text: String = when (dev.switchback.android.Diagnosis.Kind.AppNotListed) "
     "{ dev.switchback.android.Diagnosis.Kind.AppNotListed -> \"a\" }", "'when' expression must be exhaustive"),
]


def page_files(top, folder):
    """Writes the blocks of the pages, each in a file and a package of its own. Returns the files."""
    files = []
    for page, around in PAGES.items():
        blocks = re.findall(r"^```kotlin\n(.*?)^```$", (top / page).read_text(), re.M | re.S)
        if len(blocks) != len(around):
            raise SystemExit(f"{page} has {len(blocks)} blocks of Kotlin, and PAGES has {len(around)}")
        name = page.rsplit("/", 1)[1].removesuffix(".md").replace("-", "")
        for number, (block, code) in enumerate(zip(blocks, around, strict=True)):
            text = code.replace("HERE", block.rstrip("\n"))
            imports = sorted(set(re.findall(r"^import .*$", text, re.M)))
            rest = re.sub(r"^import .*\n?", "", text, flags=re.M)
            file = folder / f"{name}{number}.kt"
            write(file, "\n".join([f"package page.{name}{number}", *imports, rest, ""]))
            files.append(file)
    return files


def mistake_files(folder):
    """Writes each mistake into a file and a package of its own. Returns the files."""
    files = []
    for number, (code, _) in enumerate(MISTAKES):
        file = folder / f"mistake{number}.kt"
        write(file, f"package mistake{number}\nfun mistake(activity: androidx.activity.ComponentActivity) {{\n"
                    f"    activity.isFinishing\n    {code}\n}}\n")
        files.append(file)
    return files


def complaints(said):
    """Returns what the compiler says of the pages, which it has to accept without a warning."""
    return [line for line in said.splitlines() if re.search(r"/pages/\w+\.kt:.*(error|warning): ", line)]


def missed(said):
    """The mistakes that the compiler does not find, or for another reason."""
    for number, (code, wanted) in enumerate(MISTAKES):
        lines = [line for line in said.splitlines() if f"mistake{number}.kt:4:" in line and "error:" in line]
        if not any(wanted in line for line in lines):
            yield f"This compiles, or fails for another reason: {code}\n" + "\n".join(lines)


def gradle(folder):
    """What is wrong with the files for Gradle, which nobody can run here: a module is not named, or has another name."""
    named = re.search(r"listOf\(([^)]*)\)", (folder / "settings.gradle.kts").read_text())
    modules = re.findall(r'"(\w+)"', named[1]) if named else []
    published = sorted(file.parent.name for file in folder.glob("*/api.txt"))
    if sorted(modules) != published:
        yield f"settings.gradle.kts includes {modules}, and the modules are {published}"
    version = re.search(r'"([\d.]+)"', next(folder.glob("core/src/main/**/ClientVersion.kt")).read_text())[1]
    if f'version = "{version}"' not in (folder / "build.gradle.kts").read_text():
        yield f"build.gradle.kts does not have the version {version}"
    for module in published:
        file = folder / module / "build.gradle.kts"
        if not file.exists():
            yield f"{module} has no build.gradle.kts"
            continue
        for name in re.findall(r'project\("([^"]*)"\)', file.read_text()):
            if name not in [f":switchback-{one}" for one in modules]:
                yield f"{module}/build.gradle.kts names the project {name}, which is not there"


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)
