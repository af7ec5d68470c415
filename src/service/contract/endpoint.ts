import type * as zod from 'zod/mini'
import { z } from './zod.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 500

/**
 * One endpoint of the service. The client's call, the sandbox's route and validation, and the OpenAPI document are derived
 * from it.
 *
 * `input` holds path, query and body parameters side by side; `parameterLocations` separates them.
 * `errors` are the error statuses that the service's document lists for the endpoint.
 */
export interface Endpoint<
  I extends zod.ZodMiniObject = zod.ZodMiniObject,
  O extends zod.ZodMiniObject = zod.ZodMiniObject,
  M extends Method = Method,
> {
  readonly method: M
  readonly path: `/v1/${string}`
  readonly status: 200 | 201
  readonly errors: readonly ErrorStatus[]
  readonly summary: string
  readonly input: I
  readonly output: O
  /**
   * Whether a request that changes something may be repeated if it is not known whether it was carried out. A creation with
   * an `uploadRequestId` returns the same publication again; otherwise only requests that set values (PATCH) may.
   */
  readonly isRepeatable?: boolean
  /** Whether it answers with a page of a list, and a token for the next one (§4.11). */
  readonly isPaged?: true
  /** The most items that it gives in a page, if its document says so. */
  readonly mostItems?: number
}

export type Group = Readonly<Record<string, Endpoint>>
/** What a caller passes to an endpoint. */
export type Input<E extends Endpoint> = zod.input<E['input']>
/** What the service sends. Only what the document calls required can be relied on. */
export type Output<E extends Endpoint> = zod.output<E['output']>

/** The declaration of an endpoint; its schemas are created when they are first used. */
type Declared<I extends zod.ZodMiniObject, O extends zod.ZodMiniObject, M extends Method> = Omit<
  Endpoint<I, O, M>,
  'input' | 'output'
> & { readonly input: () => I; readonly output: () => O }

export function endpoint<I extends zod.ZodMiniObject, O extends zod.ZodMiniObject, M extends Method>({
  input,
  output,
  ...facts
}: Declared<I, O, M>): Endpoint<I, O, M> {
  const [makeInput, makeOutput] = [late(input), late(output)]
  return {
    ...facts,
    get input() {
      return makeInput()
    },
    get output() {
      return makeOutput()
    },
  }
}

/**
 * Something that is made once, when it is first used, such as a schema, and once more after zod was loaded. Creating all
 * schemas of a group takes longer than the rest of a command's help.
 */
export function late<S extends object>(make: () => S): () => S {
  let made: { readonly of: typeof z; readonly it: S } | undefined
  return () => {
    if (made?.of !== z) made = { of: z, it: make() }
    return made.it
  }
}

/** The type of the values of a late schema. */
export type Checked<S extends () => zod.ZodMiniType> = zod.output<ReturnType<S>>

type Tolerant<S extends zod.core.$ZodLooseShape> = {
  [K in keyof S]: zod.ZodMiniOptional<zod.ZodMiniNullable<S[K]>>
}

const promises = new WeakSet<object>()

/** A field that may be missing or null when it is read, although the service's document has it in every answer. */
export function promised<T extends zod.ZodMiniType>(type: T): zod.ZodMiniOptional<zod.ZodMiniNullable<T>> {
  const field = z.nullish(type)
  promises.add(field)
  return field
}

/** Whether a field is such a field, which the OpenAPI document requires. */
export const isPromised = (field: object): boolean => promises.has(field)

/**
 * An object of the service. Each field may be missing or null when it is read. `absent` names the fields that the service's
 * document does not have in every answer; the OpenAPI document requires the others.
 */
export const tolerant = <S extends Record<string, zod.ZodMiniType>>(
  shape: S,
  absent: 'any' | readonly (keyof S)[] = [],
): zod.ZodMiniObject<Tolerant<S>> =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, type]) => [
        name,
        absent === 'any' || absent.includes(name) ? z.nullish(type) : promised(type),
      ]),
    ) as Tolerant<S>,
  )

type AnyOf<V extends readonly string[]> = zod.ZodMiniType<
  V[number] | (string & {}),
  V[number] | (string & {})
>

/** A string with documented values. Others are accepted, because the document does not show all. */
export const openEnum = <const V extends readonly string[]>(values: V) =>
  z.string().check(z.meta({ 'x-extensible-enum': values })) as unknown as AnyOf<V>

/** A string of which the document shows every value; when read, others are accepted too. */
export const documentedEnum = <const V extends readonly string[]>(values: V) =>
  z.string().check(z.meta({ enum: values })) as unknown as AnyOf<V>

// The service's notations for types that JSON does not have. When read, other texts are accepted too.
export const timestamp = () =>
  z.string().check(z.meta({ format: 'date-time', description: 'ISO 8601 timestamp' }))
export const uuid = () => z.string().check(z.meta({ format: 'uuid' }))
/** A count as decimal text; when read, a number is accepted too, and read as such a text. */
export function decimalCount() {
  const field = z.string().check(z.meta({ pattern: '^\\d+$', description: 'A whole number in decimal' }))
  decimals.add(field)
  return field
}
const decimals = new WeakSet<object>()

/** Whether a field is such a count. */
export const isDecimal = (field: object): boolean => decimals.has(field)
/** The most items in a page, where the document names a limit (§8). */
export const largestPage = 50
export const pageLimit = () => z.optional(z.int().check(z.minimum(1), z.maximum(largestPage)))
export const nonEmpty = () => z.string().check(z.minLength(1))
export const byId = late(() => z.strictObject({ id: nonEmpty() }))
export const noInput = late(() => z.strictObject({}))
