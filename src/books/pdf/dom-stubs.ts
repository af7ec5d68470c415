/**
 * pdf.js looks for these classes of browsers when it is loaded, and needs them only for drawing. Without them it prints
 * warnings to the console.
 */
class Stub {}
Object.assign(globalThis, { DOMMatrix: Stub, ImageData: Stub, Path2D: Stub })
