import * as z from 'zod/mini'

// zod's small build has no words of its own, and what it would compile for speed costs a short command more than it gains.
z.config({ ...z.locales.en(), jitless: true })

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 500

/**
 * One endpoint of the service, declared once. The client call, the sandbox's route and validation, and the
 * OpenAPI document are all read from it.
 *
 * `input` holds path, query and body parameters side by side; `parameterLocations` tells which is which.
 * `errors` are the error statuses that the service's document lists for the endpoint.
 */
export interface Endpoint<
  I extends z.ZodMiniObject = z.ZodMiniObject,
  O extends z.ZodMiniObject = z.ZodMiniObject,
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
   * Whether a request that changes something may be made again when it is not known what became of it. A creation by
   * `uploadRequestId` gives the same publication again; of the others, those that set values do (PATCH).
   */
  readonly isRepeatable?: boolean
}

export type Group = Readonly<Record<string, Endpoint>>
/** What a caller passes to an endpoint. */
export type Input<E extends Endpoint> = z.input<E['input']>
/** What the service answers; nothing that the document does not call required may be relied upon. */
export type Output<E extends Endpoint> = z.output<E['output']>

/** An endpoint as it is declared: its schemas are made when they are first asked for. */
type Declared<I extends z.ZodMiniObject, O extends z.ZodMiniObject, M extends Method> = Omit<
  Endpoint<I, O, M>,
  'input' | 'output'
> & { readonly input: () => I; readonly output: () => O }

export function endpoint<I extends z.ZodMiniObject, O extends z.ZodMiniObject, M extends Method>({
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
 * A schema that is made when it is first asked for, and once. To make all that a group of the contract declares takes
 * longer than the rest of a command's help.
 */
export function late<S extends z.ZodMiniType>(make: () => S): () => S {
  let made: S | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What a value that was checked by a late schema is. */
export type Checked<S extends () => z.ZodMiniType> = z.output<ReturnType<S>>

type Tolerant<S extends z.core.$ZodLooseShape> = {
  [K in keyof S]: z.ZodMiniOptional<z.ZodMiniNullable<S[K]>>
}

const promises = new WeakSet<object>()

/** A field that is read when it is missing or null as well, though the service's document has it in every answer. */
export function promised<T extends z.ZodMiniType>(type: T): z.ZodMiniOptional<z.ZodMiniNullable<T>> {
  const field = z.nullish(type)
  promises.add(field)
  return field
}

/** Whether a field is one of those: the OpenAPI document requires it. */
export const isPromised = (field: object): boolean => promises.has(field)

/**
 * An object of the service of which no field may be relied upon: each may be missing or null. `absent` names the fields
 * that the service's document itself does not have in every answer; the OpenAPI document requires the others.
 */
export const tolerant = <S extends Record<string, z.ZodMiniType>>(
  shape: S,
  absent: 'any' | readonly (keyof S)[] = [],
): z.ZodMiniObject<Tolerant<S>> =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, type]) => [
        name,
        absent === 'any' || absent.includes(name) ? z.nullish(type) : promised(type),
      ]),
    ) as Tolerant<S>,
  )

type AnyOf<V extends readonly string[]> = z.ZodMiniType<V[number] | (string & {}), V[number] | (string & {})>

/** A string that takes the documented values and, since the document does not show all of them, any other. */
export const openEnum = <const V extends readonly string[]>(values: V) =>
  z.string().check(z.meta({ 'x-extensible-enum': values })) as unknown as AnyOf<V>

/** A string of which the document shows every value; another one is read all the same. */
export const documentedEnum = <const V extends readonly string[]>(values: V) =>
  z.string().check(z.meta({ enum: values })) as unknown as AnyOf<V>

// How the service writes what JSON has no type for; texts that are written otherwise are read all the same.
export const timestamp = () =>
  z.string().check(z.meta({ format: 'date-time', description: 'ISO 8601 timestamp' }))
export const uuid = () => z.string().check(z.meta({ format: 'uuid' }))
export const decimalCount = () =>
  z.string().check(z.meta({ pattern: '^\\d+$', description: 'A whole number in decimal' }))
export const nonEmpty = () => z.string().check(z.minLength(1))
export const byId = late(() => z.strictObject({ id: nonEmpty() }))
export const noInput = late(() => z.strictObject({}))
