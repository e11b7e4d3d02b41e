// On Linux, re-exporting the whole of Foundation would also re-export Glibc, so this file re-exports only some of
// Foundation's declarations.
@_exported import AppleDarwin
@_exported import Dispatch
@_exported import FoundationEssentials

@_exported import class Foundation.BlockOperation
@_exported import class Foundation.Bundle
@_exported import struct Foundation.CGSize
@_exported import struct Foundation.CharacterSet
@_exported import class Foundation.DateFormatter
@_exported import class Foundation.FileHandle
@_exported import class Foundation.InputStream
@_exported import class Foundation.JSONSerialization
@_exported import class Foundation.NSError
@_exported import var Foundation.NSFilePathErrorKey
@_exported import func Foundation.NSHomeDirectory
@_exported import var Foundation.NSLocalizedDescriptionKey
@_exported import class Foundation.NSLock
@_exported import class Foundation.NSNumber
@_exported import class Foundation.NSObject
@_exported import protocol Foundation.NSObjectProtocol
@_exported import var Foundation.NSPOSIXErrorDomain
@_exported import func Foundation.NSTemporaryDirectory
@_exported import var Foundation.NSURLErrorDomain
@_exported import var Foundation.NSURLErrorFailingURLErrorKey
@_exported import var Foundation.NSUnderlyingErrorKey
@_exported import struct Foundation.Notification
@_exported import class Foundation.NotificationCenter
@_exported import struct Foundation.ObjCBool
@_exported import class Foundation.Operation
@_exported import class Foundation.OperationQueue
@_exported import enum Foundation.POSIXErrorCode
@_exported import class Foundation.Pipe
@_exported import class Foundation.Thread
@_exported import class Foundation.Timer
@_exported import class FoundationNetworking.CachedURLResponse
@_exported import class FoundationNetworking.HTTPURLResponse
@_exported import class FoundationNetworking.URLAuthenticationChallenge
@_exported import class FoundationNetworking.URLCredential
@_exported import class FoundationNetworking.URLProtectionSpace
@_exported import class FoundationNetworking.URLProtocol
@_exported import struct FoundationNetworking.URLRequest
@_exported import class FoundationNetworking.URLResponse
@_exported import class FoundationNetworking.URLSession
@_exported import class FoundationNetworking.URLSessionConfiguration
@_exported import protocol FoundationNetworking.URLSessionDataDelegate
@_exported import class FoundationNetworking.URLSessionDataTask
@_exported import protocol FoundationNetworking.URLSessionDelegate
@_exported import protocol FoundationNetworking.URLSessionDownloadDelegate
@_exported import class FoundationNetworking.URLSessionDownloadTask
@_exported import class FoundationNetworking.URLSessionStreamTask
@_exported import class FoundationNetworking.URLSessionTask
@_exported import protocol FoundationNetworking.URLSessionTaskDelegate
@_exported import class FoundationNetworking.URLSessionTaskMetrics
@_exported import class FoundationNetworking.URLSessionUploadTask
@_exported import protocol FoundationNetworking.URLSessionWebSocketDelegate
@_exported import class FoundationNetworking.URLSessionWebSocketTask

#if macOS
@_exported import class Foundation.Process
#endif
