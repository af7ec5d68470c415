import * as z from 'zod/mini'

type Definition = {
  type: string
  shape?: Record<string, z.ZodMiniType>
  innerType?: z.ZodMiniType
  element?: z.ZodMiniType
  catchall?: z.ZodMiniType
}

/** A schema like this one that takes no field which it does not name, unless it names none on purpose. */
export function strict(schema: z.ZodMiniType): z.ZodMiniType {
  const { type, shape, innerType, element, catchall } = schema._zod.def as unknown as Definition
  if (type === 'object' && shape) {
    const inner = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, strict(field)]))
    return catchall ? z.catchall(z.object(inner), catchall) : z.strictObject(inner)
  }
  if (type === 'array' && element) return z.array(strict(element))
  if (type === 'lazy') return strict((schema as z.ZodMiniLazy)._zod.innerType as z.ZodMiniType)
  if (type === 'optional' && innerType) return z.optional(strict(innerType))
  if (type === 'nullable' && innerType) return z.nullable(strict(innerType))
  return schema
}
