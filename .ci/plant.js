/** A fault that is to be found: a text, which a file has exactly once, is replaced by another. */
/** @typedef {{ file: string, text: string, by: string }} Plant */

/** The plugin of rolldown that plants a fault, if there is one; the end of the build fails if its file was not in it. */
/** @returns {import('rolldown').Plugin} */
export function planting(/** @type {Plant | undefined} */ plant) {
  let isPlanted = plant === undefined
  return {
    name: 'plant',
    transform(/** @type {string} */ code, /** @type {string} */ id) {
      if (!plant || !id.replaceAll('\\', '/').endsWith(`/${plant.file}`)) return undefined
      const parts = code.split(plant.text)
      if (parts.length !== 2) throw new Error(`${plant.file} has ${parts.length - 1} times: ${plant.text}`)
      isPlanted = true
      return parts.join(plant.by)
    },
    buildEnd() {
      if (!isPlanted) throw new Error(`${plant?.file} is not in the program`)
    },
  }
}
