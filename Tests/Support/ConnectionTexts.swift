/// How an error describes a connection that the server closed before its response, and one that it closed inside the body.
/// Apple's systems report a connection that was lost.
#if canImport(FoundationNetworking)
package let closedBeforeResponse = "the server closed the connection without a response"
package let closedInsideBody = "the connection ended"
#else
package let closedBeforeResponse = "the connection was lost before a response"
package let closedInsideBody = "the connection was lost"
#endif
