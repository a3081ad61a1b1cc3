#if canImport(SwiftUI) && canImport(UIKit)
import Foundation
import SwiftUI
import UIKit

/// Hands in the links that open the app, and resumes the window's login at the start.
struct SwitchbackModifier: ViewModifier {
    let switchback: Switchback

    func body(content: Content) -> some View {
        content
            .task { await self.switchback.resumed() }
            .onOpenURL { self.switchback.take([$0]) }
            .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { self.switchback.takeLinks(of: $0) }
    }
}

extension View {
    /// Lets this view's scene take part in logins: links that open the app are handed in, and a login that was under
    /// way when the app was killed is resumed. Put it on the root view of each window.
    public func switchback(_ switchback: Switchback) -> some View {
        self.modifier(SwitchbackModifier(switchback: switchback))
    }
}
#endif
