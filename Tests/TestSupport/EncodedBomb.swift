import Foundation

/// Bodies of a few bytes that are a gigabyte of zeros when they are decoded.
package enum EncodedBomb: String, CaseIterable, Sendable {
    case zstd
    case brotli = "br"
    /// The encoding that was applied first comes first (RFC 9110 §8.4).
    case gzipInBrotli = "gzip, br"
    case zstdTwice = "zstd, zstd"
    case gzipThrice = "gzip, gzip, gzip"

    package static let decodedCount = 1 << 30

    /// The value of `Content-Encoding`.
    package var coding: String { self.rawValue }

    package var bytes: [UInt8] {
        switch self {
        case .zstd: Self.zstdFrame
        case .brotli: Self.decoded(Self.brotliText)
        case .gzipInBrotli: Self.decoded(Self.gzipInBrotliText)
        case .zstdTwice: Self.decoded(Self.zstdTwiceText)
        case .gzipThrice: Self.decoded(Self.gzipThriceText)
        }
    }

    /// A response with this body.
    package var answer: [UInt8] {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: \(self.coding)\r\n"
        return Array("\(head)Content-Length: \(self.bytes.count)\r\n\r\n".utf8) + self.bytes
    }

    /// RFC 8878 §3.1.1: a window of 128 MiB, and blocks that repeat one byte.
    private static let zstdFrame: [UInt8] = {
        let block = 128 * 1024
        let count = Self.decodedCount / block
        return [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88]
            + (1...count).flatMap { number -> [UInt8] in
                let header = (number == count ? 1 : 0) | 1 << 1 | block << 3
                return [UInt8(header & 0xff), UInt8(header >> 8 & 0xff), UInt8(header >> 16 & 0xff), 0]
            }
    }()

    private static func decoded(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }

    private static let gzipInBrotliText = """
        X5TmD0D+//153wcHJpdIZCe4LuQ5uZTl+fQtLUNtpwtJOjltER4Uy7IANAGJ8NkxZMK1KKLDQ1dnYA3Dj1OE+m4vAIqdX+/McKCK\
        +wqOCO4FgP6/9fkjMi0WEYcBxL0A+CRVzgjUrAYJEPcC4F7IE5FA+T44QHAvAOb/iTQcyT72POyeBrCu6y+WLP5rDQKDH+/PclEA\
        cAA=
        """
    private static let zstdTwiceText = """
        KLUv/QSI1QEAxAIotS/9BIhMAAAIAAEA/P85EAICABAARAAAAAEA/f/MCxACABAAAQAAfwf/twIA9d8AYLxX//G3CYB/1g0=
        """
    private static let gzipThriceText = """
        H4sIAAAAAAACA5Pv5mAAASbmt3cX8jW/qzv+0J650IgxJGRiagxbGwuP1MWVnE5Gt7M1PINNN8+ecc9wb4Nx6N6UhcV7G1IXLerq\
        mTu9ekbF5OeB6/+9yL93//7/z/P/cfxT+/t+v8rJePnT+/+83//3/Px/3/gZIECh6HT93csGbD8W37ue+IcdJlpWPDH9uEbC7FVx\
        fFChjnuLc089bm94/3bWSUao2EXr/3Z3N7JWvD1/2ZUfru73PLVE7oD3rw1OwdXN7rbhjm5IxTDO48D3srNPoEINL+bWz393g2nP\
        t+cvF8Fc4vK+1n/yBtYV30slnsLVnXWd16p7YJNvqD5C2UWzp4UqD6p3pxVBhRy+nNvvX57DGPf7c8lFZqjgou/7lnveYLry26oH\
        oe6Z0vlDYgk3l62ajlCWMfuThdCHvbHGlrAgqXp+f7n1Nob1fyt3vYB7rPr+ZZUcxle1sm4IdcCgS+TekBN89TRC2RbfShnOH/fW\
        zZSBCgns/fz+smx0w/V/NrFf4B7b+z5TaBvD1318ixHqdp7YvIE1YtvKVwj/295aZtPHUpN/3QcRnD+/v+zTPZBdP0+vCu6xe99N\
        OKMbquLbAxHqYp5E3mDSuR3yFeF/udxgOXemfduz1RDB+ed3yXGxB1vt/cVt4R57Xz2rRddh7/rDGnB1+XqfdHIYp+WuqkL4v3+b\
        Zr8y4/3bppPhwVn+r3ZXMveHW/OXd8vBPfbd1veQ2AJgspsCV2cuXim2jeG0WehehP/db085PnE02Y0mu9FkN5rsRpPdaLIbTXZA\
        Zf9vmZXeYJryf+P/5/dl7Vn+2Etdtv//2/7v43j5u/8Zbb4eujH1GT8DAB8jjvlOCgAA
        """
    private static let brotliText = """
        z///fwAkAOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje\
        //P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8AEgBxWAC6\
        9//8//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7/8///38AJADisAB07//5//8PgARAHBaA\
        7v0/////AZAAiMMC0L3/5///PwASAHFYALr3//z//wdAAiAOC0D3/p////8ASADEYQHo3v/z//8fAAmAOCwA3ft//v//AyABEIcF\
        oHv/z///fwAkAOKwAHTv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRh\
        Aeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8AEgBx\
        WAC69//8//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7/8///38AJADisAB07//5//8PgARA\
        HBaA7v0/////AZAAiMMC0L3/5///PwASAHFYALr3//z//wdAAiAOC0D3/p////8ASADEYQHo3v/z//8fAAmAOCwA3ft//v//AyAB\
        EIcFoHv/z///fwAkAOKwAHTv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBI\
        AMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8A\
        EgBxWAC69//8//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37//z//wcgARCHBaB7/w8=
        """
}
