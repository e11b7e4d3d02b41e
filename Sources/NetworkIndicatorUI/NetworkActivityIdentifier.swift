let networkActivityIdentifier = "NetworkActivity"
