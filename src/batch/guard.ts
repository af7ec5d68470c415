import type { Context } from '../context.ts'
import { neutralise, neutraliseJson } from '../output/neutralise.ts'
import { hideInside } from '../output/secrets.ts'
import type { Guard } from '../transfer/report/text.ts'

/** Makes values safe for the files that this command writes. */
export const guardOf = ({ err }: Pick<Context, 'err'>): Guard => ({
  hide: value => hideInside(value, err.hide),
  neutralise,
  neutraliseJson,
})
