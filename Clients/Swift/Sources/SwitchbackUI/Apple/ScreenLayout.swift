#if canImport(SwiftUI) && canImport(UIKit)
import Foundation
import SwiftUI
import UIKit

/// What every screen has: a title, texts, and what follows below them. It scrolls if the letters are large.
struct ScreenLayout<Rows: View>: View {
    let title: String
    let text: String?
    let note: String?
    let announcement: String
    @ViewBuilder let rows: @MainActor () -> Rows

    var body: some View {
        ScrollView {
            VStack(spacing: 16) {
                Text(verbatim: self.title).font(.title2).accessibilityAddTraits(.isHeader)
                if let text = self.text { Text(verbatim: text) }
                if let note = self.note { Text(verbatim: note).font(.headline) }
                self.rows()
            }
            .padding()
        }
        // VoiceOver reads a new sheet by itself, but not what changes in it.
        .onChange(of: self.announcement) { UIAccessibility.post(notification: .announcement, argument: $0) }
    }
}

/// A button of a screen, as wide as the system makes it.
struct ScreenButton: View {
    let title: String
    let isMain: Bool
    let isEnabled: Bool
    let action: @MainActor () -> Void

    var body: some View {
        if self.isMain {
            self.button.buttonStyle(.borderedProminent)
        } else {
            self.button.buttonStyle(.bordered)
        }
    }

    private var button: some View {
        Button(action: self.action) { Text(verbatim: self.title) }.disabled(!self.isEnabled)
    }
}

/// A field for digits with a numeric keypad.
struct DigitInput: View {
    let label: String
    let isSecret: Bool
    @Binding var field: DigitField
    @State private var text = ""

    var body: some View {
        self.input
            .keyboardType(.numberPad)
            .textFieldStyle(.roundedBorder)
            .accessibilityLabel(Text(verbatim: self.label))
            // The system's field shows what was pasted until the text changes back.
            .onChange(of: self.text) { text in
                self.field.take(text)
                if text != self.field.digits { self.text = self.field.digits }
            }
            .onChange(of: self.field.digits) { digits in
                if digits != self.text { self.text = digits }
            }
    }

    @ViewBuilder private var input: some View {
        if self.isSecret {
            SecureField(self.label, text: self.$text)
        } else {
            TextField(self.label, text: self.$text)
        }
    }
}
#endif
