type Environment = Readonly<Record<string, string | undefined>>

/** Terminals that name themselves in TERM_PROGRAM or TERM, and open links (https://github.com/Alhadis/OSC8-Adoption). */
const programs = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio'])
const terminals = /^(xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/

/** The first version of VTE, the terminal of GNOME and others, in which links are safe. */
const vteWithLinks = 5002

/**
 * Whether the terminal says that it opens links (OSC 8). FORCE_HYPERLINK decides where it is set, as for other programs.
 * Within tmux or screen, nobody knows what is around them.
 */
export function opensLinks(env: Environment, isTerminal: boolean): boolean {
  const forced = env['FORCE_HYPERLINK']
  if (forced !== undefined && forced !== '') return forced !== '0'
  if (!isTerminal || env['TERM'] === 'dumb' || env['TMUX'] || env['STY']) return false
  return (
    programs.has(env['TERM_PROGRAM'] ?? '') ||
    terminals.test(env['TERM'] ?? '') ||
    Number(env['VTE_VERSION'] ?? 0) >= vteWithLinks ||
    Boolean(env['WT_SESSION'] || env['KONSOLE_VERSION'])
  )
}

/** The sequences that start and end a link; the address is of printable ASCII. */
export const linkSequence = '\\u001b\\]8;;(?:https?://[!-[\\]-~]{1,2000})?\\u001b\\\\'

/** A text as a link, if the whole of `address` is one of the web; else as it is. */
export function link(text: string, address: string): string {
  if (!/^https?:\/\/[!-[\]-~]{1,2000}$/.test(address) || !URL.canParse(address)) return text
  return `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`
}
