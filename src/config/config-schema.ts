/**
 * What config.json has to be as a whole, as JSON Schema; `title` is what messages call a value. Each profile is checked when it is
 * used, in profile.ts, so that one that is damaged keeps nobody from using, replacing or removing others. The build compiles it.
 */
export const configSchema = {
  current: { title: 'a name', type: 'string', nullable: true },
  profiles: { title: 'an object', type: 'object', nullable: true },
} as const
