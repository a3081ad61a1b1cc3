// What an app's screens will call when the library has some: windows, views, links, phases, biometrics. It is compiled
// against the stand-ins, so that they are ready and a change that breaks them is noticed.

import AuthenticationServices
import LocalAuthentication
import SafariServices
import SwiftUI
import UIKit

/// An e-ID that a button names.
struct EID: Identifiable {
    let id: String
    let name: String
    let logo: URL?
}

/// A button for each e-ID, and a field for a code.
struct LoginButtons: View {
    let providers: [EID]
    @State private var isPaused = false
    @State private var code = ""

    var body: some View {
        VStack(spacing: 8) {
            ForEach(self.providers) { provider in
                Button(action: { self.isPaused = true }) {
                    AsyncImage(url: provider.logo)
                    Text(verbatim: provider.name)
                }
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

/// Presents what the views cannot.
@MainActor
enum Presenter {
    static var anchor: UIWindow? {
        UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            .first { $0.activationState == .foregroundActive }?.keyWindow
    }

    static func show(_ providers: [EID]) {
        let views = UIHostingController(rootView: LoginButtons(providers: providers).links { _ in })
        self.anchor?.rootViewController?.present(views, animated: true)
    }

    static func showPage(_ url: URL) {
        let safari = SFSafariViewController(url: url)
        safari.dismissButtonStyle = .close
        self.anchor?.rootViewController?.present(safari, animated: true)
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
