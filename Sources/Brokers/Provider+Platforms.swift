/// Where a provider works: on which platforms, and for web pages on which systems.

extension Provider {
    package var platforms: [Visit.Platform] {
        switch self.flow {
        case .browser, .ciba, .launchLinks, .headless: [.ios, .android, .web]
        // DigiD's app hands its artifact to an app, by a link of that app's.
        case .artifact: [.ios, .android]
        }
    }

    /// The systems on which a web page can use it, by the names of the request's `os`; nil: on all, also where none is named.
    package var webSystems: [Visit.Platform]? {
        switch self.flow {
        case .browser, .ciba: nil
        // The link opens an app of the phone on which the page is.
        case .launchLinks, .headless: [.ios, .android]
        case .artifact: []
        }
    }

    /// What to open links in, the best first, for an app that opens them in `surface` itself.
    package func surfaces(on platform: Visit.Platform?, wanted surface: String?) -> [String] {
        // A web page runs in a browser, so it can use no other surface.
        guard platform != .web else { return ["system"] }
        guard let surface, self.surfaces.contains(surface) else { return self.surfaces }
        return [surface] + self.surfaces.filter { $0 != surface }
    }
}
