import { basename } from 'node:path'
import type { CarrierSays } from '../../books/rights/says.ts'
import { NetworkFailure, UsageFailure } from '../../system/errors.ts'
import type { Http } from '../../system/http.ts'
import type { Response } from '../../system/response.ts'
import { userAgent } from '../../system/version.ts'
import { ruleFor, type TdmRule, tdmRulesIn } from './rules.ts'

/** Of a site, at most: the bytes of its file, milliseconds for all of it, and steps from one address to another. */
const limits = { bytes: 256 * 1024, time: 15_000, redirects: 3 }

/** The most sites that are asked. */
const mostSites = 20

/** A site of a publisher, and what its `tdmrep.json` says; no rules if it has none. */
interface TdmSite {
  readonly address: URL
  readonly rules: readonly TdmRule[]
  readonly faults: readonly string[]
}

/** The addresses of sites. Throws UsageFailure for one that cannot be asked. */
export function siteAddresses(texts: readonly string[]): URL[] {
  if (texts.length > mostSites)
    throw new UsageFailure(`--tdm-site is given ${texts.length} times`, {
      hint: `Name ${mostSites} sites at most.`,
    })
  return texts.map(text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || url.protocol !== 'https:' || url.username !== '' || url.password !== '') {
      throw new UsageFailure(`--tdm-site ${text} is not the address of a site`, {
        hint: 'Write it as https://press.example, without a name and a password.',
      })
    }
    return url
  })
}

/**
 * Reads the `tdmrep.json` of a site, over https and from that very site. A site without one says nothing. Throws
 * NetworkFailure if it cannot be reached, or sends something else.
 */
export async function readTdmSite(address: URL, http: Http, signal: AbortSignal): Promise<TdmSite> {
  const file = new URL('/.well-known/tdmrep.json', address)
  const response = await answerOf(
    file,
    http,
    AbortSignal.any([signal, AbortSignal.timeout(limits.time)]),
  ).catch(error => {
    if (!(error instanceof DOMException)) throw error
    throw new NetworkFailure(`${file.href} did not answer within ${limits.time / 1000} seconds`, {
      code: 'timeout',
      hint: 'Try again, or leave --tdm-site out.',
    })
  })
  if (response.text === undefined) return { address, rules: [], faults: [] }
  const found = parsed(response.text)
  if (found === undefined) throw badFile(file, 'is not a list of rules')
  return { address, ...found }
}

/** The text at an address; undefined if there is none. */
async function answerOf(
  file: URL,
  http: Http,
  signal: AbortSignal,
): Promise<{ readonly text: string | undefined }> {
  let url = file
  for (let steps = 0; steps <= limits.redirects; steps += 1) {
    const response = await http.send({
      ...{ method: 'GET', url: url.href, isPresigned: false, timeout: limits.time, signal },
      headers: { accept: 'application/json', 'user-agent': userAgent },
    })
    if (response.refusal) throw response.refusal
    const { status } = response
    if (status >= 200 && status < 300) return { text: await textOf(response, file) }
    await response.text(limits.bytes).catch(() => undefined)
    if (status === 404 || status === 410) return { text: undefined }
    const { location } = response.headers
    if (status < 300 || status >= 400 || typeof location !== 'string')
      throw siteFailure(`${url.href} answered with ${status}`)
    const next: URL | undefined = URL.canParse(location, url.href) ? new URL(location, url) : undefined
    if (next?.origin !== file.origin)
      throw siteFailure(`${url.href} leads elsewhere, to ${next?.origin ?? 'no address'}`)
    url = next as URL
  }
  throw siteFailure(`${file.href} leads from one address to another`)
}

async function textOf(response: Response, file: URL): Promise<string> {
  try {
    return await response.text(limits.bytes)
  } catch (error) {
    if (!(error instanceof NetworkFailure) || error.code !== 'bad_reply') throw error
    throw badFile(file, `is longer than ${limits.bytes / 1024} KiB`)
  }
}

function parsed(text: string): ReturnType<typeof tdmRulesIn> {
  try {
    return tdmRulesIn(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    return undefined
  }
}

const badFile = (file: URL, what: string): NetworkFailure =>
  new NetworkFailure(`${file.href} ${what}`, {
    code: 'bad_reply',
    hint: 'Correct the file on the site: a list of rules with location, tdm-reservation and tdm-policy.',
  })

const siteFailure = (message: string): NetworkFailure =>
  new NetworkFailure(message, { code: 'bad_reply', hint: 'Check the address, or leave --tdm-site out.' })

/**
 * What a site says of a book. It holds for the address that was given; where that ends with a slash, for a file of the book's
 * name there.
 */
export function siteSays({ address, rules, faults }: TdmSite, file: string): CarrierSays {
  const { href, pathname } = address
  const path = pathname.endsWith('/') ? `${pathname}${encodeURIComponent(basename(file))}` : pathname
  const found = ruleFor(path, rules)
  // Who reads the protocol to the letter goes by another rule.
  const applied =
    found === undefined
      ? []
      : [found.best, ...(found.first.reservation === found.best.reservation ? [] : [found.first])]
  const place = (location: string) => ({
    place: `${new URL('/.well-known/tdmrep.json', address).href} ${location}`,
  })
  return {
    carrier: 'site',
    name: href,
    tdm: {
      reservations: applied.map(({ location, reservation }) => ({ value: reservation, ...place(location) })),
      policies: (found?.best.policy === undefined ? [] : [found.best]).map(({ location, policy = '' }) => ({
        value: policy,
        ...place(location),
      })),
    },
    unknown: faults.slice(0, 5).map(value => ({ property: 'tdmrep.json', value, place: href })),
  }
}
