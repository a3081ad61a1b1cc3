#if canImport(SwiftUI) && canImport(UIKit)
import Foundation
import SwiftUI
import SwitchbackClient
import UIKit

/// A login button in the e-ID's own manner: its logo, name, colours and size.
///
/// The logo is the one of the server's configuration. An SVG cannot be shown, so the button then has the name only.
/// While the operator has switched the provider off, the button is pale and does nothing, and its notice is below.
public struct EIDButton: View {
    private let provider: EIDProvider
    private let title: String
    private let action: @MainActor () async -> Void
    @Environment(\.colorScheme) private var scheme
    @State private var isBusy = false

    /// Creates the button of one of `providers()`. `title` is for an e-ID that wants certain words, such as "Log på med
    /// MitID"; nil means the provider's name. The button waits until `action` is over.
    public init(
        _ provider: EIDProvider, title: String? = nil, action: @escaping @MainActor () async -> Void
    ) {
        (self.provider, self.title, self.action) = (provider, title ?? provider.name, action)
    }

    /// Shows the logo and the title, and why the provider is switched off.
    public var body: some View {
        VStack(spacing: 6) {
            self.button
            if !self.provider.isEnabled, let notice = self.provider.notice {
                Text(verbatim: notice).font(.footnote)
            }
        }
    }

    @ViewBuilder private var button: some View {
        let style = EIDButtonStyle(
            eid: self.provider.eid, isDark: self.scheme == .dark, isEnabled: self.provider.isEnabled)
        Button(action: self.act) {
            HStack(spacing: 14) {
                if let logo = self.provider.logo {
                    AsyncImage(url: logo) { image in
                        image.resizable().scaledToFit()
                    } placeholder: {
                        EmptyView()
                    }
                    .frame(maxWidth: 32, maxHeight: 32)
                    .accessibilityHidden(true)
                }
                Text(verbatim: self.title).font(.headline)
            }
            .padding(12)
            .frame(maxWidth: .infinity, minHeight: style.minimumHeight)
            .foregroundColor(Color(style.text))
            .background(Color(style.background))
            .cornerRadius(style.cornerRadius)
        }
        .buttonStyle(.plain)
        .disabled(self.isBusy || !self.provider.isEnabled)
        .opacity(style.opacity)
        .accessibilityLabel(Text(verbatim: self.title))
    }

    private func act() {
        self.isBusy = true
        Task {
            await self.action()
            self.isBusy = false
        }
    }
}

extension Color {
    fileprivate init(_ color: EIDButtonStyle.Color) {
        self.init(.sRGB, red: color.red, green: color.green, blue: color.blue, opacity: 1)
    }
}
#endif
