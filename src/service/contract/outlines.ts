import type * as names from './zod-names.ts'

/** What zod keeps of a schema, as far as the reader of answers and the lists of fields look at it. */
interface Definition {
  readonly type: string
  readonly shape?: Shape
  readonly innerType?: Outline
  readonly element?: Outline
  readonly valueType?: Outline
  readonly catchall?: Outline
  readonly getter?: () => Outline
  readonly checks?: readonly Check[]
}

type Fits = (value: unknown) => boolean

interface Outline {
  readonly _zod: { readonly def: Definition }
  readonly shape: Shape
  check(...checks: readonly Check[]): Outline
  /** Succeeds only where zod does. zod may take more where a value is missing, or of what is rare in a request. */
  safeParse(value: unknown): { readonly success: boolean }
}

type Shape = Readonly<Record<string, Outline>>

interface Check {
  readonly _zod: { readonly def: { readonly check: string } }
  readonly fits: Fits
}

const outline = (def: Definition, fits: Fits): Outline => ({
  _zod: { def },
  shape: def.shape ?? {},
  check: (...checks) =>
    outline({ ...def, checks: [...(def.checks ?? []), ...checks] }, value =>
      [{ fits }, ...checks].every(each => each.fits(value)),
    ),
  safeParse: value => ({ success: fits(value) }),
})

const leaf = (type: string, fits: Fits) => (): Outline => outline({ type }, fits)
const check = (name: string, fits: Fits): Check => ({ _zod: { def: { check: name } }, fits })
const takes = (type: Outline, value: unknown): boolean => type.safeParse(value).success

const wrapped = (type: string, nothing: null | undefined) => (innerType: Outline) =>
  outline({ type, innerType }, value => value === nothing || takes(innerType, value))

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const object = (shape: Shape, catchall?: Outline): Outline =>
  outline({ type: 'object', shape, ...(catchall && { catchall }) }, value => {
    if (!isPlainObject(value)) return false
    for (const name in shape) if (!takes(shape[name] as Outline, value[name])) return false
    if (catchall === undefined) return true
    return Object.entries(value).every(([name, each]) => Object.hasOwn(shape, name) || takes(catchall, each))
  })

const string = leaf('string', value => typeof value === 'string')
const unknown = leaf('unknown', value => value !== undefined)
const never = leaf('never', () => false)
const optional = wrapped('optional', undefined)
const nullable = wrapped('nullable', null)
const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/**
 * What a request needs of zod: each part notes what it is told where zod does, and knows what surely fits. An answer is read
 * and an input is checked by that. zod itself is loaded for an input that may not fit, to name its faults, and by whoever
 * checks strictly. To load it and to make the schemas of an endpoint of it would take a request 5 ms of 54, where Node itself
 * starts in 19.
 */
export const outlines = {
  string,
  unknown,
  number: leaf('number', Number.isFinite),
  int: leaf('number', Number.isSafeInteger),
  boolean: leaf('boolean', value => typeof value === 'boolean'),
  uuid: () => string().check(check('string_format', value => uuid.test(String(value)))),
  enum: (values: readonly unknown[]) => outline({ type: 'enum' }, value => values.includes(value)),
  union: leaf('union', () => false),
  array: (element: Outline) =>
    outline(
      { type: 'array', element },
      value => Array.isArray(value) && value.every(each => takes(element, each)),
    ),
  record: (_: Outline, valueType: Outline) =>
    outline(
      { type: 'record', valueType },
      value => isPlainObject(value) && Object.values(value).every(each => takes(valueType, each)),
    ),
  lazy: (getter: () => Outline) => outline({ type: 'lazy', getter }, value => takes(getter(), value)),
  optional,
  nullable,
  nullish: (type: Outline) => optional(nullable(type)),
  object: (shape: Shape) => object(shape),
  strictObject: (shape: Shape) => object(shape, never()),
  looseObject: (shape: Shape) => object(shape, unknown()),
  catchall: ({ shape }: Outline, type: Outline) => object(shape, type),
  extend: ({ shape, _zod: { def } }: Outline, more: Shape) => object({ ...shape, ...more }, def.catchall),
  minLength: (least: number) => check('min_length', value => String(value).length >= least),
  minimum: (least: number) => check('greater_than', value => Number(value) >= least),
  maximum: (most: number) => check('less_than', value => Number(value) <= most),
  regex: (pattern: RegExp) => check('string_format', value => pattern.test(String(value))),
  refine: (fits: Fits) => check('custom', fits),
  meta: () => check('meta', () => true),
} satisfies Record<keyof typeof names, unknown>
