/** List 145 of EDItEUR's code lists, Issue 74 (https://www.editeur.org/14/Code-Lists/): what a constraint is about. */
export const list145: Readonly<Record<string, string>> = {
  '00': 'No constraints',
  '01': 'Preview',
  '02': 'Print',
  '03': 'Copy / paste',
  '04': 'Share',
  '05': 'Text to speech',
  '06': 'Lend',
  '07': 'Time-limited license',
  '08': 'Library loan renewal',
  '09': 'Multi-user license',
  '10': 'Preview on premises',
  '11': 'Text and data mining',
  '13': 'TDM for AI to enhance the private purchase experience',
  '14': 'TDM for AI to enhance the private reading experience',
  '16': 'Library loan',
}

/** List 146: whether it is allowed. 03 of text and data mining means "to the full extent allowed by law". */
export const list146: Readonly<Record<string, string>> = {
  '01': 'Permitted unlimited',
  '02': 'Permitted subject to limit',
  '03': 'Prohibited',
}

/** Those of list 19 that are no people. */
export const artificialMakers: Readonly<Record<string, string>> = {
  '05': 'Synthesized voice – male',
  '06': 'Synthesized voice – female',
  '07': 'Synthesized voice – unspecified',
  '08': 'Synthesized voice – based on real voice actor',
  '09': 'AI (Artificial intelligence)',
}

/** The one of them that is no voice. */
export const aiMaker = '09'

/** Those of list 17 who read a book aloud: narrator, read by. */
export const narratorRoles: readonly string[] = ['E03', 'E07']
