#if canImport(FoundationNetworking)
package let closedBeforeResponse = "the server closed the connection without a response"
package let closedInsideBody = "the connection ended"
#else
package let closedBeforeResponse = "the connection was lost before a response"
package let closedInsideBody = "the connection was lost"
#endif
