import type { Product } from './product.ts'

/** A product after a later record of it: a whole record replaces the earlier one, and a partial one amends it. */
export function amended(earlier: Product, later: Product): Product {
  const overrides = { ...earlier.overrides, ...later.overrides }
  // A record that withdraws a product need not name it.
  if (!later.isPartial) return later.withdrawn === null ? later : { ...later, overrides }
  const leftOut = [...(earlier.leftOut ?? []), ...(later.leftOut ?? [])]
  return {
    ...{ ...earlier, from: later.from, overrides, key: later.key ?? earlier.key },
    ...(later.proprietaryId !== undefined && { proprietaryId: later.proprietaryId }),
    ...(later.record && { record: later.record }),
    optional: { ...earlier.optional, ...later.optional },
    type: later.type ?? earlier.type,
    isReflowable: later.isReflowable ?? earlier.isReflowable,
    ignored: later.ignored ?? earlier.ignored,
    withdrawn: later.record?.saysSale ? later.withdrawn : earlier.withdrawn,
    dropped: {
      prices: later.dropped.prices || earlier.dropped.prices,
      rights: later.dropped.rights || earlier.dropped.rights,
    },
    ...(leftOut.length > 0 && { leftOut }),
  }
}
