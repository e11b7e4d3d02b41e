let body = AsyncThrowingStream<[UInt8], any Error> { $0.finish() }
