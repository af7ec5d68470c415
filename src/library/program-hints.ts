/** What a program does about an error, a warning, a step or a problem of a book, by its code. */
const byCode: Readonly<Record<string, string>> = {
  author_missing: 'Add a creator to the metadata, or give one in fields.author.',
  bad_reply: 'Check that the address is that of the service, else report it; a smaller limit asks for less.',
  blocked:
    'Leave the fields out, or make a new edition with editionOf and delete what is there if it is wrong.',
  book_unfit: 'Mend it, or send it as it is with check: "off".',
  conflict:
    'Compare the two. Without skipExisting and ifChanged it becomes a publication of its own, with editionOf an edition.',
  cover_missing: 'Add the image to the book, or give a cover in fields.cover.',
  extension_wrong: 'Rename the file, or say with the option type that it is meant so.',
  fault: 'Please report it with the call that you made.',
  insecure_address: 'Use https; http is taken for this machine alone.',
  invalid_request: 'Nothing was sent. Correct what is named in details.',
  journal_busy: 'What was sent is intact. Make the same call again once the other program is done.',
  journal_unusable: 'Update pubctl, or name another journal.',
  language_missing: 'Add a language to the metadata, or give one in fields.language.',
  network: 'Check the address and the network, then make the call again.',
  not_lpf: 'Make an LPF of its tracks, or send it as it is with check: "off".',
  not_own_upload: 'It may come from a restored journal or from an older version. Name another journal.',
  not_proven:
    'A metadata key proves it for what is uploaded from then on: metadataKeys.create({ key: "sha256" }).',
  pdf_unexamined: 'Give title and author in fields, or save the PDF anew.',
  redirected: 'Give the new address to createClient as baseUrl.',
  RequestTimeTooSkewed: 'A clock is wrong: that of the service, or of this machine.',
  sandbox_data: 'Delete its dataDir, or name another.',
  session_refused:
    'What was made for the file has none. Delete it, and upload the book again, with another journal if one is named.',
  timeout: 'Allow more time with the option timeout, or try again later.',
  title_control_characters: 'Type the title anew, or give one in fields.title.',
  title_missing: 'Add a title to the metadata, or give one in fields.title.',
  type_wrong: 'Leave out the option type, or give the type that the content has.',
  unreachable: 'Check the address and the network, then make the call again.',
  upload_failed: 'The file may be damaged or not of the type it claims; inspectBook tells what it is.',
  upload_gone: 'Check the key. If the publication was deleted, upload the book again with another journal.',
  upload_taken:
    'This process was asleep for too long. The same call waits for the other and tells how it ended.',
  wait_exhausted:
    'Ask for the publication until its uploadStatus is final, or allow more time with the option timeout.',
}

/** The same for errors of the service, whose codes are its own. */
const byStatus: Readonly<Record<number, string>> = {
  401: 'Check the key that createClient was given.',
  403: 'The key may lack the scope for this.',
  404: 'Check the id; the list of its group has those that exist.',
}

/** Whether a text tells of options, commands or variables of the command line, none of which a program has. */
export const isOfCommandLine = (text: string): boolean =>
  /(?:^|[\s"'(])--[a-z]|["':&] ?pubctl [a-z]|\bPUBCTL_|\bcommand\b|"list"/.test(text)

/**
 * The hint for a program: one of the command line is replaced by its counterpart for the code, and there may be none. Any other
 * hint is as it was.
 */
export function hintForProgram(code: string, hint: string, status?: number): string | undefined {
  if (!isOfCommandLine(hint)) return hint
  return Object.hasOwn(byCode, code) ? byCode[code] : byStatus[status ?? 0]
}

/** The same value, with hints for a program wherever there is a `hint` beside a `code`, or beside the `action` of a step. */
export function withProgramHints<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withProgramHints) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [name, withProgramHints(each)])
  const changed = Object.fromEntries(entries)
  const { hint, code = changed.action } = changed
  if (typeof hint !== 'string' || typeof code !== 'string') return changed
  const fitting = hintForProgram(code, hint)
  if (fitting === undefined) delete changed.hint
  else changed.hint = fitting
  return changed
}
