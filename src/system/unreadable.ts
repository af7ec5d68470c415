import { UsageFailure } from './errors.ts'

const reasons: Readonly<Record<string, { says: string; hint: string }>> = {
  ENOENT: { says: 'there is no such file', hint: 'Check the name and the folder.' },
  ENOTDIR: { says: 'a part of the path is not a folder', hint: 'Check the name and the folder.' },
  EACCES: { says: 'you may not read it', hint: 'Check the permissions of the file and its folders.' },
  EPERM: { says: 'you may not read it', hint: 'Check the permissions of the file and its folders.' },
  ELOOP: { says: 'its symbolic links lead in a circle', hint: 'Name the file itself.' },
  ENAMETOOLONG: { says: 'the name is too long', hint: 'Check the name and the folder.' },
  EMFILE: { says: 'too many files are open', hint: 'Upload fewer books at a time.' },
  EBUSY: {
    says: 'another program has it open and lets nobody else read it',
    hint: 'Close it there, such as in Excel, or wait until it is written.',
  },
  EIO: { says: 'the disk cannot read it', hint: 'Copy the file from a backup.' },
}

/** Whether a name was not UTF-8: Node puts a replacement character into it, and then finds no file. */
const isMangled = (path: string): boolean => path.includes('\ufffd')
const mangled = {
  says: 'there is no such file; its name seems not to be UTF-8',
  hint: 'Rename the file, since names have to be UTF-8.',
}

/** The failure that says why the system could not read a file. */
export function unreadable(path: string, error: unknown): UsageFailure {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = code === 'ENOENT' && isMangled(path) ? mangled : reasons[code ?? '']
  return new UsageFailure(`cannot read ${path}: ${reason?.says ?? code ?? message}`, {
    code: 'file_unreadable',
    hint: reason?.hint ?? 'Check that the file can be opened.',
    cause: error,
  })
}
