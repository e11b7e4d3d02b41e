/// How an error describes a connection that the server closed before its answer, and one that it closed inside the body.
/// Apple's systems report a connection that was lost.
#if canImport(FoundationNetworking)
package let closedBeforeAnswer = "the server closed the connection without an answer"
package let closedInsideBody = "the connection ended"
#else
package let closedBeforeAnswer = "the connection was lost before an answer"
package let closedInsideBody = "the connection was lost"
#endif
