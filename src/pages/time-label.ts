const label = () =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A time as `1 March 2026 at 09:30 UTC`. */
export const timeLabel = (time: Date | number): string => `${label().format(time)} UTC`
