import type * as zod from 'zod/mini'
import { type Failure, NetworkFailure } from '../../system/errors.ts'
import { isObject } from '../../system/is-object.ts'
import { type Checked, type Endpoint, isDecimal, late, type Output } from '../contract/endpoint.ts'
import type { SuccessContext } from '../contract/envelope.ts'

/**
 * What is read where a type is declared: every field is there, and null if the service left it out or sent what does not
 * fit. A list that belongs to every answer is never null. Undeclared fields stay as they came.
 */
export type ReadAs<T> = unknown extends T
  ? unknown
  : T extends string | number | boolean
    ? T
    : T extends readonly (infer E)[]
      ? ReadAs<E>[]
      : { [K in keyof T]-?: ReadField<K, T[K]> }
type ReadField<K, T> = unknown extends T
  ? unknown
  : string extends K
    ? T
    : [T] extends [readonly unknown[]]
      ? ReadAs<T>
      : ReadAs<NonNullable<T>> | null

/** An answer as it is read. */
export type Value<E extends Endpoint> = ReadAs<Output<E>> & {
  readonly context: Resource<typeof SuccessContext> | null
}
/** An item of a list as it is read. */
export type ItemOf<E extends Endpoint> = Value<E> extends { readonly items: readonly (infer T)[] } ? T : never
/** A resource as it is read. */
export type Resource<S extends () => zod.ZodMiniType> = ReadAs<Checked<S>>

/** An answer of the service. */
export interface Answer<E extends Endpoint> {
  /** What it says, in the declared types: read by everything that decides. */
  readonly value: Value<E>
  /** What was sent, unchanged: printed. */
  readonly raw: { readonly [K in keyof Output<E>]?: unknown }
}

/** Reads an answer as its endpoint declares it. Throws `bad_reply` if it has the wrong shape (see `readAs`). */
export function readAnswer<E extends Endpoint>(
  endpoint: E,
  raw: Readonly<Record<string, unknown>>,
  what: string,
): Answer<E> {
  const { output } = endpoint
  if ('items' in output.shape && raw['items'] === undefined) throw badReply(what, 'no items')
  const value = readWith(envelopeReader, output, raw, trouble => badReply(what, trouble))
  return { value: value as Value<E>, raw: raw as Answer<E>['raw'] }
}

/** What an answer says, with at most so many of its resources: whoever needs no more spares the copies of a long list. */
export function beginningOf<E extends Endpoint>(
  endpoint: E,
  { value, raw }: Answer<E>,
  count: number,
): Value<E> {
  const { items } = raw as { readonly items?: unknown }
  if (!Array.isArray(items) || items.length <= count) return value
  return readAnswer(endpoint, { ...raw, items: items.slice(0, count) }, 'the service').value
}

/**
 * Reads a resource. What is missing, null, an empty text or of another type says nothing, and is null. Throws the failure that `unfit` makes if the resource is no object, if what must be a list
 * is none, or if something must be copied as it is and cannot be.
 */
export const readAs = <S extends zod.ZodMiniType>(
  schema: S,
  value: unknown,
  unfit: (trouble: string) => Failure,
): ReadAs<zod.output<S>> => readWith(resourceReader, schema, value, unfit) as ReadAs<zod.output<S>>

/** With `isCheck`, nothing is copied: what cannot be read as it is gives `unlike`. */
type Reader = (value: unknown, isCheck?: boolean) => unknown

/** Stands for a copy that nobody asked for. */
const unlike = Symbol('unlike')

function readWith(
  makeReader: (schema: zod.core.$ZodType) => Reader,
  schema: zod.core.$ZodType,
  value: unknown,
  unfit: (trouble: string) => Failure,
): unknown {
  const read = readers.get(schema) ?? makeReader(schema)
  readers.set(schema, read)
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof WrongShape)) throw error
    throw unfit(`${error.path.join('.') || 'something'} that is no ${error.wanted}`)
  }
}

/** The readers of the schemas that answers were read with. */
const readers = new WeakMap<zod.core.$ZodType, Reader>()

/** Something in an answer cannot be read as anything. */
class WrongShape extends Error {
  readonly path: PropertyKey[] = []
  readonly wanted: string

  constructor(wanted: 'list' | 'object' | 'text') {
    super(wanted)
    this.wanted = wanted
  }
}

interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, zod.core.$ZodType>>
  readonly innerType?: zod.core.$ZodType
  readonly element?: zod.core.$ZodType
  readonly valueType?: zod.core.$ZodType
  readonly getter?: () => zod.core.$ZodType
  readonly checks?: readonly zod.core.$ZodCheck[]
}
const definitionOf = (schema: zod.core.$ZodType) => schema._zod.def as unknown as Definition

const envelopeReader = (schema: zod.core.$ZodType) =>
  objectReader(schema, name => (['item', 'items', 'result'].includes(name) ? 0 : deep)) as Reader
const resourceReader = (schema: zod.core.$ZodType): Reader => readerOf(schema, 0)

/** A resource, an object directly in it, and an element of a list of resources must be objects; what is deeper may be odd. */
const deep = 2

/** `depth` is how deep in an answer the schema is: 0 for its resource or its list of resources. */
function readerOf(schema: zod.core.$ZodType, depth: number): Reader {
  const { type, innerType, element, valueType, getter, checks = [] } = definitionOf(schema)
  if (innerType) {
    // What may be missing may mostly be null as well, which is a type in a type.
    if (definitionOf(innerType).innerType) return readerOf(innerType, depth)
    // Made when the first value comes: most fields are never sent.
    let read: Reader | undefined
    return (value, isCheck) => {
      if (value === null || value === undefined) return null
      read ??= readerOf(innerType, depth)
      return read(value, isCheck)
    }
  }
  if (element) return (depth === 0 ? resourcesReader : listReader)(readerOf(element, depth + 1))
  if (getter) {
    const read = late(() => readerOf(getter(), depth))
    return (value, isCheck) => read()(value, isCheck)
  }
  if (type === 'object') {
    const read = objectReader(schema, () => depth + 1)
    return (value, isCheck) => {
      if (isObject(value)) return read(value, isCheck)
      if (depth < deep) throw new WrongShape('object')
      return null
    }
  }
  if (type === 'unknown') return value => value ?? null
  if (valueType) return definitionOf(valueType).type === 'string' ? copyTexts : anyObject
  if (type === 'string' && checks.every(isDescription)) return isDecimal(schema) ? readDecimal : readText
  if (type === 'boolean' && checks.length === 0) return value => (typeof value === 'boolean' ? value : null)
  return value => ((schema as zod.ZodMiniType).safeParse(value).success ? value : null)
}

/** Whether a check only describes: it has nothing to check. */
const isDescription = ({ _zod: { def } }: zod.core.$ZodCheck): boolean =>
  def.check === 'meta' || def.check === 'describe'

const readText: Reader = value => (typeof value === 'string' && value !== '' ? value : null)
const readDecimal: Reader = value => (Number.isSafeInteger(value) ? String(value) : readText(value))
const anyObject: Reader = value => (isObject(value) ? value : null)

function copyTexts(value: unknown): unknown {
  if (!isObject(value)) throw new WrongShape('object')
  for (const [name, text] of Object.entries(value))
    if (typeof text !== 'string') throw at(name, new WrongShape('text'))
  return value
}

/** The list itself if all of it can be read as it is, without what says nothing. */
function listReader(readElement: Reader): Reader {
  return (value, isCheck) => {
    let isSame = true
    const read: unknown[] = []
    eachOf(value, element => {
      const each = element === null ? null : readElement(element, isCheck)
      if (each !== element || each === null) isSame = false
      if (!isCheck && each !== null) read.push(each)
    })
    return isSame ? (value ?? []) : isCheck ? unlike : read
  }
}

/**
 * A list of resources, in which what says nothing keeps its place. All of it is read, so that a wrong shape is found, but
 * copies are made when somebody asks for them: those of a long answer that is only printed would take as much memory as the
 * answer itself.
 */
function resourcesReader(readElement: Reader): Reader {
  return value => {
    let isSame = true
    eachOf(value, element => {
      if (readElement(element ?? {}, true) !== element) isSame = false
    })
    if (isSame) return value ?? []
    return new Copied(() => (value as unknown[]).map(element => readElement(element ?? {})))
  }
}

/** A list that is copied once somebody asks for it. */
class Copied {
  readonly copy: () => unknown[]

  constructor(copy: () => unknown[]) {
    this.copy = late(copy)
  }
}

function eachOf(value: unknown, visit: (element: unknown) => void): void {
  if (value === null || value === undefined) return
  if (!Array.isArray(value)) throw new WrongShape('list')
  let index = 0
  try {
    for (; index < value.length; index++) visit(value[index])
  } catch (error) {
    throw at(index, error)
  }
}

/** The object itself if all of its fields can be read as they are. */
function objectReader(
  schema: zod.core.$ZodType,
  depthOf: (name: string) => number,
): (value: Readonly<Record<string, unknown>>, isCheck?: boolean) => unknown {
  const shape = Object.entries(definitionOf(schema).shape ?? {})
  const names = shape.map(([name]) => name)
  const readFields = shape.map(([name, field]) => readerOf(field, depthOf(name)))
  return (value, isCheck) => {
    let copy: Record<string, unknown> | undefined
    let isSame = true
    // By its index, in one attempt: a listing reads a million fields.
    let index = 0
    try {
      for (; index < names.length; index++) {
        const name = names[index] as string
        const came = value[name]
        const read = (readFields[index] as Reader)(came, isCheck)
        if (read === came) continue
        isSame = false
        if (isCheck) continue
        copy ??= { ...value }
        if (read instanceof Copied) Object.defineProperty(copy, name, { get: read.copy, enumerable: true })
        else copy[name] = read
      }
    } catch (error) {
      throw at(names[index] as string, error)
    }
    return isSame ? value : (copy ?? unlike)
  }
}

/** The same error, one step further out. */
function at(step: PropertyKey, error: unknown): unknown {
  if (error instanceof WrongShape) error.path.unshift(step)
  return error
}

const badReply = (what: string, trouble: string): NetworkFailure =>
  new NetworkFailure(`${what} answered with ${trouble}`, {
    code: 'bad_reply',
    hint: 'Check that the address is the one of the service; another service may have answered in its place.',
  })
