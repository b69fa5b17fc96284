// Apple's module makes Foundation visible to whoever imports it.
@_exported public import Foundation
