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

/** An object of the service of which no field may be relied upon: each may be missing or null. */
export const tolerant = <S extends Record<string, z.ZodType>>(shape: S): z.ZodObject<Tolerant<S>> =>
  z.object(
    Object.fromEntries(Object.entries(shape).map(([name, type]) => [name, type.nullish()])) as Tolerant<S>,
  )

/** A string that takes the documented values and, since the service may grow, any other. */
export const openEnum = <const V extends readonly string[]>(values: V) =>
  z.string().meta({ 'x-extensible-enum': values }) as unknown as z.ZodType<
    V[number] | (string & {}),
    V[number] | (string & {})
  >

export const timestamp = z.string().meta({ description: 'ISO 8601 timestamp' })
export const byId = z.strictObject({ id: z.string().min(1) })
export const noInput = z.strictObject({})
