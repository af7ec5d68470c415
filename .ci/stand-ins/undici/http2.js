// HTTP/2, which undici speaks only when it is told to; without it, it goes on like this. Loading it takes 14 ms of a request's 64
// where Node itself starts in 16. test/project/bundle.test.ts holds that no request loads it.
exports.constants = {}
