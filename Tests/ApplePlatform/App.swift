// What an app's screens call: windows, views, links, phases, biometrics, and the library's screens. It is compiled
// against the stand-ins, so that they are ready and a change that breaks them is noticed.

import AuthenticationServices
import LocalAuthentication
import SafariServices
import SwiftUI
import SwitchbackClient
import SwitchbackUI
import UIKit

/// A button for each e-ID, and a field for a code.
struct LoginButtons: View {
    let providers: [EIDProvider]
    let logins: Switchback
    @State private var isPaused = false
    @State private var code = ""

    var body: some View {
        VStack(spacing: 8) {
            ForEach(self.providers) { provider in
                EIDButton(provider) { _ = try? await self.logins.logIn(LoginRequest(provider)) }
                EIDButton(provider, title: "Log in with \(provider.name)") { self.isPaused = true }
            }
            if self.isPaused { TextField("Code", text: self.$code) } else { Text("Log in") }
        }
        .sheet(isPresented: self.$isPaused) { Text("Continue") }
        .task { await Task.yield() }
        .accessibilityLabel(Text("Log in"))
    }
}

/// Hands in links, and notices the phase of the scene.
struct LinkReader: ViewModifier {
    let open: @MainActor (URL) -> Void
    @Environment(\.scenePhase) private var phase
    @Environment(\.openURL) private var openURL
    @State private var isActive = false

    func body(content: Content) -> some View {
        content
            .onOpenURL { self.open($0) }
            .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                if let url = activity.webpageURL { self.open(url) }
            }
            .onChange(of: self.phase) { self.isActive = $0 == .active }
    }
}

extension View {
    func links(_ open: @escaping @MainActor (URL) -> Void) -> some View { self.modifier(LinkReader(open: open)) }
}

/// An app with the library's screens, with its own, and with none.
struct Screens: View {
    let switchback: Switchback
    let state: SessionState
    @State private var code = ""

    var body: some View {
        VStack {
            Text("Home").switchback(self.switchback)
            Text("Home").switchback(self.switchback, showsScreens: false)
            Text("Home").switchback(self.switchback) { screen in
                Text(verbatim: screen.title)
                ForEach(screen.buttons) { button in
                    Button(button.title) {
                        switch button.action {
                        case .sendCode: self.switchback.enter(code: self.code)
                        case .continueLogin: self.switchback.continueLogin()
                        case .giveUp: self.switchback.cancel()
                        default: break
                        }
                    }
                }
            }
            if let screen = PINScreen(self.state, of: self.switchback, usesBiometrics: true) { screen }
        }
    }

    static func configuration(_ server: URL) -> SwitchbackConfiguration {
        var configuration = SwitchbackConfiguration(server: server, app: "shop")
        var texts = ScreenTexts(languages: ["kl"], optIn: ["kl"])
        texts.giveUpButton = "Unitsiguk"
        configuration.texts = texts
        configuration.store = .keychain(accessGroup: "TEAM.com.example.shop")
        return configuration
    }
}

/// Presents what the views cannot.
@MainActor
enum Presenter {
    static var anchor: UIWindow? {
        UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            .first { $0.activationState == .foregroundActive }?.keyWindow
    }

    static func show(_ providers: [EIDProvider], _ logins: Switchback) {
        let views = UIHostingController(rootView: LoginButtons(providers: providers, logins: logins).links { _ in })
        self.anchor?.rootViewController?.present(views, animated: true)
    }

    static func showPage(_ url: URL) {
        let safari = SFSafariViewController(url: url)
        safari.dismissButtonStyle = .close
        self.anchor?.rootViewController?.present(safari, animated: true)
    }
}

/// Lists every login, and cancels those that another one has replaced.
@MainActor
func cancelReplacedLogins(of logins: Switchback) async {
    for await list in logins.logins {
        for login in list where login.isReplaced && login.progress.login == nil { logins.cancel(login) }
    }
}

/// Asks for a face or a finger.
func userIsThere(reason: String) async -> Bool {
    let context = LAContext()
    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) else { return false }
    do {
        return try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: reason)
    } catch LAError.userCancel, ASWebAuthenticationSessionError.canceledLogin {
        return false
    } catch {
        return false
    }
}
