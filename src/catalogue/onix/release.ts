import { XmlFault } from './bad-message.ts'

const newer = {
  hint: 'pubctl reads ONIX 3.0 and 3.1. Most systems that write ONIX 2.1 can export 3.0 as well.',
}

/**
 * The dialect of a message by its first element. Throws XmlFault if it is not ONIX 3.0 or 3.1. `documentType` is the
 * message's document type declaration.
 */
export function dialectOf(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  documentType: string,
): 'reference' | 'short' {
  const [prefix, name] = tag.includes(':') ? (tag.split(':', 2) as [string, string]) : ['', tag]
  if (name !== 'ONIXMessage' && name !== 'ONIXmessage')
    throw new XmlFault(`it is not an ONIX message: its first element is <${tag.slice(0, 50)}>`, newer)
  const namespace = attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`] ?? ''
  const release = attributes['release']?.trim()
  const named = /^https?:\/\/(?:ns|www)\.editeur\.org\/onix\/(\d+\.\d+)\//.exec(namespace)?.[1]
  const found = release ?? named
  if (found !== undefined && /^[12](\.|$)/.test(found)) throw new XmlFault(`it is ONIX ${found}`, newer)
  if (found === undefined && /onix(?:-international|\/2|_2)|DTD\/?2\./i.test(documentType))
    throw new XmlFault('it is ONIX 2.1, by its document type', newer)
  if (found === undefined) throw new XmlFault('its first element names no release, as in ONIX 2.1', newer)
  if (!/^3\.[01](\.\d+)?$/.test(found))
    throw new XmlFault(`its release "${found.slice(0, 50)}" is not 3.0 or 3.1`, newer)
  if (namespace !== '' && named === undefined)
    throw new XmlFault(`its namespace "${namespace.slice(0, 100)}" is not that of ONIX`, newer)
  return name === 'ONIXmessage' ? 'short' : 'reference'
}
