import { maskKey } from '../config/mask.ts'
import type { ServiceClient } from '../service/client/call.ts'
import { readAnswer, type Value } from '../service/client/read.ts'
import { readReply } from '../service/client/reply.ts'
import { apikeys } from '../service/contract/apikeys.ts'
import { dayOf } from '../system/calendar.ts'
import { Failure } from '../system/errors.ts'
import type { World } from '../system/world.ts'
import { type Finding, fail, pass, skip, warn } from './finding.ts'
import { endOfKey, endsSoon, warningsOfKeys } from './key-warnings.ts'

/** A larger difference between the clocks may make presigned URLs invalid, in seconds. */
const tolerance = 60

/** Checks the service, the key and this machine's clock with one request, for the caller's own keys. */
export async function checkService(
  client: ServiceClient,
  key: string,
  { clock }: Pick<World, 'clock'>,
): Promise<Finding[]> {
  const started = clock.now()
  try {
    const response = await client.send({ method: 'GET', path: apikeys.list.path })
    if (response.refusal) throw response.refusal
    const skew = checkClock(response.headers['date'], (started + clock.now()) / 2)
    const answer = readReply(response, client.name).then(
      reply => readAnswer(apikeys.list, reply, client.name).value,
    )
    return [...(await checkReply(answer, key, clock.now())), skew]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [fail('service', error), skip('key', 'the service gave no answer about it')]
  }
}

async function checkReply(
  answer: Promise<Value<typeof apikeys.list>>,
  key: string,
  now: number,
): Promise<Finding[]> {
  try {
    const { context, items: keys } = await answer
    const answered = pass('service', 'it answers as its document says')
    const keyId = context?.authentication?.keyId ?? null
    const own = keys.find(each => keyId !== null && [each.keyId, each.id].includes(keyId))
    const scopes = own?.scopes ? `, may ${own.scopes.join(', ')}` : ''
    const accepted = `${maskKey(key)} is accepted${scopes}`
    const end = own && endOfKey(own)
    const finding =
      end !== undefined && endsSoon(end, now)
        ? warn(
            'key',
            `${accepted}, until ${dayOf(end)}`,
            'Make another key and store it before that day: pubctl profile setup',
          )
        : pass('key', accepted)
    const others = warningsOfKeys(
      keys.filter(each => each !== own),
      now,
    ).map(({ message }) => message)
    if (others.length === 0) return [answered, finding]
    return [answered, finding, warn('keys', others.join('; '), 'What to do about each: pubctl apikeys list')]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.status === 401)
      return [pass('service', 'it answers'), fail('key', refused(error, 'does not accept'))]
    if (error.status === 403)
      return [pass('service', 'it answers'), fail('key', refused(error, 'knows, but does not let read,'))]
    return [fail('service', error), skip('key', 'the service gave no answer about it')]
  }
}

const refused = ({ message, code, exitCode, hint }: Failure, how: string): Failure =>
  new Failure(`the service ${how} the key: ${message}`, { code, exitCode, hint })

/** Compares this machine's clock with the `Date` header of the service, which has whole seconds. */
function checkClock(date: unknown, now: number): Finding {
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN
  if (Number.isNaN(theirs)) return skip('clock', 'the service does not send its time')
  const skew = Math.round((now - theirs) / 1000)
  const amount = Math.abs(skew)
  if (amount <= tolerance) return pass('clock', `within ${Math.max(amount, 1)} s of the clock of the service`)
  return warn(
    'clock',
    `this machine's clock is ${amount} s ${skew > 0 ? 'ahead of' : 'behind'} the clock of the service`,
    'Set the clock; upload addresses are valid for a short time only.',
  )
}
