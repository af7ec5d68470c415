/**
 * pdf.js wants these classes of browsers as soon as it is loaded, and needs them for drawing alone. Without them it
 * says so on the console.
 */
class Stub {}
Object.assign(globalThis, { DOMMatrix: Stub, ImageData: Stub, Path2D: Stub })
