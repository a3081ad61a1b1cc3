"""Compares constants and calls with Apple's headers, as the metadata of pyobjc's wheels has them.

The wheels are for macOS. They are only read: nothing of them runs.
"""

import re
import subprocess
import sys
import zipfile

from compiling import HERE, LIBRARY, MODULE_NAMES, STAND_INS, TOP

WHEELS = TOP / ".build" / "apple-headers"
ENUMERATIONS = re.compile(r'^enums = """(.*?)"""', re.M | re.S)
CONSTANTS = re.compile(r'^constants = """(.*?)"""', re.M | re.S)
FUNCTION = re.compile(r'^    "(\w+)": \(\s*b"([^"]*)"', re.M)
# The numbers that SecureEnclaveKeys.swift writes without importing their modules: its line, and their names.
NUMBERS = [
    (r'case "com\.apple\.LocalAuthentication" where \[(-?\d+), (-?\d+), (-?\d+)\]\.contains\(code\): '
     r'self = \.cancelled', ["LAErrorUserCancel", "LAErrorSystemCancel", "LAErrorAppCancel"]),
    (r'case "CryptoTokenKit" where code == (-?\d+): self = \.cancelled', ["TKErrorCodeCanceledByUser"]),
    (r'case "CryptoTokenKit" where code == (-?\d+): self = \.gone', ["TKErrorCodeObjectNotFound"]),
]
# Names in Swift that have others in the headers. A case of the stand-ins has the value of its constant.
RENAMED = {
    "LAError.userCancel": "LAErrorUserCancel",
    "LAError.userFallback": "LAErrorUserFallback",
    "LAError.systemCancel": "LAErrorSystemCancel",
    "LAError.passcodeNotSet": "LAErrorPasscodeNotSet",
    "LAError.appCancel": "LAErrorAppCancel",
    "LAError.invalidContext": "LAErrorInvalidContext",
    "LAError.biometryNotAvailable": "LAErrorBiometryNotAvailable",
    "LAError.biometryNotEnrolled": "LAErrorBiometryNotEnrolled",
    "LAError.biometryLockout": "LAErrorBiometryLockout",
    "LAError.notInteractive": "LAErrorNotInteractive",
    "LAError.authenticationFailed": "LAErrorAuthenticationFailed",
    "LABiometryType.touchID": "LABiometryTypeTouchID",
    "LABiometryType.faceID": "LABiometryTypeFaceID",
    "LABiometryType.opticID": "LABiometryTypeOpticID",
    "LAPolicy.deviceOwnerAuthentication": "LAPolicyDeviceOwnerAuthentication",
    "LAPolicy.deviceOwnerAuthenticationWithBiometrics": "LAPolicyDeviceOwnerAuthenticationWithBiometrics",
    "ASWebAuthenticationSessionError.canceledLogin": "ASWebAuthenticationSessionErrorCodeCanceledLogin",
    "ASWebAuthenticationSessionError.presentationContextNotProvided":
        "ASWebAuthenticationSessionErrorCodePresentationContextNotProvided",
    "ASWebAuthenticationSessionError.presentationContextInvalid":
        "ASWebAuthenticationSessionErrorCodePresentationContextInvalid",
    "DCError.unknownSystemFailure": "DCErrorUnknownSystemFailure",
    "DCError.featureUnsupported": "DCErrorFeatureUnsupported",
    "DCError.invalidInput": "DCErrorInvalidInput",
    "DCError.invalidKey": "DCErrorInvalidKey",
    "DCError.serverUnavailable": "DCErrorServerUnavailable",
    "SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256": "kSecKeyAlgorithmECDSASignatureMessageX962SHA256",
    "SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM":
        "kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM",
    "SecAccessControlCreateFlags.userPresence": "kSecAccessControlUserPresence",
    "SecAccessControlCreateFlags.biometryAny": "kSecAccessControlBiometryAny",
    "SecAccessControlCreateFlags.biometryCurrentSet": "kSecAccessControlBiometryCurrentSet",
    "SecAccessControlCreateFlags.privateKeyUsage": "kSecAccessControlPrivateKeyUsage",
}


class Headers:
    """The names in Apple's headers: constants, with their value if they have a number, and the types of functions."""

    def __init__(self, texts):
        self.values, self.functions = {}, {}
        for text in texts:
            for match in CONSTANTS.findall(text):
                self.values |= {part.split("@")[0]: None for part in match.split("$") if part}
            for match in ENUMERATIONS.findall(text):
                parts = [part.split("@") for part in match.split("$") if part]
                self.values |= {name: int(value) for name, value in parts if re.fullmatch(r"-?\d+", value)}
            self.functions |= dict(FUNCTION.findall(text))

    @classmethod
    def fetched(cls):
        pinned = [line.split("==") for line in (HERE / "requirements.txt").read_text().split()]
        wheels = {name: f"{name.lower().replace('-', '_')}-{version}-*.whl" for name, version in pinned}
        if missing := [name for name, pattern in wheels.items() if not list(WHEELS.glob(pattern))]:
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                 "--only-binary", ":all:", "--platform", "macosx_10_13_universal2", "--python-version", "3.12",
                 "--dest", str(WHEELS), "-r", str(HERE / "requirements.txt")], check=True)
            print(f"    fetched {len(missing)} wheels of pyobjc")
        texts = []
        for pattern in wheels.values():
            [wheel] = WHEELS.glob(pattern)
            with zipfile.ZipFile(wheel) as archive:
                texts += [archive.read(name).decode() for name in archive.namelist() if name.endswith("_metadata.py")]
        return cls(texts)


def parameters(encoding):
    """How many arguments an Objective-C type encoding has: `i@o^@` has two."""
    one = r"[nNoOrRV]*\^*(?:\{[^{}]*\}|@\?|[@A-Za-z?#:*])"
    types = re.findall(one, encoding)
    return len(types) - 1 if "".join(types) == encoding else None


def problems(headers, stand_ins, library):
    """What the stand-ins and the library say and the headers do not. Yields a line for each, and counts the rest."""
    count = 0
    for name in re.findall(r"\bvar ((?:kSec|errSec)\w+)", stand_ins):
        count += 1
        if name not in headers.values:
            yield f"{name} is in no header"
    for match in re.finditer(r"func (Sec\w+)\((.*?)\)\s*->\s*(\S+)", stand_ins, re.S):
        name, arguments = match.group(1), match.group(2)
        count += 1
        number = len(re.findall(r"\b\w+: ", arguments))
        if name not in headers.functions:
            yield f"{name} is in no header"
        elif parameters(headers.functions[name]) != number:
            yield f"{name} has {number} parameters here and the type {headers.functions[name]} in the header"
    for swift, name in RENAMED.items():
        count += 1
        member = swift.split(".")[1]
        match = re.search(rf"\bcase {member} = (-?\d+)$", stand_ins, re.M)
        if not match and not re.search(rf"\bvar {member}: ", stand_ins):
            yield f"{swift} is in no stand-in"
        elif name not in headers.values:
            yield f"{name} is in no header"
        elif match and headers.values[name] != int(match.group(1)):
            yield f"{swift} is {match.group(1)} here and {headers.values[name]} in the header"
    for line, names in NUMBERS:
        match = re.search(line, library)
        count += len(names)
        if not match:
            yield f"SecureEnclaveKeys.swift has no line like {line}"
            continue
        for name, number in zip(names, match.groups(), strict=True):
            if headers.values.get(name) != int(number):
                yield f"{name} is {number} in SecureEnclaveKeys.swift and {headers.values.get(name)} in the header"
    yield count


def rest(lines):
    *found, _ = lines
    return found


# Each of these breaks one thing, which the comparison must notice.
STAND_IN_ROWS = [
    ("kSecAttrTokenID:", "kSecAttrToken:"), ("errSecUserCanceled:", "errSecUserCancelled:"),
    ("func SecItemDelete(_ query", "func SecItemDelete(_ number: Int, _ query"), ("func SecItemAdd", "func SecItemPut"),
    ("canceledLogin", "cancelledLogin"), ("case biometryLockout = -8", "case biometryLockout = -7"),
    ("case presentationContextInvalid = 3", "case presentationContextInvalid = 4"),
]
LIBRARY_ROWS = [
    ("[-2, -4, -9]", "[-2, -4, -8]"), ('"CryptoTokenKit" where code == -6', '"CryptoTokenKit" where code == -7'),
]


def check():
    headers = Headers.fetched()
    stand_ins = "\n".join((STAND_INS / f"{name}.swiftinterface").read_text() for name in MODULE_NAMES)
    library = (LIBRARY / "Keys" / "SecureEnclaveKeys.swift").read_text()
    *found, count = problems(headers, stand_ins, library)
    for old, new in STAND_IN_ROWS:
        if old not in stand_ins or not rest(problems(headers, stand_ins.replace(old, new), library)):
            found.append(f"the comparison does not notice {new}")
    for old, new in LIBRARY_ROWS:
        if old not in library or not rest(problems(headers, stand_ins, library.replace(old, new))):
            found.append(f"the comparison does not notice {new}")
    return count, found
