"""The generators: how each makes a client from openapi-app.yaml, how strictly that is compiled, how it reads."""

import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import httpx
from document import FILE

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = pathlib.Path(sys.executable).parent
# Short runs: the second compiler of the virtual machine would cost more than it saves.
JVM = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
JACKSON = [f"/usr/share/java/{name}.jar" for name in ("jackson-databind", "jackson-core", "jackson-annotations")]
# Annotations of the Java models.
ANNOTATIONS = [f"/usr/share/java/{name}.jar" for name in ("jsr305", "geronimo-annotation-1.3-spec")]


def run(*words, **named):
    """Runs a program, and returns what it printed."""
    ran = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, timeout=600, **{
        "stdin": None if "input" in named else subprocess.DEVNULL, "stderr": subprocess.STDOUT, **named})
    if ran.returncode != 0:
        lines = (ran.stdout + (ran.stderr or "")).splitlines()
        # A build prints its errors somewhere between its progress.
        errors = [line for line in lines if "error" in line.lower()] or lines
        raise AssertionError("\n".join([f"{pathlib.Path(words[0]).name} failed:", *errors[:20]]))
    return ran.stdout


def path(jars):
    return ":".join(map(str, jars))


class Generator:
    """A row of the table. A client reads a response and writes it again, so that the JSON of both can be compared."""

    def __init__(self, name, package):
        self.name, self.version = name, importlib.metadata.version(package)

    def read(self, folder, responses):
        """Returns for each response the JSON that the client wrote, or an error."""
        lines = "".join(f"{one.schema}\t{json.dumps(one.body, separators=(',', ':'))}\n" for one in responses)
        # What a program complains about is no response.
        words = self.reader(folder)
        answers = run(*words, input=lines, stderr=subprocess.PIPE).splitlines()
        assert len(answers) == len(responses), f"{self.name} reads {len(answers)} of {len(responses)} lines"
        return [answer.split("\t", 1) for answer in answers]


class PythonGenerator(Generator):
    def read(self, folder, responses):
        return [self.answer(one) for one in responses]

    def answer(self, response):
        try:
            return "ok", json.dumps(self.written(response))
        except Exception as error:  # A generated client may throw anything at an app.
            return "error", f"{type(error).__name__}: {error}"


class OpenAPIPythonClient(PythonGenerator):
    """`generate.py` has made it: each of its modules is imported."""

    def compile(self, folder):
        self.import_all(pathlib.Path(folder), "generated")

    def import_all(self, folder, name):
        for file in sorted((folder / name).rglob("*.py")):
            importlib.import_module(".".join(file.relative_to(folder).with_suffix("").parts))

    def written(self, response):
        from generated import AuthenticatedClient, models
        from generated.api.app import poll_login

        if response.schema not in ("Login", "Problem"):
            return getattr(models, response.schema).from_dict(response.body).to_dict()
        status = 200 if response.schema == "Login" else response.body["status"]
        kind = "application/json" if status < 400 else "application/problem+json"
        answer = httpx.Response(status, headers={"Content-Type": kind}, content=json.dumps(response.body))
        client = AuthenticatedClient(
            base_url="http://127.0.0.1:1", token="x", raise_on_unexpected_status=True,
            httpx_args={"transport": httpx.MockTransport(lambda request: answer)})
        return poll_login.sync("q83vEjRWeJASNFZ4kBI0Vg", client=client).to_dict()


class Pydantic(PythonGenerator):
    """mypy checks it with --strict."""

    def compile(self, folder):
        file = pathlib.Path(folder) / "pydantic_models.py"
        run(TOOLS / "datamodel-codegen", "--input", FILE, "--input-file-type", "openapi", "--output-model-type",
            "pydantic_v2.BaseModel", "--use-annotated", "--formatters", "builtin", "--output", file)
        run(TOOLS / "mypy", "--strict", "--cache-dir", os.devnull, file)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        self.models = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = self.models
        spec.loader.exec_module(self.models)

    def written(self, response):
        model = getattr(self.models, response.schema).model_validate(response.body)
        return model.model_dump(mode="json", by_alias=True)


class OpenAPIGenerator(Generator):
    """Generators of one program, which makes all clients in one run. `settings` are those of one."""

    settings: dict

    def __init__(self):
        super().__init__(self.settings["generatorName"], "openapi-generator-cli")

    def output(self, folder):
        return pathlib.Path(folder) / self.name


class TypeScript(OpenAPIGenerator):
    """tsc checks it with --strict. Debian's is older than 4.9 and so does not know what `in` says about an object."""

    settings = {"generatorName": "typescript-fetch"}

    def compile(self, folder):
        run("tsc", "--strict", "--suppressImplicitAnyIndexErrors", "--noEmitOnError", "--target", "es2020", "--module",
            "commonjs", "--lib", "es2020,dom", "--outDir", self.output(folder) / "js", self.output(folder) / "index.ts")

    def reader(self, folder):
        return ["node", HERE / "readers" / "reader.js", self.output(folder) / "js"]


class Swift(OpenAPIGenerator):
    """The whole package is built in Swift 6 mode, and a warning is an error."""

    settings = {"generatorName": "swift6", "additionalProperties": {"projectName": "Generated"}}

    def compile(self, folder):
        package = self.output(folder) / "Package.swift"
        before, targets = package.read_text(), "    targets: [\n"
        assert before.count(targets) == 1, "the package has no list of targets"
        package.write_text(before.replace(
            targets, targets + '        .executableTarget(name: "Reader", dependencies: ["Generated"]),\n'))
        source = self.output(folder) / "Sources" / "Reader" / "Reader.swift"
        source.parent.mkdir()
        source.write_text((HERE / "readers" / "Reader.swift").read_text())
        run("swift", "build", "--package-path", self.output(folder), "--disable-index-store", "-Xswiftc",
            "-warnings-as-errors")

    def reader(self, folder):
        return [self.output(folder) / ".build" / "debug" / "Reader"]


class Java(OpenAPIGenerator):
    """The models alone, with Jackson: javac warns about everything, and a warning is an error."""

    settings = {"generatorName": "java", "globalProperties": {"models": ""},
                "additionalProperties": {"library": "resttemplate", "openApiNullable": False}}
    package, libraries = "org.openapitools.client.model", JACKSON

    def compile(self, folder):
        sources = (self.output(folder) / "src" / "main").rglob("*.java")
        run("javac", *(f"-J{option}" for option in JVM), "-Xlint:all", "-Werror", "-d", self.classes(folder),
            "-cp", path(JACKSON + ANNOTATIONS), *sources)

    def classes(self, folder):
        return self.output(folder) / "classes"

    def reader(self, folder):
        return ["java", *JVM, "-cp", path([self.classes(folder), *self.libraries]), HERE / "readers" / "Reader.java",
                self.package]


class Kotlin(Java):
    """The models alone, with Jackson: a warning is an error. The compiler is that of the Jupyter kernel."""

    settings = {"generatorName": "kotlin", "globalProperties": {"models": ""},
                "additionalProperties": {"serializationLibrary": "jackson"}}
    package = "org.openapitools.client.models"
    compiler = sorted(pathlib.Path(importlib.util.find_spec("run_kotlin_kernel").origin).parent.glob("jars/*.jar"))
    libraries = [*JACKSON, *(jar for jar in compiler if jar.name.startswith("kotlin-stdlib"))]

    def compile(self, folder):
        run("java", *JVM, "-cp", path(self.compiler), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-Werror",
            "-no-stdlib", "-no-reflect", "-cp", path(self.libraries), "-d", self.classes(folder),
            self.output(folder) / "src" / "main")


GENERATORS = [
    OpenAPIPythonClient("openapi-python-client", "openapi-python-client"),
    Pydantic("datamodel-code-generator", "datamodel-code-generator"), TypeScript(), Swift(), Kotlin(), Java()]


def generate(folder):
    """Makes the clients of all generators of the one program."""
    configurations = []
    for one in GENERATORS:
        if isinstance(one, OpenAPIGenerator):
            configurations.append(pathlib.Path(folder) / f"{one.name}.json")
            configurations[-1].write_text(json.dumps(
                {**one.settings, "inputSpec": str(FILE), "outputDir": str(one.output(folder))}))
    jar = pathlib.Path(importlib.util.find_spec("openapi_generator_cli").origin).parent / "openapi-generator.jar"
    run("java", *JVM, "-jar", jar, "batch", "--threads", "1", "--fail-fast", *configurations)
