// Packages that come without types, and modules that the build makes: what of them is used here.
declare module 'postject' {
  export function inject(
    file: string,
    resource: string,
    data: Buffer,
    options: { sentinelFuse?: string; machoSegmentName?: string },
  ): Promise<void>
}
declare module 'eslint-plugin-redos' {
  const plugin: import('eslint').ESLint.Plugin
  export default plugin
}
// What the build makes of a schema.
declare module '*?compiled' {
  export const validate: import('ajv').ValidateFunction
}
