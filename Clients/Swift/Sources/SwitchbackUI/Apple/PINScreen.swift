#if canImport(SwiftUI) && canImport(UIKit)
import Foundation
import SwiftUI
import SwitchbackClient
import UIKit

/// A screen for the PIN of the session, or for a new one. Show it as long as there is one for the session's state.
public struct PINScreen: View {
    private let entry: PINEntry
    private let switchback: Switchback
    private let usesBiometrics: Bool
    private let failed: @MainActor (SessionError) -> Void

    /// Creates the screen for a state of the session. Nil if the state asks for no PIN. With `usesBiometrics` a new PIN
    /// has a copy for face or finger, and the screen for the PIN has a button for it. `failed` gets the errors that the
    /// user can do nothing about here; the session's next state says what to show.
    public init?(
        _ state: SessionState, of switchback: Switchback, usesBiometrics: Bool = false,
        failed: @escaping @MainActor (SessionError) -> Void = { _ in }
    ) {
        guard let entry = PINEntry(state) else { return nil }
        (self.entry, self.switchback) = (entry, switchback)
        (self.usesBiometrics, self.failed) = (usesBiometrics, failed)
    }

    /// Shows the texts, the field for the PIN, and the buttons.
    public var body: some View {
        // A field for a new PIN must not keep what was typed into the other one.
        PINForm(
            entry: self.entry, switchback: self.switchback, usesBiometrics: self.usesBiometrics, failed: self.failed
        )
        .id(self.entry.purpose)
    }
}

/// The contents of a screen for the PIN.
struct PINForm: View {
    @State var entry: PINEntry
    let switchback: Switchback
    let usesBiometrics: Bool
    let failed: @MainActor (SessionError) -> Void

    var body: some View {
        let texts = self.switchback.texts
        let (title, note) = (self.entry.title(texts), self.entry.note(texts))
        ScreenLayout(title: title, text: self.entry.text(texts), note: note, announcement: note ?? title) {
            DigitInput(label: title, isSecret: true, field: self.$entry.field)
            ScreenButton(title: texts.continueButton, isMain: true, isEnabled: self.entry.isComplete) {
                if let request = self.entry.submit() { Task { await self.perform(request) } }
            }
            if self.usesBiometrics, self.entry.purpose == .unlock {
                ScreenButton(title: texts.biometricsButton, isMain: false, isEnabled: !self.entry.isBusy) {
                    if let request = self.entry.submitBiometrics() { Task { await self.perform(request) } }
                }
            }
        }
    }

    private func perform(_ request: PINEntry.Request) async {
        let session = self.switchback.session
        do throws(SessionError) {
            switch request {
            case .unlock(let pin): try await session.unlock(pin: pin)
            case .unlockWithBiometrics: try await session.unlockWithBiometrics()
            case .set(let pin): try await session.setPIN(pin, biometrics: self.usesBiometrics)
            }
            _ = self.entry.take(nil)
        } catch {
            if !self.entry.take(error) { self.failed(error) }
        }
    }
}
#endif
