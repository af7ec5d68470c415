// undici takes an unsolicited `100 Continue` for the end of the connection, although a client has to pass over it, as over
// any interim answer (RFC 9110, section 15.2), and undici does so with the others. This leaves out its check.
import { readFileSync } from 'node:fs'

const check = 'if (statusCode === 100) {'

/** A plugin for esbuild. */
export const interimAnswers = {
  name: 'interim answers',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const [before, after, ...more] = text.split(check)
      if (after === undefined || more.length > 0)
        throw new Error(`undici has no "${check}" any more: does it pass over a 100 by itself?`)
      return { contents: `${before}if (false) {${after}` }
    })
  },
}
