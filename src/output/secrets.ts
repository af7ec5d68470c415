import type { World } from '../world.ts'

const known = new WeakMap<World, Set<string>>()

/** Notes a text, such as the key in use, that must not be shown to a person for as long as this world lasts. */
export function keepSecret(world: World, secret: string): void {
  if (secret.length < shortest) return
  const secrets = known.get(world) ?? new Set()
  known.set(world, secrets)
  secrets.add(secret).add(JSON.stringify(secret).slice(1, -1)).add(encodeURIComponent(secret))
}

/** What is shorter is no secret, and hiding it would tear holes into ordinary words. */
const shortest = 8

/** Secrets by the look of what stands around them, for those that nobody has noted. */
const patterns: readonly RegExp[] = [
  /(?<=\bauthorization\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic)\s+)?)(?!bearer\s|basic\s)[^\s"',\\]{8,}/gi,
  /(?<=\bkeyHash\\?["']?\s*[:=]\s*\\?["']?)[^\s"',}\\]+/gi,
  /(?<=\bhttps?:\/\/[^\s"'<>?]*\?)[^\s"'<>\\]*\bX-Amz-[^\s"'<>\\]*/gi,
  /(?<=\bX-Amz-(?:Signature|Credential|Security-Token)=)[^&\s"'<>\\]+/gi,
]

/** Takes the secrets of a world out of a text: those that were noted by their value, others by their pattern. */
export const hiderFor = (world: World) => (text: string) => {
  const byValue = [...(known.get(world) ?? [])]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, replacement), text)
  return patterns.reduce((rest, pattern) => rest.replace(pattern, replacement), byValue)
}

const replacement = '[redacted]'
