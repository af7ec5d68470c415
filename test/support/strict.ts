import * as z from 'zod'

type Definition = {
  type: string
  shape?: Record<string, z.ZodType>
  innerType?: z.ZodType
  element?: z.ZodType
  catchall?: z.ZodType
}

/** A schema like this one that takes no field which it does not name, unless it names none on purpose. */
export function strict(schema: z.ZodType): z.ZodType {
  const { type, shape, innerType, element, catchall } = schema._zod.def as unknown as Definition
  if (type === 'object' && shape) {
    const inner = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, strict(field)]))
    return catchall ? z.object(inner).catchall(catchall) : z.strictObject(inner)
  }
  if (type === 'array' && element) return z.array(strict(element))
  if (type === 'optional' && innerType) return z.optional(strict(innerType))
  if (type === 'nullable' && innerType) return z.nullable(strict(innerType))
  return schema
}
