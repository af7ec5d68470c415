import { languageName } from '../service/contract/language.ts'

/**
 * Whether a language that is wanted is the one that is there: ISO 639 has two and three letters for many (`pt` and `por`, `de`
 * and `ger`), and the service names of its own for some. A tag without a region or script, as the codes of ONIX are, says
 * nothing of them.
 */
export function isSameLanguage(wanted: unknown, there: unknown): boolean {
  if (typeof wanted !== 'string' || typeof there !== 'string') return false
  if (languageName(wanted) === languageName(there)) return true
  const [one, other] = [localeOf(wanted), localeOf(there)]
  if (one === undefined || other === undefined || one.language !== other.language) return false
  const { region = other.region, script = other.script } = one
  return region === other.region && script === other.script
}

/** Undefined for what is no language tag, as the names that the service has for languages. */
function localeOf(tag: string): Intl.Locale | undefined {
  if (!/^[a-z]{2,3}(?:[-_]|$)/i.test(tag)) return undefined
  try {
    return new Intl.Locale(tag.replaceAll('_', '-'))
  } catch {
    return undefined
  }
}
