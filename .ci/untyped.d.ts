// Packages that come without types: what of them is used here.
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
