import * as z from 'zod'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 500

/**
 * One endpoint of the service, declared once. The client call, the sandbox's route and validation, and the
 * OpenAPI document are all read from it.
 *
 * `input` holds path, query and body parameters side by side; `placesOf` tells which is which.
 * `errors` are the error statuses that the service's document lists for the endpoint.
 */
export interface Endpoint<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
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

export const endpoint = <I extends z.ZodObject, O extends z.ZodObject, M extends Method>(
  declared: Endpoint<I, O, M>,
): Endpoint<I, O, M> => declared

export { pathParameters, placesOf } from './places.ts'

type Tolerant<S extends z.core.$ZodLooseShape> = { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> }

const promises = new WeakSet<object>()

/** A field that is read when it is missing or null as well, though the service's document has it in every answer. */
export function promised<T extends z.ZodType>(type: T): z.ZodOptional<z.ZodNullable<T>> {
  const field = type.nullish()
  promises.add(field)
  return field
}

/** Whether a field is one of those: the OpenAPI document requires it. */
export const isPromised = (field: object): boolean => promises.has(field)

/**
 * An object of the service of which no field may be relied upon: each may be missing or null. `absent` names the fields
 * that the service's document itself does not have in every answer; the OpenAPI document requires the others.
 */
export const tolerant = <S extends Record<string, z.ZodType>>(
  shape: S,
  absent: 'any' | readonly (keyof S)[] = [],
): z.ZodObject<Tolerant<S>> =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, type]) => [
        name,
        absent === 'any' || absent.includes(name) ? type.nullish() : promised(type),
      ]),
    ) as Tolerant<S>,
  )

type AnyOf<V extends readonly string[]> = z.ZodType<V[number] | (string & {}), V[number] | (string & {})>

/** A string that takes the documented values and, since the document does not show all of them, any other. */
export const openEnum = <const V extends readonly string[]>(values: V) =>
  z.string().meta({ 'x-extensible-enum': values }) as unknown as AnyOf<V>

/** A string of which the document shows every value; another one is read all the same. */
export const documentedEnum = <const V extends readonly string[]>(values: V) =>
  z.string().meta({ enum: values }) as unknown as AnyOf<V>

// How the service writes what JSON has no type for; texts that are written otherwise are read all the same.
export const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601 timestamp' })
export const uuid = z.string().meta({ format: 'uuid' })
export const decimalCount = z.string().meta({ pattern: '^\\d+$', description: 'A whole number in decimal' })
export const byId = z.strictObject({ id: z.string().min(1) })
export const noInput = z.strictObject({})
