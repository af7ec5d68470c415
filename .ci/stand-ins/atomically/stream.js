// What is written in pieces. What conf writes is a text, and only to read it should not load Node's streams.
exports.Readable = class {}
