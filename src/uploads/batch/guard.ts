import type { Context } from '../../cli/context.ts'
import { neutralise, neutraliseJson } from '../../cli/output/neutralise.ts'
import { hideInside } from '../../cli/output/secrets.ts'
import type { Guard } from '../report/text.ts'

/** Makes values safe for the files that this command writes. */
export const guardOf = ({ err }: Pick<Context, 'err'>): Guard => ({
  hide: value => hideInside(value, err.hide),
  neutralise,
  neutraliseJson,
})
