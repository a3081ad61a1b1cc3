#if canImport(SwiftUI) && canImport(UIKit)
import Foundation
import SwiftUI
import SwitchbackClient
import UIKit

/// Hands in the links that open the app, resumes the window's login at the start, and shows what a login needs from the
/// user.
struct SwitchbackModifier<Screen: View>: ViewModifier {
    let switchback: Switchback
    let showsScreens: Bool
    let screens: @MainActor (LoginScreen) -> Screen
    @State private var screen: LoginScreen?
    @State private var isOpen = false

    func body(content: Content) -> some View {
        content
            .task {
                await self.switchback.resumed()
                guard self.showsScreens else { return }
                for await progress in self.switchback.current { self.show(progress) }
            }
            .onOpenURL { self.switchback.take([$0]) }
            .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { self.switchback.takeLinks(of: $0) }
            .sheet(isPresented: self.$isOpen) {
                if let screen = self.screen {
                    // A swipe would leave the login without a word.
                    self.screens(screen).interactiveDismissDisabled(true)
                }
            }
    }

    private func show(_ progress: LoginProgress) {
        let next = LoginScreen(
            progress, texts: self.switchback.texts, isOpen: self.isOpen,
            hasBrowser: self.switchback.browser(for: nil)?.hasBrowser ?? false)
        self.isOpen = next != nil
        // The last screen stays in the sheet while it goes away.
        if let next { self.screen = next }
    }
}

extension View {
    /// Lets this view's scene take part in logins: links that open the app are handed in, a login that was under way
    /// when the app was killed is resumed, and a sheet asks for what a login needs from the user. Put it on the root
    /// view of each window. Without `showsScreens` your app shows what `current` says.
    public func switchback(_ switchback: Switchback, showsScreens: Bool = true) -> some View {
        self.modifier(
            SwitchbackModifier(switchback: switchback, showsScreens: showsScreens) {
                LoginScreens($0, of: switchback)
            })
    }

    /// Does the same with screens of your app in the sheet. Use the texts and buttons that you need of each.
    public func switchback<Screen: View>(
        _ switchback: Switchback, @ViewBuilder screens: @escaping @MainActor (LoginScreen) -> Screen
    ) -> some View {
        self.modifier(SwitchbackModifier(switchback: switchback, showsScreens: true, screens: screens))
    }
}
#endif
