// The bodies of fetch, such as FormData, with most of fetch behind them. What pubctl sends is text or a stream of bytes.
exports.extractBody = () => {
  throw new TypeError('a body is text or a stream of bytes')
}
