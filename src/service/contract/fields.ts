import type * as z from 'zod/mini'

type Definition = {
  type: string
  shape?: Record<string, z.core.$ZodType>
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  catchall?: z.core.$ZodType
}

/**
 * The dotted names of every documented field of a resource, outer ones first. `name.*` stands for an object whose
 * contents are not documented, so that any name may follow.
 */
export function fieldsOf(schema: () => z.core.$ZodType): Set<string> {
  const names = new Set<string>()
  collect(schema(), '', names)
  return new Set([...names].sort((a, b) => a.split('.').length - b.split('.').length))
}

function collect(schema: z.core.$ZodType, prefix: string, names: Set<string>): void {
  const { type, shape, innerType, element, catchall } = schema._zod.def as unknown as Definition
  const inner = innerType ?? element
  if (inner) {
    collect(inner, prefix, names)
    return
  }
  if (type === 'record' || type === 'unknown' || catchall) names.add(`${prefix}*`)
  for (const [name, field] of Object.entries(shape ?? {})) {
    names.add(prefix + name)
    collect(field, `${prefix}${name}.`, names)
  }
}
