import Foundation

let operation = BlockOperation {}
