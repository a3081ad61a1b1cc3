#if canImport(SwiftUI) && canImport(UIKit)
import Foundation
import SwiftUI
import UIKit

/// The library's own screens of a login. `.switchback(_:)` shows them as a sheet.
public struct LoginScreens: View {
    private let screen: LoginScreen
    private let switchback: Switchback
    @State private var field = DigitField(limit: 6)

    /// Creates the view of one screen, whose buttons call the library.
    public init(_ screen: LoginScreen, of switchback: Switchback) {
        (self.screen, self.switchback) = (screen, switchback)
    }

    /// Shows the texts, the field for a code, and the buttons.
    public var body: some View {
        ScreenLayout(
            title: self.screen.title, text: self.screen.text, note: self.screen.note,
            announcement: self.screen.announcement
        ) {
            if self.screen.kind == .code {
                DigitInput(label: self.screen.fieldLabel, isSecret: false, field: self.$field)
            }
            if self.screen.kind == .retrying || self.screen.kind == .working {
                ProgressView().accessibilityHidden(true)
            }
            ForEach(self.screen.buttons) { button in
                ScreenButton(
                    title: button.title, isMain: button.action != .giveUp && button == self.screen.buttons.first,
                    isEnabled: button.action != .sendCode || self.field.isFull
                ) {
                    self.perform(button.action)
                }
            }
            if let reference = self.screen.reference { Text(verbatim: reference).font(.footnote) }
        }
    }

    private func perform(_ action: LoginScreen.Button.Action) {
        switch action {
        case .sendCode:
            self.switchback.enter(code: self.field.digits)
            self.field.clear()
        case .continueLogin: self.switchback.continueLogin()
        case .giveUp: self.switchback.cancel()
        default: break
        }
    }
}
#endif
