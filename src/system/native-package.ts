/** Why a native package cannot be loaded, as a clause that follows its name, and what helps. */
export function whyNotLoaded(error: unknown, platform: NodeJS.Platform, arch: string) {
  // It is there, and Windows finds no library that it is linked to: that of Microsoft's compiler.
  if (platform === 'win32' && causesOf(error).some(({ code }) => code === 'ERR_DLOPEN_FAILED')) {
    return {
      trouble: 'cannot be loaded, since the Visual C++ runtime of Microsoft is not installed',
      hint: `Install it from https://aka.ms/vs/17/release/vc_redist.${arch}.exe, then run the command again.`,
    }
  }
  return { trouble: `is not installed for ${platform}-${arch}`, hint: undefined }
}

/** An error with what has caused it: a package that looks in several places says last why it could not load what is there. */
function causesOf(error: unknown): NodeJS.ErrnoException[] {
  if (!(error instanceof Error)) return []
  return [error, ...causesOf(error.cause)]
}
