"""Rows that show that the check can fail."""

# One change to a file of the library each, and what the compiler must say about it.
BROKEN = [
    ("Store/KeychainItems.swift", "query[kSecReturnData] = true", "query[kSecReturnDatum] = true",
     "cannot find 'kSecReturnDatum' in scope"),
    ("Store/KeychainItems.swift", "SecItemCopyMatching(query as CFDictionary, &item)",
     "SecItemCopyMatching(query, &item)", "cannot convert value of type '[CFString : Any]'"),
    ("Store/KeychainItems.swift", "SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)",
     "SecItemAdd(query.merging(values) { $1 } as CFDictionary)", "missing argument for parameter #2"),
    ("Store/KeychainItems.swift", "KeychainFailure(status: Int(status))", "KeychainFailure(status: status)",
     "cannot convert value of type 'OSStatus'"),
    ("Keys/SecureEnclaveKeys.swift", ".biometryCurrentSet", ".biometryCurrent",
     "has no member 'biometryCurrent'"),
    ("Keys/SecureEnclaveKeys.swift", "message as CFData, &error) as Data?", "message as CFData, &error)",
     "is not implicitly convertible to 'Data'"),
    ("Keys/SecureEnclaveKeys.swift", "private struct EnclaveKey: SessionKey, @unchecked Sendable",
     "private struct EnclaveKey: SessionKey, Sendable", "non-Sendable type 'SecKey'"),
    ("Keys/SecureEnclaveKeys.swift", "guard let error = error?.takeRetainedValue() else {",
     "guard let error = error else {", "cannot convert value of type 'Unmanaged<CFError>'"),
    ("Keys/AppAttestation.swift", "try await service.generateKey()", "try service.generateKey()",
     "is 'async' but is not marked with 'await'"),
    ("Keys/AppAttestation.swift", "try await service.generateKey()", "await service.generateKey()",
     "call can throw but is not marked with 'try'"),
    ("Keys/AppAttestation.swift", "clientDataHash: clientDataHash)", "hash: clientDataHash)",
     "incorrect argument label"),
    ("Cryptography/SystemKeyDerivation.swift", "CCPBKDFAlgorithm(kCCPBKDF2)", "kCCPBKDF2",
     "cannot convert value of type 'Int'"),
    ("Cryptography/SystemKeyDerivation.swift", "password.map { CChar(bitPattern: $0) }", "password",
     "cannot convert value of type 'UnsafePointer<UInt8>'"),
    ("Client/URLSessionTransport.swift", "try await self.data(for: message)", "try await self.data(with: message)",
     "no exact matches in call to instance method 'data'"),
    ("Client/URLSessionTransport.swift", "configuration.urlCache = nil", "configuration.cache = nil",
     "has no member 'cache'"),
    ("Client/SessionClient+URLRequest.swift", "forHTTPHeaderField: name", "forHeaderField: name",
     "incorrect argument label"),
    ("Values/MonotonicInstant.swift", "clock_gettime(CLOCK_MONOTONIC, &time)", "clock_gettime(CLOCK_BOOTTIME, &time)",
     "only Linux has it"),
    ("Store/FileSessionStorage.swift", "values.isExcludedFromBackup = true", "values.isExcluded = true",
     "has no member 'isExcluded'"),
    # A check after the type-checker.
    ("Store/KeychainSessionStorage.swift", "private let account: String\n",
     "private let account: String\n    static func swapped(_ a: inout [Int]) { swap(&a[0], &a[1]) }\n",
     "overlapping accesses"),
]

# What an app may write, and what the compiler must say about it.
BROKEN_APP = [
    ("func f(_ url: URL) { UIApplication.shared.canOpenURL(url) }", "main actor-isolated"),
    ("@MainActor func f(_ session: ASWebAuthenticationSession) { session.presentationContextProvider = NSObject() }",
     "cannot assign value of type 'NSObject'"),
    ("@MainActor func f() { SFSafariViewController(url: \"https://example.com\") }", "cannot convert value of type"),
    ("func f(_ code: ASWebAuthenticationSessionError.Code) -> Bool {\n"
     "  switch code { case .canceledLogin: true case .presentationContextInvalid: true\n"
     "  case .presentationContextNotProvided: true }\n}", "may have additional unknown values"),
    ("@MainActor final class D: NSObject, ASWebAuthenticationPresentationContextProviding {}", "does not conform"),
    ("@available(iOS 17.4, *) func f() { _ = ASWebAuthenticationSession.Callback.https(host: \"a\") }",
     "missing argument for parameter 'path'"),
    # The library's screens: an app must write a default, the PIN's screen has errors of the session, and texts are
    # changed one by one.
    ("import SwitchbackUI\nfunc f(_ screen: LoginScreen) -> Bool {\n"
     "  switch screen.kind { case .paused: true case .appMissing: true case .code: true case .retrying: true\n"
     "  case .working: true }\n}", "switch must be exhaustive"),
    ("import SwitchbackClient; import SwitchbackUI\n"
     "@MainActor func f(_ state: SessionState, _ logins: Switchback) {\n"
     "  _ = PINScreen(state, of: logins) { (_: LoginFailure) in }\n}", "cannot convert value of type"),
    ("import SwitchbackUI\nfunc f(_ kind: Diagnosis.Kind) -> Bool {\n"
     "  switch kind { case .storageUnusable: true case .hardwareKeyMissing: true }\n}", "switch must be exhaustive"),
    ("import SwitchbackUI\nfunc f(_ configuration: inout SwitchbackConfiguration) { configuration.store = .keychain }",
     "member 'keychain(accessGroup:)' expects argument"),
    ("import SwitchbackClient; import SwitchbackUI\n"
     "func f(_ provider: EIDProvider) { _ = EIDButton(provider) {} }", "main actor-isolated"),
    ("import SwitchbackUI\nfunc f() { _ = ScreenTexts(giveUpButton: \"No\") }", "extra argument 'giveUpButton'"),
    # The type-checker does not see this. Checks after it do.
    ("@MainActor final class A { var o = NSObject()\n"
     "  func f() { let s = self.o; Task.detached { print(s) }; print(s) }\n}", "sending"),
]

# A function each, and what `availability.py` must find in it: nothing, or a part of its line.
AVAILABILITY = [
    ('_ = URL(fileURLWithPath: "/").appending(path: "a")', "needs iOS 16.0"),
    ('if #available(iOS 16, macOS 13, *) { _ = URL(fileURLWithPath: "/").appending(path: "a") }', None),
    ('if #available(iOS 16, *) { _ = URL(fileURLWithPath: "/").appending(path: "a") }', "needs macOS 13.0"),
    ('if #available(iOS 15, *) { _ = URL(fileURLWithPath: "/").appending(path: "a") }', "needs iOS 16.0"),
    ('if #available(iOS 16, macOS 13, *) {} else { _ = URL(fileURLWithPath: "/").appending(path: "a") }',
     "needs iOS 16.0"),
    ('guard #available(iOS 16, macOS 13, *) else { return }\n_ = URL(fileURLWithPath: "/").appending(path: "a")', None),
    ('guard #available(iOS 16, macOS 13, *) else { _ = URL(fileURLWithPath: "/").appending(path: "a"); return }',
     "needs iOS 16.0"),
    ("if #available(iOS 16, macOS 13, *), Duration.seconds(1) > .zero {}", None),
    ("if Duration.seconds(1) > .zero, #available(iOS 16, macOS 13, *) {}", "needs iOS 16.0"),
    ("let d: Duration? = nil; _ = d", "Duration needs iOS 16.0"),
    ("_ = { (_: Swift.Duration) in }", "Duration needs iOS 16.0"),
    ("_ = Mutex(1)", "Mutex needs iOS 18.0"),
    ('_ = ASWebAuthenticationSession.Callback.customScheme("a")', "needs iOS 17.4"),
    ('if #available(iOS 17.4, macOS 14.4, *) { _ = ASWebAuthenticationSession.Callback.customScheme("a") }', None),
    ("_ = try? NSRegularExpression(pattern: \"a\")", "does not say since when it exists"),
    ('_ = "a".utf8.count; _ = Data(); _ = URL(string: "a"); _ = kSecAttrTokenID', None),
]
