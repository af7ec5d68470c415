// undici takes an unsolicited `100 Continue` for the end of the connection, although a client has to pass over it, as over
// any interim answer (RFC 9110, section 15.2), and undici does so with the others. This leaves out its check.
const check = 'if (statusCode === 100) {'

/** A plugin for rolldown. */
export const interimAnswers = {
  name: 'interim answers',
  transform(text, id) {
    if (!/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/.test(id)) return undefined
    const [before, after, ...more] = text.split(check)
    if (after === undefined || more.length > 0)
      throw new Error(`undici has no "${check}" any more: does it pass over a 100 by itself?`)
    return { code: `${before}if (false) {${after}`, map: null }
  },
}
